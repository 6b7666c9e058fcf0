#include "groth16/setup_scalars.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "base/error.hpp"
#include "groth16/quotient.hpp"
#include "math/ntt.hpp"
#include "r1cs/density.hpp"
#include "r1cs/left_product.hpp"

namespace proofline::groth16 {

using math::Fr;

namespace {

/// Scalars of h at a time.
constexpr std::size_t kPowers = 1 << 20;

std::size_t num_variables(const r1cs::StructuredR1cs& circuit) {
  return circuit.num_inputs + std::size_t{circuit.num_aux()};
}

void require_all_constrained(const r1cs::StructuredR1cs& circuit) {
  std::array<r1cs::BitArray, 3> used;
  for (const r1cs::Matrix matrix : r1cs::kMatrices)
    used[static_cast<unsigned>(matrix)] = r1cs::used_aux(circuit, matrix, 0, circuit.num_aux());
  for (std::size_t i = 0; i < circuit.num_aux(); i += 64) {
    const std::uint64_t somewhere = used[0].words()[i / 64] | used[1].words()[i / 64] | used[2].words()[i / 64];
    const auto count = static_cast<unsigned>(std::min<std::size_t>(64, circuit.num_aux() - i));
    if (somewhere == r1cs::low_bits(count)) continue;
    throw InputError("setup: aux variable " + std::to_string(i + static_cast<unsigned>(std::countr_one(somewhere))) +
                     " of the circuit occurs in no constraint");
  }
}

std::size_t domain_size(const r1cs::StructuredR1cs& circuit) {
  return std::size_t{1} << domain_log_size(circuit);
}

r1cs::Matrix matrix_of(PointList list) {
  return list == PointList::kA ? r1cs::Matrix::kA : r1cs::Matrix::kB;
}

/// Copies the values of those variables from `begin` on that have a point in the list (kA or kB) to the front of `out`;
/// returns that part.
std::span<const Fr> select(const r1cs::StructuredR1cs& circuit, PointList list, std::size_t begin,
                           std::span<const Fr> values, std::span<Fr> out, const Executor& exec) {
  const r1cs::Matrix matrix = matrix_of(list);
  r1cs::RankedBits used;
  const std::size_t end = begin + values.size();
  for (std::size_t i = begin; i < std::min<std::size_t>(end, circuit.num_inputs); ++i)
    used.append(list == PointList::kA || circuit.used_inputs[static_cast<unsigned>(matrix)].get(i), 1);
  const auto aux = [&](std::size_t v) {
    return static_cast<std::uint32_t>(std::max<std::size_t>(v, circuit.num_inputs) - circuit.num_inputs);
  };
  used.append(r1cs::used_aux(circuit, matrix, aux(begin), aux(end)));
  exec.parallel_for(values.size(), 1 << 14, [&](std::size_t from, std::size_t to) {
    std::size_t place = used.rank(from);
    for (std::size_t i = from; i < to; ++i)
      if (used.get(i)) out[place++] = values[i];
  });
  return out.first(used.count());
}

}  // namespace

std::size_t count_points(const r1cs::StructuredR1cs& circuit, PointList list) {
  switch (list) {
    case PointList::kIc:
      return circuit.num_inputs;
    case PointList::kH:
      return domain_size(circuit) - 1;
    case PointList::kL:
      return circuit.num_aux();
    case PointList::kA:
      return circuit.num_inputs + r1cs::count_used_aux(circuit, r1cs::Matrix::kA);
    case PointList::kB:
      break;
  }
  std::size_t inputs = 0;
  for (const std::uint64_t word : circuit.used_inputs[static_cast<unsigned>(r1cs::Matrix::kB)].words())
    inputs += static_cast<std::size_t>(std::popcount(word));
  return inputs + r1cs::count_used_aux(circuit, r1cs::Matrix::kB);
}

/// The QAP's polynomials of neighbouring variables (inputs, then aux) at tau; those that nobody asked for are empty.
struct SetupScalars::Range {
  std::size_t begin = 0;
  std::span<const Fr> a, b, c;
};

SetupScalars::SetupScalars(const r1cs::StructuredR1cs& circuit, const ToxicWaste& waste, const Executor& exec,
                           std::size_t range)
    : circuit_(circuit),
      waste_(waste),
      exec_(exec),
      range_(range),
      lagrange_((require_all_constrained(circuit), domain_size(circuit))),
      gamma_inverse_(waste.gamma.inverse()),
      delta_inverse_(waste.delta.inverse()) {
  const math::Domain domain(static_cast<unsigned>(std::countr_zero(lagrange_.size())), exec);
  domain.lagrange_at(waste.tau, lagrange_.span(), exec);
}

void SetupScalars::make_h(const Use& use) const {
  const std::size_t count = lagrange_.size() - 1;
  const Secret<Fr> scale((waste_.tau.pow(lagrange_.size()) - Fr::one()) * *delta_inverse_);
  SecretArray<Fr> powers(std::min(kPowers, count));
  for (std::size_t first = 0; first < count; first += kPowers) {
    const std::span<Fr> block = powers.span().first(std::min(kPowers, count - first));
    exec_.parallel_for(block.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
      Secret<Fr> power(waste_.tau.pow(first + begin) * *scale);
      for (Fr& scalar : block.subspan(begin, end - begin)) {
        scalar = *power;
        *power *= waste_.tau;
      }
    });
    use(PointList::kH, first, block);
  }
}

