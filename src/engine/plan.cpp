#include "engine/plan.hpp"

#include <algorithm>
#include <bit>
#include <ctime>
#include <tuple>
#include <vector>

#include "engine/parameter_store.hpp"
#include "math/fixed_base.hpp"
#include "math/msm.hpp"
#include "math/ntt.hpp"
#include "math/point_decoding.hpp"

namespace proofline::engine {
namespace {

constexpr std::size_t kG1Points = std::size_t{1} << 17;
constexpr std::size_t kG2Points = std::size_t{1} << 14;
constexpr unsigned kLogTransform = 20;

// docs/performance.md, "Circuits": a row of a 32 GiB PoRep and of a WindowPoSt circuit, on a machine where a value
// takes that long a level of a transform.
constexpr double kRowSeconds = 43e-9;
constexpr double kPoseidonRowSeconds = 444e-9;
constexpr double kTransformThere = 3.3e-9;

/// Rows are evaluated in A, B and C once to be checked and once for the quotient, and in A alone for each of five sums.
constexpr double kEvaluations = 1 + 1 + 5.0 / 3;
/// Transforms of the quotient.
constexpr double kTransforms = 6;

/// Host memory in which a device's backend passes on what goes there, about.
constexpr std::uint64_t kStaging = std::uint64_t{64} << 20;

/// Processor time of this thread: what else runs on the machine does not count.
double thread_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_of(const auto& work) {
  const double begin = thread_seconds();
  work();
  return thread_seconds() - begin;
}

/// Points as they are in a parameter file.
template <class Affine>
class EncodedPoints {
 public:
  explicit EncodedPoints(std::span<const Affine> points) : bytes_(points.size() * Affine::kUncompressed) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::ranges::copy(points[i].to_uncompressed(),
                        bytes_.begin() + static_cast<std::ptrdiff_t>(i * Affine::kUncompressed));
    }
  }
  math::PointReader<Affine> reader() const {
    return [this](std::span<const std::uint32_t> indices, std::span<Affine> out) {
      if (math::decode_points(bytes_, indices, out)) return;
      for (std::size_t k = 0; k < indices.size(); ++k) {
        const auto bytes = std::span(bytes_).subspan(indices[k] * Affine::kUncompressed);
        out[k] = Affine::from_uncompressed(bytes.template first<Affine::kUncompressed>(), math::PointCheck::kCurve, "");
      }
    };
  }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// Seconds an addition with full-size scalars, and a point with bits.
template <class Point>
std::pair<double, double> sum_rates(std::size_t n) {
  using Affine = typename Point::Affine;
  const Executor exec(1);
  std::vector<math::Fr> scalars(n);
  for (math::Fr& scalar : scalars) scalar = math::Fr::random();
  std::vector<Affine> points(n);
  math::FixedBase<Point>(Affine::generator(), exec).multiply(scalars, points, exec);
  const EncodedPoints<Affine> encoded(points);
  const double full = seconds_of([&] { math::msm(encoded.reader(), scalars, exec); });
  for (std::size_t i = 0; i < n; ++i) scalars[i] = math::Fr::from_u64(i % 2);
  const double bits = seconds_of([&] { math::msm(encoded.reader(), scalars, exec); });
  return {full / math::msm_additions(n), bits / static_cast<double>(n)};
}

std::string limit_of(const Plan& plan) {
  if (plan.partitions_in_flight == 0) return "memory";
  if (!plan.device) return "cores";
  if (!plan.device->is_possible) return "device memory";
  if (plan.witness_seconds > plan.device->partition_seconds) return "cores";
  return plan.device->transfer_seconds == plan.device->partition_seconds ? "device memory" : "device";
}

}  // namespace

MachineRates measure_rates(bool mostly_poseidon) {
  MachineRates out;
  const Executor exec(1);
  std::vector<math::Fr> values(std::size_t{1} << kLogTransform, math::Fr::from_u64(7));
  const math::Domain domain(kLogTransform, exec);
  out.transform =
      seconds_of([&] { domain.forward(values, exec); }) / static_cast<double>(values.size()) / kLogTransform;
  std::tie(out.g1_addition, out.g1_bit) = sum_rates<math::G1>(kG1Points);
  std::tie(out.g2_addition, out.g2_bit) = sum_rates<math::G2>(kG2Points);
  out.row = (mostly_poseidon ? kPoseidonRowSeconds : kRowSeconds) * out.transform / kTransformThere;
  return out;
}

Plan plan(const PlanCircuit& circuit, const PlanMachine& machine, std::uint64_t program) {
  Plan out;
  out.program = program;
  out.circuit = circuit.circuit_bytes;
  out.parameters = ParameterStore::kParameterBytes;
  if (machine.device_memory) out.device = plan_device(circuit, *machine.device_memory);
  out.working = out.device
                    ? kStaging
                    : std::max(circuit.needs.evaluation.host, circuit.needs.sums.host) + circuit.needs.finish.host;
  out.partition = circuit.witness_bytes + circuit.input_bytes;
  const std::uint64_t once = program + out.circuit + out.parameters + out.working;
  out.least_budget = once + out.partition;
  if (machine.memory >= out.least_budget) out.partitions_in_flight = (machine.memory - once) / out.partition;

  const MachineRates& rates = machine.rates;
  const auto of = [&](auto count, double rate) { return static_cast<double>(count) * rate / machine.cores; };
  const int levels = static_cast<int>(std::bit_width(circuit.domain)) - 1;
  // Values are made at about a fifth of what a row's evaluation takes (docs/performance.md: 0.35 s against 2.8 s).
  out.witness_seconds = of(circuit.rows, rates.row / 5);
  out.start_seconds =
      of(circuit.rows, rates.row * kEvaluations) + of(circuit.domain, rates.transform * levels * kTransforms);
  // h has the whole domain, l and a have all aux variables, b those in B.
  const double b_additions = math::msm_additions(circuit.b_share_fields);
  out.start_seconds += of(math::msm_additions(circuit.domain) + 2 * math::msm_additions(circuit.fields) + b_additions,
                          rates.g1_addition) +
                       of(2 * circuit.bits + circuit.b_share_bits, rates.g1_bit);
  out.finish_seconds = of(b_additions, rates.g2_addition) + of(circuit.b_share_bits, rates.g2_bit);
  // On the CPU the stages of different partitions share the cores.
  double partition_seconds = out.witness_seconds + out.start_seconds + out.finish_seconds;
  if (out.device) {
    out.start_seconds = out.device->partition_seconds;
    out.finish_seconds = 0;
    partition_seconds = std::max(out.witness_seconds, out.start_seconds);
  }
  out.proof_seconds = circuit.partitions * partition_seconds;
  out.limit = limit_of(out);
  return out;
}

}  // namespace proofline::engine
