#include "r1cs/evaluate.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "base/error.hpp"
#include "r1cs/part_evaluator.hpp"
#include "r1cs/satisfaction.hpp"

namespace proofline::r1cs {
namespace {

using math::Fr;
/// Rows that one check of satisfaction holds at a time: 24 MiB.
constexpr std::uint64_t kCheckBlock = 1 << 18;

}  // namespace

void require_same_circuit(const StructuredR1cs& r1cs, const CompactWitness& witness) {
  const bool same = witness.inputs.size() == r1cs.num_inputs && witness.bits.size() == r1cs.num_aux() &&
                    witness.fields.size() == r1cs.kinds->num_stored() &&
                    (witness.kinds == r1cs.kinds || *witness.kinds == *r1cs.kinds);
  if (same) return;
  throw InputError("the witness is of another circuit: it has " + std::to_string(witness.inputs.size()) +
                   " inputs and " + std::to_string(witness.num_aux()) + " aux variables, the circuit " +
                   std::to_string(r1cs.num_inputs) + " and " + std::to_string(r1cs.num_aux()) +
                   (witness.num_aux() == r1cs.num_aux() ? ", of other kinds" : ""));
}

void evaluate_rows(const StructuredR1cs& r1cs, const CompactWitness& witness, std::uint64_t begin, std::uint64_t end,
                   const RowValues& out, const Executor& exec) {
  require_same_circuit(r1cs, witness);
  if (begin >= end) return;
  const PartEvaluator evaluator(r1cs);
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
      values.gather(r1cs, evaluator, placement, witness);
      for (; row < row_end; ++row) {
        const auto local = static_cast<std::size_t>(row - placement.row_base);
        const auto place = static_cast<std::size_t>(row - begin);
        const auto evaluate = [&](Matrix matrix, std::span<Fr> target) {
          if (target.empty()) return;
          target[place] = evaluator(t, local, matrix, values);
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
