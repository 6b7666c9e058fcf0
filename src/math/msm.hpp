#pragma once
/// Multi-scalar multiplication: sum of scalar_i * point_i.
#include <cstdint>
#include <functional>
#include <span>

#include "base/executor.hpp"
#include "math/compact_scalars.hpp"
#include "math/curve.hpp"
#include "math/fr.hpp"

namespace proofline::math {

/// Sum over i of scalars[i] * points[i]. Spans have equal length; points are on the curve and may be
/// infinity or repeat. Zero and one scalars (and other small ones) never reach the buckets.
/// Pippenger with signed digits and batched affine additions; variable time.
G1 msm(std::span<const G1Affine> points, std::span<const Fr> scalars, const Executor& exec);
G2 msm(std::span<const G2Affine> points, std::span<const Fr> scalars, const Executor& exec);

/// Reads the points of a query with these ascending indices into `out` (of the same length), for example by decoding
/// them from a mapped parameter file. Called from several threads at once.
template <class Affine>
using PointReader = std::function<void(std::span<const std::uint32_t> indices, std::span<Affine> out)>;

/// As msm(), with the points brought by `reader` as they are needed, so that they never exist all at once. Points whose
/// scalar is zero are not asked for.
G1 msm(const PointReader<G1Affine>& reader, std::span<const Fr> scalars, const Executor& exec);
G2 msm(const PointReader<G2Affine>& reader, std::span<const Fr> scalars, const Executor& exec);

/// The next scalars of a list, valid until the next call; false at its end.
using ScalarSource = std::function<bool(CompactScalars& piece)>;

/// As msm(), for scalars most of which are bits: those select points straight from the bitmap, and only the field
/// elements reach buckets. They come in pieces, best of 2^16 and more; `max_fields` tells about how many field elements
/// there are in all.
G1 msm(const PointReader<G1Affine>& reader, const ScalarSource& scalars, std::size_t max_fields, const Executor& exec);
G2 msm(const PointReader<G2Affine>& reader, const ScalarSource& scalars, std::size_t max_fields, const Executor& exec);

/// The most memory that an msm() of that many full-size scalars takes for itself: buckets, digits and the points at
/// hand. Scalars that are bits take none. Defined for G1Affine and G2Affine.
template <class Affine>
std::uint64_t msm_scratch_bytes(std::size_t length, const Executor& exec);

/// Additions of points that an msm() of that many full-size scalars takes, and what costs as much. For estimates: the
/// more points, the wider the windows, and the fewer additions a point.
double msm_additions(std::size_t length);

}  // namespace proofline::math
