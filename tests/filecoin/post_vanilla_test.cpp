// Vanilla proofs of spacetime: made from sealed sectors, and checked.
#include <gmock/gmock.h>

#include <fstream>

#include "base/error.hpp"
#include "filecoin/golden_post.hpp"
#include "filecoin/post_inputs.hpp"
#include "filecoin/post_vanilla_prove.hpp"
#include "filecoin/post_vanilla_verify.hpp"
#include "filecoin/seal.hpp"
#include "support/temp_folder.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

const Executor kExec(2);

std::vector<PostReplica> golden_replicas(const PostStatement& statement) {
  std::vector<PostReplica> out;
  for (const PostSector& sector : statement.sectors) {
    out.push_back(post_replica(test::data_path("sectors/2k-" + std::to_string(sector.id))));
  }
  return out;
}

TEST(PostVanillaProve, MakesTheReferencesFilesFromItsSectors) {
  for (const std::string& name : test::kGoldenPosts) {
    const test::GoldenPost post(name);
    std::size_t i = 0;
    prove_post_vanilla(
        post.statement, golden_replicas(post.statement),
        [&](const PostSectorProof& proof) {
          EXPECT_TRUE(write_post_proof(proof, post.statement.shape) == test::read_bytes(post.vanilla_file(i))) << name;
          ++i;
        },
        kExec, no_progress());
    EXPECT_EQ(i, post.statement.sectors.size());
  }
}

