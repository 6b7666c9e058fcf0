#include "r1cs/density.hpp"

#include <algorithm>

namespace proofline::r1cs {
namespace {

/// Aux variables looked at together.
constexpr std::uint32_t kBlock = 1 << 16;

/// The bits of `value` where `mask` is one, moved together.
std::uint64_t gather(std::uint64_t value, std::uint64_t mask) {
  if (mask == ~std::uint64_t{0}) return value;
  std::uint64_t out = 0;
  for (unsigned place = 0; mask != 0; mask &= mask - 1, ++place) {
    out |= ((value >> std::countr_zero(mask)) & 1) << place;
  }
  return out;
}

}  // namespace

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

QueryScalars select_used(const StructuredR1cs& r1cs, Matrix matrix, const CompactWitness& witness, bool all_inputs) {
  QueryScalars out;
  for (std::uint32_t i = 0; i < r1cs.num_inputs; ++i) {
    if (!all_inputs && !r1cs.used_inputs[static_cast<unsigned>(matrix)].get(i)) continue;
    out.bits.push(false);
    out.is_field.push(true);
    out.fields.push_back(witness.inputs[i]);
  }
  const std::span<const std::uint64_t> kinds = witness.kinds->bits().words();
  const std::span<const std::uint64_t> bits = witness.bits.words();
  auto field = witness.fields.begin();
  for (std::uint32_t begin = 0; begin < r1cs.num_aux(); begin += kBlock) {
    const BitArray used = used_aux(r1cs, matrix, begin, std::min(begin + kBlock, r1cs.num_aux()));
    for (std::size_t word = 0; word < used.words().size(); ++word) {
      const std::uint64_t mask = used.words()[word];
      const std::uint64_t kind = kinds[begin / 64 + word];
      for (std::uint64_t fields = kind; fields != 0; fields &= fields - 1, ++field) {
        if ((mask >> std::countr_zero(fields)) & 1) out.fields.push_back(*field);
      }
      const auto count = static_cast<unsigned>(std::popcount(mask));
      out.bits.append(gather(bits[begin / 64 + word], mask), count);
      out.is_field.append(gather(kind, mask), count);
    }
  }
  return out;
}

}  // namespace proofline::r1cs
