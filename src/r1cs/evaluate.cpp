#include "r1cs/evaluate.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "base/error.hpp"
#include "r1cs/instance_values.hpp"
#include "r1cs/satisfaction.hpp"

namespace proofline::r1cs {
namespace {

using math::Fr;
__extension__ typedef unsigned __int128 Wide;

/// Rows that one check of satisfaction holds at a time: 24 MiB.
constexpr std::uint64_t kCheckBlock = 1 << 18;

/// Four bits with coefficients up to 8 in size sum up to at most 32.
constexpr int kLargestSmall = 32;

/// Where the table has a value.
std::size_t small_place(int value) {
  return static_cast<std::size_t>(std::ptrdiff_t{kLargestSmall} + value);
}

using SmallValues = std::array<Fr, 2 * kLargestSmall + 1>;

SmallValues make_small_values() {
  SmallValues out;
  for (int i = 1; i <= kLargestSmall; ++i) {
    out[small_place(i)] = Fr::from_u64(static_cast<std::uint64_t>(i));
    out[small_place(-i)] = -out[small_place(i)];
  }
  return out;
}

/// A sum of integers times coefficients, below 2^384, kept as the Montgomery form's integer.
class WideSum {
 public:
  void add(const Fr& coefficient, std::uint64_t factor) {
    const auto& limbs = coefficient.raw().l;
    Wide t = 0;
    for (unsigned i = 0; i < 4; ++i) {
      t += static_cast<Wide>(limbs[i]) * factor + limbs_[i];
      limbs_[i] = static_cast<std::uint64_t>(t);
      t >>= 64;
    }
    t += limbs_[4];
    limbs_[4] = static_cast<std::uint64_t>(t);
    limbs_[5] += static_cast<std::uint64_t>(t >> 64);
  }
  /// add(coefficient, bit) without a product.
  void add_bit(const Fr& coefficient, std::uint64_t bit) {
    const std::uint64_t mask = -bit;
    const auto& limbs = coefficient.raw().l;
    Wide t = 0;
    for (unsigned i = 0; i < 4; ++i) {
      t += static_cast<Wide>(limbs[i] & mask) + limbs_[i];
      limbs_[i] = static_cast<std::uint64_t>(t);
      t >>= 64;
    }
    t += limbs_[4];
    limbs_[4] = static_cast<std::uint64_t>(t);
    limbs_[5] += static_cast<std::uint64_t>(t >> 64);
  }

  Fr reduced() const {
    Fr::Limbs low = {limbs_[0], limbs_[1], limbs_[2], limbs_[3]};
    while (!below_modulus(low)) subtract_modulus(low);
    // 2^256 is the Montgomery factor: the upper limbs count as a canonical integer.
    if ((limbs_[4] | limbs_[5]) == 0) return Fr::from_montgomery(low);
    return Fr::from_montgomery(low) + Fr::from_canonical({limbs_[4], limbs_[5], 0, 0});
  }

 private:
  static constexpr Fr::Limbs kModulus = {0xffffffff00000001ULL, 0x53bda402fffe5bfeULL, 0x3339d80809a1d805ULL,
                                         0x73eda753299d7d48ULL};
  static bool below_modulus(const Fr::Limbs& x) {
    for (std::size_t i = 4; i-- > 0;) {
      if (x[i] != kModulus[i]) return x[i] < kModulus[i];
    }
    return false;
  }
  static void subtract_modulus(Fr::Limbs& x) {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const Wide t = static_cast<Wide>(x[i]) - kModulus[i] - borrow;
      x[i] = static_cast<std::uint64_t>(t);
      borrow = static_cast<std::uint64_t>(t >> 64) & 1;
    }
  }
  std::array<std::uint64_t, 6> limbs_{};
};

class Evaluator {
 public:
  Evaluator(const StructuredR1cs& r1cs, const SmallValues& small_values)
      : coefficients_(r1cs.coefficients), small_values_(small_values) {}

  void small_part(std::span<const Op> part, const InstanceValues& values, Fr& out) const {
    int sum = 0;
    for (const Op& op : part) {
      sum += StructuredR1cs::small_coefficient(op.coefficient) * static_cast<int>(values.bit(op.operand.slot()));
    }
    out = small_values_[small_place(sum)];
  }

