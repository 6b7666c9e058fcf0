// A.w, B.w and C.w on the device: every row equal to r1cs::evaluate_rows(), and the first broken one.
#include "device/cuda/row_values.hpp"

#include <gtest/gtest.h>

#include "device/cuda/circuit_on_device.hpp"
#include "device/cuda/many_circuits.hpp"
#include "r1cs/evaluate.hpp"

namespace proofline::cuda {
namespace {

using math::Fr;
using r1cs::CompactWitness;
using r1cs::StructuredR1cs;
using test::CircuitOnDevice;
using test::DeviceArray;
using test::host_copy;
using test::random_witness;
using test::ValuesOnDevice;

/// Compares all rows; returns the first broken one.
std::uint64_t expect_like_cpu(const StructuredR1cs& circuit, const CompactWitness& witness) {
  const std::size_t rows = circuit.num_constraints, places = rows + circuit.num_inputs + 37;
  std::vector<Fr> expected[3];
  for (std::vector<Fr>& values : expected) values.resize(places);
  const auto part = [&](int m) { return std::span(expected[m]).first(rows); };
  r1cs::evaluate_rows(circuit, witness, 0, rows, {part(0), part(1), part(2)}, Executor());
  std::ranges::copy(witness.inputs, expected[0].begin() + static_cast<std::ptrdiff_t>(rows));

  const CircuitOnDevice on_device(circuit);
  const ValuesOnDevice device(on_device, witness);
  const DeviceArray<Fr> values[] = {DeviceArray<Fr>(places), DeviceArray<Fr>(places), DeviceArray<Fr>(places)};
  const DeviceArray<std::uint64_t> broken(1);
  enqueue_row_values(on_device.arrays, device.values, values[0].span(), values[1].span(), values[2].span(),
                     broken.span().first<1>(), nullptr);
  for (int m = 0; m < 3; ++m) {
    const std::vector<Fr> got = host_copy(values[m].span());
    for (std::size_t i = 0; i < places; ++i) {
      EXPECT_EQ(got[i], expected[m][i]) << "matrix " << m << ", row " << i << " of " << rows;
      if (got[i] != expected[m][i]) break;
    }
  }
  const std::uint64_t first = host_copy(broken.span())[0];
  EXPECT_EQ(first, r1cs::first_broken_row(circuit, witness, Executor()).value_or(kNoRow));
  return first;
}

TEST(RowValuesOnDevice, OfOddSizes) {
  PROOFLINE_NEEDS_DEVICE();
  test::for_odd_circuits([](const StructuredR1cs& circuit, const CompactWitness& right, const CompactWitness& any) {
    EXPECT_EQ(expect_like_cpu(circuit, right), kNoRow);
    EXPECT_NE(expect_like_cpu(circuit, any), kNoRow);
  });
}

TEST(RowValuesOnDevice, OfRandomCircuits) {
  PROOFLINE_NEEDS_DEVICE();
  test::for_random_circuits([](test::RandomCircuit code, const StructuredR1cs& circuit, const CompactWitness& any) {
    EXPECT_EQ(expect_like_cpu(circuit, r1cs::generate_witness(code, Executor(1))), kNoRow);
    expect_like_cpu(circuit, any);
    code.wrong_value_in = static_cast<int>(code.seed % 40);
    expect_like_cpu(circuit, r1cs::generate_witness(code, Executor(1)));
  });
}

TEST(RowValuesOnDevice, AnyFlippedBitBreaksTheRowThatItBreaksOnTheCpu) {
  PROOFLINE_NEEDS_DEVICE();
  const test::RandomCircuit circuit{.seed = 8, .instances = 12, .with_derived = true};
  const StructuredR1cs structured = r1cs::record(circuit, 20);
  const CompactWitness witness = r1cs::generate_witness(circuit, Executor(1));
  std::size_t broken = 0;
  for (std::size_t i = 0; i < structured.num_aux(); i += 7) {
    if (structured.kinds->is_field(i)) continue;
    CompactWitness flipped = witness;
    if (flipped.bits.get(i)) {
      flipped.bits.reset(i);
    } else {
      flipped.bits.set(i);
    }
    if (expect_like_cpu(structured, flipped) != kNoRow) ++broken;
    if (HasFailure()) return;
  }
  EXPECT_GT(broken, 10U);
}

TEST(RowValuesOnDevice, OfA2KibPorep) {
  PROOFLINE_NEEDS_DEVICE();
  const StructuredR1cs circuit = test::porep_of_2kib();
  expect_like_cpu(circuit, random_witness(circuit, 5));
  CompactWitness ones = random_witness(circuit, 6);
  for (Fr& value : ones.fields) value = Fr::minus_one();
  expect_like_cpu(circuit, ones);
}

TEST(RowValuesOnDevice, RejectTooLittleRoomAndOtherValues) {
  PROOFLINE_NEEDS_DEVICE();
  const StructuredR1cs circuit = r1cs::record(test::RandomCircuit{.seed = 3});
  const StructuredR1cs other = r1cs::record(test::RandomCircuit{.seed = 4});
  const CircuitOnDevice on_device(circuit), other_on_device(other);
  const ValuesOnDevice device(on_device, random_witness(circuit, 1));
  const ValuesOnDevice other_device(other_on_device, random_witness(other, 1));
  const std::size_t places = circuit.num_constraints + circuit.num_inputs;
  const DeviceArray<Fr> enough(places);
  const DeviceArray<std::uint64_t> broken(1);
  const auto run = [&](const DeviceValues& values, std::span<Fr> a, std::span<Fr> b) {
    enqueue_row_values(on_device.arrays, values, a, b, enough.span(), broken.span().first<1>(), nullptr);
  };
  const std::span<Fr> few = enough.span().first(places - 1);
  EXPECT_THROW(run(device.values, few, few), InputError);
  EXPECT_THROW(run(device.values, enough.span(), few), InputError);
  EXPECT_THROW(run(other_device.values, enough.span(), enough.span()), InputError);
}

}  // namespace
}  // namespace proofline::cuda
