// Whole partitions on the device: proofs with fixed blinding equal the CPU's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/error.hpp"
#include "device/cuda/device.hpp"
#include "device/gpu.hpp"
#include "filecoin/c1_reader.hpp"
#include "filecoin/golden_post.hpp"
#include "filecoin/porep_circuit.hpp"
#include "filecoin/porep_inputs.hpp"
#include "filecoin/post_circuit.hpp"
#include "filecoin/post_prove.hpp"
#include "filecoin/sector_shape.hpp"
#include "groth16/prove.hpp"
#include "r1cs/evaluate.hpp"
#include "r1cs/random_circuit.hpp"
#include "r1cs/recorder.hpp"
#include "support/temp_folder.hpp"
#include "support/test_data.hpp"

namespace proofline::device {
namespace {

using groth16::Blinding;
using groth16::ToxicWaste;
using math::Fr;

Blinding fixed_blinding() {
  return Blinding::insecure_for_tests(Fr::from_u64(7), Fr::from_u64(9));
}

/// A circuit with a witness and parameters.
struct Example {
  Example(const test::RandomCircuit& code, const std::filesystem::path& file, const Executor& exec)
      : circuit(std::make_shared<const r1cs::StructuredR1cs>(r1cs::record(code, 20))) {
    groth16::generate_parameters(*circuit, ToxicWaste::insecure_from_seed(code.seed), file, exec, no_progress());
    parameters = std::make_shared<const groth16::MappedParameters>(file);
    witness = r1cs::generate_witness(code, exec);
    witness.share_kinds(circuit->kinds);
  }
  PartitionWork work() const { return {circuit, parameters, witness, fixed_blinding()}; }
  groth16::Proof on_cpu(const Executor& exec) const {
    return groth16::prove(*circuit, witness, parameters, fixed_blinding(), exec);
  }

  std::shared_ptr<const r1cs::StructuredR1cs> circuit;
  std::shared_ptr<const groth16::MappedParameters> parameters;
  r1cs::CompactWitness witness;
};

class CudaBackendTest : public testing::Test {
 protected:
  void SetUp() override { PROOFLINE_NEEDS_DEVICE(); }
  Example example(const test::RandomCircuit& code) { return {code, folder_ / ("p" + std::to_string(files_++)), exec_}; }
  std::unique_ptr<GpuBackend> backend(std::uint64_t memory = 0, std::uint64_t pinned = 0) {
    const auto on_memory = [this](const GpuMemory& taken) {
      taken_ = taken.resident + taken.working;
      pinned_ = taken.pinned;
    };
    return make_gpu_backend({0, memory, pinned, on_memory}, exec_);
  }

