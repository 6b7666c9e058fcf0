#pragma once
/// CUDA's status codes to exceptions.
#include <cuda_runtime.h>

#include <string>

#include "device/cuda/stream.hpp"

namespace proofline::cuda {

inline void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw DeviceError(std::string(what) + ": " + cudaGetErrorString(status));
}
inline void check_launch(const char* kernel) {
  check(cudaGetLastError(), kernel);
}

inline unsigned blocks_for(std::size_t n, std::size_t threads) {
  return static_cast<unsigned>((n + threads - 1) / threads);
}

}  // namespace proofline::cuda
