#include "filecoin/vanilla_prove.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "base/error.hpp"
#include "filecoin/golden_sector.hpp"
#include "filecoin/porep_circuit.hpp"
#include "filecoin/porep_inputs.hpp"
#include "filecoin/replica_id.hpp"
#include "filecoin/seal.hpp"
#include "filecoin/vanilla_json.hpp"
#include "filecoin/vanilla_verify.hpp"
#include "support/temp_folder.hpp"

namespace proofline::filecoin {
namespace {

using testing::HasSubstr;
using testing::Throws;
using testing::ThrowsMessage;

std::string as_text(const std::vector<std::uint8_t>& bytes) {
  return {bytes.begin(), bytes.end()};
}

TEST(VanillaProve, MakesTheReferencesC1ByteForByte) {
  for (const std::string& name : test::kSmallSectors) {
    const test::GoldenSector sector(name);
    const VanillaProof proof = prove_vanilla(sector.folder);
    EXPECT_EQ(write_c1(proof), as_text(sector.file("c1.json"))) << name;
  }
}

/// A copy of a golden sector whose files a test may damage.
struct SectorCopy {
  SectorCopy() { std::filesystem::copy(golden.folder, folder.path(), std::filesystem::copy_options::recursive); }
  std::filesystem::path file(const std::string& relative) const { return folder.path() / relative; }
  void flip(const std::string& relative, std::streamoff offset) const {
    std::fstream stream(file(relative), std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(offset);
    const int byte = stream.get();
    stream.seekp(offset);
    stream.put(static_cast<char>(byte ^ 1));
    ASSERT_TRUE(stream.good());
  }

  test::GoldenSector golden{"2k-1"};
  test::TempFolder folder;
};

TEST(VanillaProve, NamesTheFileThatIsMissingOrCutShort) {
  for (const std::string file :
       {"sealed", "cache/p_aux", "cache/sc-02-data-layer-1.dat", "cache/sc-02-data-layer-2.dat",
        "cache/sc-02-data-tree-c.dat", "cache/sc-02-data-tree-d.dat", "cache/sc-02-data-tree-r-last.dat"}) {
    const SectorCopy copy;
    std::filesystem::resize_file(copy.file(file), std::filesystem::file_size(copy.file(file)) - 1);
    EXPECT_THAT([&] { prove_vanilla(copy.folder.path()); },
                ThrowsMessage<InputError>(HasSubstr(copy.file(file).string() + ": ")))
        << file;
    std::filesystem::remove(copy.file(file));
    EXPECT_THAT([&] { prove_vanilla(copy.folder.path()); }, ThrowsMessage<IoError>(HasSubstr(copy.file(file).string())))
        << file;
  }
  EXPECT_THAT([] { prove_vanilla("/nonexistent-sector"); }, ThrowsMessage<IoError>(HasSubstr("/nonexistent-sector")));
}

TEST(VanillaProve, RootsMustBeTheCommitments) {
  const auto message_after_flip = [](const std::string& file, std::streamoff offset) {
    const SectorCopy copy;
    copy.flip(file, offset);
    try {
      prove_vanilla(copy.folder.path());
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(message_after_flip("cache/sc-02-data-tree-d.dat", 126 * 32), HasSubstr("expected comm_d "));
  EXPECT_THAT(message_after_flip("cache/sc-02-data-tree-c.dat", 72 * 32), HasSubstr("expected comm_c of p_aux"));
  EXPECT_THAT(message_after_flip("cache/sc-02-data-tree-r-last.dat", 0), HasSubstr("expected comm_r_last of p_aux"));
  // Both agree with each other, not with comm_r.
  const SectorCopy copy;
  copy.flip("cache/p_aux", 32);
  copy.flip("cache/sc-02-data-tree-r-last.dat", 0);
  EXPECT_THAT([&] { prove_vanilla(copy.folder.path()); }, ThrowsMessage<InputError>(HasSubstr("expected comm_r ")));
}

TEST(VanillaProve, DamageInsideAFileIsFoundByTheVerifier) {
  for (const std::string file : {"sealed", "cache/sc-02-data-layer-1.dat", "cache/sc-02-data-layer-2.dat"}) {
    const SectorCopy copy;
    const std::uint64_t challenge = prove_vanilla(copy.folder.path()).partitions[0][1].c_x.index;
    copy.flip(file, static_cast<std::streamoff>(challenge * kNodeBytes));
    EXPECT_THAT([&] { verify_vanilla(prove_vanilla(copy.folder.path())); }, Throws<InputError>()) << file;
  }
}

TEST(VanillaProve, SectorsWithoutARegisteredProofHaveNone) {
  const test::TempFolder folder;
  test::write_bytes(folder / "data", std::vector<std::uint8_t>(100, 7));
  SectorIds ids;
  ids.prover_id = prover_id(1000);
  seal_sector(folder / "data", folder / "sector", seal_rules(4096, ApiVersion::kV1_1), ids, Executor(1), no_progress());
  EXPECT_THAT([&] { prove_vanilla(folder / "sector"); },
              ThrowsMessage<InputError>(HasSubstr("sectors of 4KiB have none")));
}

TEST(VanillaProve, SyntheticAndNonInteractiveSectors) {
  for (const char* name : {"StackedDrg2KiBV1_1_Feat_SyntheticPoRep", "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep"}) {
    const SealProofInfo& rules = seal_proof_info(name);
    const test::TempFolder folder;
    test::write_bytes(folder / "data", std::vector<std::uint8_t>(100, 7));
    SectorIds ids;
    ids.prover_id = prover_id(1000);
    seal_sector(folder / "data", folder / "sector", seal_rules(rules), ids, Executor(1), no_progress());
    VanillaProof proof = prove_vanilla(folder / "sector");
    EXPECT_EQ(proof.registered_proof, rules.proof);
    EXPECT_EQ(proof.partitions.size(), rules.partitions());
    EXPECT_NO_THROW(verify_vanilla(proof)) << name;
    const std::string text = write_c1(proof);
    const VanillaProof read = parse_c1({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, name).proof;
    EXPECT_NO_THROW(verify_vanilla(read)) << name;
    const unsigned last = rules.partitions() - 1;
    EXPECT_NO_THROW(verify_vanilla_partition(read, last, read.partitions[last])) << name;
    std::vector<math::Fr> inputs = porep_public_inputs(porep_statement(read), last);
    inputs.insert(inputs.begin(), math::Fr::one());
    EXPECT_EQ(r1cs::generate_flat_witness(porep_circuit(porep_partition(read, last)), Executor(2)).inputs, inputs);
    // Under another rule the challenges are others.
    proof.registered_proof = seal_proof_info("StackedDrg2KiBV1_1").proof;
    proof.partitions.resize(1);
    EXPECT_THROW(verify_vanilla(proof), InputError) << name;
  }
}

}  // namespace
}  // namespace proofline::filecoin
