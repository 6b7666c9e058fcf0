#include "r1cs/builder.hpp"

#include <oneapi/tbb/parallel_pipeline.h>

#include <algorithm>
#include <memory>

namespace proofline::r1cs {

using math::Fr;

Builder::Builder(RowSink* sink, Keep keep, const Executor* exec)
    : sink_(sink),
      exec_(exec),
      keep_witness_(keep != Keep::kNothing),
      keep_derived_(keep == Keep::kAll || (keep == Keep::kWitness && sink != nullptr)) {
  alloc_input(Fr::one());
}

Variable Builder::alloc(const Fr& value) {
  const Variable out = Variable::aux(num_aux());
  kinds_.append_fields(1);
  if (keep_witness_) {
    bits_.push(false);
    fields_.push_back(value);
  }
  return out;
}

Variable Builder::alloc_derived(const Fr& value) {
  const Variable out = Variable::aux(num_aux());
  kinds_.append_derived(1);
  if (keep_witness_) bits_.push(false);
  if (keep_derived_) fields_.push_back(value);
  return out;
}

void Builder::alloc_derived_run(std::size_t count) {
  kinds_.append_derived(count);
  if (keep_witness_) bits_.resize(bits_.size() + count);
}

Variable Builder::alloc_bits(std::uint64_t values, unsigned count) {
  const Variable out = Variable::aux(num_aux());
  kinds_.append_bits(count);
  if (keep_witness_) bits_.append(values, count);
  return out;
}

Variable Builder::alloc_input(const Fr& value) {
  if (keep_witness_) inputs_.push_back(value);
  return Variable::input(num_inputs_++);
}

Terms Builder::normalise(Terms terms, std::vector<Term>& buffer) const {
  bool normal = true;
  for (std::size_t i = 0; i < terms.size() && normal; ++i) {
    normal = !terms[i].coefficient.is_zero() && (i == 0 || terms[i - 1].variable < terms[i].variable);
  }
  if (normal) return terms;
  buffer.assign(terms.begin(), terms.end());
  std::stable_sort(buffer.begin(), buffer.end(), [](const Term& x, const Term& y) { return x.variable < y.variable; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < buffer.size();) {
    Term sum = buffer[i++];
    while (i < buffer.size() && buffer[i].variable == sum.variable) sum.coefficient += buffer[i++].coefficient;
    if (!sum.coefficient.is_zero()) buffer[kept++] = sum;
  }
  return Terms(buffer.data(), kept);
}

void Builder::enforce(Terms a, Terms b, Terms c) {
  sink_->row(*this, Row{normalise(a, buffers_[0]), normalise(b, buffers_[1]), normalise(c, buffers_[2])});
  ++num_constraints_;
}

void Builder::for_each(std::size_t count, const std::function<void(Builder&, std::size_t)>& body) {
  if (sink_ != nullptr || exec_ == nullptr || exec_->threads() == 1 || count < 2) {
    for (std::size_t i = 0; i < count; ++i) body(*this, i);
    return;
  }
  using PartPointer = std::shared_ptr<Builder>;
  std::size_t next = 0;
  const auto serial = tbb::filter_mode::serial_in_order;
  const auto indices = tbb::make_filter<void, std::size_t>(serial, [&](tbb::flow_control& control) {
    if (next == count) control.stop();
    return next++;
  });
  const auto work = tbb::make_filter<std::size_t, PartPointer>(tbb::filter_mode::parallel, [&](std::size_t i) {
    PartPointer part(new Builder(Part{}, *this));
    body(*part, i);
    return part;
  });
  const auto join = tbb::make_filter<PartPointer, void>(serial, [&](const PartPointer& part) { append(*part); });
  // Few parts are in flight, so that the witness never exists twice.
  exec_->run([&] { tbb::parallel_pipeline(std::size_t{exec_->threads()} + 1, indices & work & join); });
}

void Builder::append(const Builder& part) {
  num_inputs_ += part.num_inputs_;
  kinds_.append(part.kinds_);
  inputs_.insert(inputs_.end(), part.inputs_.begin(), part.inputs_.end());
  bits_.append(part.bits_);
  fields_.insert(fields_.end(), part.fields_.begin(), part.fields_.end());
}

Fr Builder::value(Variable v) const {
  if (v.is_input()) return inputs_[v.index()];
  if (kinds_.is_field(v.index()))
    return fields_[keep_derived_ ? kinds_.fields().rank(v.index()) : kinds_.stored_rank(v.index())];
  return bits_.get(v.index()) ? Fr::one() : Fr::zero();
}

CompactWitness Builder::take_witness() {
  if (keep_derived_ && kinds_.num_derived() > 0) {
    const auto kinds = std::make_shared<const VariableKinds>(kinds_);
    return CompactWitness::from_flat(take_flat_witness(), kinds);
  }
  kinds_.shrink_to_fit();
  bits_.shrink_to_fit();
  fields_.shrink_to_fit();
  return {std::move(inputs_), std::make_shared<const VariableKinds>(std::move(kinds_)), std::move(bits_),
          std::move(fields_)};
}

FlatWitness Builder::take_flat_witness() {
  FlatWitness out{std::move(inputs_), {}};
  out.aux.reserve(num_aux());
  auto field = fields_.begin();
  for (std::size_t i = 0; i < num_aux(); ++i) {
    if (kinds_.is_field(i)) {
      out.aux.push_back(*field++);
    } else {
      out.aux.push_back(bits_.get(i) ? Fr::one() : Fr::zero());
    }
  }
  return out;
}

std::string Builder::path() const {
  std::string out;
  for (const PathPart& part : path_) {
    if (!out.empty()) out += '/';
    out += part.name;
    if (part.index >= 0) out += '[' + std::to_string(part.index) + ']';
  }
  return out;
}

void Builder::open_scope(const char* name, std::int64_t index) {
  path_.push_back({name, index});
  ++scope_serial_;
  if (sink_ != nullptr) sink_->scope_opened(*this);
}

void Builder::close_scope() noexcept {
  if (sink_ != nullptr) sink_->scope_closes(*this);
  path_.pop_back();
  ++scope_serial_;
}

CompactWitness generate_witness(const Circuit& circuit, const Executor& exec) {
  Builder builder(nullptr, Keep::kWitness, &exec);
  circuit(builder);
  return builder.take_witness();
}

FlatWitness generate_flat_witness(const Circuit& circuit, const Executor& exec) {
  Builder builder(nullptr, Keep::kAll, &exec);
  circuit(builder);
  return builder.take_flat_witness();
}

}  // namespace proofline::r1cs
