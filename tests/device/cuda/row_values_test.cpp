// A.w, B.w and C.w on the device: every row equal to r1cs::evaluate_rows().
#include "device/cuda/row_values.hpp"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "device/cuda/polynomial_checks.hpp"
#include "filecoin/porep_circuit.hpp"
#include "filecoin/sector_shape.hpp"
#include "r1cs/evaluate.hpp"
#include "r1cs/random_circuit.hpp"
#include "r1cs/recorder.hpp"

namespace proofline::cuda {
namespace {

using math::Fr;
using r1cs::CompactWitness;
using r1cs::StructuredR1cs;

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    if (cudaMalloc(&at_, count * sizeof(T)) != cudaSuccess) throw DeviceError("cudaMalloc");
    cudaMemset(at_, 0xa5, count * sizeof(T));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(at_); }
  std::span<T> span() const { return {at_, count_}; }
  std::vector<T> host() const {
    std::vector<T> out(count_);
    if (cudaDeviceSynchronize() != cudaSuccess ||
        cudaMemcpy(out.data(), at_, count_ * sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess)
      throw DeviceError("a kernel or copy failed");
    return out;
  }

 private:
  T* at_ = nullptr;
  std::size_t count_;
};

class RowValuesTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* why = nullptr;
    if (!have_device(why)) GTEST_SKIP() << "needs a CUDA device: " << why;
  }
};

/// Any values of the circuit's kinds; they need not satisfy it.
CompactWitness random_witness(const StructuredR1cs& circuit, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  CompactWitness out;
  out.kinds = circuit.kinds;
  out.inputs.resize(circuit.num_inputs);
  out.fields.resize(circuit.kinds->num_stored());
  for (Fr& value : out.inputs) value = Fr::from_canonical({random(), random(), random(), random() >> 2});
  out.inputs[0] = Fr::one();
  for (Fr& value : out.fields)
    value = random() % 4 == 0 ? Fr::minus_one() : Fr::from_canonical({random(), random(), random(), random() >> 2});
  const std::span<const std::uint64_t> fields = circuit.kinds->fields().bits().words();
  for (std::size_t i = 0; i < circuit.num_aux(); i += 64)
    out.bits.append(random() & ~fields[i / 64],
                    static_cast<unsigned>(std::min<std::size_t>(64, circuit.num_aux() - i)));
  return out;
}

void expect_like_cpu(const StructuredR1cs& circuit, const CompactWitness& witness) {
  const std::size_t rows = circuit.num_constraints, places = rows + 37;
  std::vector<Fr> a(rows), b(rows), c(rows);
  r1cs::evaluate_rows(circuit, witness, 0, rows, {a, b, c}, Executor());
  const DeviceArray<std::byte> circuit_memory(circuit_device_bytes(circuit));
  Arena arena(circuit_memory.span());
  const DeviceCircuit on_device = enqueue_circuit(circuit, arena, nullptr);
  const DeviceArray<std::byte> memory(row_values_device_bytes(on_device));
  const DeviceArray<Fr> da(places), db(places), dc(places);
  enqueue_row_values(on_device, witness, da.span(), db.span(), dc.span(), Arena(memory.span()), nullptr);
  const auto compare = [&](const std::vector<Fr>& expected, const DeviceArray<Fr>& array, const char* name) {
    const std::vector<Fr> got = array.host();
    for (std::size_t i = 0; i < rows; ++i) ASSERT_TRUE(got[i] == expected[i]) << name << " of row " << i;
    for (std::size_t i = rows; i < places; ++i) ASSERT_TRUE(got[i].is_zero()) << name << " beyond the rows";
  };
  compare(a, da, "A");
  compare(b, db, "B");
  compare(c, dc, "C");
}

TEST_F(RowValuesTest, RandomCircuitsEqualTheCpu) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomCircuit circuit{.seed = seed, .with_derived = seed % 2 == 0};
    const StructuredR1cs structured = r1cs::record(circuit, seed % 3 == 0 ? r1cs::CircuitRecorder::kMaxRows : 20);
    expect_like_cpu(structured, r1cs::generate_witness(circuit, Executor(1)));
    expect_like_cpu(structured, random_witness(structured, seed));
    if (HasFailure()) return;
  }
}

TEST_F(RowValuesTest, EveryRowOf2KibEqualsTheCpu) {
  const StructuredR1cs circuit = r1cs::record(filecoin::porep_shape_circuit(filecoin::sector_shape("2KiB")));
  expect_like_cpu(circuit, random_witness(circuit, 5));
  CompactWitness ones = random_witness(circuit, 6);
  for (Fr& value : ones.fields) value = Fr::minus_one();
  expect_like_cpu(circuit, ones);
}

TEST_F(RowValuesTest, RejectsAnotherWitnessAndTooLittleRoom) {
  const StructuredR1cs circuit = r1cs::record(test::RandomCircuit{.seed = 3});
  const DeviceArray<std::byte> circuit_memory(circuit_device_bytes(circuit));
  Arena arena(circuit_memory.span());
  const DeviceCircuit on_device = enqueue_circuit(circuit, arena, nullptr);
  const DeviceArray<std::byte> memory(row_values_device_bytes(on_device));
  const DeviceArray<Fr> enough(circuit.num_constraints), few(circuit.num_constraints - 1);
  const CompactWitness witness = random_witness(circuit, 1);
  CompactWitness other = witness;
  other.fields.pop_back();
  const auto run = [&](const CompactWitness& w, std::span<Fr> a, std::span<std::byte> bytes) {
    enqueue_row_values(on_device, w, a, enough.span(), enough.span(), Arena(bytes), nullptr);
  };
  EXPECT_THROW(run(other, enough.span(), memory.span()), InputError);
  EXPECT_THROW(run(witness, few.span(), memory.span()), InputError);
  EXPECT_THROW(run(witness, enough.span(), memory.span().first(256)), InputError);
}

}  // namespace
}  // namespace proofline::cuda
