#pragma once
/// Access to the points of a PointView on the device.
#include "device/cuda/affine_rounds.hpp"
#include "device/cuda/points.cuh"

namespace proofline::cuda {

template <class F>
__device__ __forceinline__ const F& x_at(const PointView& points, std::uint32_t i) {
  return *reinterpret_cast<const F*>(points.x + std::size_t{i} * points.stride);
}
template <class F>
__device__ __forceinline__ const F& y_at(const PointView& points, std::uint32_t i) {
  return *reinterpret_cast<const F*>(points.y + std::size_t{i} * points.stride);
}
template <class F>
__device__ __forceinline__ Affine<F> point_at(const PointView& points, std::uint32_t i) {
  return {x_at<F>(points, i), y_at<F>(points, i)};
}
template <class F>
__device__ __forceinline__ void set_point(const PointTarget& points, std::uint32_t i, const F& x, const F& y) {
  *reinterpret_cast<F*>(points.x + std::size_t{i} * points.stride) = x;
  *reinterpret_cast<F*>(points.y + std::size_t{i} * points.stride) = y;
}

}  // namespace proofline::cuda
