#include "filecoin/update_circuit.hpp"

#include <gmock/gmock.h>

#include "filecoin/reference_shape.hpp"
#include "r1cs/expand.hpp"
#include "r1cs/recorder.hpp"
#include "support/test_data.hpp"

namespace proofline::filecoin {
namespace {

class UpdateCircuitShape : public testing::TestWithParam<const char*> {};

TEST_P(UpdateCircuitShape, EqualsTheReference) {
  const UpdateShape& shape = update_shape(sector_shape(GetParam()).sector_size);
  const r1cs::StructuredR1cs circuit = r1cs::record(update_shape_circuit(shape));
  test::expect_reference_shape("update", shape.sector_size, circuit.shape(),
                               proofline::test::hex(r1cs::digest(circuit)));
}

INSTANTIATE_TEST_SUITE_P(Sizes, UpdateCircuitShape, testing::Values("2KiB", "8MiB"));

// rust-fil-proofs storage-proofs-update/tests/circuit.rs asserts these.
TEST(UpdateCircuit, ConstraintsOfTheSmallSizes) {
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> sizes{{1, 1'248'389}, {2, 1'705'039},  {4, 2'165'109},
                                                                   {8, 2'620'359}, {16, 6'300'021}, {32, 6'760'091}};
  for (const auto& [kib, constraints] : sizes) {
    const r1cs::StructuredR1cs circuit = r1cs::record(update_shape_circuit(update_shape(kib << 10)));
    EXPECT_EQ(circuit.num_constraints, constraints) << kib << " KiB";
    EXPECT_EQ(circuit.num_inputs, 5U);
  }
}

}  // namespace
}  // namespace proofline::filecoin
