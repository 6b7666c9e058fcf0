#include "r1cs/witness.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "r1cs/query_scalars.hpp"
#include "r1cs/random_circuit.hpp"
#include "r1cs/recorder.hpp"
#include "support/circuits.hpp"

namespace proofline::r1cs {
namespace {

using math::Fr;
using test::RandomCircuit;

TEST(CompactWitness, ToFlatAndBackIsTheSame) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const CompactWitness compact = generate_witness(RandomCircuit{seed}, Executor(1));
    const FlatWitness flat = to_flat(record(RandomCircuit{seed}), compact, Executor(1));
    ASSERT_EQ(flat.aux.size(), compact.num_aux());
    const CompactWitness back = CompactWitness::from_flat(flat, compact.kinds);
    EXPECT_EQ(back.bits, compact.bits);
    EXPECT_EQ(back.fields, compact.fields);
    EXPECT_EQ(back.inputs, compact.inputs);
  }
}

TEST(CompactWitness, FromFlatRefusesWhatIsNoBit) {
  const CompactWitness compact = generate_witness(RandomCircuit{3}, Executor(1));
  const FlatWitness good = generate_flat_witness(RandomCircuit{3}, Executor(1));
  FlatWitness flat = good;
  std::size_t bit = 0;
  while (compact.kinds->is_field(bit)) ++bit;
  flat.aux[bit] = Fr::from_u64(2);
  EXPECT_THROW(CompactWitness::from_flat(flat, compact.kinds), InputError);
  flat = good;
  flat.aux.pop_back();
  EXPECT_THROW(CompactWitness::from_flat(flat, compact.kinds), InputError);
}

TEST(CompactWitness, SharesEqualKindsOnly) {
  CompactWitness one = generate_witness(RandomCircuit{3}, Executor(1));
  const CompactWitness same = generate_witness(RandomCircuit{3}, Executor(1));
  const CompactWitness other = generate_witness(RandomCircuit{4}, Executor(1));
  ASSERT_NE(one.kinds, same.kinds);
  one.share_kinds(same.kinds);
  EXPECT_EQ(one.kinds, same.kinds);
  EXPECT_THROW(one.share_kinds(other.kinds), InputError);
  EXPECT_EQ(one.kinds, same.kinds);
}

TEST(CompactWitness, OfTheBuilderWithRowsIsTheSameAsWithout) {
  for (std::uint64_t seed = 20; seed < 25; ++seed) {
    const test::CircuitRun run = test::run_circuit(RandomCircuit{seed});
    EXPECT_EQ(run.first_broken, "");
    const FlatWitness values_only = generate_flat_witness(RandomCircuit{seed}, Executor(2));
    EXPECT_EQ(values_only.aux, run.witness.aux);
    EXPECT_EQ(values_only.inputs, run.witness.inputs);
  }
}

TEST(ForEach, PartsOnSeveralThreadsComeInOrder) {
  const Circuit circuit = [](Builder& cs) {
    cs.alloc_bits(0b101, 3);
    std::vector<Variable> results(300);
    cs.for_each(results.size(), [&](Builder& part, std::size_t i) {
      part.alloc_input(Fr::from_u64(i));
      part.alloc_bits(i, static_cast<unsigned>(1 + i % 64));
      part.for_each(i % 4, [i](Builder& inner, std::size_t k) { inner.alloc(Fr::from_u64(1000 * i + k)); });
    });
    cs.alloc(Fr::from_u64(77));
  };
  const CompactWitness one = generate_witness(circuit, Executor(1));
  const CompactWitness many = generate_witness(circuit, Executor(4));
  EXPECT_EQ(one.bits, many.bits);
  EXPECT_EQ(one.fields, many.fields);
  EXPECT_EQ(one.inputs, many.inputs);
  EXPECT_EQ(*one.kinds, *many.kinds);
  EXPECT_EQ(one.inputs.size(), 301U);
  EXPECT_EQ(one.fields.back(), Fr::from_u64(77));
}

TEST(ForEach, AnErrorInAPartReachesTheCaller) {
  const Circuit circuit = [](Builder& cs) {
    cs.for_each(50, [](Builder&, std::size_t i) {
      if (i == 37) throw InputError("part 37");
    });
  };
  EXPECT_THROW(generate_witness(circuit, Executor(4)), InputError);
  EXPECT_THROW(generate_witness(circuit, Executor(1)), InputError);
}

}  // namespace
}  // namespace proofline::r1cs
