#pragma once
/// What a machine will do with a circuit: how its memory divides, how long a proof takes, and which limit binds.
/// Sizes are those that the engine reserves; times are estimates from rates.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "device/backend.hpp"
#include "engine/device_plan.hpp"
#include "r1cs/structured.hpp"

namespace proofline::engine {

/// Seconds of one thread.
struct MachineRates {
  double transform = 0;    ///< of a value in a transform, per level of it
  double g1_addition = 0;  ///< of each of math::msm_additions(), decoding of points included
  double g2_addition = 0;  ///< the same in G2
  double g1_bit = 0;       ///< of a point whose scalar is a bit
  double g2_bit = 0;
  double row = 0;  ///< of a row, evaluated in A, B and C
};

/// Measures this machine's rates with sums of 2^17 points and a transform of 2^20: about two seconds. The rate of rows
/// depends on the circuit's kind and is not measured but taken from docs/performance.md, scaled by the transform's.
MachineRates measure_rates(bool mostly_poseidon);

/// One partition of a circuit; `needs` on the CPU backend.
struct PlanCircuit {
  std::uint64_t rows = 0, domain = 0;                  ///< rows with those of the inputs; the next power of two
  std::uint64_t bits = 0, fields = 0;                  ///< aux variables
  std::uint64_t b_share_bits = 0, b_share_fields = 0;  ///< of them in B's queries
  std::uint64_t circuit_bytes = 0, witness_bytes = 0, input_bytes = 0;
  std::uint64_t parameter_bytes = 0;  ///< of all lists of the file
  device::PartitionNeeds needs;
  unsigned partitions = 1;  ///< of a proof
};

struct PlanMachine {
  std::uint64_t memory = 0;  ///< bytes of the budget, the program included
  unsigned cores = 1;
  std::optional<std::uint64_t> device_memory = std::nullopt;  ///< of a CUDA device that does start(); nothing: the CPU
  MachineRates rates;
};

struct Plan {
  std::uint64_t program = 0, circuit = 0, parameters = 0, working = 0;  ///< bytes held once
  std::uint64_t partition = 0;                                          ///< bytes of each partition in flight
  std::uint64_t least_budget = 0;                                       ///< in which one partition fits
  std::uint64_t partitions_in_flight = 0;  ///< that the memory holds beside the rest; 0: not even one
  double witness_seconds = 0, start_seconds = 0, finish_seconds = 0;  ///< of a partition, on all cores or the device
  double proof_seconds = 0;                                           ///< at steady state
  std::optional<DevicePlan> device;
  /// What binds. "memory" when the budget holds no partition, "device memory" when the device holds none or waits for
  /// parameters that it cannot keep; otherwise "cores" or "device", whichever is busy all the time.
  std::string limit;
};

/// `program` is what the process takes beside the ledger. Assumes that stages use all cores evenly. With a device, the
/// cores make and check witnesses while it works on the partition before.
Plan plan(const PlanCircuit& circuit, const PlanMachine& machine, std::uint64_t program);

}  // namespace proofline::engine
