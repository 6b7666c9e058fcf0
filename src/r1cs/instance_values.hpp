#pragma once
/// The values that one instance's rows refer to, gathered from a compact witness.
#include <span>
#include <vector>

#include "r1cs/structured.hpp"

namespace proofline::r1cs {

class PartEvaluator;

class InstanceValues {
 public:
  /// Also computes the derived values: about the time of evaluating A in the rows that define them.
  void gather(const StructuredR1cs& r1cs, const PartEvaluator& evaluator, const Placement& placement,
              const CompactWitness& witness);

  /// The run of bits as an integer.
  std::uint64_t bits(Operand operand) const {
    return extract_bits(bits_.words().data(), operand.slot(), operand.length());
  }
  std::uint64_t bit(std::uint32_t slot) const { return (bits_.words()[slot / 64] >> (slot % 64)) & 1; }
  const math::Fr& field(std::uint32_t slot) const { return fields_[slot]; }
  /// All field elements: outer ones, then local ones.
  std::span<const math::Fr> fields() const { return fields_; }

 private:
  void place_local(const Template& t, std::span<const math::Fr> stored);
  void solve(const Template& t, const PartEvaluator& evaluator);

  BitArray bits_;
  std::vector<math::Fr> fields_;
};

}  // namespace proofline::r1cs
