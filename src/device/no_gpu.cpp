// For builds without CUDA.
#include "device/gpu.hpp"

namespace proofline::device {

bool built_for_gpus() {
  return false;
}

std::vector<Gpu> gpus() {
  return {};
}

std::unique_ptr<GpuBackend> make_gpu_backend(const GpuOptions&, const Executor&) {
  throw Error("this build has no code for GPUs: configure it with -DPROOFLINE_CUDA=ON where CUDA's compiler is");
}

}  // namespace proofline::device
