#include "r1cs/structured.hpp"

#include <algorithm>

#include "r1cs/density.hpp"

namespace proofline::r1cs {
namespace {

/// The sum of a small part stays within the evaluation's table.
constexpr std::size_t kSmallOps = 4;

bool is_small(std::span<const Op> part) {
  return part.size() <= kSmallOps && std::all_of(part.begin(), part.end(), [](const Op& op) {
           return !op.operand.is_field() && op.operand.length() == 1 &&
                  op.coefficient < StructuredR1cs::kSmallCoefficients;
         });
}

template <class T>
std::size_t vector_bytes(const std::vector<T>& v) {
  return v.capacity() * sizeof(T);
}

/// Sorts and joins single variables into runs.
std::vector<VariableRun> runs_of(std::vector<std::uint32_t> aux) {
  std::sort(aux.begin(), aux.end());
  aux.erase(std::unique(aux.begin(), aux.end()), aux.end());
  std::vector<VariableRun> out;
  for (const std::uint32_t i : aux) {
    if (!out.empty() && out.back().first.index() + out.back().count == i) {
      ++out.back().count;
    } else {
      out.push_back({Variable::aux(i), 1});
    }
  }
  out.shrink_to_fit();
  return out;
}

void find_definitions(Template& t) {
  t.definitions.clear();
  if (t.derived.empty()) return;
  BitArray unknown;
  unknown.resize(t.num_field_slots());
  for (const std::uint32_t place : t.derived) unknown.set(t.outer_fields + place);
  const auto is_unknown = [&](const Op& op) { return op.operand.is_field() && unknown.get(op.operand.slot()); };
  for (std::size_t row = 0; row < t.num_rows(); ++row) {
    const auto factors_unknown = [&](Matrix matrix) {
      const std::span<const Op> part = t.part(row, matrix);
      return std::any_of(part.begin(), part.end(), is_unknown);
    };
    const std::span<const Op> result = t.part(row, Matrix::kC);
    const auto defined = std::find_if(result.begin(), result.end(), is_unknown);
    if (defined == result.end() || std::find_if(defined + 1, result.end(), is_unknown) != result.end()) continue;
    // Coefficients 0 and 1 are 1 and -1.
    if (defined->coefficient > 1 || factors_unknown(Matrix::kA) || factors_unknown(Matrix::kB)) continue;
    const std::uint32_t slot = defined->operand.slot();
    t.definitions.push_back({static_cast<std::uint32_t>(row), slot, defined->coefficient == 1});
    unknown.reset(slot);
  }
}

}  // namespace

bool Template::uses_local(Matrix matrix, std::uint32_t local) const {
  const auto m = static_cast<unsigned>(matrix);
  const auto field = std::lower_bound(local_fields.begin(), local_fields.end(), local);
  if (field != local_fields.end() && *field == local) {
    return used_fields[m].get(outer_fields + static_cast<std::size_t>(field - local_fields.begin()));
  }
  return used_bits[m].get(1 + outer_bits + local);
}

bool Template::same_rows(const Template& other) const {
  return num_aux == other.num_aux && outer_bits == other.outer_bits && outer_fields == other.outer_fields &&
         local_fields == other.local_fields && derived == other.derived && part_ends == other.part_ends &&
         ops == other.ops && paths == other.paths;
}

std::size_t StructuredR1cs::placement_of_row(std::uint64_t row) const {
  const auto after = std::upper_bound(placements.begin(), placements.end(), row,
                                      [](std::uint64_t r, const Placement& p) { return r < p.row_base; });
  return static_cast<std::size_t>(after - placements.begin()) - 1;
}

std::size_t StructuredR1cs::placement_of_aux(std::uint32_t aux) const {
  const auto after = std::upper_bound(placements.begin(), placements.end(), aux,
                                      [](std::uint32_t a, const Placement& p) { return a < p.aux_base; });
  return static_cast<std::size_t>(after - placements.begin()) - 1;
}

std::string StructuredR1cs::path_of_row(std::uint64_t row) const {
  const Placement& placement = placements[placement_of_row(row)];
  const Template& t = template_of(placement);
  const auto local = static_cast<std::uint32_t>(row - placement.row_base);
  const auto after = std::upper_bound(t.paths.begin(), t.paths.end(), local,
                                      [](std::uint32_t r, const PathChange& change) { return r < change.row; });
  std::string out = paths[placement.path];
  if (after == t.paths.begin()) return out;
  const std::string& below = paths[std::prev(after)->path];
  if (!out.empty() && !below.empty()) out += '/';
  return out + below;
}

Shape StructuredR1cs::shape() const {
  Shape out;
  out.num_inputs = num_inputs;
  out.num_aux = num_aux();
  out.num_constraints = num_constraints;
  for (const Placement& placement : placements) {
    const Template& t = template_of(placement);
    out.nonzeros_a += t.nonzeros[0];
    out.nonzeros_b += t.nonzeros[1];
    out.nonzeros_c += t.nonzeros[2];
  }
  out.density_a_aux = count_used_aux(*this, Matrix::kA);
  out.density_b_aux = count_used_aux(*this, Matrix::kB);
  for (std::size_t i = 0; i < num_inputs; ++i) out.density_b_inputs += used_inputs[1].get(i) ? 1 : 0;
  return out;
}

StructuredR1cs::Bytes StructuredR1cs::bytes() const {
  Bytes out{};
  for (const Template& t : templates) {
    out.templates += sizeof(Template) + vector_bytes(t.local_fields) + vector_bytes(t.derived) +
                     vector_bytes(t.definitions) + vector_bytes(t.part_ends) + vector_bytes(t.ops) +
                     vector_bytes(t.paths) + t.small.bytes();
    for (const auto* used : {&t.used_bits, &t.used_fields})
      for (const BitArray& bits : *used) out.densities += bits.bytes();
  }
  out.placements = vector_bytes(placements) + vector_bytes(outer_runs) + vector_bytes(paths);
  for (const std::string& path : paths) out.placements += path.capacity();
  out.coefficients = vector_bytes(coefficients);
  out.kinds = kinds->bytes();
  for (const auto& runs : used_elsewhere) out.densities += vector_bytes(runs);
  for (const BitArray& bits : used_inputs) out.densities += bits.bytes();
  return out;
}

std::uint64_t StructuredR1cs::witness_bytes() const {
  const std::uint64_t words = (std::uint64_t{num_aux()} + 63) / 64;
  return words * sizeof(std::uint64_t) + (num_inputs + kinds->num_stored()) * sizeof(math::Fr);
}

void derive(Template& t) {
  find_definitions(t);
  t.small = {};
  t.small.reserve(t.part_ends.size());
  for (const Matrix matrix : kMatrices) {
    const auto m = static_cast<unsigned>(matrix);
    t.nonzeros[m] = 0;
    t.used_bits[m] = {};
    t.used_bits[m].resize(t.num_bit_slots());
    t.used_fields[m] = {};
    t.used_fields[m].resize(t.num_field_slots());
  }
  for (std::size_t row = 0; row < t.num_rows(); ++row) {
    for (const Matrix matrix : kMatrices) {
      const auto m = static_cast<unsigned>(matrix);
      const std::span<const Op> part = t.part(row, matrix);
      t.small.push(is_small(part));
      for (const Op& op : part) {
        t.nonzeros[m] += op.operand.length();
        if (op.operand.is_field()) {
          t.used_fields[m].set(op.operand.slot());
        } else {
          for (unsigned i = 0; i < op.operand.length(); ++i) t.used_bits[m].set(op.operand.slot() + i);
        }
      }
    }
  }
  for (const Matrix matrix : kMatrices) {
    const auto m = static_cast<unsigned>(matrix);
    const auto count = [](const BitArray& bits, std::size_t begin) {
      std::uint32_t ones = 0;
      for (std::size_t i = begin; i < bits.size(); ++i) ones += bits.get(i) ? 1 : 0;
      return ones;
    };
    t.num_used_local[m] = count(t.used_bits[m], 1 + t.outer_bits) + count(t.used_fields[m], t.outer_fields);
  }
}

void derive_uses(StructuredR1cs& r1cs) {
  for (const Matrix matrix : kMatrices) {
    const auto m = static_cast<unsigned>(matrix);
    BitArray& inputs = r1cs.used_inputs[m];
    inputs = {};
    inputs.resize(r1cs.num_inputs);
    std::vector<std::uint32_t> elsewhere;
    const auto use = [&](const VariableRun& run, const BitArray& used, std::size_t& slot) {
      for (std::uint32_t i = 0; i < run.count; ++i, ++slot) {
        if (!used.get(slot)) continue;
        const std::uint32_t index = run.first.index() + i;
        if (run.first.is_input()) {
          inputs.set(index);
          continue;
        }
        const Placement& home = r1cs.placements[r1cs.placement_of_aux(index)];
        if (!r1cs.template_of(home).uses_local(matrix, index - home.aux_base)) elsewhere.push_back(index);
      }
    };
    for (const Placement& placement : r1cs.placements) {
      const Template& t = r1cs.template_of(placement);
      if (t.used_bits[m].size() > 0 && t.used_bits[m].get(0)) inputs.set(0);
      std::size_t slot = 1;
      for (const VariableRun& run : r1cs.outer_bit_runs(placement)) use(run, t.used_bits[m], slot);
      slot = 0;
      for (const VariableRun& run : r1cs.outer_field_runs(placement)) use(run, t.used_fields[m], slot);
    }
    r1cs.used_elsewhere[m] = runs_of(std::move(elsewhere));
  }
}

}  // namespace proofline::r1cs
