#include "r1cs/variable_kinds.hpp"

#include <algorithm>

namespace proofline::r1cs {

void VariableKinds::append_equal(std::uint64_t bits, std::size_t count) {
  for (; count > 0; count -= std::min<std::size_t>(count, 64))
    fields_.append(bits, static_cast<unsigned>(std::min<std::size_t>(count, 64)));
}

void VariableKinds::append_derived(std::size_t count) {
  if (count == 0) return;
  add_run(static_cast<std::uint32_t>(size()), static_cast<std::uint32_t>(count));
  append_fields(count);
}

void VariableKinds::add_run(std::uint32_t first, std::uint32_t count) {
  if (!derived_.empty() && derived_.back().first + derived_.back().count == first) {
    derived_.back().count += count;
    return;
  }
  derived_.push_back({first, count, static_cast<std::uint32_t>(num_derived())});
}

void VariableKinds::append(const VariableKinds& other) {
  const auto offset = static_cast<std::uint32_t>(size());
  for (const DerivedRun& run : other.derived_) add_run(offset + run.first, run.count);
  fields_.append(other.fields_.bits());
}

void VariableKinds::shrink_to_fit() {
  fields_.shrink_to_fit();
  derived_.shrink_to_fit();
}

std::size_t VariableKinds::derived_before(std::size_t i) const {
  const auto after =
      std::partition_point(derived_.begin(), derived_.end(), [&](const DerivedRun& run) { return run.first < i; });
  if (after == derived_.begin()) return 0;
  const DerivedRun& run = *std::prev(after);
  return run.before + std::min<std::size_t>(i - run.first, run.count);
}

}  // namespace proofline::r1cs
