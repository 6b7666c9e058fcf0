/// The eight-lane arithmetic against blst's, on random and extreme values.
#include <gtest/gtest.h>

#include "math/batch_affine_lanes.hpp"
#include "math/fr_lanes.hpp"
#include "points.hpp"

#if PROOFLINE_HAVE_IFMA

namespace proofline::math {
namespace {

class LanesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ifma_available()) GTEST_SKIP() << "this processor has no AVX-512 IFMA, or PROOFLINE_NO_IFMA is set";
  }
};

Fp random_fp() {
  std::uint64_t limbs[6];
  for (std::size_t i = 0; i < 6; i += 3) {
    const Fr::Limbs bits = Fr::random().to_canonical();
    for (std::size_t j = 0; j < 3; ++j) limbs[i + j] = bits[j];
  }
  limbs[5] &= (std::uint64_t{1} << 60) - 1;
  Fp out;
  blst_fp_from_uint64(&out.v, limbs);
  return out;
}

/// Random elements and the extreme ones, eight at a time.
std::vector<Fp> fp_values() {
  std::vector<Fp> out = {Fp{}, Fp::one(), -Fp::one(), Fp::one() + Fp::one(), -(Fp::one() + Fp::one())};
  while (out.size() < 64) out.push_back(random_fp());
  return out;
}

PROOFLINE_IFMA void fp_operations(const FpRow* a, const FpRow* b, FpRow* product, FpRow* sum, FpRow* difference,
                                  FpRow* two, FpRow* square_out) {
  const FpRow* from_a[8];
  const FpRow* from_b[8];
  for (int i = 0; i < 8; ++i) {
    from_a[i] = a + i;
    from_b[i] = b + i;
  }
  const FpLanes x = load_rows(from_a), y = load_rows(from_b);
  const auto save = [&](FpRow* rows) {
    std::array<FpRow*, 8> out;
    for (std::size_t i = 0; i < 8; ++i) out[i] = rows + i;
    return out;
  };
  FpRow* to[8];
  const auto point_to = [&](FpRow* rows) {
    const auto out = save(rows);
    std::copy(out.begin(), out.end(), to);
  };
  point_to(product);
  store_rows(multiply(x, y), to);
  point_to(sum);
  store_rows(add(x, y), to);
  point_to(difference);
  store_rows(subtract(x, y), to);
  point_to(two);
  store_rows(subtract_two(x, y, y), to);
  point_to(square_out);
  store_rows(square(x), to);
}

TEST_F(LanesTest, FpOperationsEqualBlst) {
  const std::vector<Fp> values = fp_values();
  const auto* blst_values = reinterpret_cast<const blst_fp*>(values.data());
  std::vector<FpRow> rows(values.size());
  from_blst({blst_values, values.size()}, rows);
  for (std::size_t shift = 0; shift < 8; ++shift) {
    for (std::size_t begin = 0; begin + 8 <= values.size(); begin += 8) {
      const std::size_t other = (begin + 8 * shift) % values.size();
      FpRow out[5][8];
      fp_operations(&rows[begin], &rows[other], out[0], out[1], out[2], out[3], out[4]);
      Fp results[5][8];
      for (std::size_t k = 0; k < 5; ++k) to_blst(out[k], {reinterpret_cast<blst_fp*>(results[k]), 8});
      for (std::size_t i = 0; i < 8; ++i) {
        const Fp &a = values[begin + i], &b = values[other + i];
        EXPECT_EQ(results[0][i], a * b);
        EXPECT_EQ(results[1][i], a + b);
        EXPECT_EQ(results[2][i], a - b);
        EXPECT_EQ(results[3][i], a - b - b);
        EXPECT_EQ(results[4][i], a.square());
      }
    }
  }
}

PROOFLINE_IFMA void fr_product(const Fr* a, const Fr* b, Fr* out) {
  FrLanes product = multiply(load(a, 1), load_factors(b, 1));
  reduce_fully(product);
  store(product, out, 1);
}

