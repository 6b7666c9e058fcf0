#pragma once
/// The batched affine additions of batch_affine.hpp, eight at a time in AVX-512 registers.
#include "math/batch_affine.hpp"
#include "math/fp_lanes.hpp"
#if PROOFLINE_HAVE_IFMA

#include <array>

namespace proofline::math {

/// An affine point as rows: x, then y; each one row in G1 and two (c0, c1) in G2. Infinity is all zeros.
template <class Affine>
struct LanePoint {
  static constexpr std::size_t kRows = sizeof(Affine) / sizeof(blst_fp);
  std::array<FpRow, kRows> rows{};

  bool is_infinity() const {
    // No point of G1 or G2 has y = 0, and rows are never p.
    std::uint64_t any = 0;
    for (std::size_t r = kRows / 2; r < kRows; ++r)
      for (const std::uint64_t limb : rows[r].limbs) any |= limb;
    return any == 0;
  }
  LanePoint operator-() const {
    LanePoint out = *this;
    if (is_infinity()) return out;
    for (std::size_t r = kRows / 2; r < kRows; ++r) out.rows[r] = negated(rows[r]);
    return out;
  }

 private:
  /// 2p - row, or 3p - row where that would be negative: half reduced again.
  static FpRow negated(const FpRow& row) {
    FpRow out;
    for (const std::uint64_t times : {2U, 3U}) {
      const Limbs52<8> from = multiple(FpPrime::kModulus, times);
      std::int64_t carry = 0;
      for (unsigned i = 0; i < 8; ++i) {
        const std::int64_t limb = static_cast<std::int64_t>(from[i]) - static_cast<std::int64_t>(row.limbs[i]) + carry;
        carry = limb >> 52;
        out.limbs[i] = static_cast<std::uint64_t>(limb) & kMask52;
      }
      if (carry == 0) break;
    }
    return out;
  }
};

template <class Affine>
void from_affine(std::span<const Affine> in, std::span<LanePoint<Affine>> out) {
  static_assert(sizeof(LanePoint<Affine>) == LanePoint<Affine>::kRows * sizeof(FpRow));
  from_blst({reinterpret_cast<const blst_fp*>(in.data()), in.size() * LanePoint<Affine>::kRows},
            {out.data()->rows.data(), out.size() * LanePoint<Affine>::kRows});
}

template <class Affine>
void to_affine(std::span<const LanePoint<Affine>> in, std::span<Affine> out) {
  to_blst({in.data()->rows.data(), in.size() * LanePoint<Affine>::kRows},
          {reinterpret_cast<blst_fp*>(out.data()), out.size() * LanePoint<Affine>::kRows});
}

/// As BatchAdder, for LanePoint. Points and targets must stay in place until the next flush().
template <class Affine>
class LaneBatchAdder {
 public:
  using Stored = LanePoint<Affine>;

  explicit LaneBatchAdder(std::size_t capacity) : capacity_(capacity) {
    pending_.reserve(capacity + 8);
    groups_.resize((capacity + 7) / 8);
    pad_point_.rows[0] = {};
    std::copy(FpPrime::kOne.begin(), FpPrime::kOne.end(), pad_point_.rows[0].limbs);
  }

  void add(Stored* target, const Stored& point, bool negate) {
    if (point.is_infinity()) return;
    if (target->is_infinity()) {
      *target = negate ? -point : point;
      return;
    }
    pending_.push_back({target, &point, negate});
  }

  bool full() const { return pending_.size() >= capacity_; }
  std::size_t size() const { return pending_.size(); }

  void flush() {
    if (pending_.empty()) return;
    // The last group is filled up with 1 - 0: their denominators are one and their results go nowhere.
    while (pending_.size() % 8 != 0) pending_.push_back({&pad_targets_[pending_.size() % 8], &pad_point_, false});
    std::array<Field, 8> products;
    multiply_denominators<false>(products);
    if (invert(products)) {
      finish_additions<false>(products);
    } else {
      // Two points of a pair have the same x: rare, so only now each pair is looked at.
      multiply_denominators<true>(products);
      invert(products);
      finish_additions<true>(products);
    }
    for (Stored& pad : pad_targets_) pad = Stored{};
    pending_.clear();
  }

 private:
  static constexpr bool kIsG2 = Stored::kRows == 4;
  using Field = typename CoordinateField<Affine>::Type;
  using LaneField = std::conditional_t<kIsG2, Fp2Lanes, FpLanes>;
  static constexpr std::size_t kDegree = kIsG2 ? 2 : 1;

