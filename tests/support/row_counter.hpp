#pragma once
/// Counts and densities of a circuit by their definition, from one pass over its rows.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "r1cs/builder.hpp"
#include "r1cs/shape.hpp"

namespace proofline::test {

class RowCounter : public r1cs::RowSink {
 public:
  void row(const r1cs::Builder&, const r1cs::Row& row) override {
    nonzeros_[0] += row.a.size();
    nonzeros_[1] += row.b.size();
    nonzeros_[2] += row.c.size();
    for (const r1cs::Term& term : row.a)
      if (term.variable.is_aux()) mark(a_aux_, term.variable.index());
    for (const r1cs::Term& term : row.b) mark(term.variable.is_aux() ? b_aux_ : b_inputs_, term.variable.index());
  }

  /// Call after the circuit has run on `builder`.
  r1cs::Shape shape(const r1cs::Builder& builder) const {
    r1cs::Shape out;
    out.num_inputs = builder.num_inputs();
    out.num_aux = builder.num_aux();
    out.num_constraints = builder.num_constraints();
    out.nonzeros_a = nonzeros_[0];
    out.nonzeros_b = nonzeros_[1];
    out.nonzeros_c = nonzeros_[2];
    out.density_a_aux = count(a_aux_);
    out.density_b_inputs = count(b_inputs_);
    out.density_b_aux = count(b_aux_);
    return out;
  }

 private:
  static void mark(std::vector<bool>& bits, std::uint32_t index) {
    if (index >= bits.size()) bits.resize(std::max<std::size_t>(index + 1, bits.size() * 2));
    bits[index] = true;
  }
  static std::uint64_t count(const std::vector<bool>& bits) {
    return static_cast<std::uint64_t>(std::count(bits.begin(), bits.end(), true));
  }

  std::uint64_t nonzeros_[3] = {0, 0, 0};
  std::vector<bool> a_aux_, b_aux_, b_inputs_;
};

}  // namespace proofline::test
