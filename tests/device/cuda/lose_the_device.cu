#include <cuda_runtime.h>

namespace proofline::test {
namespace {

__global__ void trap() {
  __trap();
}

}  // namespace

void lose_the_device() {
  trap<<<1, 1>>>();
  static_cast<void>(cudaDeviceSynchronize());
}

}  // namespace proofline::test
