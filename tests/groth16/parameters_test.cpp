#include "groth16/parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>

#include "base/blake2b.hpp"
#include "base/error.hpp"
#include "small_circuit.hpp"
#include "support/test_data.hpp"

namespace proofline::groth16 {
namespace {

using math::G1Affine;
using math::G2Affine;
using math::PointCheck;
using testing::AllOf;
using testing::HasSubstr;

class ParametersFile : public testing::Test {
 protected:
  void SetUp() override {
    generate_parameters(test::recorded_cubic(0, 20), ToxicWaste::insecure_from_seed(1), path_, exec_, no_progress());
    good_ = test::read_bytes(path_);
  }
  void write(const std::vector<std::uint8_t>& bytes) {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  /// The message of the InputError that loading and checking the file gives.
  std::string error_of(const std::vector<std::uint8_t>& bytes, PointCheck check = PointCheck::kCurve) {
    write(bytes);
    try {
      MappedParameters(path_).check_points(check, exec_, no_progress());
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

  test::TempFolder folder_;
  std::filesystem::path path_ = folder_ / "small.params";
  Executor exec_{2};
  std::vector<std::uint8_t> good_;
};

TEST_F(ParametersFile, HasTheListsOfTheCircuit) {
  const MappedParameters parameters(path_);
  EXPECT_EQ(parameters.verifying_key().num_inputs(), 2U);
  EXPECT_EQ(parameters.l().count, 23U);
  EXPECT_EQ(parameters.domain_size(), 32U);  // 23 rows and 2 of inputs
  EXPECT_EQ(parameters.a().count, 2U + 22);  // all aux but the last square
  EXPECT_EQ(parameters.b_g1().count, 1U + 20);
  EXPECT_EQ(parameters.b_g2().count, 21U);
  EXPECT_NO_THROW(parameters.check_points(PointCheck::kSubgroup, exec_, no_progress()));
}

TEST_F(ParametersFile, CutAnywhereIsTruncated) {
  for (std::size_t size = 0; size < good_.size(); size += 41) {
    const std::vector<std::uint8_t> cut(good_.begin(), good_.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_THAT(error_of(cut), AllOf(HasSubstr("small.params"), HasSubstr("truncated"))) << size;
  }
}

TEST_F(ParametersFile, TrailingBytesAreRefused) {
  auto bytes = good_;
  bytes.push_back(0);
  EXPECT_THAT(error_of(bytes), HasSubstr("1 bytes follow"));
}

TEST_F(ParametersFile, PointOffTheCurveIsNamed) {
  const MappedParameters parameters(path_);
  auto bytes = good_;
  bytes[parameters.l().offset + 3 * G1Affine::kUncompressed + 95] ^= 1;
  EXPECT_THAT(error_of(bytes), AllOf(HasSubstr("l[3]"), HasSubstr("not on the curve")));
}

TEST_F(ParametersFile, NonCanonicalCoordinateIsNamed) {
  const MappedParameters parameters(path_);
  auto bytes = good_;
  bytes[parameters.b_g2().offset + 2 * G2Affine::kUncompressed] = 0x1f;
  EXPECT_THAT(error_of(bytes), HasSubstr("b_g2[2]"));
}

TEST_F(ParametersFile, InfinityIsNamed) {
  const MappedParameters parameters(path_);
  auto bytes = good_;
  const auto infinity = G1Affine{}.to_uncompressed();
  std::copy(infinity.begin(), infinity.end(), bytes.begin() + static_cast<std::ptrdiff_t>(parameters.h().offset));
  EXPECT_THAT(error_of(bytes), AllOf(HasSubstr("h[0]"), HasSubstr("infinity")));
}

TEST_F(ParametersFile, PointOutsideTheSubgroupIsFoundByTheFullCheck) {
  // (x, y) on the curve for the smallest x: the curve's order is a multiple of the subgroup's, and this
  // point is not in it.
  blst_fp x{}, y{}, one{};
  const std::uint64_t one_limbs[6] = {1, 0, 0, 0, 0, 0};
  const std::uint64_t four_limbs[6] = {4, 0, 0, 0, 0, 0};
  blst_fp four;
  blst_fp_from_uint64(&one, one_limbs);
  blst_fp_from_uint64(&four, four_limbs);
  G1Affine outside;
  do {
    blst_fp_add(&x, &x, &one);
    blst_fp square;
    blst_fp_sqr(&square, &x);
    blst_fp_mul(&square, &square, &x);
    blst_fp_add(&square, &square, &four);
    if (!blst_fp_sqrt(&y, &square)) continue;
    outside.p = {x, y};
  } while (!outside.on_curve() || outside.is_infinity() || outside.in_subgroup());

  const MappedParameters parameters(path_);
  auto bytes = good_;
  const auto encoded = outside.to_uncompressed();
  std::copy(encoded.begin(), encoded.end(),
            bytes.begin() + static_cast<std::ptrdiff_t>(parameters.a().offset + 5 * G1Affine::kUncompressed));
  EXPECT_EQ(error_of(bytes, PointCheck::kCurve), "no error");
  EXPECT_THAT(error_of(bytes, PointCheck::kSubgroup), AllOf(HasSubstr("a[5]"), HasSubstr("subgroup")));

  auto key_bytes = good_;
  std::copy(encoded.begin(), encoded.end(), key_bytes.begin());
  EXPECT_THAT(error_of(key_bytes), AllOf(HasSubstr("alpha_g1"), HasSubstr("subgroup")));
}

TEST_F(ParametersFile, CountsThatDisagreeAreRefused) {
  const MappedParameters parameters(path_);
  auto bytes = good_;
  // One point less in h: the bytes of the lists no longer line up, or the count is no power of two.
  const auto count_at = static_cast<std::ptrdiff_t>(parameters.h().offset - 4);
  bytes[static_cast<std::size_t>(count_at) + 3] -= 1;
  bytes.erase(bytes.begin() + count_at + 4, bytes.begin() + count_at + 4 + 96);
  EXPECT_THAT(error_of(bytes), HasSubstr("h has 30 points"));
}

TEST_F(ParametersFile, MissingFileIsNamed) {
  EXPECT_THROW(MappedParameters(folder_ / "absent.params"), IoError);
}

TEST_F(ParametersFile, DigestIsTheFirstHalfOfBlake2b256Bits) {
  const auto digest = blake2b512(good_);
  EXPECT_EQ(parameter_digest(path_, no_progress()), test::hex(std::span(digest).first(16)));
}

TEST(ParametersWrite, AFullDiskLeavesNothingBehind) {
  const test::TempFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{2000, 2000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int status = 1;
    try {
      generate_parameters(test::recorded_cubic(0, 20), ToxicWaste::insecure_from_seed(1), folder / "p.params",
                          Executor(1), no_progress());
    } catch (const IoError& error) {
      status = std::string(error.what()).find("p.params") == std::string::npos ? 2 : 0;
    }
    ::_exit(status);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace proofline::groth16
