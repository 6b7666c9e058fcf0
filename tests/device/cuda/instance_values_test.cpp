// Values of all instances on the device equal to r1cs::InstanceValues.
#include "device/cuda/instance_values.hpp"

#include <gtest/gtest.h>

#include "device/cuda/circuit_on_device.hpp"
#include "device/cuda/odd_circuit.hpp"
#include "filecoin/porep_circuit.hpp"
#include "filecoin/sector_shape.hpp"
#include "r1cs/instance_values.hpp"
#include "r1cs/part_evaluator.hpp"
#include "r1cs/random_circuit.hpp"
#include "r1cs/recorder.hpp"

namespace proofline::cuda {
namespace {

using math::Fr;
using r1cs::CompactWitness;
using r1cs::StructuredR1cs;
using test::CircuitOnDevice;
using test::random_witness;

void expect_like_cpu(const StructuredR1cs& circuit, const CompactWitness& witness) {
  const CircuitOnDevice on_device(circuit);
  const test::ValuesOnDevice device(on_device, witness);
  const DeviceValues& values = device.values;
  EXPECT_EQ(test::host_copy(values.inputs), witness.inputs);
  const std::vector<std::uint32_t> witness_bits = test::host_copy(values.witness_bits);
  ASSERT_EQ(witness_bits.size(), (circuit.num_aux() + 31) / 32);
  for (std::size_t i = 0; i < witness_bits.size(); ++i)
    ASSERT_EQ(witness_bits[i], static_cast<std::uint32_t>(witness.bits.words()[i / 2] >> (32 * (i % 2)))) << i;

  const std::vector<std::uint32_t> bits = test::host_copy(values.instance_bits);
  const std::vector<Fr> fields = test::host_copy(values.instance_fields);
  const r1cs::PartEvaluator evaluator(circuit);
  r1cs::InstanceValues expected;
  std::size_t word = 0, field = 0;
  for (std::size_t p = 0; p < circuit.placements.size(); ++p) {
    const r1cs::Template& t = circuit.template_of(circuit.placements[p]);
    expected.gather(circuit, evaluator, circuit.placements[p], witness);
    for (std::uint32_t i = 0; i < t.num_bit_slots(); ++i)
      ASSERT_EQ(bits[word + i / 32] >> i % 32 & 1, expected.bit(i)) << "bit " << i << " of instance " << p;
    for (std::uint32_t i = 0; i < t.num_field_slots(); ++i)
      ASSERT_EQ(fields[field + i], expected.field(i)) << "field element " << i << " of instance " << p;
    word += (t.num_bit_slots() + 31) / 32;
    field += t.num_field_slots();
  }
  EXPECT_LE(word, bits.size());
  EXPECT_EQ(field, fields.size());
}

TEST(InstanceValuesOnDevice, OfOddSizes) {
  PROOFLINE_NEEDS_DEVICE();
  for (const std::uint32_t max_rows : {8U, 30U, r1cs::CircuitRecorder::kMaxRows}) {
    SCOPED_TRACE(max_rows);
    const StructuredR1cs circuit = r1cs::record(test::odd_circuit, max_rows);
    expect_like_cpu(circuit, r1cs::generate_witness(test::odd_circuit, Executor(1)));
    expect_like_cpu(circuit, random_witness(circuit, 1));
  }
}

TEST(InstanceValuesOnDevice, OfRandomCircuits) {
  PROOFLINE_NEEDS_DEVICE();
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomCircuit circuit{.seed = seed, .with_derived = seed % 2 == 0};
    const StructuredR1cs structured = r1cs::record(circuit, seed % 3 == 0 ? r1cs::CircuitRecorder::kMaxRows : 20);
    expect_like_cpu(structured, random_witness(structured, seed));
    if (HasFailure()) return;
  }
}

TEST(InstanceValuesOnDevice, OfA2KibPorep) {
  PROOFLINE_NEEDS_DEVICE();
  const StructuredR1cs circuit = r1cs::record(filecoin::porep_shape_circuit(filecoin::sector_shape("2KiB")));
  expect_like_cpu(circuit, random_witness(circuit, 5));
}

TEST(InstanceValuesOnDevice, RejectAnotherWitnessAndTooLittleRoom) {
  PROOFLINE_NEEDS_DEVICE();
  const StructuredR1cs circuit = r1cs::record(test::RandomCircuit{.seed = 3});
  const CircuitOnDevice on_device(circuit);
  const test::DeviceArray<std::byte> memory(instance_values_device_bytes(on_device.arrays));
  const CompactWitness witness = random_witness(circuit, 1);
  const auto run = [&](const CompactWitness& w, std::span<std::byte> bytes) {
    Arena arena(bytes);
    enqueue_instance_values(on_device.arrays, w, arena, nullptr);
  };
  CompactWitness fewer_fields = witness, fewer_inputs = witness, more_bits = witness;
  fewer_fields.fields.pop_back();
  fewer_inputs.inputs.pop_back();
  more_bits.bits.push(true);
  EXPECT_THROW(run(fewer_fields, memory.span()), InputError);
  EXPECT_THROW(run(fewer_inputs, memory.span()), InputError);
  EXPECT_THROW(run(more_bits, memory.span()), InputError);
  EXPECT_THROW(run(witness, memory.span().first(memory.span().size() - 1)), InputError);
  EXPECT_NO_THROW(run(witness, memory.span()));
  test::cuda_check(cudaDeviceSynchronize());
}

}  // namespace
}  // namespace proofline::cuda
