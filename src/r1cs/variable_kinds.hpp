#pragma once
/// What each aux variable of a circuit is; static, known from the circuit code. Inputs are stored field elements.
///   bit               its gadget constrains it to 0 or 1
///   field element     anything else, and stored in a witness
///   derived           a field element that a row of its own gadget instance defines: not stored, evaluation gives it
/// (Small integers as a kind of their own would not pay: the PoRep witness has none.)
#include <cstdint>
#include <vector>

#include "r1cs/bit_array.hpp"

namespace proofline::r1cs {

class VariableKinds {
 public:
  std::size_t size() const { return fields_.size(); }
  /// Field elements, stored and derived.
  const RankedBits& fields() const { return fields_; }
  bool is_field(std::size_t i) const { return fields_.get(i); }
  bool is_derived(std::size_t i) const { return derived_before(i + 1) > derived_before(i); }
  std::size_t num_fields() const { return fields_.count(); }
  std::size_t num_derived() const { return derived_.empty() ? 0 : derived_.back().before + derived_.back().count; }
  std::size_t num_stored() const { return num_fields() - num_derived(); }
  /// Number of stored field elements before place i, i <= size(). Time: logarithmic in the runs of derived ones.
  std::size_t stored_rank(std::size_t i) const { return fields_.rank(i) - derived_before(i); }

  void append_bits(std::size_t count) { append_equal(0, count); }
  void append_fields(std::size_t count) { append_equal(~std::uint64_t{0}, count); }
  void append_derived(std::size_t count);
  void append(const VariableKinds& other);
  void reserve(std::size_t size) { fields_.reserve(size); }
  void shrink_to_fit();
  std::size_t bytes() const { return fields_.bytes() + derived_.capacity() * sizeof(DerivedRun); }
  bool operator==(const VariableKinds&) const = default;

 private:
  struct DerivedRun {
    std::uint32_t first, count;
    std::uint32_t before;  ///< derived variables in earlier runs
    bool operator==(const DerivedRun&) const = default;
  };
  void append_equal(std::uint64_t bits, std::size_t count);
  void add_run(std::uint32_t first, std::uint32_t count);
  std::size_t derived_before(std::size_t i) const;

  RankedBits fields_;
  std::vector<DerivedRun> derived_;
};

}  // namespace proofline::r1cs
