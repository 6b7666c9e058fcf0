#pragma once
/// The two ways to add many affine points, behind one interface, so that MSM and fixed-base code is
/// written once. with_point_kernel() picks the fastest that this processor runs.
#include <span>
#include <vector>

#include "base/executor.hpp"
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

  /// The points in the form that Adder takes; `buffer` may hold them.
  static std::span<const Stored> load(std::span<const Affine> points, std::vector<Stored>&, const Executor&) {
    return points;
  }
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

  static std::span<const Stored> load(std::span<const Affine> points, std::vector<Stored>& buffer,
                                      const Executor& exec) {
    if (buffer.size() < points.size()) buffer.resize(points.size());
    exec.parallel_for(points.size(), 1 << 10, [&](std::size_t begin, std::size_t end) {
      from_affine<Affine>(points.subspan(begin, end - begin), std::span(buffer).subspan(begin, end - begin));
    });
    return std::span<const Stored>(buffer).first(points.size());
  }
  static void unload(std::span<const Stored> in, std::span<Affine> out) { to_affine<Affine>(in, out); }
};
#endif

/// Calls use(kernel) with the kernel for `Point` and returns what it returns.
template <class Point, class Use>
auto with_point_kernel(const Use& use) {
#if PROOFLINE_HAVE_IFMA
  if (ifma_available()) return use(LaneKernel<Point>{});
#endif
  return use(PortableKernel<Point>{});
}

}  // namespace proofline::math
