#include "engine/memory_budget.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/temp_folder.hpp"

namespace proofline::engine {
namespace {

constexpr std::uint64_t kGib = std::uint64_t{1} << 30;

class HostMemoryFiles : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    const auto path = root / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  void write_meminfo() const {
    write("proc/meminfo", "MemTotal: 16777216 kB\nMemAvailable:    8388608 kB\nCached: 1 kB\n");
  }
  test::TempFolder root;
};

TEST_F(HostMemoryFiles, WithoutGroupsAllThatIsAvailable) {
  write_meminfo();
  const HostMemory memory = read_host_memory(root.path());
  EXPECT_EQ(memory.available, 8 * kGib);
  EXPECT_EQ(memory.cgroup_limit, std::nullopt);
}

TEST_F(HostMemoryFiles, TheLowestLimitOfTheGroupsAboveCounts) {
  write_meminfo();
  write("proc/self/cgroup", "0::/a/b\n");
  write("sys/fs/cgroup/a/b/memory.max", "max\n");
  write("sys/fs/cgroup/a/memory.max", "4294967296\n");
  write("sys/fs/cgroup/a/memory.current", "1073741824\n");
  const HostMemory memory = read_host_memory(root.path());
  EXPECT_EQ(memory.cgroup_limit, 4 * kGib);
  EXPECT_EQ(memory.cgroup_used, kGib);
}

TEST_F(HostMemoryFiles, GroupsOfVersion1) {
  write_meminfo();
  write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/x\n0::/\n");
  write("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "2147483648\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(read_host_memory(root.path()).cgroup_limit, 2 * kGib);
}

TEST_F(HostMemoryFiles, MissingOrStrangeMeminfoIsAnError) {
  EXPECT_THROW(read_host_memory(root.path()), IoError);
  write("proc/meminfo", "MemTotal: 1 kB\n");
  EXPECT_THROW(read_host_memory(root.path()), InputError);
}

TEST(HostBudget, IsTheTighterOneLessAMargin) {
  EXPECT_EQ(default_host_budget({100 * kGib, std::nullopt, 0}), 95 * kGib);
  EXPECT_EQ(default_host_budget({100 * kGib, 40 * kGib, 20 * kGib}), 19 * kGib);
  EXPECT_EQ(default_host_budget({4 * kGib, std::nullopt, 0}), 4 * kGib - kGib / 2);
  EXPECT_EQ(default_host_budget({kGib / 4, std::nullopt, 0}), 0U);
  EXPECT_EQ(default_host_budget({kGib, kGib, 2 * kGib}), 0U);
}

TEST(HostBudget, OfTheProcessLeavesRoomForTheProgram) {
  const std::uint64_t own = kGib - ledger_budget(kGib);
  EXPECT_GT(own, std::uint64_t{16} << 20);
  EXPECT_LT(own, std::uint64_t{200} << 20);
  EXPECT_THROW(ledger_budget(own / 2), InputError);
  EXPECT_NEAR(static_cast<double>(ledger_budget(kGib, kGib / 4)), static_cast<double>(kGib - own - kGib / 4), 1 << 20);
  EXPECT_THROW(ledger_budget(kGib, kGib - own), InputError);
}

TEST(HostBudget, OfThisMachineIsSomething) {
  EXPECT_GT(default_host_budget(read_host_memory()), 0U);
}

}  // namespace
}  // namespace proofline::engine