  struct Pending {
    Stored* target;
    const Stored* point;
    bool negate;
  };
  /// Per group of eight, limb by limb: both x coordinates, the denominators x2 - x1, and their product
  /// over all groups before.
  struct alignas(64) Group {
    std::uint64_t x1[kDegree * 64], x2[kDegree * 64];
    std::uint64_t denominator[kDegree * 64];
    std::uint64_t before[kDegree * 64];
    __mmask8 equal, opposite;  ///< lanes; set only where pairs are looked at
  };

  PROOFLINE_IFMA_INLINE static void save(std::uint64_t* to, const FpLanes& value) {
#pragma GCC unroll 9
    for (int i = 0; i < 8; ++i) _mm512_store_si512(to + 8 * i, value.l[i]);
  }
  PROOFLINE_IFMA_INLINE static void save(std::uint64_t* to, const Fp2Lanes& value) {
    save(to, value.c0);
    save(to + 64, value.c1);
  }
  PROOFLINE_IFMA_INLINE static void restore(const std::uint64_t* from, FpLanes& value) {
#pragma GCC unroll 9
    for (int i = 0; i < 8; ++i) value.l[i] = _mm512_load_si512(from + 8 * i);
  }
  PROOFLINE_IFMA_INLINE static void restore(const std::uint64_t* from, Fp2Lanes& value) {
    restore(from, value.c0);
    restore(from + 64, value.c1);
  }

  PROOFLINE_IFMA_INLINE void load(std::size_t group, std::size_t row, bool of_target, FpLanes& value) const {
    const FpRow* rows[8];
#pragma GCC unroll 9
    for (std::size_t i = 0; i < 8; ++i) {
      const Pending& entry = pending_[8 * group + i];
      rows[i] = of_target ? &entry.target->rows[row] : &entry.point->rows[row];
    }
    value = load_rows(rows);
  }
  PROOFLINE_IFMA_INLINE void load(std::size_t group, std::size_t row, bool of_target, Fp2Lanes& value) const {
    load(group, row, of_target, value.c0);
    load(group, row + 1, of_target, value.c1);
  }
  PROOFLINE_IFMA_INLINE void store(std::size_t group, std::size_t row, const FpLanes& value) {
    FpRow* rows[8];
#pragma GCC unroll 9
    for (std::size_t i = 0; i < 8; ++i) rows[i] = &pending_[8 * group + i].target->rows[row];
    store_rows(value, rows);
  }
  PROOFLINE_IFMA_INLINE void store(std::size_t group, std::size_t row, const Fp2Lanes& value) {
    store(group, row, value.c0);
    store(group, row + 1, value.c1);
  }

  PROOFLINE_IFMA_INLINE __mmask8 negated(std::size_t group) const {
    unsigned mask = 0;
#pragma GCC unroll 9
    for (std::size_t i = 0; i < 8; ++i) mask |= unsigned{pending_[8 * group + i].negate} << i;
    return static_cast<__mmask8>(mask);
  }
  PROOFLINE_IFMA_INLINE static void negate_where(__mmask8 mask, FpLanes& value) {
    // 3p - y may exceed 2p and its limbs are not carried: it goes into a difference only.
#pragma GCC unroll 9
    for (unsigned i = 0; i < 8; ++i)
      value.l[i] = _mm512_mask_sub_epi64(value.l[i], mask, limb_of<FpPrime>(FpLanes::kThrice, i), value.l[i]);
  }
  PROOFLINE_IFMA_INLINE static void negate_where(__mmask8 mask, Fp2Lanes& value) {
    negate_where(mask, value.c0);
    negate_where(mask, value.c1);
  }

  PROOFLINE_IFMA_INLINE static void set_one(FpLanes& value) {
    value = broadcast<FpPrime>(FpPrime::kOne);
  }
  PROOFLINE_IFMA_INLINE static void set_one(Fp2Lanes& value) {
    set_one(value.c0);
    set_zero(value.c1);
  }
  PROOFLINE_IFMA_INLINE static void set_zero(FpLanes& value) {
#pragma GCC unroll 9
    for (auto& limb : value.l) limb = _mm512_setzero_si512();
  }
  PROOFLINE_IFMA_INLINE static void set_zero(Fp2Lanes& value) {
    set_zero(value.c0);
    set_zero(value.c1);
  }

