#pragma once
/// Points for tests.
#include <vector>

#include "math/curve.hpp"

namespace proofline::test {

/// `n` points of the subgroup, all different.
template <class Point>
std::vector<typename Point::Affine> some_points(std::size_t n) {
  std::vector<typename Point::Affine> out;
  Point point = Point::generator();
  for (std::size_t i = 0; i < n; ++i) {
    out.push_back(point.to_affine());
    point = point.doubled() + Point::generator();
  }
  return out;
}

}  // namespace proofline::test
