#include "filecoin/update_vanilla.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "filecoin/golden_update.hpp"
#include "filecoin/synthetic_update.hpp"
#include "support/temp_folder.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;
using testing::HasSubstr;

const Executor kTwo(2);

TEST(UpdateVanilla, BytesFromFoldersEqualTheReference) {
  const UpdatedSector sector(test::golden_update_sector(), test::golden_update_folder());
  const UpdatePartitionProof proof = sector.open(0, kTwo);
  EXPECT_EQ(write_update_partition(proof, sector.statement().shape()),
            test::read_bytes(test::golden_update_vanilla_file()));
  EXPECT_NO_THROW(verify_update_partition(sector.statement(), 0, proof, "golden", kTwo));
  EXPECT_THROW(sector.open(1, kTwo), InputError);
}

std::string rejection(const UpdateStatement& about, const UpdatePartitionProof& proof, unsigned partition = 0) {
  try {
    verify_update_partition(about, partition, proof, "proof", kTwo);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(UpdateVanilla, EveryPartIsChecked) {
  const UpdateStatement about = test::golden_update_statement();
  const auto broken = [&](auto change) {
    UpdatePartitionProof proof = test::golden_update_proof();
    change(proof);
    return rejection(about, proof);
  };
  const auto bump = [](Fr& value) { value += Fr::one(); };
  EXPECT_EQ(broken([](auto&) {}), "accepted");
  EXPECT_THAT(broken([&](auto& p) { bump(p.comm_c); }), HasSubstr("comm_c and the root of proof_r_old hash to"));
  EXPECT_THAT(broken([&](auto& p) { bump(p.challenges[0].r_new.root); }),
              HasSubstr("comm_c and the root of proof_r_new hash to"));
  EXPECT_THAT(broken([&](auto& p) { bump(p.challenges[3].r_old.root); }),
              HasSubstr("challenge 3: proof_r_old root (node"));
  EXPECT_THAT(broken([&](auto& p) { bump(p.challenges[2].d_new.root); }), HasSubstr("(comm_d_new)"));
  EXPECT_THAT(broken([&](auto& p) { bump(p.challenges[9].r_new.path[1].siblings[3]); }),
              HasSubstr("challenge 9: proof_r_new: end of the path"));
  EXPECT_THAT(broken([&](auto& p) { bump(p.challenges[1].d_new.leaf); }),
              HasSubstr("challenge 1: proof_d_new: end of the path"));
  EXPECT_THAT(broken([&](auto& p) { p.challenges[4].r_old.path[0].index ^= 1; }),
              HasSubstr("expected the path of leaf"));
  EXPECT_THAT(broken([&](auto& p) { std::swap(p.challenges[0], p.challenges[1]); }),
              HasSubstr("expected the path of leaf"));
  EXPECT_THAT(broken([&](auto& p) { p.apex_leaves.pop_back(); }), HasSubstr("apex leaves: 7; expected 8"));
  EXPECT_THAT(broken([&](auto& p) { p.challenges.pop_back(); }), HasSubstr("challenges: 9; expected 10"));
  EXPECT_THAT(broken([&](auto& p) { p.challenges[5].d_new.path.pop_back(); }),
              HasSubstr("challenge 5: proof_d_new: levels: 5; expected 6"));
  unsigned found = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    if (broken([&](auto& p) { bump(p.apex_leaves[i]); }).find("apex leaves") != std::string::npos) ++found;
  }
  EXPECT_EQ(found, 8U);  // each leaf changes the rows above it, whose siblings the paths show
}

TEST(UpdateVanilla, OtherCommitmentsAndPartitions) {
  const UpdatePartitionProof proof = test::golden_update_proof();
  const UpdateStatement right = test::golden_update_statement();
  UpdateStatement about = right;
  about.comm_d_new += Fr::one();
  EXPECT_THAT(rejection(about, proof), HasSubstr("comm_d_new"));
  about = right;
  std::swap(about.comm_r_old, about.comm_r_new);
  EXPECT_THAT(rejection(about, proof), HasSubstr("hash to"));
  EXPECT_THAT(rejection(right, proof, 1), HasSubstr("partition 1 of a 2KiB sector does not exist; it has 1"));
}

// A replica that hides other data: the trees are sound, the encoding is not.
TEST(UpdateVanilla, TheEncodingIsChecked) {
  const UpdateShape& shape = update_shape(2048);
  const SyntheticUpdate one(shape, 1, kTwo);
  const SyntheticUpdate other(shape, 2, kTwo);
  UpdateStatement about = one.statement();
  UpdatePartitionProof proof = one.open(0);
  const UpdatePartitionProof wrong = other.open(0);
  about.comm_d_new = other.statement().comm_d_new;
  proof.apex_leaves = wrong.apex_leaves;
  const RunTree data(TreeHash::kSha256, {2, 0, 0}, shape.nodes(),
                     {wrong.challenges[0].d_new.leaf.to_bytes(), wrong.challenges[0].d_new.leaf.to_bytes()}, kTwo);
  for (UpdateChallengeProof& challenge : proof.challenges) {
    std::uint64_t node = 0;
    for (std::size_t level = challenge.d_new.path.size(); level-- > 0;)
      node = 2 * node + challenge.d_new.path[level].index;
    challenge.d_new = data.open(node);
  }
  about.comm_d_new = proof.challenges[0].d_new.root;
  EXPECT_THAT(rejection(about, proof), HasSubstr("proof_r_new leaf"));
}

TEST(UpdateVanilla, FoldersThatDoNotBelongTogether) {
  const auto message = [](const std::filesystem::path& sector, const std::filesystem::path& update) -> std::string {
    try {
      UpdatedSector(sector, update);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message(test::data_path("sectors/2k-2"), test::golden_update_folder()), HasSubstr("by comm_r_old of"));
  EXPECT_THAT(message(test::golden_update_sector(), test::golden_update_sector()), HasSubstr("update.json"));
  const proofline::test::TempFolder folder;
  const auto copy_without = [&](const char* file) {
    std::filesystem::remove_all(folder / "update");
    std::filesystem::copy(test::golden_update_folder(), folder / "update", std::filesystem::copy_options::recursive);
    std::filesystem::remove(folder / "update" / file);
    return folder / "update" / file;
  };
  copy_without("replica");
  EXPECT_THAT(message(test::golden_update_sector(), folder / "update"), HasSubstr("replica"));
  proofline::test::write_bytes(copy_without("replica"), std::vector<std::uint8_t>(2047));
  EXPECT_THAT(message(test::golden_update_sector(), folder / "update"), HasSubstr("2047 bytes; expected 2048"));
  proofline::test::write_bytes(copy_without("cache/p_aux"), std::vector<std::uint8_t>(64));
  EXPECT_THAT(message(test::golden_update_sector(), folder / "update"), HasSubstr("p_aux: comm_c"));
  proofline::test::write_bytes(copy_without("cache/sc-02-data-tree-d.dat"), std::vector<std::uint8_t>(127 * 32));
  EXPECT_THAT(message(test::golden_update_sector(), folder / "update"), HasSubstr("by comm_d_new of"));
}

}  // namespace
}  // namespace proofline::filecoin
