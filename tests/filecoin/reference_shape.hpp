#pragma once
/// Circuits' counts and digests as the reference has them, in tests/data/shapes.
#include <gtest/gtest.h>

#include "r1cs/shape.hpp"
#include "support/test_data.hpp"

namespace proofline::filecoin::test {

using namespace proofline::test;

/// Compares with entry "<kind>-<sector size>" of the shapes: kind is porep, winning, window or update.
inline void expect_reference_shape(const std::string& kind, std::uint64_t sector_size, const r1cs::Shape& shape,
                                   const std::string& digest) {
  const std::string file = kind == "winning" || kind == "window" ? "post" : kind;
  const auto table = read_json(data_path("shapes/" + file + ".json"));
  const auto& expected = table.at(kind + "-" + std::to_string(sector_size));
  EXPECT_EQ(shape.num_inputs, expected.at("num_inputs"));
  EXPECT_EQ(shape.num_aux, expected.at("num_aux"));
  EXPECT_EQ(shape.num_constraints, expected.at("num_constraints"));
  EXPECT_EQ(shape.nonzeros_a, expected.at("nnz_a"));
  EXPECT_EQ(shape.nonzeros_b, expected.at("nnz_b"));
  EXPECT_EQ(shape.nonzeros_c, expected.at("nnz_c"));
  EXPECT_EQ(shape.density_a_aux, expected.at("density_a_aux"));
  EXPECT_EQ(shape.density_b_inputs, expected.at("density_b_inputs"));
  EXPECT_EQ(shape.density_b_aux, expected.at("density_b_aux"));
  EXPECT_EQ(digest, expected.at("r1cs_sha256"));
}

}  // namespace proofline::filecoin::test