  /// Lanes to and from eight field elements of blst.
  PROOFLINE_IFMA static void unpack(const LaneField& value, std::array<Field, 8>& out) {
    alignas(64) FpRow rows[8 * kDegree];
    for (std::size_t component = 0; component < kDegree; ++component) {
      FpRow* to[8];
#pragma GCC unroll 9
      for (std::size_t i = 0; i < 8; ++i) to[i] = &rows[kDegree * i + component];
      if constexpr (kIsG2) {
        store_rows(component == 0 ? value.c0 : value.c1, to);
      } else {
        store_rows(value, to);
      }
    }
    to_blst(rows, {reinterpret_cast<blst_fp*>(out.data()), 8 * kDegree});
  }
  PROOFLINE_IFMA static void pack(const std::array<Field, 8>& in, LaneField& value) {
    alignas(64) FpRow rows[8 * kDegree];
    from_blst({reinterpret_cast<const blst_fp*>(in.data()), 8 * kDegree}, rows);
    for (std::size_t component = 0; component < kDegree; ++component) {
      const FpRow* from[8];
#pragma GCC unroll 9
      for (std::size_t i = 0; i < 8; ++i) from[i] = &rows[kDegree * i + component];
      if constexpr (kIsG2) {
        (component == 0 ? value.c0 : value.c1) = load_rows(from);
      } else {
        value = load_rows(from);
      }
    }
  }

  template <bool with_same_x>
  PROOFLINE_IFMA void multiply_denominators(std::array<Field, 8>& products) {
    LaneField product, one;
    set_one(one);
    product = one;
    for (std::size_t group = 0; group < pending_.size() / 8; ++group) {
      LaneField x1, x2;
      load(group, 0, true, x1);
      load(group, 0, false, x2);
      LaneField denominator = subtract_lazy(x2, x1);
      if constexpr (with_same_x) {
        LaneField y1, y2;
        load(group, kDegree, true, y1);
        load(group, kDegree, false, y2);
        negate_where(negated(group), y2);
        const __mmask8 same_x = zeros(denominator);
        const __mmask8 same_y = zeros(subtract_lazy(y2, y1));
        groups_[group].equal = static_cast<__mmask8>(same_x & same_y);
        groups_[group].opposite = static_cast<__mmask8>(same_x & ~same_y);
        denominator = blend(groups_[group].equal, denominator, add_lazy(y1, y1));
        denominator = blend(groups_[group].opposite, denominator, one);
      }
      save(groups_[group].x1, x1);
      save(groups_[group].x2, x2);
      save(groups_[group].denominator, denominator);
      save(groups_[group].before, product);
      product = multiply(product, denominator);
    }
    unpack(product, products);
  }

  /// Replaces the eight products by their inverses; false when one is zero.
  static bool invert(std::array<Field, 8>& products) {
    std::array<Field, 8> before;
    Field product = Field::one();
    for (std::size_t i = 0; i < 8; ++i) {
      if (products[i].is_zero()) return false;
      before[i] = product;
      product = product * products[i];
    }
    Field inverse = product.inverse();
    for (std::size_t i = 8; i-- > 0;) {
      const Field value = products[i];
      products[i] = inverse * before[i];
      inverse = inverse * value;
    }
    return true;
  }

  template <bool with_same_x>
  PROOFLINE_IFMA void finish_additions(const std::array<Field, 8>& inverses) {
    LaneField inverse;
    pack(inverses, inverse);
    for (std::size_t group = pending_.size() / 8; group-- > 0;) {
      LaneField denominator, before, x1, x2, y1, y2;
      restore(groups_[group].denominator, denominator);
      restore(groups_[group].before, before);
      const LaneField own_inverse = multiply(inverse, before);
      inverse = multiply(inverse, denominator);
      load(group, kDegree, true, y1);
      load(group, kDegree, false, y2);
      negate_where(negated(group), y2);
      restore(groups_[group].x1, x1);
      restore(groups_[group].x2, x2);
      LaneField numerator = subtract_lazy(y2, y1);
      if constexpr (with_same_x) {
        const LaneField x1_squared = square(x1);
        const LaneField tangent = add_lazy(math::add(x1_squared, x1_squared), x1_squared);
        numerator = blend(groups_[group].equal, numerator, tangent);
      }
      const LaneField slope = multiply(numerator, own_inverse);
      LaneField x3 = subtract_two(square(slope), x1, x2);
      LaneField y3 = subtract(multiply(slope, subtract_lazy(x1, x3)), y1);
      if constexpr (with_same_x) {
        LaneField infinity;
        set_zero(infinity);
        x3 = blend(groups_[group].opposite, x3, infinity);
        y3 = blend(groups_[group].opposite, y3, infinity);
      }
      store(group, 0, x3);
      store(group, kDegree, y3);
    }
  }

  std::size_t capacity_;
  std::vector<Pending> pending_;
  std::vector<Group> groups_;
  Stored pad_point_;
  std::array<Stored, 8> pad_targets_{};
};

}  // namespace proofline::math

#endif
