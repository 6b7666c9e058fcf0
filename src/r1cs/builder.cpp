#include "r1cs/builder.hpp"

#include <algorithm>

namespace proofline::r1cs {

using math::Fr;

Builder::Builder(RowSink* sink, Keep keep) : sink_(sink), keep_witness_(keep == Keep::kWitness) {
  alloc_input(Fr::one());
}

Variable Builder::alloc(const Fr& value) {
  if (keep_witness_) witness_.aux.push_back(value);
  return Variable::aux(num_aux_++);
}

Variable Builder::alloc_bit(bool value) {
  if (keep_witness_) witness_.aux.push_back(value ? Fr::one() : Fr::zero());
  return Variable::aux(num_aux_++);
}

Variable Builder::alloc_input(const Fr& value) {
  if (keep_witness_) witness_.inputs.push_back(value);
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

std::string Builder::path() const {
  std::string out;
  for (const PathPart& part : path_) {
    if (!out.empty()) out += '/';
    out += part.name;
    if (part.index >= 0) out += '[' + std::to_string(part.index) + ']';
  }
  return out;
}

}  // namespace proofline::r1cs
