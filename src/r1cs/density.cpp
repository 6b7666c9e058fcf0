#include "r1cs/density.hpp"

#include <algorithm>

namespace proofline::r1cs {
BitArray used_aux(const StructuredR1cs& r1cs, Matrix matrix, std::uint32_t begin, std::uint32_t end) {
  const auto m = static_cast<unsigned>(matrix);
  BitArray out;
  if (begin >= end) return out;
  out.reserve(end - begin);
  for (std::size_t p = r1cs.placement_of_aux(begin); out.size() < end - begin; ++p) {
    const Placement& placement = r1cs.placements[p];
    const Template& t = r1cs.template_of(placement);
    std::uint32_t local = begin + static_cast<std::uint32_t>(out.size()) - placement.aux_base;
    const std::uint32_t local_end = std::min(t.num_aux, end - placement.aux_base);
    const std::size_t start = out.size();
    const std::uint32_t first = local;
    while (local < local_end) {
      const unsigned count = std::min(64U, local_end - local);
      out.append(t.used_bits[m].extract(1 + t.outer_bits + local, count), count);
      local += count;
    }
    const auto fields = std::lower_bound(t.local_fields.begin(), t.local_fields.end(), first);
    for (auto field = fields; field != t.local_fields.end() && *field < local_end; ++field) {
      const auto slot = t.outer_fields + static_cast<std::size_t>(field - t.local_fields.begin());
      if (t.used_fields[m].get(slot)) out.set(start + *field - first);
    }
  }
  const std::vector<VariableRun>& elsewhere = r1cs.used_elsewhere[m];
  auto run = std::partition_point(elsewhere.begin(), elsewhere.end(),
                                  [&](const VariableRun& r) { return r.first.index() + r.count <= begin; });
  for (; run != elsewhere.end() && run->first.index() < end; ++run) {
    const std::uint32_t last = std::min(run->first.index() + run->count, end);
    for (std::uint32_t i = std::max(run->first.index(), begin); i < last; ++i) out.set(i - begin);
  }
  return out;
}

std::uint64_t count_used_aux(const StructuredR1cs& r1cs, Matrix matrix) {
  std::uint64_t out = 0;
  for (const VariableRun& run : r1cs.used_elsewhere[static_cast<unsigned>(matrix)]) out += run.count;
  for (const Placement& placement : r1cs.placements)
    out += r1cs.template_of(placement).num_used_local[static_cast<unsigned>(matrix)];
  return out;
}

}  // namespace proofline::r1cs
