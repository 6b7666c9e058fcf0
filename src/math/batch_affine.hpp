#pragma once
/// Affine point additions, many at a time with one shared inversion: about 6 products an addition
/// instead of the 11 of a mixed Jacobian addition.
#include <cstddef>
#include <vector>

#include "math/curve.hpp"
#include "math/fp.hpp"

namespace proofline::math {

/// The coordinate field of an affine point type.
template <class Affine>
struct CoordinateField;
template <>
struct CoordinateField<G1Affine> {
  using Type = Fp;
};
template <>
struct CoordinateField<G2Affine> {
  using Type = Fp2;
};

/// Collects additions *target += (negate ? -point : point) and does them when full or flushed. Targets of
/// pending additions must be distinct: flush() before adding to the same target again. Exact for every
/// case: infinity on either side, equal and opposite points.
template <class Affine>
class BatchAdder {
 public:
  using Field = typename CoordinateField<Affine>::Type;

  explicit BatchAdder(std::size_t capacity) { pending_.reserve(capacity); }

  /// Precondition: !full().
  void add(Affine* target, const Affine& point, bool negate) {
    if (point.is_infinity()) return;
    const Field x{point.p.x};
    const Field y = negate ? -Field{point.p.y} : Field{point.p.y};
    if (target->is_infinity()) {
      target->p.x = x.v;
      target->p.y = y.v;
      return;
    }
    const Field target_x{target->p.x};
    Field denominator = x - target_x;
    Field numerator = y - Field{target->p.y};
    if (denominator.is_zero()) {
      if (!numerator.is_zero()) {  // opposite points
        *target = Affine{};
        return;
      }
      denominator = y + y;  // no point of odd order has y = 0
      const Field square = x.square();
      numerator = square + square + square;
    }
    product_ = pending_.empty() ? denominator : product_ * denominator;
    pending_.push_back({target, x, numerator, denominator, product_});
  }

  bool full() const { return pending_.size() == pending_.capacity(); }
  std::size_t size() const { return pending_.size(); }

  void flush() {
    if (pending_.empty()) return;
    Field inverse = product_.inverse();
    for (std::size_t i = pending_.size(); i-- > 0;) {
      const Pending& entry = pending_[i];
      Field slope = entry.numerator;
      if (i == 0) {
        slope = slope * inverse;
      } else {
        slope = slope * (inverse * pending_[i - 1].product);
        inverse = inverse * entry.denominator;
      }
      const Field x1{entry.target->p.x};
      const Field x3 = slope.square() - x1 - entry.x;
      const Field y3 = slope * (x1 - x3) - Field{entry.target->p.y};
      entry.target->p.x = x3.v;
      entry.target->p.y = y3.v;
    }
    pending_.clear();
  }

 private:
  struct Pending {
    Affine* target;
    Field x;
    Field numerator, denominator;
    Field product;  ///< of all denominators so far
  };
  std::vector<Pending> pending_;
  Field product_;
};

/// Sum of the points, overwriting them: a tree of batched additions.
template <class Point, class Adder>
Point sum_in_place(std::span<Point> points, Adder& adder) {
  while (points.size() > 1) {
    const std::size_t half = (points.size() + 1) / 2;
    for (std::size_t i = half; i < points.size(); ++i) {
      if (adder.full()) adder.flush();
      adder.add(&points[i - half], points[i], false);
    }
    adder.flush();
    points = points.first(half);
  }
  return points.empty() ? Point{} : points[0];
}

}  // namespace proofline::math