PROOFLINE_IFMA void fr_copy(const Fr* in, std::size_t stride, Fr* out) {
  store(load(in, stride), out, stride);
}

TEST_F(LanesTest, FrProductsEqualBlst) {
  for (int round = 0; round < 200; ++round) {
    std::array<Fr, 8> a, b, out;
    for (std::size_t i = 0; i < 8; ++i) {
      a[i] = round == 0 ? Fr::minus_one() : Fr::random();
      b[i] = round == 0 || i == 3 ? Fr::minus_one() : i == 4 ? Fr::zero() : Fr::random();
    }
    fr_product(a.data(), b.data(), out.data());
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(out[i], a[i] * b[i]);
  }
}

TEST_F(LanesTest, FrLoadAndStoreAreInverse) {
  for (const std::size_t stride : {1U, 2U, 5U}) {
    std::vector<Fr> in(8 * stride), out(8 * stride);
    for (Fr& value : in) value = Fr::random();
    fr_copy(in.data(), stride, out.data());
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(out[i * stride], in[i * stride]);
  }
}

template <class Affine>
void check_adder() {
  using P = std::conditional_t<std::is_same_v<Affine, G1Affine>, G1, G2>;
  const auto points = test::some_points<P>(40);
  std::vector<LanePoint<Affine>> stored(points.size());
  from_affine<Affine>(std::span<const Affine>(points), stored);
  // Sums of different, equal and opposite points and of infinity, in batches of every size.
  for (std::size_t batch = 1; batch <= 19; ++batch) {
    for (const bool with_exceptions : {false, true}) {
      LaneBatchAdder<Affine> adder(64);
      std::vector<LanePoint<Affine>> sums(batch);
      std::vector<P> expected(batch);
      std::vector<std::size_t> addend(batch);
      for (std::size_t i = 0; i < batch; ++i) {
        sums[i] = i % 5 == 4 ? LanePoint<Affine>{} : stored[i];
        if (i % 5 != 4) expected[i] = P(points[i]);
        addend[i] = with_exceptions && i % 3 == 0 ? i : i + 20;
        const bool negate = i % 2 == 1;
        adder.add(&sums[i], stored[addend[i]], negate);
        expected[i] += negate ? -points[addend[i]] : points[addend[i]];
      }
      adder.flush();
      std::vector<Affine> out(batch);
      to_affine<Affine>(std::span<const LanePoint<Affine>>(sums), out);
      for (std::size_t i = 0; i < batch; ++i) EXPECT_EQ(out[i], expected[i].to_affine()) << batch << ' ' << i;
    }
  }
}

TEST_F(LanesTest, AdderOfG1IsExact) {
  check_adder<G1Affine>();
}
TEST_F(LanesTest, AdderOfG2IsExact) {
  check_adder<G2Affine>();
}

TEST_F(LanesTest, LongChainsOfAdditionsStayExact) {
  // Half reduced values must not drift: 2,000 additions into the same targets.
  const auto points = test::some_points<G1>(16);
  std::vector<LanePoint<G1Affine>> stored(points.size()), sums(8);
  from_affine<G1Affine>(std::span<const G1Affine>(points), stored);
  std::vector<G1> expected(sums.size());
  LaneBatchAdder<G1Affine> adder(8);
  for (std::size_t round = 0; round < 250; ++round) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const std::size_t k = (round * 7 + i * 3) % points.size();
      const bool negate = round % 3 == 1;
      adder.add(&sums[i], stored[k], negate);
      expected[i] += negate ? -points[k] : points[k];
    }
    adder.flush();
  }
  std::vector<G1Affine> out(sums.size());
  to_affine<G1Affine>(std::span<const LanePoint<G1Affine>>(sums), out);
  for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_EQ(out[i], expected[i].to_affine());
}

}  // namespace
}  // namespace proofline::math

#endif
