#include "base/resident_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/large_array.hpp"

namespace proofline {
namespace {

constexpr std::uint64_t kBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kOther = std::uint64_t{8} << 20;  // what else the process may take or free meanwhile

TEST(ResidentMemory, CountsPagesThatAreTouched) {
  ASSERT_TRUE(reset_peak_resident());
  const ResidentMemory before = resident_memory();
  ASSERT_GT(before.total, before.file);
  ASSERT_GT(before.file, 0U);
  {
    LargeMemory memory(kBytes);
    EXPECT_LT(resident_memory().total, before.total + kOther);
    std::fill_n(static_cast<std::byte*>(memory.data()), kBytes, std::byte{1});
    EXPECT_GE(resident_memory().total + kOther, before.total + kBytes);
  }
  EXPECT_LT(resident_memory().total, before.total + kOther);
  EXPECT_GE(peak_resident_bytes() + kOther, before.total + kBytes);
  ASSERT_TRUE(reset_peak_resident());
  EXPECT_LT(peak_resident_bytes(), before.total + kOther);
}

}  // namespace
}  // namespace proofline
