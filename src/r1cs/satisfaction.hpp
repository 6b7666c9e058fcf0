#pragma once
/// Checking that a witness satisfies its circuit, row by row while they are built.
#include <cstdint>
#include <string>

#include "r1cs/builder.hpp"

namespace proofline::r1cs {

/// Remembers the first row with <a,w> * <b,w> != <c,w>. The builder must keep its witness.
class SatisfactionChecker : public RowSink {
 public:
  void row(const Builder& builder, const Row& row) override;

  bool satisfied() const { return broken_path_.empty(); }
  /// Throws UnsatisfiedError with the first broken row's number and gadget path.
  void require_satisfied() const;
  /// Gadget path of the first broken row, with its number; empty when there is none.
  const std::string& first_broken() const { return broken_path_; }

 private:
  std::string broken_path_;
};

/// "constraint N at PATH": how errors name a row.
std::string row_name(std::uint64_t row, const std::string& path);
/// Throws UnsatisfiedError naming the row.
[[noreturn]] void throw_unsatisfied(const std::string& first_broken);

}  // namespace proofline::r1cs
