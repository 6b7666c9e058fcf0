#include <gtest/gtest.h>

#include "filecoin/porep_circuit.hpp"
#include "r1cs/row_counter.hpp"
#include "r1cs/row_digest.hpp"
#include "support/test_data.hpp"

namespace proofline::filecoin {
namespace {

class FullSize : public testing::TestWithParam<const char*> {};

TEST_P(FullSize, RowDigestEqualsTheReference) {
  const SectorShape& sector = sector_shape(std::string_view(GetParam()));
  r1cs::RowDigest digest;
  r1cs::Builder builder(&digest, r1cs::Keep::kNothing);
  porep_shape_circuit(sector)(builder);
  const auto table = test::read_json(test::data_path("shapes/porep.json"));
  EXPECT_EQ(test::hex(digest.finish()), table.at("porep-" + std::to_string(sector.sector_size)).at("r1cs_sha256"));
}

INSTANTIATE_TEST_SUITE_P(Sizes, FullSize, testing::Values("32GiB", "64GiB"));

}  // namespace
}  // namespace proofline::filecoin