/// (beta * a + alpha * b + c) / gamma for inputs, / delta for the others.
void SetupScalars::combine(const Range& range, std::span<Fr> out) const {
  exec_.parallel_for(out.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      out[i] = waste_.beta * range.a[i] + waste_.alpha * range.b[i] + range.c[i];
      out[i] *= range.begin + i < circuit_.num_inputs ? *gamma_inverse_ : *delta_inverse_;
    }
  });
}

void SetupScalars::make(std::initializer_list<PointList> lists, const Use& use) const {
  const auto wanted = [&](PointList list) { return std::find(lists.begin(), lists.end(), list) != lists.end(); };
  if (wanted(PointList::kH)) make_h(use);
  const bool ic = wanted(PointList::kIc), l = wanted(PointList::kL);
  const bool a = wanted(PointList::kA), b = wanted(PointList::kB);
  if (!ic && !l && !a && !b) return;
  const std::size_t num_inputs = circuit_.num_inputs;
  const std::size_t end = l || a || b ? num_variables(circuit_) : num_inputs;
  const auto room = [&](bool needed) { return SecretArray<Fr>(needed ? std::min(range_, end) : 0); };
  SecretArray<Fr> values_a = room(ic || l || a), values_b = room(ic || l || b), values_c = room(ic || l);
  SecretArray<Fr> out = room(true);
  const std::span<const Fr> weights = lagrange_.span();
  const auto rows = static_cast<std::size_t>(circuit_.num_constraints);
  std::size_t done_a = 0, done_b = 0;
  for (std::size_t begin = 0; begin < end; begin += range_) {
    const std::size_t size = std::min(range_, end - begin);
    const auto part = [&](SecretArray<Fr>& all) { return all.span().first(std::min(size, all.size())); };
    const r1cs::VariableSums sums{part(values_a), part(values_b), part(values_c)};
    r1cs::left_product(circuit_, weights.first(rows), begin, begin + size, sums, exec_);
    // The rows input_i * 0 = 0 make the input polynomials of A independent.
    if (!sums.a.empty()) {
      for (std::size_t i = begin; i < std::min(num_inputs, begin + size); ++i) sums.a[i - begin] += weights[rows + i];
    }
    if (ic || l) {
      const std::span<Fr> combined = part(out);
      combine({begin, sums.a, sums.b, sums.c}, combined);
      const std::size_t inputs = std::min(size, num_inputs - std::min(num_inputs, begin));
      if (ic && inputs > 0) use(PointList::kIc, begin, combined.first(inputs));
      if (l && inputs < size) use(PointList::kL, begin + inputs - num_inputs, combined.subspan(inputs));
    }
    const auto take = [&](PointList list, std::span<const Fr> values, std::size_t& done) {
      const std::span<const Fr> selected = select(circuit_, list, begin, values, out.span(), exec_);
      if (!selected.empty()) use(list, done, selected);
      done += selected.size();
    };
    if (a) take(PointList::kA, sums.a, done_a);
    if (b) take(PointList::kB, sums.b, done_b);
  }
}

}  // namespace proofline::groth16
