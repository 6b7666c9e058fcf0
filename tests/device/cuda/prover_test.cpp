// A prover with small chunks: all that is done in parts is done in many.
#include "device/cuda/prover.hpp"

#include <gtest/gtest.h>

#include "device/cuda/device.hpp"
#include "device/cuda/parameter_transfer.hpp"
#include "groth16/setup.hpp"
#include "r1cs/random_circuit.hpp"
#include "r1cs/recorder.hpp"
#include "support/temp_folder.hpp"

namespace proofline::cuda {
namespace {

TEST(ProverTest, ChunksDoNotChangeTheProof) {
  PROOFLINE_NEEDS_DEVICE();
  const test::TempFolder folder;
  const Executor exec(2);
  const test::RandomCircuit code{.seed = 17, .instances = 1500, .with_derived = true};
  const r1cs::StructuredR1cs circuit = r1cs::record(code, 20);
  const std::filesystem::path file = folder / "p.params";
  groth16::generate_parameters(circuit, groth16::ToxicWaste::insecure_from_seed(5), file, exec, no_progress());
  const auto parameters = std::make_shared<const groth16::MappedParameters>(file);
  r1cs::CompactWitness witness = r1cs::generate_witness(code, exec);
  witness.share_kinds(circuit.kinds);
  const auto blinding = [] {
    return groth16::Blinding::insecure_for_tests(math::Fr::from_u64(3), math::Fr::from_u64(4));
  };
  const groth16::Proof expected = groth16::prove(circuit, witness, parameters, blinding(), exec);
  const PointSource source = [&](const ParameterPoints& out, Arena, Stream stream) {
    load_parameters(*parameters, out, stream, exec, no_progress());
    return parameters->verifying_key();
  };
  use_device(0);
  Prover prover;
  MemoryLimits limits{.device = device_memory().free / 2, .pinned = std::size_t{1} << 30};
  const auto prove = [&](const MemoryLimits& with) {
    const auto resident = std::make_shared<const ResidentCircuit>(circuit, source, with);
    prover.reserve(resident->working_bytes());
    const auto started = prover.start(resident, circuit, witness);
    EXPECT_EQ(groth16::assemble(resident->key(), blinding(), started->sums()), expected);
    return resident;
  };
  for (const std::size_t chunk : {32, 416, 1 << 20}) {
    limits.chunk_of_bits = chunk;
    prove(limits);
  }
  // The least memory with which it goes has all lists in pinned memory.
  limits.chunk_of_bits = 64;
  for (const std::size_t chunk : {777, 1000, 4096}) {
    limits.chunk_of_points = chunk;
    bool in_chunks = false;
    const auto all = prove(limits);
    for (limits.device = all->bytes() + all->working_bytes(); limits.device > 0; limits.device -= limits.device / 20) {
      try {
        in_chunks = prove(limits)->h().in_chunks() || in_chunks;
      } catch (const OutOfDeviceMemory&) {
        break;
      }
    }
    EXPECT_TRUE(in_chunks) << chunk;
    limits.device = device_memory().free / 2;
  }
}

}  // namespace
}  // namespace proofline::cuda
