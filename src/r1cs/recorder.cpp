#include "r1cs/recorder.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/error.hpp"

namespace proofline::r1cs {

using math::Fr;

namespace {

/// Shorter runs stay single terms: those of a boolean row are evaluated faster so.
constexpr std::size_t kShortestRun = 4;

template <class T>
void mix(std::uint64_t& hash, const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  hash = (hash ^ std::hash<std::string_view>{}(bytes)) * 0x9e3779b97f4a7c15ULL;
}

std::uint64_t hash_of(const Template& t) {
  std::uint64_t out = (std::uint64_t{t.num_aux} << 32 ^ std::uint64_t{t.outer_bits} << 16 ^ t.outer_fields);
  mix(out, t.local_fields);
  mix(out, t.derived);
  mix(out, t.part_ends);
  mix(out, t.ops);
  mix(out, t.paths);
  return out;
}

void append_runs(std::vector<VariableRun>& runs, std::size_t first, Variable variable) {
  if (runs.size() > first) {
    VariableRun& last = runs.back();
    if (last.first.is_input() == variable.is_input() && last.first.index() + last.count == variable.index()) {
      ++last.count;
      return;
    }
  }
  runs.push_back({variable, 1});
}

}  // namespace

CoefficientTable::CoefficientTable() {
  for (std::uint32_t id = 0; id < StructuredR1cs::kSmallCoefficients; ++id) {
    const int small = StructuredR1cs::small_coefficient(id);
    const Fr magnitude = Fr::from_u64(static_cast<std::uint64_t>(std::abs(small)));
    id_of(small < 0 ? -magnitude : magnitude);
  }
}

std::size_t CoefficientTable::Hash::operator()(const Fr& value) const {
  const auto& limbs = value.raw().l;
  return (limbs[0] ^ limbs[1] * 0x9e3779b97f4a7c15ULL ^ limbs[3]) * 0xff51afd7ed558ccdULL >> 20;
}

std::uint32_t CoefficientTable::id_of(const Fr& coefficient) {
  std::uint32_t& cached = cache_[Hash{}(coefficient) % kCache];
  if (cached < values_.size() && values_[cached] == coefficient) return cached;
  const auto [entry, is_new] = ids_.try_emplace(coefficient, static_cast<std::uint32_t>(values_.size()));
  if (is_new) values_.push_back(coefficient);
  return cached = entry->second;
}

void CircuitRecorder::row(const Builder& builder, const Row& row) {
  kinds_ = &builder.kinds();
  take_events();
  if (builder.scope_serial() != scope_serial_) {
    scope_serial_ = builder.scope_serial();
    pending_paths_.push_back({builder.num_constraints(), builder.path()});
  }
  for (const Terms& part : {row.a, row.b, row.c}) {
    for (const Term& term : part) terms_.push_back({term.variable, coefficients_.id_of(term.coefficient)});
    part_ends_.push_back(terms_.size());
  }
  split_while_large({builder.num_constraints() + 1, builder.num_aux()});
}

void CircuitRecorder::scope_opened(const Builder& builder) {
  kinds_ = &builder.kinds();
  events_.push_back({{builder.num_constraints(), builder.num_aux()}, builder.path(), true});
  ++open_scopes_;
  events_.reserve(events_.size() + open_scopes_);  // room for all that close, which must not throw
}

void CircuitRecorder::scope_closes(const Builder& builder) noexcept {
  events_.push_back({{builder.num_constraints(), builder.num_aux()}, {}, false});
  --open_scopes_;
}

void CircuitRecorder::take_events() {
  for (const Event& event : events_) {
    if (event.opens) {
      open(event);
    } else {
      close(event.at);
    }
  }
  events_.clear();
}

void CircuitRecorder::open(const Event& event) {
  // Rows between the parts of a split scope.
  if (scopes_.back().split) emit(event.at, scopes_.back().path);
  scopes_.push_back({event.at, event.path, {}, false});
}

void CircuitRecorder::close(const Mark& at) {
  OpenScope scope = std::move(scopes_.back());
  scopes_.pop_back();
  if (scope.split || scopes_.back().split) {
    emit(at, scope.path);
  } else {
    scopes_.back().parts.push_back({scope.begin, at, std::move(scope.path)});
  }
}

std::size_t CircuitRecorder::first_whole() const {
  const auto found = std::find_if(scopes_.begin(), scopes_.end(), [](const OpenScope& scope) { return !scope.split; });
  return static_cast<std::size_t>(found - scopes_.begin());
}

void CircuitRecorder::split_while_large(const Mark& at) {
  while (at.row - done_.row > max_rows_) {
    const std::size_t index = first_whole();
    if (index == scopes_.size()) {
      // A long stretch without scopes is cut anywhere.
      emit(at, scopes_.back().path);
      return;
    }
    OpenScope& scope = scopes_[index];
    scope.split = true;
    for (const Part& part : scope.parts) {
      emit(part.begin, scope.path);
      emit(part.end, part.path);
    }
    scope.parts.clear();
    if (index + 1 < scopes_.size()) emit(scopes_[index + 1].begin, scope.path);
  }
}

CircuitRecorder::Slot& CircuitRecorder::slot_of(Variable variable) {
  const std::size_t mask = slots_.size() - 1;
  const std::uint64_t key = variable.index() + (variable.is_input() ? std::uint64_t{1} << 40 : 0);
  for (std::size_t i = (key * 0x9e3779b97f4a7c15ULL >> 40) & mask;; i = (i + 1) & mask) {
    if (slots_[i].stamp != stamp_ || slots_[i].variable == variable) return slots_[i];
  }
}

void CircuitRecorder::number_outer_variables(std::size_t begin, std::size_t end, const Mark& to) {
  ++stamp_;
  outer_.clear();
  if (slots_.empty()) slots_.resize(1 << 12);
  for (std::size_t i = begin; i < end; ++i) {
    const Variable variable = terms_[i].variable;
    if (variable == kOne || (variable.is_aux() && variable.index() >= done_.aux)) continue;
    Slot& slot = slot_of(variable);
    if (slot.stamp == stamp_) continue;
    slot = {stamp_, variable, Operand::bits(0)};
    outer_.push_back(variable);
    if (2 * outer_.size() > slots_.size()) {
      slots_.assign(2 * slots_.size(), {});
      for (const Variable& known : outer_) slot_of(known) = {stamp_, known, Operand::bits(0)};
    }
  }
  if (to.aux - done_.aux + outer_.size() >= Operand::kMaxSlot) {
    throw Error("circuit: a gadget with " + std::to_string(to.aux - done_.aux) +
                " aux variables is too large; give its parts scopes");
  }
  std::sort(outer_.begin(), outer_.end());
}

void CircuitRecorder::encode(std::span<const PendingTerm> terms, Template& t) {
  const std::uint32_t aux_base = done_.aux;
  singles_.clear();
  bool ascending = true;
  for (const PendingTerm& term : terms) {
    Operand operand = Operand::bits(0);
    if (term.variable.is_aux() && term.variable.index() >= aux_base) {
      const std::uint32_t local = term.variable.index() - aux_base;
      if (!kinds_->is_field(term.variable.index())) {
        operand = Operand::bits(1 + t.outer_bits + local);
      } else {
        const auto rank = std::lower_bound(t.local_fields.begin(), t.local_fields.end(), local);
        operand = Operand::field(t.outer_fields + static_cast<std::uint32_t>(rank - t.local_fields.begin()));
      }
    } else if (!(term.variable == kOne)) {
      operand = slot_of(term.variable).operand;
    }
    ascending = ascending && (singles_.empty() || singles_.back().operand.raw() < operand.raw());
    singles_.push_back({operand, term.coefficient});
  }
  if (!ascending) {
    std::sort(singles_.begin(), singles_.end(),
              [](const Op& x, const Op& y) { return x.operand.raw() < y.operand.raw(); });
  }
  for (std::size_t i = 0; i < singles_.size();) {
    const Operand first = singles_[i].operand;
    std::size_t end = i + 1;
    while (!first.is_field() && end < singles_.size() && end - i < Operand::kMaxRun &&
           singles_[end].operand.raw() == first.raw() + (end - i) &&
           coefficients_[singles_[end].coefficient] == coefficients_[singles_[end - 1].coefficient].doubled()) {
      ++end;
    }
    if (end - i >= kShortestRun) {
      t.ops.push_back({Operand::bits(first.slot(), static_cast<unsigned>(end - i)), singles_[i].coefficient});
    } else {
      t.ops.insert(t.ops.end(), singles_.begin() + static_cast<std::ptrdiff_t>(i),
                   singles_.begin() + static_cast<std::ptrdiff_t>(end));
    }
    i = end;
  }
  t.part_ends.push_back(static_cast<std::uint32_t>(t.ops.size()));
}

void CircuitRecorder::emit(const Mark& end, const std::string& path) {
  const auto num_rows = static_cast<std::size_t>(end.row - done_.row);
  if (num_rows == 0 && end.aux == done_.aux) return;
  const auto part_ends = std::span(part_ends_).subspan(taken_parts_, 3 * num_rows);
  const std::size_t terms_end = part_ends.empty() ? taken_terms_ : part_ends.back();

  Placement placement;
  placement.path = path_id(path);
  placement.row_base = done_.row;
  placement.aux_base = done_.aux;
  placement.field_base = static_cast<std::uint32_t>(kinds_->stored_rank(done_.aux));

  Template t;
  t.num_aux = end.aux - done_.aux;
  for (std::uint32_t local = 0; local < t.num_aux; local += 64) {
    const unsigned count = std::min(64U, t.num_aux - local);
    for (std::uint64_t word = kinds_->fields().bits().extract(done_.aux + local, count); word != 0; word &= word - 1)
      t.local_fields.push_back(local + static_cast<std::uint32_t>(std::countr_zero(word)));
  }

  const std::size_t num_derived =
      t.local_fields.size() - (kinds_->stored_rank(end.aux) - kinds_->stored_rank(done_.aux));
  for (std::uint32_t place = 0; num_derived > 0 && place < t.local_fields.size(); ++place)
    if (kinds_->is_derived(done_.aux + t.local_fields[place])) t.derived.push_back(place);

  number_outer_variables(taken_terms_, terms_end, end);
  require_stored(outer_, path);
  const auto is_field = [&](Variable v) { return v.is_input() || kinds_->is_field(v.index()); };
  placement.first_run = static_cast<std::uint32_t>(out_.outer_runs.size());
  for (const Variable variable : outer_) {
    if (is_field(variable)) continue;
    append_runs(out_.outer_runs, placement.first_run, variable);
    slot_of(variable).operand = Operand::bits(1 + t.outer_bits++);
  }
  placement.first_field_run = static_cast<std::uint32_t>(out_.outer_runs.size());
  for (const Variable variable : outer_) {
    if (!is_field(variable)) continue;
    append_runs(out_.outer_runs, placement.first_field_run, variable);
    slot_of(variable).operand = Operand::field(t.outer_fields++);
  }
  placement.end_run = static_cast<std::uint32_t>(out_.outer_runs.size());

  t.part_ends.reserve(part_ends.size());
  std::size_t begin = taken_terms_;
  for (const std::size_t part_end : part_ends) {
    encode(std::span(terms_).subspan(begin, part_end - begin), t);
    begin = part_end;
  }

  // The paths below the instance.
  std::size_t used_paths = 0;
  for (const PendingPath& pending : pending_paths_) {
    if (num_rows == 0 || pending.row >= end.row) break;
    ++used_paths;
    std::string_view below = pending.path;
    below.remove_prefix(std::min(below.size(), path.size()));
    if (!path.empty() && below.starts_with('/')) below.remove_prefix(1);
    const auto first_row = static_cast<std::uint32_t>(std::max(pending.row, done_.row) - done_.row);
    if (!t.paths.empty() && t.paths.back().row == first_row) t.paths.pop_back();
    t.paths.push_back({first_row, path_id(std::string(below))});
  }
  // The last one still holds for the rows that follow.
  if (used_paths > 1)
    pending_paths_.erase(pending_paths_.begin(), pending_paths_.begin() + static_cast<std::ptrdiff_t>(used_paths - 1));

  placement.template_index = template_id(std::move(t), path);
  out_.placements.push_back(placement);

  taken_terms_ = terms_end;
  taken_parts_ += 3 * num_rows;
  forget_taken();
  done_ = end;
}

void CircuitRecorder::require_stored(std::span<const Variable> outer, const std::string& path) const {
  if (kinds_->num_derived() == 0) return;
  for (const Variable variable : outer) {
    if (variable.is_input() || !kinds_->is_derived(variable.index())) continue;
    throw Error("circuit: " + path + " refers to aux " + std::to_string(variable.index()) +
                ", which is derived in another instance: a gadget that allocates it and all that use it need a scope "
                "around them, of at most " +
                std::to_string(max_rows_) + " rows");
  }
}

void CircuitRecorder::forget_taken() {
  // Only when at least half goes, so that a scope of many small parts is not moved once a part.
  if (2 * taken_parts_ < part_ends_.size()) return;
  terms_.erase(terms_.begin(), terms_.begin() + static_cast<std::ptrdiff_t>(taken_terms_));
  part_ends_.erase(part_ends_.begin(), part_ends_.begin() + static_cast<std::ptrdiff_t>(taken_parts_));
  for (std::size_t& part_end : part_ends_) part_end -= taken_terms_;
  taken_terms_ = taken_parts_ = 0;
}

std::uint32_t CircuitRecorder::path_id(const std::string& path) {
  const auto [entry, is_new] = path_ids_.try_emplace(path, static_cast<std::uint32_t>(out_.paths.size()));
  if (is_new) out_.paths.push_back(path);
  return entry->second;
}

std::uint32_t CircuitRecorder::template_id(Template t, const std::string& path) {
  const std::uint64_t hash = hash_of(t);
  const auto [begin, end] = template_ids_.equal_range(hash);
  for (auto entry = begin; entry != end; ++entry) {
    if (out_.templates[entry->second].same_rows(t)) return entry->second;
  }
  const auto id = static_cast<std::uint32_t>(out_.templates.size());
  t.ops.shrink_to_fit();
  t.local_fields.shrink_to_fit();
  t.derived.shrink_to_fit();
  t.paths.shrink_to_fit();
  derive(t);
  if (!t.is_defined()) {
    throw Error("circuit: a gadget declares " + std::to_string(t.derived.size()) +
                " variables derived, but its rows "
                "define " +
                std::to_string(t.definitions.size()) + "; its last instance is at " + path);
  }
  out_.templates.push_back(std::move(t));
  template_ids_.emplace(hash, id);
  return id;
}

StructuredR1cs CircuitRecorder::finish(Builder& builder) {
  kinds_ = &builder.kinds();
  take_events();
  const Mark end{builder.num_constraints(), builder.num_aux()};
  emit(end, "");
  out_.num_inputs = builder.num_inputs();
  out_.num_constraints = builder.num_constraints();
  out_.coefficients = coefficients_.take();
  out_.outer_runs.shrink_to_fit();
  out_.placements.shrink_to_fit();
  VariableKinds kinds = builder.take_kinds();
  kinds.shrink_to_fit();
  out_.kinds = std::make_shared<const VariableKinds>(std::move(kinds));
  derive_uses(out_);
  return std::move(out_);
}

StructuredR1cs record(const Circuit& circuit, std::uint32_t max_rows) {
  CircuitRecorder recorder(max_rows);
  Builder builder(&recorder, Keep::kNothing);
  circuit(builder);
  return recorder.finish(builder);
}

}  // namespace proofline::r1cs
