// Values of all instances on the device equal to r1cs::InstanceValues.
#include "device/cuda/instance_values.hpp"

#include <gtest/gtest.h>

#include "device/cuda/circuit_on_device.hpp"
#include "device/cuda/many_circuits.hpp"
#include "r1cs/instance_values.hpp"
#include "r1cs/part_evaluator.hpp"

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
  test::for_odd_circuits([](const StructuredR1cs& circuit, const CompactWitness& right, const CompactWitness& any) {
    expect_like_cpu(circuit, right);
    expect_like_cpu(circuit, any);
  });
}

TEST(InstanceValuesOnDevice, OfRandomCircuits) {
  PROOFLINE_NEEDS_DEVICE();
  test::for_random_circuits([](const test::RandomCircuit&, const StructuredR1cs& circuit, const CompactWitness& any) {
    expect_like_cpu(circuit, any);
  });
}

TEST(InstanceValuesOnDevice, OfA2KibPorep) {
  PROOFLINE_NEEDS_DEVICE();
  const StructuredR1cs circuit = test::porep_of_2kib();
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