  test::TempFolder folder_;
  Executor exec_{2};
  int files_ = 0;
  std::uint64_t taken_ = 0, pinned_ = 0;
};

TEST_F(CudaBackendTest, ProofsEqualTheCpus) {
  const auto gpu = backend();
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const Example e = example({.seed = seed, .instances = static_cast<int>(5 * seed * seed), .with_derived = true});
    EXPECT_EQ(gpu->start(e.work(), {}, nullptr)->finish({}, nullptr), e.on_cpu(exec_));
  }
}

TEST_F(CudaBackendTest, PartitionsOverlapAndMayBeGivenUp) {
  const auto gpu = backend();
  const Example one = example({.seed = 3, .instances = 300, .with_derived = true});
  const Example two = example({.seed = 4, .instances = 700});
  const groth16::Proof expected_one = one.on_cpu(exec_), expected_two = two.on_cpu(exec_);
  for (int round = 0; round < 3; ++round) {
    auto first = gpu->start(one.work(), {}, nullptr);
    auto second = gpu->start(two.work(), {}, nullptr);
    auto third = gpu->start(one.work(), {}, nullptr);
    gpu->start(two.work(), {}, nullptr).reset();
    auto last = gpu->start(one.work(), {}, nullptr);
    EXPECT_EQ(third->finish({}, nullptr), expected_one);
    EXPECT_EQ(last->finish({}, nullptr), expected_one);
    EXPECT_EQ(first->finish({}, nullptr), expected_one);
    EXPECT_EQ(second->finish({}, nullptr), expected_two);
  }
}

TEST_F(CudaBackendTest, NamesTheBrokenRowAsTheCpuDoes) {
  const auto gpu = backend();
  const Example good = example({.seed = 5, .instances = 60, .with_derived = true});
  PartitionWork work = good.work();
  std::string on_cpu;
  // Not every gadget's last output is in a row.
  for (int instance = 20; on_cpu.empty() && instance < 60; ++instance) {
    const test::RandomCircuit wrong{.seed = 5, .instances = 60, .wrong_value_in = instance, .with_derived = true};
    work.witness = r1cs::generate_witness(wrong, exec_);
    work.witness.share_kinds(good.circuit->kinds);
    try {
      r1cs::require_satisfied(*good.circuit, work.witness, exec_);
    } catch (const UnsatisfiedError& error) {
      on_cpu = error.what();
    }
  }
  ASSERT_FALSE(on_cpu.empty());
  try {
    gpu->start(std::move(work), {}, nullptr);
    FAIL() << "a witness that breaks a row was taken";
  } catch (const UnsatisfiedError& error) {
    EXPECT_EQ(error.what(), on_cpu);
  }
  EXPECT_EQ(gpu->start(good.work(), {}, nullptr)->finish({}, nullptr), good.on_cpu(exec_));
}

TEST_F(CudaBackendTest, RefusesOtherParametersAndWitnesses) {
  const auto gpu = backend();
  const Example one = example({.seed = 6});
  const Example two = example({.seed = 7, .instances = 50});
  const auto start = [&](std::shared_ptr<const groth16::MappedParameters> parameters, r1cs::CompactWitness witness) {
    gpu->start({one.circuit, std::move(parameters), std::move(witness), fixed_blinding()}, {}, nullptr);
  };
  EXPECT_THROW(start(two.parameters, one.witness), InputError);
  EXPECT_THROW(start(one.parameters, two.witness), InputError);
  EXPECT_THROW(start(nullptr, one.witness), InputError);
  EXPECT_EQ(gpu->start(one.work(), {}, nullptr)->finish({}, nullptr), one.on_cpu(exec_));
}

TEST_F(CudaBackendTest, StopsWhereItIsAsked) {
  const auto gpu = backend();
  const Example e = example({.seed = 8});
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(gpu->start(e.work(), stop.get_token(), nullptr), Cancelled);
  auto pending = gpu->start(e.work(), {}, nullptr);
  EXPECT_THROW(pending->finish(stop.get_token(), nullptr), Cancelled);
  pending.reset();
  EXPECT_EQ(gpu->start(e.work(), {}, nullptr)->finish({}, nullptr), e.on_cpu(exec_));
}

TEST_F(CudaBackendTest, ManyCircuitsShareLittleMemory) {
  std::vector<Example> examples;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) examples.push_back(example({.seed = 20 + seed, .instances = 400}));
  backend()->start(examples[0].work(), {}, nullptr)->finish({}, nullptr);
  const std::uint64_t one = taken_;
  const auto gpu = backend(one * 3 / 2);
  for (int round = 0; round < 2; ++round) {
    for (const Example& e : examples) {
      EXPECT_EQ(gpu->start(e.work(), {}, nullptr)->finish({}, nullptr), e.on_cpu(exec_));
      EXPECT_LE(taken_, one * 3 / 2);
    }
  }
  const auto tiny = backend(one / 8);
  EXPECT_THROW(tiny->start(examples[0].work(), {}, nullptr), Error);
}

