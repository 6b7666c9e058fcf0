#include "r1cs/instance_values.hpp"

#include <algorithm>

#include "r1cs/part_evaluator.hpp"

namespace proofline::r1cs {
namespace {

void append(BitArray& out, const BitArray& from, std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; i += 64) {
    const unsigned now = std::min(64U, count - i);
    out.append(from.extract(first + i, now), now);
  }
}

}  // namespace

void InstanceValues::gather(const StructuredR1cs& r1cs, const PartEvaluator& evaluator, const Placement& placement,
                            const CompactWitness& witness) {
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
    const std::size_t first = input ? run.first.index() : witness.kinds->stored_rank(run.first.index());
    fields_.insert(fields_.end(), source.begin() + static_cast<std::ptrdiff_t>(first),
                   source.begin() + static_cast<std::ptrdiff_t>(first + run.count));
  }
  place_local(t, std::span(witness.fields).subspan(placement.field_base, t.num_stored()));
  solve(t, evaluator);
}

void InstanceValues::place_local(const Template& t, std::span<const math::Fr> stored) {
  const auto take = [&](std::size_t count) {
    fields_.insert(fields_.end(), stored.begin(), stored.begin() + static_cast<std::ptrdiff_t>(count));
    stored = stored.subspan(count);
  };
  std::uint32_t next = 0;
  for (const std::uint32_t place : t.derived) {
    take(place - next);
    fields_.emplace_back();
    next = place + 1;
  }
  take(stored.size());
}

void InstanceValues::solve(const Template& t, const PartEvaluator& evaluator) {
  for (const Definition& definition : t.definitions) {
    // The unknown is still zero, so that C is all the rest of its part.
    const math::Fr product =
        evaluator(t, definition.row, Matrix::kA, *this) * evaluator(t, definition.row, Matrix::kB, *this);
    const math::Fr rest = evaluator(t, definition.row, Matrix::kC, *this);
    fields_[definition.slot] = definition.negative ? rest - product : product - rest;
  }
}

}  // namespace proofline::r1cs
