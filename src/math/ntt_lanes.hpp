#pragma once
/// The transforms of ntt.hpp with AVX-512 IFMA, eight elements at a time. Call only when ifma_available().
#include "math/ifma.hpp"
#if PROOFLINE_HAVE_IFMA

#include <span>

#include "base/executor.hpp"
#include "math/fr.hpp"

namespace proofline::math {

/// Smaller transforms do not fill the lanes.
inline constexpr unsigned kLaneTransformMinimum = 12;

/// Decimation in frequency, natural order in, bit-reversed order out, for 2^log_size values and
/// log_size >= kLaneTransformMinimum. twiddles[i] = omega^i for i <= n/2. With `inverse`, omega^-1 takes
/// omega's place; nothing is divided by n.
void transform_lanes(std::span<Fr> values, std::span<const Fr> twiddles, unsigned log_size, bool inverse,
                     const Executor& exec);

/// values[i] *= scale * step^i
void scale_by_powers_lanes(std::span<Fr> values, const Fr& scale, const Fr& step, const Executor& exec);

}  // namespace proofline::math

#endif
