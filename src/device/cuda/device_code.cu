#include <string>

#include "device/cuda/check.cuh"
#include "device/cuda/device_code.hpp"

namespace proofline::cuda {
namespace {

__global__ void any_kernel() {}

}  // namespace

void require_code_for_device(int index) {
  cudaFuncAttributes attributes;
  const cudaError_t status = cudaFuncGetAttributes(&attributes, any_kernel);
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  cudaDeviceProp card;
  check(cudaGetDeviceProperties(&card, index), "reading a device's properties");
  const std::string capability = std::to_string(card.major) + "." + std::to_string(card.minor);
  throw DeviceError(
      std::string(card.name) + " has compute capability " + capability + ", and this build has code for " +
      PROOFLINE_CUDA_ARCHITECTURES + " (" + cudaGetErrorString(status) +
      "): configure it with -DCMAKE_CUDA_ARCHITECTURES=" + std::to_string(card.major) + std::to_string(card.minor));
}

}  // namespace proofline::cuda
