#include "filecoin/update_encode.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "base/error.hpp"
#include "filecoin/golden_update.hpp"
#include "filecoin/update_randomness.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<Node> nodes_in(const std::filesystem::path& file) {
  const auto bytes = test::read_bytes(file);
  const auto view = as_nodes(std::span<const std::uint8_t>(bytes));
  return {view.begin(), view.end()};
}

TEST(UpdateEncode, NodesEqualTheReference) {
  const auto sealed = nodes_in(test::golden_update_sector() / "sealed");
  const auto data = nodes_in(test::golden_update_folder() / "staged");
  const auto replica = nodes_in(test::golden_update_folder() / "replica");
  const UpdateStatement about = test::golden_update_statement();
  const Executor exec(2);
  const Fr phi = update_phi(about.comm_d_new, about.comm_r_old);
  const UpdateFactors rho = UpdateFactors::rho(about.shape(), phi, exec);
  std::vector<Node> out(data.size());
  encode_update(0, sealed, data, rho, out, exec);
  EXPECT_EQ(out, replica);
  decode_update(0, sealed, replica, UpdateFactors::inverse_rho(about.shape(), phi, exec), out, exec);
  EXPECT_EQ(out, data);
  remove_update(0, replica, data, rho, out, exec);
  EXPECT_EQ(out, sealed);
}

std::vector<Node> random_nodes(std::size_t count) {
  std::vector<Node> out;
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back(truncate_to_field(*rc::gen::container<Bytes32>(rc::gen::arbitrary<std::uint8_t>())));
  }
  return out;
}

RC_GTEST_PROP(UpdateEncode, DecodeAndRemoveUndoEncode, ()) {
  const UpdateShape& shape = update_shapes()[*rc::gen::inRange<std::size_t>(0, update_shapes().size())];
  const std::uint64_t first = *rc::gen::inRange<std::uint64_t>(0, shape.nodes() - 8);
  const auto sealed = random_nodes(8);
  const auto data = random_nodes(8);
  const Fr phi = node_to_fr(random_nodes(1)[0], "phi");
  const Executor exec(1);
  const UpdateFactors rho = UpdateFactors::rho(shape, phi, exec);
  std::vector<Node> replica(8), out(8);
  encode_update(first, sealed, data, rho, replica, exec);
  decode_update(first, sealed, replica, UpdateFactors::inverse_rho(shape, phi, exec), out, exec);
  RC_ASSERT(out == data);
  remove_update(first, replica, data, rho, out, exec);
  RC_ASSERT(out == sealed);
}

// The rho of a node is that of its highest h bits, wherever the part begins.
TEST(UpdateEncode, FactorsChangeAtRunBorders) {
  const UpdateShape& shape = update_shape(std::uint64_t{1} << 23);
  const Fr phi = Fr::from_u64(3);
  const UpdateFactors rho = UpdateFactors::rho(shape, phi, Executor(2));
  const std::uint64_t run = shape.nodes() >> 10;
  for (const std::uint64_t high : {std::uint64_t{0}, std::uint64_t{511}, std::uint64_t{1023}}) {
    EXPECT_EQ(rho.of(high * run), update_rho(phi, high));
    EXPECT_EQ(rho.of(high * run + run - 1), update_rho(phi, high));
  }
}

TEST(UpdateEncode, BadNodesAndSizes) {
  const UpdateFactors rho = UpdateFactors::rho(update_shape(2048), Fr::one(), Executor(1));
  std::vector<Node> good(4), bad(4), out(4);
  bad[2].fill(0xff);
  EXPECT_THAT([&] { encode_update(8, good, bad, rho, out, Executor(1)); },
              ThrowsMessage<InputError>(HasSubstr("node 10 of the data is not below the field's modulus")));
  EXPECT_THAT([&] { remove_update(0, bad, good, rho, out, Executor(1)); },
              ThrowsMessage<InputError>(HasSubstr("node 2 of the updated replica")));
  EXPECT_THAT([&] { decode_update(0, std::span(good).first(3), good, rho, out, Executor(1)); },
              ThrowsMessage<InputError>(HasSubstr("3 nodes of the sealed replica; expected 4")));
}

}  // namespace
}  // namespace proofline::filecoin
