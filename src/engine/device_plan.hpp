#pragma once
/// What a CUDA device will do with a partition: whether the parameters stay on it, and how long it takes. Times are
/// those measured on an H200 (docs/performance-cuda.md), scaled with the sizes: of another device they say the order of
/// magnitude.
#include <cstdint>

namespace proofline::engine {

struct PlanCircuit;

struct DevicePlan {
  std::uint64_t memory = 0;      ///< of the device, free
  std::uint64_t parameters = 0;  ///< all points, and their copies
  std::uint64_t working = 0;     ///< circuit, witness, and the most that vectors and sums take at a time
  std::uint64_t least = 0;       ///< with which a partition can be made at all: parameters streamed from the host
  std::uint64_t all = 0;         ///< with which the parameters stay, without copies
  bool is_possible = false;      ///< memory >= least
  bool are_parameters_resident = false;
  unsigned copies = 1;  ///< of the points of h: 2 make its sum faster and are taken where they fit
  double rows_seconds = 0, quotient_seconds = 0, h_seconds = 0, other_seconds = 0;  ///< of a partition
  double transfer_seconds = 0;   ///< of the parameters, once a partition; 0 when they are resident
  double partition_seconds = 0;  ///< transfer goes on beside the work
};

/// Precondition: circuit.parameter_bytes is set.
DevicePlan plan_device(const PlanCircuit& circuit, std::uint64_t memory);

}  // namespace proofline::engine
