#include "r1cs/expand.hpp"

#include <algorithm>

#include "r1cs/row_digest.hpp"

namespace proofline::r1cs {
namespace {

using math::Fr;

/// The variables behind an instance's operands.
class Names {
 public:
  void open(const StructuredR1cs& r1cs, const Placement& placement) {
    template_ = &r1cs.template_of(placement);
    aux_base_ = placement.aux_base;
    list(r1cs.outer_bit_runs(placement), bits_);
    list(r1cs.outer_field_runs(placement), fields_);
  }

  Variable bit(std::uint32_t slot) const {
    if (slot == 0) return kOne;
    if (slot <= template_->outer_bits) return bits_[slot - 1];
    return Variable::aux(aux_base_ + slot - 1 - template_->outer_bits);
  }
  Variable field(std::uint32_t slot) const {
    if (slot < template_->outer_fields) return fields_[slot];
    return Variable::aux(aux_base_ + template_->local_fields[slot - template_->outer_fields]);
  }

 private:
  static void list(std::span<const VariableRun> runs, std::vector<Variable>& out) {
    out.clear();
    for (const VariableRun& run : runs) {
      for (std::uint32_t i = 0; i < run.count; ++i) {
        const std::uint32_t index = run.first.index() + i;
        out.push_back(run.first.is_input() ? Variable::input(index) : Variable::aux(index));
      }
    }
  }
  const Template* template_ = nullptr;
  std::uint32_t aux_base_ = 0;
  std::vector<Variable> bits_, fields_;
};

void expand(std::span<const Op> part, const Names& names, std::span<const Fr> coefficients, std::vector<Term>& out) {
  out.clear();
  for (const Op& op : part) {
    Fr coefficient = coefficients[op.coefficient];
    if (op.operand.is_field()) {
      out.push_back({names.field(op.operand.slot()), coefficient});
      continue;
    }
    for (unsigned i = 0; i < op.operand.length(); ++i) {
      if (i > 0) coefficient = coefficient.doubled();
      out.push_back({names.bit(op.operand.slot() + i), coefficient});
    }
  }
  const auto less = [](const Term& x, const Term& y) { return x.variable < y.variable; };
  if (!std::is_sorted(out.begin(), out.end(), less)) std::sort(out.begin(), out.end(), less);
}

}  // namespace

void for_each_row(const StructuredR1cs& r1cs, std::uint64_t begin, std::uint64_t end,
                  const std::function<void(const Row&)>& use) {
  if (begin >= end) return;
  Names names;
  std::array<std::vector<Term>, 3> terms;
  for (std::size_t p = r1cs.placement_of_row(begin); begin < end; ++p) {
    const Placement& placement = r1cs.placements[p];
    const Template& t = r1cs.template_of(placement);
    names.open(r1cs, placement);
    const std::uint64_t last = std::min(end, placement.row_base + t.num_rows());
    for (; begin < last; ++begin) {
      for (const Matrix matrix : kMatrices)
        expand(t.part(begin - placement.row_base, matrix), names, r1cs.coefficients,
               terms[static_cast<unsigned>(matrix)]);
      use(Row{terms[0], terms[1], terms[2]});
    }
  }
}

std::array<std::uint8_t, 32> digest(const StructuredR1cs& r1cs) {
  RowDigest out;
  for_each_row(r1cs, 0, r1cs.num_constraints, [&](const Row& row) { out.add(row); });
  return out.finish();
}

}  // namespace proofline::r1cs
