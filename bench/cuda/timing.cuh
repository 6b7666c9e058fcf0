#pragma once
/// Times of device work by CUDA events.
#include <algorithm>
#include <array>

#include "device/cuda/check.cuh"

namespace proofline::cuda {

/// Milliseconds of `work`, which enqueues on the default stream: the median of five after one run that does not count.
template <class Work>
float median_ms(Work work) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "event");
  check(cudaEventCreate(&end), "event");
  std::array<float, 5> times{};
  work();
  for (float& time : times) {
    check(cudaEventRecord(begin), "event");
    work();
    check(cudaEventRecord(end), "event");
    check(cudaEventSynchronize(end), "waiting");
    check(cudaEventElapsedTime(&time, begin, end), "time");
  }
  check(cudaEventDestroy(begin), "event");
  check(cudaEventDestroy(end), "event");
  std::sort(times.begin(), times.end());
  return times[2];
}

}  // namespace proofline::cuda
