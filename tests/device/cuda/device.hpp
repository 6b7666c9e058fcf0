#pragma once
/// Device memory and the check for a device, for the tests of CUDA code.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace proofline::test {

inline void cuda_check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

inline bool has_device() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

#define PROOFLINE_NEEDS_DEVICE() \
  if (!::proofline::test::has_device()) GTEST_SKIP() << "no CUDA device here; this test needs one"

/// How many random cases a test makes: PROOFLINE_CUDA_CASES in the environment (scripts/gpu_checks.sh sets it), else
/// `few`.
inline int random_cases(int few) {
  const char* const wanted = std::getenv("PROOFLINE_CUDA_CASES");
  return wanted == nullptr ? few : std::atoi(wanted);
}

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t n) : size_(n) {
    void* memory = nullptr;
    cuda_check(cudaMalloc(&memory, n * sizeof(T) + 1));
    memory_ = static_cast<T*>(memory);
    // What nobody wrote shall not look like zeros.
    cuda_check(cudaMemset(memory, 0xa5, n * sizeof(T) + 1));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    cuda_check(cudaMemcpy(memory_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(memory_); }

  std::span<T> span() const { return {memory_, size_}; }
  /// Waits for the device.
  std::vector<T> host() const {
    cuda_check(cudaDeviceSynchronize());
    std::vector<T> out(size_);
    cuda_check(cudaMemcpy(out.data(), memory_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return out;
  }
  void set(std::span<const T> values) {
    cuda_check(cudaMemcpy(memory_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice));
  }

 private:
  T* memory_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace proofline::test
