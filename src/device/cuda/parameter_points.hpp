#pragma once
/// A parameter file's points in device memory. Plain C++.
#include <cstddef>
#include <span>

#include "device/cuda/stream.hpp"
#include "math/curve.hpp"

namespace proofline::cuda {

/// The lists of groth16::MappedParameters in the file's order, affine in blst's Montgomery form, borrowed.
struct ParameterPoints {
  std::span<math::G1Affine> h, l, a, b_g1;
  std::span<math::G2Affine> b_g2;
};

/// How many points each list has.
struct ParameterCounts {
  std::size_t h = 0, l = 0, a = 0, b = 0;

  std::size_t bytes() const {
    using math::G1Affine;
    return Arena::rounded(h * sizeof(G1Affine)) + Arena::rounded(l * sizeof(G1Affine)) +
           Arena::rounded(a * sizeof(G1Affine)) + Arena::rounded(b * sizeof(G1Affine)) +
           Arena::rounded(b * sizeof(math::G2Affine));
  }
  /// Whether these are the sizes of the lists.
  bool fit(const ParameterPoints& points) const {
    return points.h.size() == h && points.l.size() == l && points.a.size() == a && points.b_g1.size() == b &&
           points.b_g2.size() == b;
  }
  ParameterPoints take(Arena& arena) const {
    ParameterPoints out;
    out.h = arena.take<math::G1Affine>(h);
    out.l = arena.take<math::G1Affine>(l);
    out.a = arena.take<math::G1Affine>(a);
    out.b_g1 = arena.take<math::G1Affine>(b);
    out.b_g2 = arena.take<math::G2Affine>(b);
    return out;
  }
};

}  // namespace proofline::cuda
