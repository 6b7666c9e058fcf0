#pragma once
/// Field elements in a circuit, their bits and their packing.
/// Source: bellpepper's num and multipack gadgets, rust-fil-proofs' constraint gadgets.
#include <span>
#include <vector>

#include "gadgets/boolean.hpp"

namespace proofline::gadgets {

/// A variable and its value.
struct Number {
  Variable variable;
  Fr value;
};

/// A fresh unconstrained variable.
Number alloc_number(Builder& cs, const Fr& value);
/// A fresh variable that the caller's next rows define: see Builder::alloc_derived.
Number alloc_derived(Builder& cs, const Fr& value);

/// Makes the number a public input: one input and the row input * 1 = number.
void inputize(Builder& cs, const Number& number);

/// The 255 bits of the number, least significant first: 255 boolean variables and one row. The bits
/// may also be those of number + r where that is below 2^255, as in the reference.
std::vector<Boolean> to_bits_le(Builder& cs, const Number& number);

/// `count` boolean variables, least significant first, and the row sum of bits[i] * 2^i * 1 = number; count <= 255. The
/// sector update's form of to_bits_le: the same bits, another row.
std::vector<Boolean> decompose(Builder& cs, const Number& number, unsigned count);

/// Row a * 1 = b.
void enforce_equal(Builder& cs, const Number& a, const Number& b);
/// A fresh variable equal to a + b, by one row.
Number add(Builder& cs, const Number& a, const Number& b);
/// A fresh variable equal to a * b, by one row.
Number multiply(Builder& cs, const Number& a, const Number& b);
/// A fresh variable equal to `condition ? a : b`, by one row. It is derived: what uses it stands in the same scope, of
/// at most CircuitRecorder::kMaxRows rows.
Number pick(Builder& cs, const Boolean& condition, const Number& a, const Number& b);
/// The same, stored, for use anywhere.
Number pick_stored(Builder& cs, const Boolean& condition, const Number& a, const Number& b);

/// A fresh variable holding sum of bits[i] * 2^i; at most 254 bits.
Number pack_bits(Builder& cs, std::span<const Boolean> bits);
/// As many public inputs as 254-bit chunks, each the packed chunk.
void pack_into_inputs(Builder& cs, std::span<const Boolean> bits);

/// Pads to whole bytes with constant zeros and reverses the bits inside each byte: turns little-endian
/// bit order into the big-endian-in-byte order that SHA-256 reads, and back.
std::vector<Boolean> reverse_bits_in_bytes(std::vector<Boolean> bits);

}  // namespace proofline::gadgets
