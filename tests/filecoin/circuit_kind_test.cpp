#include "filecoin/circuit_kind.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "filecoin/golden_sector.hpp"
#include "r1cs/expand.hpp"

namespace proofline::filecoin {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(CircuitKind, NamesAndKindsBelongTogether) {
  for (const std::string_view name : circuit_kind_names()) EXPECT_EQ(circuit_kind_name(circuit_kind(name)), name);
  EXPECT_THAT([] { circuit_kind("snap"); }, ThrowsMessage<InputError>(HasSubstr("window-post or update")));
}

/// A circuit is recorded as what the reference's digest says it is.
TEST(CircuitKind, RecordsTheReferencesCircuits) {
  struct Case {
    CircuitKind kind;
    const char* digest;
    unsigned partitions;
  };
  constexpr Case kCases[] = {
      {CircuitKind::kWinningPost, "92215f5b65036d05a234d0d2d9705a1d4e4810044c21454ce928305f0416440e", 1},
      {CircuitKind::kWindowPost, "73a23e59e648f2c96e90db15b762ab0ee7c3429252b3f95694388a863b5a14c3", 1},
      {CircuitKind::kUpdate, "490eb8901a72e832a6727f19160954d46178dce8dc5a9fd053baa31c5a3e30d9", 1},
  };
  const SectorShape& sector = sector_shape("2KiB");
  for (const Case& expected : kCases) {
    const r1cs::StructuredR1cs circuit = record_circuit(expected.kind, sector, no_progress());
    EXPECT_EQ(test::hex(r1cs::digest(circuit)), expected.digest) << circuit_kind_name(expected.kind);
    EXPECT_EQ(circuit.num_inputs, circuit_inputs(expected.kind, sector));
    EXPECT_EQ(circuit_partitions(expected.kind, sector), expected.partitions);
  }
  EXPECT_EQ(circuit_inputs(CircuitKind::kPorep, sector), 40U);
  EXPECT_EQ(circuit_partitions(CircuitKind::kPorep, sector_shape("32GiB")), 10U);
  EXPECT_EQ(circuit_partitions(CircuitKind::kUpdate, sector_shape("32GiB")), 16U);
}

TEST(CircuitKind, ThereIsNoUpdateCircuitOf1GiB) {
  EXPECT_THROW(record_circuit(CircuitKind::kUpdate, sector_shape("1GiB"), no_progress()), InputError);
  EXPECT_THROW(circuit_inputs(CircuitKind::kUpdate, sector_shape("1GiB")), InputError);
}

}  // namespace
}  // namespace proofline::filecoin
