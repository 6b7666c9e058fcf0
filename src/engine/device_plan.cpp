#include "engine/device_plan.hpp"

#include <algorithm>

#include "engine/plan.hpp"
#include "math/curve.hpp"

namespace proofline::engine {
namespace {

/// Seconds as a line through two measurements.
class Line {
 public:
  constexpr Line(double n1, double seconds1, double n2, double seconds2)
      : slope_((seconds2 - seconds1) / (n2 - n1)), start_(seconds1 - slope_ * n1) {}
  constexpr double at(std::uint64_t n) const { return n == 0 ? 0 : start_ + slope_ * static_cast<double>(n); }

 private:
  double slope_, start_;
};

/// How the sum over h is done, with so many multiples of its points at hand.
struct HSum {
  unsigned copies;
  Line seconds;
  double bytes;  ///< of device memory a point, beside points and scalars
};

constexpr double k2p20 = 1 << 20, k2p24 = 1 << 24, k2p27 = 1 << 27;
constexpr double kGiB = 1 << 30;

// docs/performance-cuda.md, one H200, 2026-12-03; most from the stages of a 32 GiB PoRep's partition. Bytes with one
// copy are on the line through those of 2 and 4 copies.
constexpr HSum kHSums[] = {{1, {k2p20, 25.5e-3, k2p27, 650e-3}, (34.6 - (65.7 - 34.6) / 2) * kGiB / k2p27},
                           {2, {k2p20, 18.4e-3, k2p27, 547.6e-3}, 34.6 * kGiB / k2p27}};
constexpr Line kG1Fields(1'229'275, 13.6e-3, 1'699'102, 16.9e-3), kG2Fields(1'229'275, 45.1e-3, k2p24, 409.7e-3);
constexpr Line kQuotient(k2p20, 1.80e-3, k2p27, 221.3e-3);
constexpr double kG1Bit = 14.7e-3 / 130'169'893, kG2Bit = 18.7e-3 / 33'112'282;
/// With the witness's upload and the values of instances.
constexpr double kRow = 16.4e-3 / 130'278'541;
/// Points read from pinned host memory: 44.1 GiB in the 2.63 s that a partition took with 24 GiB of device memory.
constexpr double kTransfer = 18.0e9;
/// Device memory with all points in host memory, to that of the quotient's three vectors: 15.1 to 12 GiB.
constexpr double kLeast = 1.26;

/// Without parameters: circuit and witness, the field elements that the rows derive, and the larger of the quotient's
/// three vectors, and its result with the sum over h.
std::uint64_t working_bytes(const PlanCircuit& circuit, const HSum& sum) {
  const std::uint64_t vector = sizeof(math::Fr) * circuit.domain;
  const auto scratch = static_cast<std::uint64_t>(sum.bytes * static_cast<double>(circuit.domain));
  return circuit.circuit_bytes + circuit.witness_bytes + sizeof(math::Fr) * circuit.fields +
         std::max(3 * vector, vector + scratch);
}

void set_times(const PlanCircuit& circuit, const HSum& h, DevicePlan& out) {
  const auto of = [](std::uint64_t count, double rate) { return static_cast<double>(count) * rate; };
  out.rows_seconds = of(circuit.rows, kRow);
  out.quotient_seconds = kQuotient.at(circuit.domain);
  out.h_seconds = h.seconds.at(circuit.domain);
  // l and a have all aux variables, b those in B, in both groups.
  out.other_seconds = 2 * (of(circuit.bits, kG1Bit) + kG1Fields.at(circuit.fields)) +
                      of(circuit.b_share_bits, kG1Bit + kG2Bit) + kG1Fields.at(circuit.b_share_fields) +
                      kG2Fields.at(circuit.b_share_fields);
  if (!out.are_parameters_resident) out.transfer_seconds = of(out.parameters, 1 / kTransfer);
  out.partition_seconds =
      std::max(out.rows_seconds + out.quotient_seconds + out.h_seconds + out.other_seconds, out.transfer_seconds);
}

}  // namespace

DevicePlan plan_device(const PlanCircuit& circuit, std::uint64_t memory) {
  const HSum& slow = kHSums[0];
  const HSum& fast = kHSums[1];
  const std::uint64_t copies = math::G1Affine::kUncompressed * circuit.domain * (fast.copies - 1);
  const bool are_copies_taken = memory >= circuit.parameter_bytes + copies + working_bytes(circuit, fast);
  const HSum& taken = are_copies_taken ? fast : slow;
  DevicePlan out;
  out.memory = memory;
  out.copies = taken.copies;
  out.parameters = circuit.parameter_bytes + (are_copies_taken ? copies : 0);
  out.least = static_cast<std::uint64_t>(kLeast * 3 * sizeof(math::Fr) * static_cast<double>(circuit.domain));
  out.all = working_bytes(circuit, slow) + circuit.parameter_bytes;
  out.is_possible = memory >= std::min(out.least, out.all);
  out.are_parameters_resident = memory >= out.all;
  out.working = out.are_parameters_resident ? working_bytes(circuit, taken) : out.least;
  set_times(circuit, taken, out);
  return out;
}

}  // namespace proofline::engine