  void general_part(std::span<const Op> part, const InstanceValues& values, Fr& out) const {
    WideSum bits;
    auto op = part.begin();
    for (; op != part.end() && !op->operand.is_field(); ++op) {
      if (op->operand.length() == 1) {
        bits.add_bit(coefficients_[op->coefficient], values.bit(op->operand.slot()));
      } else {
        bits.add(coefficients_[op->coefficient], values.bits(op->operand));
      }
    }
    Fr sum = op == part.begin() ? Fr() : bits.reduced();
    for (; op != part.end(); ++op) {
      const Fr& value = values.field(op->operand.slot());
      if (op->coefficient == 0) {
        sum += value;
      } else if (op->coefficient == 1) {
        sum -= value;
      } else {
        sum += coefficients_[op->coefficient] * value;
      }
    }
    out = sum;
  }

 private:
  std::span<const Fr> coefficients_;
  const SmallValues& small_values_;
};

void require_same_circuit(const StructuredR1cs& r1cs, const CompactWitness& witness) {
  const bool same = witness.inputs.size() == r1cs.num_inputs && witness.bits.size() == r1cs.num_aux() &&
                    witness.fields.size() == r1cs.kinds->count() &&
                    (witness.kinds == r1cs.kinds || *witness.kinds == *r1cs.kinds);
  if (same) return;
  throw InputError("the witness is of another circuit: it has " + std::to_string(witness.inputs.size()) +
                   " inputs and " + std::to_string(witness.num_aux()) + " aux variables, the circuit " +
                   std::to_string(r1cs.num_inputs) + " and " + std::to_string(r1cs.num_aux()) +
                   (witness.num_aux() == r1cs.num_aux() ? ", of other kinds" : ""));
}

}  // namespace

void evaluate_rows(const StructuredR1cs& r1cs, const CompactWitness& witness, std::uint64_t begin, std::uint64_t end,
                   const RowValues& out, const Executor& exec) {
  require_same_circuit(r1cs, witness);
  if (begin >= end) return;
  static const SmallValues small_values = make_small_values();
  const Evaluator evaluator(r1cs, small_values);
  const std::size_t first = r1cs.placement_of_row(begin);
  const std::size_t last = r1cs.placement_of_row(end - 1) + 1;
  tbb::enumerable_thread_specific<InstanceValues> gathered;
  exec.parallel_for(last - first, 1, [&](std::size_t from, std::size_t to) {
    InstanceValues& values = gathered.local();
    for (std::size_t p = first + from; p < first + to; ++p) {
      const Placement& placement = r1cs.placements[p];
      const Template& t = r1cs.template_of(placement);
      const std::uint64_t row_end = std::min(end, placement.row_base + t.num_rows());
      std::uint64_t row = std::max(begin, placement.row_base);
      if (row >= row_end) continue;
      values.gather(r1cs, placement, witness);
      for (; row < row_end; ++row) {
        const auto local = static_cast<std::size_t>(row - placement.row_base);
        const auto place = static_cast<std::size_t>(row - begin);
        const auto evaluate = [&](Matrix matrix, std::span<Fr> target) {
          if (target.empty()) return;
          const std::span<const Op> part = t.part(local, matrix);
          if (t.small.get(3 * local + static_cast<unsigned>(matrix))) {
            evaluator.small_part(part, values, target[place]);
          } else {
            evaluator.general_part(part, values, target[place]);
          }
        };
        evaluate(Matrix::kA, out.a);
        evaluate(Matrix::kB, out.b);
        evaluate(Matrix::kC, out.c);
      }
    }
  });
}

std::optional<std::uint64_t> first_broken_row(const StructuredR1cs& r1cs, const CompactWitness& witness,
                                              const Executor& exec) {
  const std::uint64_t block = std::min(kCheckBlock, r1cs.num_constraints);
  std::vector<Fr> a(block), b(block), c(block);
  for (std::uint64_t begin = 0; begin < r1cs.num_constraints; begin += block) {
    const std::uint64_t end = std::min(begin + block, r1cs.num_constraints);
    const auto count = static_cast<std::size_t>(end - begin);
    evaluate_rows(r1cs, witness, begin, end,
                  {std::span(a).first(count), std::span(b).first(count), std::span(c).first(count)}, exec);
    std::atomic<std::size_t> broken{count};
    exec.parallel_for(count, 1 << 12, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        if (a[i] * b[i] == c[i]) continue;
        for (std::size_t known = broken; i < known && !broken.compare_exchange_weak(known, i);) {
        }
        return;
      }
    });
    if (broken < count) return begin + broken;
  }
  return std::nullopt;
}

void require_satisfied(const StructuredR1cs& r1cs, const CompactWitness& witness, const Executor& exec) {
  const std::optional<std::uint64_t> broken = first_broken_row(r1cs, witness, exec);
  if (broken) throw_unsatisfied(row_name(*broken, r1cs.path_of_row(*broken)));
}

}  // namespace proofline::r1cs
