#include "base/file.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/error.hpp"
#include "base/output_folder.hpp"
#include "support/temp_folder.hpp"
#include "support/test_data.hpp"

namespace proofline {
namespace {

using test::TempFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

std::vector<std::string> entries(const std::filesystem::path& folder) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) out.push_back(entry.path().filename());
  return out;
}

TEST(MappedFile, ReadsWholeFilesAndMoves) {
  const TempFolder temp;
  const std::vector<std::uint8_t> content{1, 2, 3};
  test::write_bytes(temp / "a", content);
  test::write_bytes(temp / "empty", {});
  MappedFile file(temp / "a");
  EXPECT_THAT(file.bytes(), ElementsAre(1, 2, 3));
  MappedFile other(temp / "empty");
  EXPECT_TRUE(other.bytes().empty());
  other = std::move(file);
  EXPECT_THAT(other.bytes(), ElementsAre(1, 2, 3));
  EXPECT_EQ(other.path(), temp / "a");
  std::filesystem::remove(temp / "a");
  EXPECT_THAT(other.bytes(), ElementsAre(1, 2, 3));
}

TEST(MappedFile, NamesWhatItCannotRead) {
  const TempFolder temp;
  EXPECT_THAT([&] { MappedFile(temp / "missing"); }, ThrowsMessage<IoError>(HasSubstr("missing: cannot open")));
  EXPECT_THAT([&] { MappedFile(temp.path()); }, ThrowsMessage<IoError>(HasSubstr("not a regular file")));
}

TEST(AtomicFile, AppearsOnCommitOnly) {
  const TempFolder temp;
  test::write_bytes(temp / "out", std::vector<std::uint8_t>{9});
  {
    AtomicFile file(temp / "out");
    file.write("ab");
    EXPECT_THAT(test::read_bytes(temp / "out"), ElementsAre(9));
  }
  EXPECT_THAT(entries(temp.path()), ElementsAre("out"));
  AtomicFile file(temp / "out");
  file.write("ab");
  file.write("c");
  file.commit();
  EXPECT_THAT(test::read_bytes(temp / "out"), ElementsAre('a', 'b', 'c'));
  EXPECT_THAT(entries(temp.path()), ElementsAre("out"));
}

TEST(AtomicFile, NeedsItsFolder) {
  const TempFolder temp;
  EXPECT_THAT([&] { AtomicFile(temp / "no/out"); }, ThrowsMessage<IoError>(HasSubstr("no/out: cannot create")));
}

TEST(AtomicFile, AFullDiskIsNamedAndLeavesTheOldFile) {
  const TempFolder temp;
  test::write_bytes(temp / "out", std::vector<std::uint8_t>{9});
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int status = 1;
    try {
      AtomicFile file(temp / "out");
      file.write(std::vector<std::uint8_t>(1001));
    } catch (const IoError& error) {
      status = std::string(error.what()).find("out: cannot write: File too large") == std::string::npos ? 2 : 0;
    }
    ::_exit(status);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_THAT(entries(temp.path()), ElementsAre("out"));
  EXPECT_THAT(test::read_bytes(temp / "out"), ElementsAre(9));
}

TEST(MappedOutput, WritesThroughAndRefusesExistingFiles) {
  const TempFolder temp;
  {
    const MappedOutput file(temp / "out", 5000);
    ASSERT_EQ(file.bytes().size(), 5000U);
    EXPECT_EQ(file.bytes()[4999], 0);
    file.bytes()[4999] = 7;
    file.sync();
  }
  EXPECT_EQ(test::read_bytes(temp / "out").back(), 7);
  EXPECT_THAT([&] { MappedOutput(temp / "out", 1); }, ThrowsMessage<IoError>(HasSubstr("exists")));
  EXPECT_TRUE(MappedOutput(temp / "empty", 0).bytes().empty());
}

TEST(MappedOutput, MoreThanTheDiskHoldsLeavesNothing) {
  const TempFolder temp;
  EXPECT_THAT([&] { MappedOutput(temp / "huge", std::uint64_t{1} << 60); },
              ThrowsMessage<IoError>(HasSubstr("huge: cannot reserve 1152921504606846976 bytes")));
  EXPECT_THAT(entries(temp.path()), IsEmpty());
}

TEST(OutputFolder, AppearsOnCommitOnly) {
  const TempFolder temp;
  {
    const OutputFolder folder(temp / "out");
    folder.make_folder("inner");
    test::write_bytes(folder.path() / "inner/file", {});
  }
  EXPECT_THAT(entries(temp.path()), IsEmpty());
  for (const char* name : {"out", "slash/"}) {
    OutputFolder folder(temp / name);
    test::write_bytes(folder.path() / "file", {});
    folder.commit();
  }
  EXPECT_THAT(entries(temp.path()), ::testing::UnorderedElementsAre("out", "slash"));
  EXPECT_THAT(entries(temp / "slash"), ElementsAre("file"));
  EXPECT_THAT([&] { OutputFolder(temp / "out"); }, ThrowsMessage<IoError>(HasSubstr("exists already")));
  EXPECT_THAT([&] { OutputFolder(temp / "a/b"); }, ThrowsMessage<IoError>(HasSubstr("does not exist")));
}

}  // namespace
}  // namespace proofline
