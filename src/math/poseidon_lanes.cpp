#include "math/poseidon_lanes.hpp"

#if PROOFLINE_HAVE_IFMA

#include <array>

#include "math/fr_lanes.hpp"

namespace proofline::math {
namespace {

constexpr std::size_t kMaxWidth = kLargestLaneArity + 1;
/// Partial rounds between reductions. Elements start below 3.3 p (the sum of 37 products), grow by less
/// than 1.1 p a round and must stay below 8 p.
constexpr unsigned kRoundsBetweenReductions = 4;

/// Sum of elements[i] * factors[i] / R. Products are summed at full width and reduced once: below
/// (1 + count * x / 35) p for elements below x p and factors below p. At most 400 products fit the
/// registers' spare bits.
PROOFLINE_IFMA FrLanes dot(const FrLaneRow* elements, const FrLimbs* factors, std::size_t count) {
  constexpr unsigned n = FrPrime::kLimbs;
  __m512i t[2 * n];
  for (auto& limb : t) limb = _mm512_setzero_si512();
  for (std::size_t e = 0; e < count; ++e) {
    const FrLanes a = get(elements[e]);
#pragma GCC unroll 8
    for (unsigned i = 0; i < n; ++i) {
      const __m512i b = _mm512_set1_epi64(static_cast<long long>(factors[e][i]));
#pragma GCC unroll 8
      for (unsigned j = 0; j < n; ++j) {
        t[i + j] = _mm512_madd52lo_epu64(t[i + j], a.l[j], b);
        t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], a.l[j], b);
      }
    }
  }
  const __m512i inverse = _mm512_set1_epi64(static_cast<long long>(FrPrime::kInverse));
#pragma GCC unroll 8
  for (unsigned i = 0; i < n; ++i) {
    const __m512i m = _mm512_madd52lo_epu64(_mm512_setzero_si512(), t[i], inverse);
#pragma GCC unroll 8
    for (unsigned j = 0; j < n; ++j) {
      const __m512i p = _mm512_set1_epi64(static_cast<long long>(FrPrime::kModulus[j]));
      t[i + j] = _mm512_madd52lo_epu64(t[i + j], m, p);
      t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], m, p);
    }
    t[i + 1] = _mm512_add_epi64(t[i + 1], _mm512_srli_epi64(t[i], 52));
  }
  FrLanes out;
  for (unsigned i = 0; i < n; ++i) out.l[i] = t[n + i];
  carry(out);
  return out;
}

PROOFLINE_IFMA_INLINE FrLanes fifth_power(const FrLanes& x) {
  return multiply(square(square(x)), x);
}

/// The state of eight hashes, and the place in their constants.
class LaneState {
 public:
  LaneState(const PoseidonConstants& constants, const FrLimbs* factors)
      : width_(constants.width),
        half_(constants.full_rounds / 2),
        partial_(constants.partial_rounds),
        key_(factors),
        mds_(factors + constants.compressed_round_constants.size()),
        pre_sparse_(mds_ + width_ * width_),
        sparse_(pre_sparse_ + width_ * width_) {}

  PROOFLINE_IFMA void absorb(const Fr& tag, const Fr* preimages) {
    const FrLimbs tag_factor = as_factor(tag);
    put(elements_[0], add_lazy(broadcast<FrPrime>(tag_factor), broadcast<FrPrime>(*key_++)));
    const std::size_t arity = width_ - 1;
    for (std::size_t i = 0; i < arity; ++i)
      put(elements_[i + 1], add_lazy(load_factors(preimages + i, arity), broadcast<FrPrime>(*key_++)));
  }

  PROOFLINE_IFMA void permute_but_last_product() {
    for (unsigned round = 0; round < half_; ++round) {
      s_boxes();
      multiply_state(round + 1 == half_ ? pre_sparse_ : mds_);
    }
    for (unsigned round = 0; round < partial_; ++round) partial_round(round % kRoundsBetweenReductions == 3);
    for (std::size_t i = 1; i < width_; ++i) {
      FrLanes element = get(elements_[i]);
      reduce(element);
      put(elements_[i], element);
    }
    for (unsigned round = 0; round + 1 < half_; ++round) {
      s_boxes();
      multiply_state(mds_);
    }
    for (std::size_t i = 0; i < width_; ++i) put(elements_[i], fifth_power(get(elements_[i])));
  }

  /// Element 1 of the last product, with blst's factor.
  PROOFLINE_IFMA void squeeze(Fr* digests) const {
    const std::array<Fr, 8> ones = {Fr::one(), Fr::one(), Fr::one(), Fr::one(),
                                    Fr::one(), Fr::one(), Fr::one(), Fr::one()};
    FrLanes out = multiply(dot(elements_.data(), mds_ + width_, width_), load(ones.data(), 1));
    reduce_fully(out);
    store(out, digests, 1);
  }

 private:
  PROOFLINE_IFMA void s_boxes() {
    for (std::size_t i = 0; i < width_; ++i)
      put(elements_[i], add_lazy(fifth_power(get(elements_[i])), broadcast<FrPrime>(*key_++)));
  }

  PROOFLINE_IFMA void multiply_state(const FrLimbs* columns) {
    std::array<FrLaneRow, kMaxWidth> next;
    for (std::size_t j = 0; j < width_; ++j) put(next[j], dot(elements_.data(), columns + j * width_, width_));
    for (std::size_t j = 0; j < width_; ++j) elements_[j] = next[j];
  }

  PROOFLINE_IFMA void partial_round(bool reducing) {
    const FrLanes head = add_lazy(fifth_power(get(elements_[0])), broadcast<FrPrime>(*key_++));
    put(elements_[0], head);
    const FrLanes sum = dot(elements_.data(), sparse_, width_);
    sparse_ += width_;
    for (std::size_t j = 1; j < width_; ++j) {
      FrLanes element = raw_sum(get(elements_[j]), multiply(head, broadcast<FrPrime>(*sparse_++)));
      if (reducing) {
        reduce(element);
      } else {
        carry(element);
      }
      put(elements_[j], element);
    }
    put(elements_[0], sum);
  }

  std::size_t width_;
  unsigned half_, partial_;
  const FrLimbs* key_;
  const FrLimbs* mds_;
  const FrLimbs* pre_sparse_;
  const FrLimbs* sparse_;
  std::array<FrLaneRow, kMaxWidth> elements_;
};

}  // namespace

std::vector<std::array<std::uint64_t, 5>> poseidon_lane_factors(const PoseidonConstants& constants) {
  std::vector<FrLimbs> out;
  if (constants.arity > kLargestLaneArity) return out;
  for (const Fr& key : constants.compressed_round_constants) out.push_back(as_factor(key));
  for (const Matrix* matrix : {&constants.mds, &constants.pre_sparse}) {
    for (std::size_t j = 0; j < matrix->size; ++j)
      for (std::size_t i = 0; i < matrix->size; ++i) out.push_back(as_factor(matrix->at(i, j)));
  }
  for (const SparseMatrix& matrix : constants.sparse) {
    for (const Fr& entry : matrix.first_column) out.push_back(as_factor(entry));
    for (const Fr& entry : matrix.first_row_rest) out.push_back(as_factor(entry));
  }
  return out;
}

void poseidon_lanes(const PoseidonConstants& constants, const Fr* preimages, Fr* digests) {
  LaneState state(constants, constants.lane_factors.data());
  state.absorb(constants.domain_tag, preimages);
  state.permute_but_last_product();
  state.squeeze(digests);
}

}  // namespace proofline::math

#endif
