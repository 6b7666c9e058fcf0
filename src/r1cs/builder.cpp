#include "r1cs/builder.hpp"

#include <oneapi/tbb/parallel_pipeline.h>

#include <algorithm>
#include <memory>

namespace proofline::r1cs {

using math::Fr;

Builder::Builder(RowSink* sink, Keep keep, const Executor* exec)
    : sink_(sink), exec_(exec), keep_witness_(keep == Keep::kWitness) {
  alloc_input(Fr::one());
}

Variable Builder::alloc(const Fr& value) {
  const Variable out = Variable::aux(num_aux());
  kinds_.append(1, 1);
  if (keep_witness_) {
    bits_.push(false);
    fields_.push_back(value);
  }
  return out;
}

Variable Builder::alloc_bits(std::uint64_t values, unsigned count) {
  const Variable out = Variable::aux(num_aux());
  kinds_.append(0, count);
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
    PartPointer part(new Builder(Part{}, keep_witness_ ? Keep::kWitness : Keep::kNothing, exec_));
    body(*part, i);
    return part;
  });
  const auto join = tbb::make_filter<PartPointer, void>(serial, [&](const PartPointer& part) { append(*part); });
  // Few parts are in flight, so that the witness never exists twice.
  exec_->run([&] { tbb::parallel_pipeline(std::size_t{exec_->threads()} + 1, indices & work & join); });
}

void Builder::append(const Builder& part) {
  num_inputs_ += part.num_inputs_;
  kinds_.append(part.kinds_.bits());
  inputs_.insert(inputs_.end(), part.inputs_.begin(), part.inputs_.end());
  bits_.append(part.bits_);
  fields_.insert(fields_.end(), part.fields_.begin(), part.fields_.end());
}

Fr Builder::value(Variable v) const {
  if (v.is_input()) return inputs_[v.index()];
  if (kinds_.get(v.index())) return fields_[kinds_.rank(v.index())];
  return bits_.get(v.index()) ? Fr::one() : Fr::zero();
}

CompactWitness Builder::take_witness() {
  kinds_.shrink_to_fit();
  bits_.shrink_to_fit();
  fields_.shrink_to_fit();
  return {std::move(inputs_), std::make_shared<const VariableKinds>(std::move(kinds_)), std::move(bits_),
          std::move(fields_)};
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

}  // namespace proofline::r1cs
