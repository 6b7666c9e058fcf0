#include "r1cs/left_product.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <mutex>

#include "base/secret.hpp"

namespace proofline::r1cs {
namespace {

using math::Fr;

/// Sums over one instance's rows, by bit slot and field slot. Setup's weights are secret, and so are these: the memory
/// is taken once and wiped.
class InstanceSums {
 public:
  /// Room for the instances of any of the templates.
  explicit InstanceSums(const std::vector<Template>& templates) {
    std::size_t max_bits = 0, max_fields = 0;
    for (const Template& t : templates) {
      max_bits = std::max<std::size_t>(max_bits, t.num_bit_slots());
      max_fields = std::max<std::size_t>(max_fields, t.num_field_slots());
    }
    bits.reserve(max_bits);
    fields.reserve(max_fields);
  }
  InstanceSums(const InstanceSums&) = delete;
  InstanceSums& operator=(const InstanceSums&) = delete;
  ~InstanceSums() {
    bits.resize(bits.capacity());
    fields.resize(fields.capacity());
    wipe(std::span(bits));
    wipe(std::span(fields));
  }

  std::vector<Fr> bits, fields;

  void compute(const StructuredR1cs& r1cs, const Template& t, Matrix matrix, std::span<const Fr> weights) {
    bits.assign(t.num_bit_slots(), Fr());
    fields.assign(t.num_field_slots(), Fr());
    for (std::size_t row = 0; row < t.num_rows(); ++row) {
      for (const Op& op : t.part(row, matrix)) {
        const bool plus = op.coefficient == 0;
        const bool minus = op.coefficient == 1;
        if (op.operand.is_field()) {
          Fr& sum = fields[op.operand.slot()];
          if (plus) {
            sum += weights[row];
          } else if (minus) {
            sum -= weights[row];
          } else {
            sum += r1cs.coefficients[op.coefficient] * weights[row];
          }
          continue;
        }
        Fr scaled = plus ? weights[row] : minus ? -weights[row] : r1cs.coefficients[op.coefficient] * weights[row];
        Fr* sum = &bits[op.operand.slot()];
        *sum += scaled;
        for (unsigned i = 1; i < op.operand.length(); ++i) {
          scaled = scaled.doubled();
          *++sum += scaled;
        }
      }
    }
  }
};

/// The sum at slot 0 alone.
Fr sum_of_one(const StructuredR1cs& r1cs, const Template& t, Matrix matrix, std::span<const Fr> weights) {
  Fr sum;
  for (std::size_t row = 0; row < t.num_rows(); ++row) {
    for (const Op& op : t.part(row, matrix)) {
      if (op.operand.is_field()) break;
      if (op.operand.slot() == 0) sum += r1cs.coefficients[op.coefficient] * weights[row];
    }
  }
  return sum;
}

/// The output, to which instances that share outer variables add at the same time.
class SharedSums {
 public:
  SharedSums(std::span<Fr> out, std::size_t begin) : out_(out), begin_(begin) {}

  /// Adds to the variables from `first` on, those outside the range left out.
  void add(std::size_t first, std::span<const Fr> values) {
    const std::size_t end = std::min(first + values.size(), begin_ + out_.size());
    for (std::size_t v = std::max(first, begin_); v < end;) {
      const std::size_t stop = std::min(end, (v / kStripe + 1) * kStripe);
      const std::lock_guard lock(locks_[v / kStripe % locks_.size()]);
      for (; v < stop; ++v) out_[v - begin_] += values[v - first];
    }
  }

 private:
  static constexpr std::size_t kStripe = 4096;
  std::span<Fr> out_;
  std::size_t begin_;
  std::array<std::mutex, 256> locks_;
};

/// Position of a variable among inputs and aux.
std::size_t position(const StructuredR1cs& r1cs, Variable v) {
  return v.is_input() ? v.index() : r1cs.num_inputs + std::size_t{v.index()};
}

/// Whether a variable of the range, ONE aside, is the placement's or outer to it.
bool touches(const StructuredR1cs& r1cs, const Placement& placement, std::size_t begin, std::size_t end) {
  const auto meets = [&](std::size_t first, std::size_t count) { return first < end && first + count > begin; };
  if (meets(position(r1cs, Variable::aux(placement.aux_base)), r1cs.template_of(placement).num_aux)) return true;
  for (std::uint32_t r = placement.first_run; r < placement.end_run; ++r) {
    if (meets(position(r1cs, r1cs.outer_runs[r].first), r1cs.outer_runs[r].count)) return true;
  }
  return false;
}

void product_of_matrix(const StructuredR1cs& r1cs, Matrix matrix, std::span<const Fr> weights, std::size_t begin,
                       std::span<Fr> out, const Executor& exec) {
  exec.parallel_for(out.size(), 1 << 12, [&](std::size_t from, std::size_t to) {
    const auto part = out.subspan(from, to - from);
    std::fill(part.begin(), part.end(), Fr());
  });
  SharedSums shared(out, begin);
  tbb::enumerable_thread_specific<InstanceSums> locals([&] { return InstanceSums(r1cs.templates); });
  exec.parallel_for(r1cs.placements.size(), 1, [&](std::size_t from, std::size_t to) {
    InstanceSums& sums = locals.local();
    for (std::size_t p = from; p < to; ++p) {
      const Placement& placement = r1cs.placements[p];
      const Template& t = r1cs.template_of(placement);
      const std::span<const Fr> rows = weights.subspan(placement.row_base, t.num_rows());
      if (!touches(r1cs, placement, begin, begin + out.size())) {
        if (begin > 0) continue;
        const Fr one = sum_of_one(r1cs, t, matrix, rows);
        shared.add(0, std::span(&one, 1));
        continue;
      }
      sums.compute(r1cs, t, matrix, rows);
      shared.add(0, std::span(sums.bits).first(1));
      std::size_t slot = 1;
      for (const VariableRun& run : r1cs.outer_bit_runs(placement)) {
        shared.add(position(r1cs, run.first), std::span(sums.bits).subspan(slot, run.count));
        slot += run.count;
      }
      // Local field elements have idle places among the bits, which take their sums.
      for (std::size_t i = 0; i < t.local_fields.size(); ++i)
        sums.bits[slot + t.local_fields[i]] = sums.fields[t.outer_fields + i];
      shared.add(position(r1cs, Variable::aux(placement.aux_base)), std::span(sums.bits).subspan(slot));
      slot = 0;
      for (const VariableRun& run : r1cs.outer_field_runs(placement)) {
        shared.add(position(r1cs, run.first), std::span(sums.fields).subspan(slot, run.count));
        slot += run.count;
      }
    }
  });
}

}  // namespace

void left_product(const StructuredR1cs& r1cs, std::span<const Fr> weights, std::size_t begin, std::size_t end,
                  const VariableSums& out, const Executor& exec) {
  if (begin >= end) return;
  const std::array<std::span<Fr>, 3> targets = {out.a, out.b, out.c};
  for (const Matrix matrix : kMatrices) {
    const std::span<Fr> target = targets[static_cast<unsigned>(matrix)];
    if (!target.empty()) product_of_matrix(r1cs, matrix, weights, begin, target, exec);
  }
}

}  // namespace proofline::r1cs
