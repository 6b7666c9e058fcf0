#pragma once
/// Polynomials at a point, computed on the device without any transform. Plain C++; all spans are device memory.
#include <cstdint>
#include <span>

#include "device/cuda/stream.hpp"
#include "math/fr.hpp"

namespace proofline::cuda {

/// Values below 2^254 that depend on the seed and their index.
void fill_random(std::span<math::Fr> out, std::uint64_t seed, Stream stream);
/// sum of coefficients[i] * tau^i; coefficients[i] lies at the bit reversal of i when `reversed`.
math::Fr at_point(std::span<const math::Fr> coefficients, const math::Fr& tau, bool reversed, Stream stream);
/// The polynomial that has these values on shift * <omega>, at tau; order as above.
math::Fr at_point_by_values(std::span<const math::Fr> values, const math::Fr& omega, const math::Fr& shift,
                            const math::Fr& tau, bool reversed, Stream stream);
/// Products of Fr a second over the whole device, and bytes read and written a second by a copy.
double products_a_second(Stream stream);
double copied_bytes_a_second(Stream stream);

}  // namespace proofline::cuda
