// Transforms and the quotient on the device: equal to math:: and groth16:: on the CPU; large ones by identities.
#include "device/cuda/ntt.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "device/cuda/device.hpp"
#include "device/cuda/polynomial_checks.hpp"
#include "groth16/quotient.hpp"
#include "math/ntt.hpp"

namespace proofline::cuda {
namespace {

using math::Domain;
using math::Fr;

constexpr Transform kTransforms[] = {Transform::kForward, Transform::kInverse, Transform::kCosetForward,
                                     Transform::kCosetInverse};

using DeviceArray = test::DeviceArray<Fr>;

class NttTest : public testing::Test {
 protected:
  void SetUp() override { PROOFLINE_NEEDS_DEVICE(); }
  NttTables tables(unsigned log_size) {
    memory_ = std::make_unique<DeviceArray>(ntt_table_bytes(log_size) / sizeof(Fr));
    Arena arena(std::as_writable_bytes(memory_->span()));
    return enqueue_ntt_tables(log_size, arena, nullptr);
  }
  Executor exec_;

 private:
  std::unique_ptr<DeviceArray> memory_;
};

/// Random values; 0, 1 and r - 1 among them.
std::vector<Fr> mixed_values(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Fr> out(count);
  for (Fr& value : out) {
    switch (random() % 8) {
      case 0:
        value = Fr::zero();
        break;
      case 1:
        value = Fr::minus_one();
        break;
      case 2:
        value = Fr::one();
        break;
      default:
        value = Fr::from_canonical({random(), random(), random(), random() >> 2});
    }
  }
  return out;
}

std::size_t reversed(std::size_t index, unsigned bits) {
  std::size_t out = 0;
  for (unsigned i = 0; i < bits; ++i) out |= (index >> i & 1) << (bits - 1 - i);
  return out;
}
std::vector<Fr> in_reversed_order(const std::vector<Fr>& values) {
  const auto bits = static_cast<unsigned>(std::bit_width(values.size()) - 1);
  std::vector<Fr> out(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) out[reversed(i, bits)] = values[i];
  return out;
}

std::vector<Fr> on_cpu(const Domain& domain, Transform transform, std::vector<Fr> values, const Executor& exec) {
  switch (transform) {
    case Transform::kForward:
      domain.forward(values, exec);
      break;
    case Transform::kInverse:
      domain.inverse(values, exec);
      break;
    case Transform::kCosetForward:
      domain.coset_forward(values, exec);
      break;
    case Transform::kCosetInverse:
      domain.coset_inverse(values, exec);
      break;
  }
  return values;
}

/// As Domain::omega(), without the table of a large domain.
Fr root_of_unity(unsigned log_size) {
  Fr root = Fr::from_u64(7).pow(
      Fr::Limbs{0xfffe5bfeffffffffULL, 0x09a1d80553bda402ULL, 0x299d7d483339d808ULL, 0x0000000073eda753ULL});
  for (unsigned i = log_size; i < Fr::kTwoAdicity; ++i) root = root.square();
  return root;
}

void expect_like_cpu(const NttTables& tables, const Domain& domain, const std::vector<Fr>& values,
                     const Executor& exec) {
  for (const Transform transform : kTransforms) {
    SCOPED_TRACE("2^" + std::to_string(tables.log_size) + ", transform " + std::to_string(static_cast<int>(transform)));
    const std::vector<Fr> expected = on_cpu(domain, transform, values, exec);
    {
      const DeviceArray in(values), out(mixed_values(values.size(), 99));
      enqueue_ntt(tables, transform, in.span(), out.span(), nullptr);
      EXPECT_TRUE(out.host() == expected) << "natural to natural";
    }
    {
      const DeviceArray in(values);
      enqueue_ntt_to_reversed(tables, transform, in.span(), nullptr);
      EXPECT_TRUE(in.host() == in_reversed_order(expected)) << "natural to reversed";
    }
    {
      const DeviceArray in(in_reversed_order(values));
      enqueue_ntt_from_reversed(tables, transform, in.span(), nullptr);
      EXPECT_TRUE(in.host() == expected) << "reversed to natural";
    }
  }
}

/// Also of broken rows: what groth16::quotient() computes is then still the same function of a, b and c.
void expect_quotient_like_cpu(const NttTables& tables, std::uint64_t seed, const Executor& exec) {
  const std::size_t n = std::size_t{1} << tables.log_size;
  const std::vector<Fr> a = mixed_values(n, seed), b = mixed_values(n, seed + 1), broken = mixed_values(n, seed + 2);
  std::vector<Fr> products(n);
  for (std::size_t i = 0; i < n; ++i) products[i] = a[i] * b[i];
  for (const bool satisfied : {true, false}) {
    SCOPED_TRACE("2^" + std::to_string(tables.log_size) + (satisfied ? ", products" : ", broken rows"));
    const std::vector<Fr>& c = satisfied ? products : broken;
    const auto values = [&](r1cs::Matrix matrix, std::span<Fr> out) {
      const std::vector<Fr>& from = matrix == r1cs::Matrix::kA ? a : matrix == r1cs::Matrix::kB ? b : c;
      std::copy(from.begin(), from.end(), out.begin());
    };
    const LargeArray<Fr> expected = groth16::quotient(values, tables.log_size, exec);
    const DeviceArray da(a), db(b), dc(c);
    enqueue_quotient(tables, da.span(), db.span(), dc.span(), nullptr);
    const std::vector<Fr> h = dc.host();
    EXPECT_TRUE(std::equal(h.begin(), h.end() - 1, expected.span().begin(), expected.span().end()));
    if (satisfied) {
      EXPECT_TRUE(h.back().is_zero());
    }
  }
}

TEST_F(NttTest, EqualsTheCpuForEverySize) {
  for (unsigned log_size = 0; log_size <= 20; ++log_size) {
    const NttTables t = tables(log_size);
    const Domain domain(log_size, exec_);
    expect_like_cpu(t, domain, mixed_values(domain.size(), log_size), exec_);
    if (HasFailure()) return;
  }
}

TEST_F(NttTest, EqualsTheCpuForExtremeValues) {
  for (const unsigned log_size : {1U, 6U, 9U, 11U, 14U}) {
    const NttTables t = tables(log_size);
    const Domain domain(log_size, exec_);
    for (const Fr& value : {Fr::zero(), Fr::one(), Fr::minus_one()})
      expect_like_cpu(t, domain, std::vector<Fr>(domain.size(), value), exec_);
    std::vector<Fr> unit(domain.size());
    unit.back() = Fr::minus_one();
    expect_like_cpu(t, domain, unit, exec_);
  }
}

TEST_F(NttTest, EqualsTheCpuInRandomCases) {
  std::mt19937_64 random(3);
  const int cases = test::random_cases(40);
  for (int i = 0; i < cases; ++i) {
    const auto log_size = static_cast<unsigned>(random() % 12);
    const NttTables t = tables(log_size);
    const Domain domain(log_size, exec_);
    expect_like_cpu(t, domain, mixed_values(domain.size(), random()), exec_);
    expect_quotient_like_cpu(t, random(), exec_);
    if (HasFailure()) return;
  }
}

TEST_F(NttTest, QuotientEqualsTheCpu) {
  for (const unsigned log_size : {0U, 1U, 2U, 3U, 5U, 7U, 9U, 10U, 12U, 13U, 16U, 19U, 20U}) {
    const NttTables t = tables(log_size);
    expect_quotient_like_cpu(t, log_size, exec_);
  }
}

TEST_F(NttTest, LargeTransformsHaveTheRightValueAtAPoint) {
  for (unsigned log_size = 21; log_size <= 27; ++log_size) {
    SCOPED_TRACE("2^" + std::to_string(log_size));
    const NttTables t = tables(log_size);
    const std::size_t n = std::size_t{1} << log_size;
    const DeviceArray in(n), out(n);
    fill_random(in.span(), log_size, nullptr);
    const Fr tau = Fr::random(), one = Fr::one(), shift = Domain::coset_shift();
    const Fr omega = root_of_unity(log_size);
    const Fr at_tau = at_point(in.span(), tau, false, nullptr);
    enqueue_ntt(t, Transform::kForward, in.span(), out.span(), nullptr);
    EXPECT_TRUE(at_point_by_values(out.span(), omega, one, tau, false, nullptr) == at_tau) << "forward";
    enqueue_ntt_to_reversed(t, Transform::kInverse, out.span(), nullptr);
    EXPECT_TRUE(at_point(out.span(), tau, true, nullptr) == at_tau) << "inverse to reversed";
    enqueue_ntt_from_reversed(t, Transform::kCosetForward, out.span(), nullptr);
    EXPECT_TRUE(at_point_by_values(out.span(), omega, shift, tau, false, nullptr) == at_tau) << "coset forward";
    enqueue_ntt(t, Transform::kCosetInverse, out.span(), in.span(), nullptr);
    EXPECT_TRUE(at_point(in.span(), tau, false, nullptr) == at_tau) << "coset inverse";
  }
}

TEST_F(NttTest, RejectsWrongSizesAndTooLittleMemory) {
  const NttTables t = tables(5);
  const DeviceArray right(32), wrong(31);
  EXPECT_THROW(enqueue_ntt(t, Transform::kForward, right.span(), wrong.span(), nullptr), InputError);
  EXPECT_THROW(enqueue_ntt_to_reversed(t, Transform::kForward, wrong.span(), nullptr), InputError);
  EXPECT_THROW(enqueue_ntt_from_reversed(t, Transform::kForward, wrong.span(), nullptr), InputError);
  EXPECT_THROW(enqueue_quotient(t, right.span(), right.span(), wrong.span(), nullptr), InputError);
  EXPECT_THROW(ntt_table_bytes(33), InputError);
  Arena small(std::as_writable_bytes(right.span()));
  EXPECT_THROW(enqueue_ntt_tables(5, small, nullptr), InputError);
}

}  // namespace
}  // namespace proofline::cuda
