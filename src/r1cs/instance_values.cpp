#include "r1cs/instance_values.hpp"

#include <algorithm>

namespace proofline::r1cs {
namespace {

void append(BitArray& out, const BitArray& from, std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; i += 64) {
    const unsigned now = std::min(64U, count - i);
    out.append(from.extract(first + i, now), now);
  }
}

}  // namespace

void InstanceValues::gather(const StructuredR1cs& r1cs, const Placement& placement, const CompactWitness& witness) {
  const Template& t = r1cs.template_of(placement);
  bits_.clear();
  bits_.reserve(t.num_bit_slots());
  bits_.push(true);
  for (const VariableRun& run : r1cs.outer_bit_runs(placement))
    append(bits_, witness.bits, run.first.index(), run.count);
  append(bits_, witness.bits, placement.aux_base, t.num_aux);

  fields_.clear();
  for (const VariableRun& run : r1cs.outer_field_runs(placement)) {
    const bool input = run.first.is_input();
    const std::vector<math::Fr>& source = input ? witness.inputs : witness.fields;
    const std::size_t first = input ? run.first.index() : witness.kinds->rank(run.first.index());
    fields_.insert(fields_.end(), source.begin() + static_cast<std::ptrdiff_t>(first),
                   source.begin() + static_cast<std::ptrdiff_t>(first + run.count));
  }
  const auto local = witness.fields.begin() + placement.field_base;
  fields_.insert(fields_.end(), local, local + static_cast<std::ptrdiff_t>(t.local_fields.size()));
}

}  // namespace proofline::r1cs