/// Copies of the two golden sectors, to be damaged.
struct Damaged {
  Damaged() {
    for (const PostSector& sector : post.statement.sectors) {
      const std::string name = "2k-" + std::to_string(sector.id);
      std::filesystem::copy(test::data_path("sectors/" + name), folder / name,
                            std::filesystem::copy_options::recursive);
      replicas.push_back(post_replica(folder / name));
    }
  }
  void flip(const std::string& file, std::streamoff offset) const {
    std::fstream stream(folder / file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(offset);
    const int byte = stream.get();
    stream.seekp(offset);
    stream.put(static_cast<char>(byte ^ 1));
    ASSERT_TRUE(stream.good());
  }
  struct Result {
    std::vector<std::uint64_t> proved, faulty;
    std::string message;
  };
  Result prove() const {
    Result out;
    try {
      prove_post_vanilla(
          post.statement, replicas, [&](const PostSectorProof& proof) { out.proved.push_back(proof.sector.id); }, kExec,
          no_progress());
    } catch (const FaultySectorsError& error) {
      out.faulty = error.sectors();
      out.message = error.what();
    }
    return out;
  }

  test::GoldenPost post{"window-2k-1"};
  test::TempFolder folder;
  std::vector<PostReplica> replicas;
};

TEST(PostVanillaProve, FaultySectorsAreListedAndTheOthersProved) {
  const auto expect_first_faulty = [](const std::string& file, std::streamoff offset, const std::string& message) {
    const Damaged sectors;
    sectors.flip("2k-1/" + file, offset);
    const Damaged::Result result = sectors.prove();
    EXPECT_THAT(result.faulty, ElementsAre(1)) << file;
    EXPECT_THAT(result.proved, ElementsAre(2)) << file;
    EXPECT_THAT(result.message, AllOf(HasSubstr("faulty sectors: 1 ("), HasSubstr(message))) << file;
  };
  // Leaf 21 is challenged.
  expect_first_faulty("sealed", 21 * 32, "comm_r_last");
  expect_first_faulty("cache/sc-02-data-tree-r-last.dat", 0, "comm_r_last");
  expect_first_faulty("cache/p_aux", 0, "comm_r");
  expect_first_faulty("cache/p_aux", 32, "comm_r");
}

TEST(PostVanillaProve, AMissingOrShortFileIsAFaultToo) {
  const Damaged sectors;
  std::filesystem::remove(sectors.folder / "2k-1/cache/p_aux");
  std::filesystem::resize_file(sectors.folder / "2k-2/sealed", 2016);
  const Damaged::Result result = sectors.prove();
  EXPECT_THAT(result.faulty, ElementsAre(1, 2));
  EXPECT_THAT(result.message, AllOf(HasSubstr("p_aux"), HasSubstr("2k-2/sealed: 2016 bytes; expected 2048")));
  EXPECT_THAT(result.proved, testing::IsEmpty());
}

TEST(PostVanillaProve, ReplicasMustBeTheStatements) {
  Damaged sectors;
  std::swap(sectors.replicas[0], sectors.replicas[1]);
  EXPECT_THAT([&] { sectors.prove(); }, ThrowsMessage<InputError>(HasSubstr("the replica of sector 2")));
  sectors.replicas.pop_back();
  EXPECT_THAT([&] { sectors.prove(); }, ThrowsMessage<InputError>(HasSubstr("1 replicas of 2 sectors")));
  EXPECT_THAT([&] { post_replica(sectors.folder / "nothing"); }, ThrowsMessage<IoError>(HasSubstr("sector.json")));
}

TEST(PostVanillaProve, EverySmallTreeShapeOpens) {
  for (const char* size : {"4KiB", "16KiB", "32KiB"}) {
    const test::TempFolder folder;
    test::write_bytes(folder / "data", std::vector<std::uint8_t>(1000, 7));
    const SectorShape& sector = sector_shape(size);
    seal_sector(folder / "data", folder / "sector", seal_rules(sector.sector_size, ApiVersion::kV1_1),
                {test::filled(1), 5, test::filled(2), test::filled(3)}, kExec, no_progress());
    const PostReplica replica = post_replica(folder / "sector");
    for (const PostKind kind : {PostKind::kWinning, PostKind::kWindow}) {
      const PostStatement statement{post_shape(kind, sector), ApiVersion::kV1_1, test::filled(9), {replica.sector}};
      std::vector<PostSectorProof> proofs;
      prove_post_vanilla(
          statement, std::vector{replica}, [&](const PostSectorProof& proof) { proofs.push_back(proof); }, kExec,
          no_progress());
      EXPECT_NO_THROW(verify_post_partition(statement, 0, proofs, "own", kExec));
    }
  }
}

/// What verification says of the golden window proofs after a change of statement or proofs.
template <class Change>
std::string rejection(const Change& change) {
  test::GoldenPost post("window-2k-1");
  std::vector<PostSectorProof> proofs = post.vanilla();
  change(post.statement, proofs);
  try {
    verify_post_partition(post.statement, 0, proofs, "vanilla", kExec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

using Statement = PostStatement;
using Proofs = std::vector<PostSectorProof>;

TEST(PostVanillaVerify, TheReferencesProofsHold) {
  for (const std::string& name : test::kGoldenPosts) {
    const test::GoldenPost post(name);
    EXPECT_NO_THROW(verify_post_partition(post.statement, 0, post.vanilla(), name, kExec));
  }
}

TEST(PostVanillaVerify, SectorsOutOfOrderMissingOrTwiceAreNamed) {
  EXPECT_THAT(rejection([](Statement&, Proofs& p) { std::swap(p[0], p[1]); }),
              HasSubstr("the proof of sector 1 expected, got that of sector 2"));
  EXPECT_THAT(rejection([](Statement&, Proofs& p) { p[1] = p[0]; }),
              HasSubstr("the proof of sector 2 expected, got that of sector 1"));
  EXPECT_THAT(rejection([](Statement&, Proofs& p) { p.pop_back(); }), HasSubstr("proofs of 2 sectors expected, got 1"));
  EXPECT_THAT(rejection([](Statement&, Proofs& p) { p.push_back(p[1]); }),
              HasSubstr("proofs of 2 sectors expected, got 3"));
  EXPECT_THAT(rejection([](Statement& s, Proofs&) { std::swap(s.sectors[0], s.sectors[1]); }),
              HasSubstr("sector 1 comes after sector 2"));
  EXPECT_THAT(rejection([](Statement& s, Proofs&) { s.sectors[1] = s.sectors[0]; }),
              HasSubstr("sector 1 is given twice"));
  EXPECT_THAT(rejection([](Statement& s, Proofs&) { s.sectors.clear(); }), HasSubstr("no sector"));
}

TEST(PostVanillaVerify, WrongRandomnessOrCommitmentsAreNamed) {
  EXPECT_THAT(rejection([](Statement& s, Proofs&) { s.randomness[31] |= 0xc0; }), HasSubstr("randomness"));
  EXPECT_THAT(rejection([](Statement& s, Proofs&) { s.randomness[0] ^= 1; }),
              HasSubstr("expected the path of the challenged leaf"));
  const auto bump = [](Fr& value) { value += Fr::one(); };
  EXPECT_THAT(rejection([&](Statement& s, Proofs&) { bump(s.sectors[0].comm_r); }),
              AllOf(HasSubstr("sector 1: comm_r"), HasSubstr("of the statement")));
  EXPECT_THAT(rejection([&](Statement& s, Proofs& p) {
                bump(s.sectors[1].comm_r);
                bump(p[1].sector.comm_r);
              }),
              HasSubstr("sector 2: hash of comm_c and comm_r_last"));
  EXPECT_THAT(rejection([&](Statement&, Proofs& p) { bump(p[0].comm_c); }), HasSubstr("hash of comm_c"));
  EXPECT_THAT(rejection([&](Statement&, Proofs& p) { bump(p[0].comm_r_last); }), HasSubstr("hash of comm_c"));
}

TEST(PostVanillaVerify, WrongPathsAreNamed) {
  const auto bump = [](Fr& value) { value += Fr::one(); };
  EXPECT_THAT(rejection([&](Statement&, Proofs& p) { bump(p[0].inclusion_proofs[2].root); }),
              HasSubstr("sector 1: inclusion_proofs[2]: root"));
  EXPECT_THAT(rejection([&](Statement&, Proofs& p) { bump(p[1].inclusion_proofs[9].leaf); }),
              HasSubstr("sector 2: inclusion_proofs[9]: end of the path"));
  EXPECT_THAT(rejection([&](Statement&, Proofs& p) { bump(p[1].inclusion_proofs[0].path[1].siblings[3]); }),
              HasSubstr("end of the path"));
  EXPECT_THAT(rejection([&](Statement&, Proofs& p) { p[0].inclusion_proofs[1].path[0].index ^= 1; }),
              HasSubstr("inclusion_proofs[1]: expected the path of the challenged leaf 44"));
  EXPECT_THAT(rejection([&](Statement&, Proofs& p) { p[0].inclusion_proofs[0].path.pop_back(); }),
              HasSubstr("a path of 2 levels expected, got 1"));
  EXPECT_THAT(rejection([&](Statement&, Proofs& p) { p[0].inclusion_proofs[0].path[1].siblings.pop_back(); }),
              HasSubstr("level 1: 7 siblings and an index below 8 expected, got 6"));
  EXPECT_THAT(rejection([&](Statement&, Proofs& p) { p[0].inclusion_proofs.pop_back(); }),
              HasSubstr("10 inclusion proofs expected, got 9"));
}

TEST(PostVanillaVerify, OlderVersionsCountChallengesOverTheSectors) {
  // The first sector's challenges are the same in all versions, the second one's are not.
  EXPECT_THAT(rejection([](Statement& s, Proofs&) { s.version = ApiVersion::kV1_1; }),
              AllOf(HasSubstr("sector 2"), Not(HasSubstr("sector 1:"))));
  EXPECT_EQ(rejection([](Statement& s, Proofs& p) {
              s.version = ApiVersion::kV1_0;
              s.sectors.pop_back();
              p.pop_back();
            }),
            "accepted");
}

TEST(PostInputs, APartitionThatDoesNotExistIsAnError) {
  const test::GoldenPost post("window-2k-1");
  EXPECT_THAT([&] { post_public_inputs(post.statement, 1); },
              ThrowsMessage<InputError>(HasSubstr("partition 1 of 1 does not exist")));
}

}  // namespace
}  // namespace proofline::filecoin