TEST_F(CudaBackendTest, ListsInPinnedMemoryGiveTheSameProof) {
  const Example e = example({.seed = 31, .instances = 3000, .with_derived = true});
  const groth16::Proof expected = e.on_cpu(exec_);
  backend()->start(e.work(), {}, nullptr)->finish({}, nullptr);
  EXPECT_EQ(pinned_, 0U);
  std::set<std::uint64_t> seen;
  for (std::uint64_t memory = taken_;; memory -= taken_ / 50) {
    try {
      EXPECT_EQ(backend(memory, std::uint64_t{1} << 30)->start(e.work(), {}, nullptr)->finish({}, nullptr), expected);
    } catch (const Error&) {
      break;
    }
    seen.insert(pinned_);
  }
  EXPECT_GE(seen.size(), 4U) << "of the five lists more and more leave the device";
  EXPECT_GE(*seen.rbegin(), e.parameters->bytes().size() * 9 / 10);
}

TEST_F(CudaBackendTest, ParametersMadeOnTheDeviceAreThoseOfTheCpu) {
  const auto gpu = backend();
  const Example e = example({.seed = 9, .instances = 200, .with_derived = true});
  const auto key = gpu->set_up(e.circuit, ToxicWaste::insecure_from_seed(9), no_progress());
  EXPECT_EQ(key, e.parameters->verifying_key());
  PartitionWork work = e.work();
  work.parameters = nullptr;
  EXPECT_EQ(gpu->start(std::move(work), {}, nullptr)->finish({}, nullptr), e.on_cpu(exec_));
}

TEST_F(CudaBackendTest, ASealedSectorOf2KibIsProved) {
  const auto gpu = backend();
  const auto circuit = std::make_shared<const r1cs::StructuredR1cs>(
      r1cs::record(filecoin::porep_shape_circuit(filecoin::sector_shape("2KiB"))));
  const groth16::PreparedVerifyingKey key(gpu->set_up(circuit, ToxicWaste::random(), no_progress()));
  const filecoin::C1Reader c1(test::data_path("sectors/2k-2/c1.json"));
  for (std::size_t k = 0; k < c1.partitions(); ++k) {
    r1cs::CompactWitness witness = r1cs::generate_witness(
        filecoin::porep_circuit(filecoin::porep_partition(c1.header(), c1.read_partition(k))), exec_);
    witness.share_kinds(circuit->kinds);
    const groth16::Proof proof =
        gpu->start({circuit, nullptr, std::move(witness), Blinding::random()}, {}, nullptr)->finish({}, nullptr);
    const auto inputs = filecoin::porep_public_inputs(filecoin::porep_statement(c1.header()), static_cast<unsigned>(k));
    EXPECT_TRUE(groth16::verify(key, inputs, proof));
  }
}

/// Of a recorded proof of spacetime, most of whose variables are field elements.
TEST_F(CudaBackendTest, ProofsOfSpacetimeOfTheReferenceAreProved) {
  const auto gpu = backend();
  for (const std::string& name : filecoin::test::kGoldenPosts) {
    SCOPED_TRACE(name);
    const filecoin::test::GoldenPost post(name);
    const auto circuit = std::make_shared<const r1cs::StructuredR1cs>(filecoin::record_post(post.statement.shape));
    const groth16::PreparedVerifyingKey key(gpu->set_up(circuit, ToxicWaste::random(), no_progress()));
    const std::vector<filecoin::PostSectorProof> vanilla = post.vanilla();
    r1cs::CompactWitness witness = r1cs::generate_witness(
        filecoin::post_circuit(filecoin::post_circuit_sectors(post.statement.shape, vanilla)), exec_);
    witness.share_kinds(circuit->kinds);
    const groth16::Proof proof =
        gpu->start({circuit, nullptr, std::move(witness), Blinding::random()}, {}, nullptr)->finish({}, nullptr);
    EXPECT_TRUE(filecoin::verify_post(post.statement, {&proof, 1}, key, exec_));
  }
}

}  // namespace
}  // namespace proofline::device
