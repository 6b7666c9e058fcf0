#include "r1cs/repeat.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "r1cs/circuit_file.hpp"
#include "r1cs/evaluate.hpp"
#include "r1cs/expand.hpp"
#include "r1cs/random_circuit.hpp"
#include "r1cs/recorder.hpp"
#include "support/temp_folder.hpp"

namespace proofline::r1cs {
namespace {

/// `part` count times over, as circuit code would write it.
Circuit repeated(const Circuit& part, std::size_t count) {
  return [part, count](Builder& cs) {
    cs.for_each(count, [&](Builder& one, std::size_t i) {
      const Scope scope(one, "part", static_cast<std::int64_t>(i));
      part(one);
    });
  };
}

TEST(Repeat, EqualsTheRecordingOfAllCopies) {
  for (const std::uint32_t max_rows : {7U, 60U, CircuitRecorder::kMaxRows}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Circuit part = test::RandomCircuit{.seed = seed, .with_derived = max_rows >= 20};
      for (const std::uint32_t count : {1U, 2U, 5U}) {
        const StructuredR1cs got = repeat(record(part, max_rows), count, "part");
        const StructuredR1cs expected = record(repeated(part, count), max_rows);
        EXPECT_EQ(got.shape(), expected.shape());
        EXPECT_EQ(digest(got), digest(expected));
        EXPECT_EQ(*got.kinds, *expected.kinds);
        for (std::uint64_t row = 0; row < got.num_constraints; row += 11) {
          ASSERT_EQ(got.path_of_row(row), expected.path_of_row(row)) << row;
        }
      }
    }
  }
}

TEST(Repeat, TakesWitnessesOfAllCopies) {
  const Executor exec(2);
  const Circuit good = test::RandomCircuit{.seed = 3, .with_derived = true};
  const Circuit bad = test::RandomCircuit{.seed = 3, .wrong_value_in = 17, .with_derived = true};
  const StructuredR1cs circuit = repeat(record(good, 60), 3, "part");
  CompactWitness witness = generate_witness(repeated(good, 3), exec);
  witness.share_kinds(circuit.kinds);
  EXPECT_EQ(first_broken_row(circuit, witness, exec), std::nullopt);

  witness = generate_witness(
      [&](Builder& cs) {
        good(cs);
        bad(cs);
        good(cs);
      },
      exec);
  const auto row = first_broken_row(circuit, witness, exec);
  ASSERT_TRUE(row.has_value());
  EXPECT_THAT(circuit.path_of_row(*row), testing::StartsWith("part[1]/"));
}

TEST(Repeat, ASavedOneIsTheSame) {
  const test::TempFolder folder;
  const StructuredR1cs circuit = repeat(record(test::RandomCircuit{.seed = 5}, 60), 4, "part");
  save_circuit(circuit, folder / "circuit");
  const StructuredR1cs loaded = load_circuit(folder / "circuit");
  EXPECT_EQ(loaded.shape(), circuit.shape());
  EXPECT_EQ(digest(loaded), digest(circuit));
}

TEST(Repeat, NoCopyOrTooManyAreErrors) {
  const StructuredR1cs part = record(test::RandomCircuit{.seed = 1});
  EXPECT_THROW(repeat(part, 0, "part"), InputError);
  EXPECT_THROW(repeat(part, 0xffffffff, "part"), InputError);
}

}  // namespace
}  // namespace proofline::r1cs
