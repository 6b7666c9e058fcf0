#include "r1cs/query_scalars.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "r1cs/density.hpp"
#include "r1cs/evaluate.hpp"

namespace proofline::r1cs {
namespace {

using math::Fr;

/// A piece ends soon after it has this many field elements (8 MiB) or variables.
constexpr std::size_t kPieceFields = std::size_t{1} << 18;
constexpr std::size_t kPieceVariables = std::size_t{1} << 22;

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

std::vector<std::uint32_t> query_inputs(const StructuredR1cs& r1cs, Query query) {
  std::vector<std::uint32_t> out;
  if (query == Query::kAux) return out;
  for (std::uint32_t i = 0; i < r1cs.num_inputs; ++i) {
    if (query == Query::kA || r1cs.used_inputs[static_cast<unsigned>(Matrix::kB)].get(i)) out.push_back(i);
  }
  return out;
}

std::vector<std::uint32_t> field_places(const StructuredR1cs& r1cs, Query query) {
  auto place = static_cast<std::uint32_t>(query_inputs(r1cs, query).size());
  std::vector<std::uint32_t> out(place);
  std::iota(out.begin(), out.end(), 0U);
  const std::span<const std::uint64_t> kinds = r1cs.kinds->fields().bits().words();
  BitArray used;
  if (query != Query::kAux) used = used_aux(r1cs, query == Query::kA ? Matrix::kA : Matrix::kB, 0, r1cs.num_aux());
  for (std::size_t word = 0; word < kinds.size(); ++word) {
    const std::uint64_t mask = query == Query::kAux ? ~std::uint64_t{0} : used.words()[word];
    for (std::uint64_t left = kinds[word] & mask; left != 0; left &= left - 1) {
      const std::uint64_t below = (left & -left) - 1;
      out.push_back(place + static_cast<std::uint32_t>(std::popcount(mask & below)));
    }
    place += static_cast<std::uint32_t>(std::popcount(mask));
  }
  return out;
}

QueryScalars::QueryScalars(const StructuredR1cs& r1cs, const CompactWitness& witness, Query query, const Executor& exec)
    : r1cs_(r1cs), witness_(witness), query_(query), exec_(exec), evaluator_(r1cs) {
  require_same_circuit(r1cs, witness);
}

bool QueryScalars::next(math::CompactScalars& piece) {
  bits_.clear();
  is_field_.clear();
  fields_.clear();
  if (!inputs_taken_) {
    inputs_taken_ = true;
    take_inputs();
    piece_fields_ = fields_;
  }
  const std::size_t num_placements = r1cs_.placements.size();
  if (next_placement_ == num_placements && bits_.size() == 0) return false;
  std::size_t end = next_placement_, fields = 0, variables = 0;
  for (; end < num_placements && fields < kPieceFields && variables < kPieceVariables; ++end) {
    const Template& t = r1cs_.template_of(r1cs_.placements[end]);
    fields += t.local_fields.size();
    variables += t.num_aux;
  }
  if (end > next_placement_) take_placements(end);
  piece = {bits_.size(), bits_.words(), is_field_.words(), piece_fields_};
  return true;
}

void QueryScalars::take_inputs() {
  for (const std::uint32_t i : query_inputs(r1cs_, query_)) {
    bits_.push(false);
    is_field_.push(true);
    fields_.push_back(witness_.inputs[i]);
  }
}

void QueryScalars::take_placements(std::size_t end) {
  const std::uint32_t begin_aux = r1cs_.placements[next_placement_].aux_base;
  const std::uint32_t end_aux = end == r1cs_.placements.size() ? r1cs_.num_aux() : r1cs_.placements[end].aux_base;
  const std::span<const Fr> fields = fields_of(next_placement_, end);
  next_placement_ = end;
  if (query_ != Query::kAux) {
    const Matrix matrix = query_ == Query::kA ? Matrix::kA : Matrix::kB;
    select(used_aux(r1cs_, matrix, begin_aux, end_aux), begin_aux, fields);
    piece_fields_ = fields_;
    return;
  }
  const BitArray& kinds = r1cs_.kinds->fields().bits();
  for (std::uint32_t i = begin_aux; i < end_aux; i += 64) {
    const unsigned count = std::min(64U, end_aux - i);
    bits_.append(witness_.bits.extract(i, count), count);
    is_field_.append(kinds.extract(i, count), count);
  }
  piece_fields_ = fields;
}

std::span<const Fr> QueryScalars::fields_of(std::size_t begin, std::size_t end) {
  const std::size_t first = r1cs_.placements[begin].field_base;
  if (r1cs_.kinds->num_derived() == 0) {
    const std::size_t last = end == r1cs_.placements.size() ? witness_.fields.size() : r1cs_.placements[end].field_base;
    return std::span(witness_.fields).subspan(first, last - first);
  }
  std::vector<std::size_t> offsets(end - begin + 1);
  for (std::size_t p = begin; p < end; ++p)
    offsets[p - begin + 1] = offsets[p - begin] + r1cs_.template_of(r1cs_.placements[p]).local_fields.size();
  expanded_.resize(offsets.back());
  tbb::enumerable_thread_specific<InstanceValues> gathered;
  exec_.parallel_for(end - begin, 1, [&](std::size_t from, std::size_t to) {
    InstanceValues& values = gathered.local();
    for (std::size_t i = from; i < to; ++i) {
      if (offsets[i + 1] == offsets[i]) continue;
      const Placement& placement = r1cs_.placements[begin + i];
      values.gather(r1cs_, evaluator_, placement, witness_);
      std::ranges::copy(values.fields().subspan(r1cs_.template_of(placement).outer_fields),
                        expanded_.begin() + static_cast<std::ptrdiff_t>(offsets[i]));
    }
  });
  return expanded_;
}

void QueryScalars::select(const BitArray& used, std::uint32_t begin, std::span<const Fr> fields) {
  const BitArray& kinds = r1cs_.kinds->fields().bits();
  auto field = fields.begin();
  for (std::size_t place = 0; place < used.size(); place += 64) {
    const auto width = static_cast<unsigned>(std::min<std::size_t>(64, used.size() - place));
    const std::uint64_t mask = used.words()[place / 64];
    const std::uint64_t kind = kinds.extract(begin + place, width);
    for (std::uint64_t left = kind; left != 0; left &= left - 1, ++field) {
      if ((mask >> std::countr_zero(left)) & 1) fields_.push_back(*field);
    }
    const auto count = static_cast<unsigned>(std::popcount(mask));
    bits_.append(gather(witness_.bits.extract(begin + place, width), mask), count);
    is_field_.append(gather(kind, mask), count);
  }
}

FlatWitness to_flat(const StructuredR1cs& r1cs, const CompactWitness& witness, const Executor& exec) {
  FlatWitness out{witness.inputs, {}};
  out.aux.reserve(r1cs.num_aux());
  QueryScalars scalars(r1cs, witness, Query::kAux, exec);
  for (math::CompactScalars piece; scalars.next(piece);) {
    auto field = piece.fields.begin();
    for (std::size_t i = 0; i < piece.size; ++i) {
      const auto at = [&](std::span<const std::uint64_t> words) { return ((words[i / 64] >> (i % 64)) & 1) != 0; };
      out.aux.push_back(at(piece.is_field) ? *field++ : at(piece.bits) ? Fr::one() : Fr::zero());
    }
  }
  return out;
}

}  // namespace proofline::r1cs
