#pragma once
/// The two ways to add many affine points, behind one interface, so that MSM and fixed-base code is
/// written once. with_point_kernel() picks the fastest that this processor runs.
#include <algorithm>
#include <cstddef>
#include <span>

#include "math/batch_affine.hpp"
#include "math/batch_affine_lanes.hpp"

namespace proofline::math {

/// Points as they are, blst's arithmetic.
template <class PointType>
struct PortableKernel {
  using Point = PointType;
  using Affine = typename Point::Affine;
  using Stored = Affine;
  using Adder = BatchAdder<Affine>;

  /// Points to the form that Adder takes, and back. Spans have equal length.
  static void load(std::span<const Affine> in, std::span<Stored> out) { std::copy(in.begin(), in.end(), out.begin()); }
  static void unload(std::span<const Stored> in, std::span<Affine> out) {
    std::copy(in.begin(), in.end(), out.begin());
  }
};

#if PROOFLINE_HAVE_IFMA
/// Points in 52-bit limbs, eight additions at a time.
template <class PointType>
struct LaneKernel {
  using Point = PointType;
  using Affine = typename Point::Affine;
  using Stored = LanePoint<Affine>;
  using Adder = LaneBatchAdder<Affine>;

  static void load(std::span<const Affine> in, std::span<Stored> out) { from_affine<Affine>(in, out); }
  static void unload(std::span<const Stored> in, std::span<Affine> out) { to_affine<Affine>(in, out); }
};
#endif

/// Fetches all of a point into cache.
template <class Stored>
void prefetch(const Stored& point) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&point);
  for (std::size_t line = 0; line < sizeof(Stored); line += 64) __builtin_prefetch(bytes + line);
}

/// Calls use(kernel) with the kernel for `Point` and returns what it returns.
template <class Point, class Use>
auto with_point_kernel(const Use& use) {
#if PROOFLINE_HAVE_IFMA
  if (ifma_available()) return use(LaneKernel<Point>{});
#endif
  return use(PortableKernel<Point>{});
}

}  // namespace proofline::math
