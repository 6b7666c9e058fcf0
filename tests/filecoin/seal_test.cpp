#include "filecoin/seal.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <random>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/sha256.hpp"
#include "filecoin/fr32.hpp"
#include "filecoin/golden_sector.hpp"
#include "filecoin/pieces.hpp"
#include "filecoin/vanilla_json.hpp"
#include "filecoin/vanilla_prove.hpp"
#include "support/temp_folder.hpp"

namespace proofline::filecoin {
namespace {

using test::GoldenSector;
using test::TempFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;
using Bytes = std::vector<std::uint8_t>;

Bytes random_bytes(std::size_t size, unsigned seed) {
  std::mt19937 generator(seed);
  Bytes out(size);
  for (auto& byte : out) byte = static_cast<std::uint8_t>(generator());
  return out;
}

std::vector<std::string> entries(const std::filesystem::path& folder) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) out.push_back(entry.path().filename());
  return out;
}

SectorIds golden_ids(const GoldenSector& sector) {
  return {sector.id("prover_id"), sector.json["sector_id"].get<std::uint64_t>(), sector.id("ticket"),
          sector.id("seed")};
}

class GoldenSeal : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenSeal, EveryFileOfTheReference) {
  const GoldenSector sector(GetParam());
  const TempFolder temp;
  const Executor exec(2);
  const SectorInfo info = seal_sector(sector.folder / "data.bin", temp / "out", seal_rules(sector.info()),
                                      golden_ids(sector), exec, no_progress());
  EXPECT_EQ(info.comm_r, sector.id("comm_r"));
  for (const std::string file :
       {"staged", "sealed", "cache/p_aux", "cache/sc-02-data-layer-1.dat", "cache/sc-02-data-layer-2.dat",
        "cache/sc-02-data-tree-c.dat", "cache/sc-02-data-tree-d.dat", "cache/sc-02-data-tree-r-last.dat"}) {
    EXPECT_EQ(test::read_bytes(temp / "out" / file), sector.file(file)) << file;
  }
  const nlohmann::json json = test::read_json(temp / "out" / "sector.json");
  for (const auto& [key, value] : sector.json.items()) EXPECT_EQ(json[key], value) << key;
  EXPECT_THAT(entries(temp.path()), ::testing::ElementsAre("out"));

  EXPECT_EQ(unseal_sector(temp / "out", temp / "data", exec, no_progress()), 2032U);
  EXPECT_EQ(test::read_bytes(temp / "data"), sector.file("data.bin"));
  // The reference's own folder, whose sector.json has fewer keys.
  EXPECT_EQ(unseal_sector(sector.folder, temp / "data2", exec, no_progress()), 2032U);
  EXPECT_EQ(test::read_bytes(temp / "data2"), sector.file("data.bin"));
}

