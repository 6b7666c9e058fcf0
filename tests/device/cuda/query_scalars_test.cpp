// Scalars of all queries on the device equal to r1cs::QueryScalars.
#include "device/cuda/query_scalars.hpp"

#include <gtest/gtest.h>

#include "device/cuda/circuit_on_device.hpp"
#include "device/cuda/many_circuits.hpp"
#include "filecoin/post_circuit.hpp"

namespace proofline::cuda {
namespace {

using math::Fr;
using r1cs::CompactWitness;
using r1cs::Query;
using r1cs::StructuredR1cs;
using test::CircuitOnDevice;
using test::DeviceArray;
using test::host_copy;
using test::random_witness;
using test::ValuesOnDevice;

/// A query's scalars from the CPU, in one piece.
struct Expected {
  Expected(const StructuredR1cs& circuit, const CompactWitness& witness, Query query) {
    const Executor exec;
    r1cs::QueryScalars scalars(circuit, witness, query, exec);
    for (math::CompactScalars piece; scalars.next(piece); points += piece.size) {
      bits.resize((points + piece.size + 31) / 32);
      for (std::size_t i = 0; i < piece.size; ++i)
        if ((piece.bits[i / 64] >> (i % 64) & 1) != 0) bits[(points + i) / 32] |= 1U << (points + i) % 32;
      fields.insert(fields.end(), piece.fields.begin(), piece.fields.end());
      auto field = piece.fields.begin();
      const auto at = [](std::span<const std::uint64_t> words, std::size_t i) {
        return (words[i / 64] >> (i % 64) & 1) != 0;
      };
      for (std::size_t i = 0; i < piece.size; ++i)
        all.push_back(at(piece.is_field, i) ? *field++ : at(piece.bits, i) ? Fr::one() : Fr::zero());
    }
  }
  std::size_t points = 0;
  std::vector<std::uint32_t> bits;
  std::vector<Fr> fields;
  std::vector<Fr> all;  ///< bits and field elements
};

void expect_like_cpu(const StructuredR1cs& circuit, const CompactWitness& witness) {
  const CircuitOnDevice on_device(circuit);
  const ValuesOnDevice device(on_device, witness);
  for (const Query query : {Query::kAux, Query::kA, Query::kB}) {
    SCOPED_TRACE(static_cast<int>(query));
    const DeviceArray<std::byte> query_memory(query_device_bytes(circuit, query));
    Arena query_arena(query_memory.span());
    const DeviceQuery device_query = enqueue_query(circuit, query, query_arena, nullptr);
    const DeviceArray<std::byte> memory(query_scalars_device_bytes(device_query));
    Arena arena(memory.span());
    const DeviceScalars scalars = enqueue_query_scalars(device_query, device.values, arena, nullptr);
    const Expected expected(circuit, witness, query);
    EXPECT_EQ(device_query.points, expected.points);
    if (is_mostly_fields(circuit)) {
      EXPECT_TRUE(scalars.bits.empty());
      EXPECT_TRUE(host_copy(scalars.fields) == expected.all);
      continue;
    }
    EXPECT_TRUE(host_copy(scalars.bits) == expected.bits);
    EXPECT_TRUE(host_copy(scalars.fields) == expected.fields);
    EXPECT_EQ(scalars.fields.size(), r1cs::field_places(circuit, query).size());
  }
}

TEST(QueryScalarsOnDevice, OfOddSizes) {
  PROOFLINE_NEEDS_DEVICE();
  test::for_odd_circuits([](const StructuredR1cs& circuit, const CompactWitness& right, const CompactWitness& any) {
    expect_like_cpu(circuit, right);
    expect_like_cpu(circuit, any);
  });
}

TEST(QueryScalarsOnDevice, OfRandomCircuits) {
  PROOFLINE_NEEDS_DEVICE();
  test::for_random_circuits([](const test::RandomCircuit&, const StructuredR1cs& circuit, const CompactWitness& any) {
    expect_like_cpu(circuit, any);
  });
}

TEST(QueryScalarsOnDevice, OfA2KibPorep) {
  PROOFLINE_NEEDS_DEVICE();
  const StructuredR1cs circuit = test::porep_of_2kib();
  expect_like_cpu(circuit, random_witness(circuit, 5));
}

TEST(QueryScalarsOnDevice, OfAWinningPostWhoseVariablesAreMostlyFields) {
  PROOFLINE_NEEDS_DEVICE();
  const StructuredR1cs circuit =
      filecoin::record_post(filecoin::post_shape(filecoin::PostKind::kWinning, filecoin::sector_shape("2KiB")));
  ASSERT_TRUE(is_mostly_fields(circuit));
  expect_like_cpu(circuit, random_witness(circuit, 5));
}

TEST(QueryScalarsOnDevice, OfACircuitOfInputsOnly) {
  PROOFLINE_NEEDS_DEVICE();
  const StructuredR1cs circuit = r1cs::record([](r1cs::Builder& cs) { cs.alloc_input(Fr::from_u64(5)); });
  expect_like_cpu(circuit, random_witness(circuit, 1));
}

TEST(QueryScalarsOnDevice, RejectOtherValuesAndTooLittleRoom) {
  PROOFLINE_NEEDS_DEVICE();
  const StructuredR1cs circuit = r1cs::record(test::RandomCircuit{.seed = 3});
  const StructuredR1cs other = r1cs::record(test::odd_circuit);
  const CircuitOnDevice on_device(circuit), other_on_device(other);
  const ValuesOnDevice device(on_device, random_witness(circuit, 1));
  const ValuesOnDevice other_device(other_on_device, random_witness(other, 1));
  const DeviceArray<std::byte> query_memory(query_device_bytes(circuit, Query::kA));
  Arena query_arena(query_memory.span());
  const DeviceQuery query = enqueue_query(circuit, Query::kA, query_arena, nullptr);
  EXPECT_THROW(enqueue_query(circuit, Query::kA, query_arena, nullptr), InputError);
  const DeviceArray<std::byte> memory(query_scalars_device_bytes(query));
  const auto run = [&](const DeviceValues& values, std::size_t bytes) {
    Arena arena(memory.span().first(bytes));
    enqueue_query_scalars(query, values, arena, nullptr);
  };
  EXPECT_THROW(run(other_device.values, memory.span().size()), InputError);
  EXPECT_THROW(run(device.values, memory.span().size() - 1), InputError);
  EXPECT_NO_THROW(run(device.values, memory.span().size()));
  test::cuda_check(cudaDeviceSynchronize());
}

}  // namespace
}  // namespace proofline::cuda
