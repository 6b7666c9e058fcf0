#pragma once
/// The identity of a circuit: SHA-256 over its rows in order.
#include <array>
#include <cstdint>
#include <vector>

#include "base/sha256.hpp"
#include "r1cs/builder.hpp"

namespace proofline::r1cs {

/// Appends the byte form of a row: A, B, C one after another, each a u32 LE count of terms, then for
/// every term its u64 LE id (input i: i; aux i: 2^32 + i) and its coefficient as 32 LE canonical bytes.
void append_row_bytes(const Row& row, std::vector<std::uint8_t>& out);

/// Digests the byte form of all rows, without the rows of inputs that a prover appends.
class RowDigest : public RowSink {
 public:
  void row(const Builder&, const Row& row) override { add(row); }
  void add(const Row& row);
  /// Ends the digest; call once.
  std::array<std::uint8_t, 32> finish();

 private:
  Sha256 hash_;
  std::vector<std::uint8_t> buffer_;
};

/// Gives every row to several sinks.
class RowTee : public RowSink {
 public:
  explicit RowTee(std::vector<RowSink*> sinks) : sinks_(std::move(sinks)) {}
  void row(const Builder& builder, const Row& row) override {
    for (RowSink* sink : sinks_) sink->row(builder, row);
  }
  void scope_opened(const Builder& builder) override {
    for (RowSink* sink : sinks_) sink->scope_opened(builder);
  }
  void scope_closes(const Builder& builder) noexcept override {
    for (RowSink* sink : sinks_) sink->scope_closes(builder);
  }

 private:
  std::vector<RowSink*> sinks_;
};

}  // namespace proofline::r1cs