INSTANTIATE_TEST_SUITE_P(Sectors, GoldenSeal, ::testing::ValuesIn(test::kSmallSectors), [](const auto& param) {
  std::string name = param.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(Seal, EightMiBCommittedCapacityOfTheReference) {
  const GoldenSector sector("8m-6-cc");
  const TempFolder temp;
  test::write_bytes(temp / "zeros", Bytes(8323072));
  const SectorInfo info = seal_sector(temp / "zeros", temp / "out", seal_rules(sector.info()), golden_ids(sector),
                                      Executor(), no_progress());
  EXPECT_EQ(info.comm_d, sector.id("comm_d"));
  EXPECT_EQ(info.comm_r, sector.id("comm_r"));
  EXPECT_EQ(info.replica_id, sector.id("replica_id"));
  EXPECT_EQ(info.piece_commitment, sector.id("piece_commitment"));
  std::ifstream sums(sector.folder / "SHA256SUMS");
  unsigned compared = 0;
  for (std::string digest, name; sums >> digest >> name;) {
    if (name == "t_aux") continue;  // paths of the reference's machine
    const bool in_cache = name != "staged" && name != "sealed";
    const MappedFile file(temp / "out" / (in_cache ? "cache/" + name : name));
    EXPECT_EQ(test::hex(sha256(file.bytes())), digest) << name;
    ++compared;
  }
  EXPECT_EQ(compared, 8U);
  // The only golden C1 whose paths cross the rows that tree_r_last's file lacks.
  const auto c1 = sector.file("c1.json");
  EXPECT_EQ(write_c1(prove_vanilla(temp / "out")), std::string(c1.begin(), c1.end()));
}

class RoundTrip : public ::testing::TestWithParam<std::string> {};

TEST_P(RoundTrip, OddLengthsComeBack) {
  const SectorShape& shape = sector_shape(GetParam());
  const std::uint64_t capacity = fr32_unpadded_size(shape.sector_size);
  const Executor exec(2);
  const SectorIds ids{test::filled(1), 7, test::filled(2), test::filled(3)};
  unsigned seed = 0;
  for (const std::uint64_t size :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{128}, capacity / 2 + 1, capacity - 1, capacity}) {
    const TempFolder temp;
    const Bytes data = random_bytes(size, ++seed);
    test::write_bytes(temp / "in", data);
    const auto version = size % 2 == 0 ? ApiVersion::kV1_1 : ApiVersion::kV1_0;
    const SectorInfo info =
        seal_sector(temp / "in", temp / "out", seal_rules(shape.sector_size, version), ids, exec, no_progress());
    EXPECT_EQ(info.data_bytes, size);
    EXPECT_EQ(
        comm_d_from_pieces(std::vector<Piece>{{fr32_padded_size(info.piece_unpadded_size), info.piece_commitment}},
                           shape.sector_size),
        info.comm_d);
    EXPECT_NE(test::read_bytes(temp / "out/sealed"), test::read_bytes(temp / "out/staged"));
    EXPECT_EQ(unseal_sector(temp / "out", temp / "back", exec, no_progress()), size);
    EXPECT_EQ(test::read_bytes(temp / "back"), data);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, RoundTrip, ::testing::Values("2KiB", "4KiB", "16KiB", "32KiB"),
                         [](const auto& param) { return param.param; });

TEST(Seal, BaseTreesHaveFilesOfTheirOwn) {
  const TempFolder temp;
  test::write_bytes(temp / "in", random_bytes(100, 1));
  const SectorInfo info =
      seal_sector(temp / "in", temp / "out", seal_rules(4096, ApiVersion::kV1_1), {}, Executor(1), no_progress());
  EXPECT_FALSE(info.rules.proof);
  EXPECT_THAT(
      entries(temp / "out/cache"),
      ::testing::UnorderedElementsAre("p_aux", "sc-02-data-layer-1.dat", "sc-02-data-layer-2.dat",
                                      "sc-02-data-tree-c-0.dat", "sc-02-data-tree-c-1.dat", "sc-02-data-tree-d.dat",
                                      "sc-02-data-tree-r-last-0.dat", "sc-02-data-tree-r-last-1.dat"));
}

TEST(Seal, ReportsProgressToTheEnd) {
  struct Recorder final : Progress {
    void report(std::string_view stage, std::uint64_t done, std::uint64_t total) override {
      EXPECT_LE(done, total);
      last[std::string(stage)] = done == total;
    }
    std::map<std::string, bool> last;
  } recorder;
  const TempFolder temp;
  test::write_bytes(temp / "in", random_bytes(100, 1));
  seal_sector(temp / "in", temp / "out", seal_rules(2048, ApiVersion::kV1_1), {}, Executor(1), recorder);
  EXPECT_EQ(recorder.last, (std::map<std::string, bool>{{"columns", true},
                                                        {"encode", true},
                                                        {"labels of layer 1", true},
                                                        {"labels of layer 2", true},
                                                        {"tree_c", true},
                                                        {"tree_d", true},
                                                        {"tree_r_last", true}}));
}

// Each failure has its message and leaves the folder as it was.
class SealFailure : public ::testing::Test {
 protected:
  void SetUp() override { test::write_bytes(temp_ / "in", Bytes(2033)); }
  auto seal(const std::string& data, const std::string& out, std::uint64_t size = 4096) const {
    return [this, data, out, size] {
      seal_sector(temp_ / data, temp_ / out, seal_rules(size, ApiVersion::kV1_1), {}, Executor(1), no_progress());
    };
  }
  TempFolder temp_;
};

TEST_F(SealFailure, FileLargerThanTheSector) {
  EXPECT_THAT(seal("in", "out", 2048),
              ThrowsMessage<InputError>(AllOf(HasSubstr("in: 2033 bytes"), HasSubstr("2KiB"), HasSubstr("2032"))));
  EXPECT_THAT(entries(temp_.path()), ::testing::ElementsAre("in"));
}

TEST_F(SealFailure, MissingFileAndFolder) {
  EXPECT_THAT(seal("missing", "out"), ThrowsMessage<IoError>(HasSubstr("missing")));
  EXPECT_THAT(seal("", "out"), ThrowsMessage<IoError>(HasSubstr("not a regular file")));
  EXPECT_THAT(seal("in", "no/such/out"), ThrowsMessage<IoError>(HasSubstr("no/such: this folder does not exist")));
  EXPECT_THAT(entries(temp_.path()), ::testing::ElementsAre("in"));
}

TEST_F(SealFailure, OutputExists) {
  std::filesystem::create_directory(temp_ / "full");
  test::write_bytes(temp_ / "full/file", Bytes(1));
  EXPECT_THAT(seal("in", "full"), ThrowsMessage<IoError>(HasSubstr("exists already")));
  EXPECT_THAT(seal("in", "in"), ThrowsMessage<IoError>(HasSubstr("exists already")));
  EXPECT_THAT(entries(temp_ / "full"), ::testing::ElementsAre("file"));
  std::filesystem::create_directory(temp_ / "empty");
  EXPECT_NO_THROW(seal("in", "empty")());
  EXPECT_TRUE(std::filesystem::exists(temp_ / "empty/sealed"));
}

TEST_F(SealFailure, SectorTooLargeToSealHere) {
  EXPECT_THAT(seal("in", "out", std::uint64_t{1} << 35), ThrowsMessage<InputError>(HasSubstr("32GiB")));
  EXPECT_THAT(entries(temp_.path()), ::testing::ElementsAre("in"));
}

// A limit on file sizes stands for a full disk: the system refuses to make the file longer.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(SealFailure, NoSpaceLeft) {
  {
    const FileSizeLimit limit(6000);  // staged fits, tree_d does not
    EXPECT_THAT(seal("in", "out"), ThrowsMessage<IoError>(AllOf(HasSubstr("tree-d"), HasSubstr("reserve"))));
  }
  EXPECT_THAT(entries(temp_.path()), ::testing::ElementsAre("in"));

  seal("in", "out")();
  {
    const FileSizeLimit limit(1000);
    EXPECT_THAT([&] { unseal_sector(temp_ / "out", temp_ / "back", Executor(1), no_progress()); },
                ThrowsMessage<IoError>(HasSubstr("back: cannot write")));
  }
  EXPECT_THAT(entries(temp_.path()), ::testing::UnorderedElementsAre("in", "out"));
}

TEST_F(SealFailure, ReplicaThatDoesNotDecode) {
  seal("in", "out")();
  const auto unseal = [&] { unseal_sector(temp_ / "out", temp_ / "back", Executor(1), no_progress()); };
  const Bytes sealed = test::read_bytes(temp_ / "out/sealed");

  Bytes changed = sealed;
  changed[1000] ^= 1;
  test::write_bytes(temp_ / "out/sealed", changed);
  EXPECT_THAT(unseal, ThrowsMessage<InputError>(AllOf(HasSubstr("sealed"), HasSubstr("comm_d"))));

  changed[1023] = 0xff;
  test::write_bytes(temp_ / "out/sealed", changed);
  EXPECT_THAT(unseal, ThrowsMessage<InputError>(AllOf(HasSubstr("sealed"), HasSubstr("node 31 "))));

  changed.resize(4000);
  test::write_bytes(temp_ / "out/sealed", changed);
  EXPECT_THAT(unseal, ThrowsMessage<InputError>(AllOf(HasSubstr("4000 bytes"), HasSubstr("4096"))));

  std::filesystem::remove(temp_ / "out/sealed");
  EXPECT_THAT(unseal, ThrowsMessage<IoError>(HasSubstr("sealed")));

  test::write_bytes(temp_ / "out/sealed", sealed);
  nlohmann::json json = test::read_json(temp_ / "out/sector.json");
  json["sector_id"] = 5;
  std::ofstream(temp_ / "out/sector.json") << json;
  EXPECT_THAT(unseal, ThrowsMessage<InputError>(HasSubstr("\"replica_id\" does not belong")));
  EXPECT_FALSE(std::filesystem::exists(temp_ / "back"));
}

}  // namespace
}  // namespace proofline::filecoin
