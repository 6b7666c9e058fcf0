#include "device/cuda/memory.hpp"

#include <cuda_runtime_api.h>

#include "device/cuda/check.cuh"

namespace proofline::cuda {
namespace {

/// As check(). What is refused for want of memory is not left for the next check_launch() to find.
void require(cudaError_t status, const std::string& what) {
  if (status == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    throw OutOfDeviceMemory(what + ": " + cudaGetErrorString(status));
  }
  check(status, what.c_str());
}

}  // namespace

void DeviceFree::operator()(std::byte* memory) const noexcept {
  static_cast<void>(cudaFree(memory));
}
void PinnedFree::operator()(std::byte* memory) const noexcept {
  static_cast<void>(cudaFreeHost(memory));
}

DeviceBlock::DeviceBlock(std::size_t bytes) : size_(bytes) {
  if (bytes == 0) return;
  void* memory = nullptr;
  const std::string what = "device memory of " + std::to_string(bytes) + " bytes";
  require(cudaMalloc(&memory, bytes), what);
  memory_.reset(static_cast<std::byte*>(memory));
}

PinnedBlock::PinnedBlock(std::size_t bytes) : size_(bytes) {
  if (bytes == 0) return;
  void* memory = nullptr;
  const std::string what = "pinned memory of " + std::to_string(bytes) + " bytes";
  require(cudaHostAlloc(&memory, bytes, cudaHostAllocDefault), what);
  memory_.reset(static_cast<std::byte*>(memory));
}

OwnedStream::OwnedStream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
  stream_.reset(stream);
}
void OwnedStream::wait() const {
  check(cudaStreamSynchronize(stream_.get()), "work on the device");
}
void OwnedStream::Destroy::operator()(CUstream_st* stream) const noexcept {
  static_cast<void>(cudaStreamDestroy(stream));
}

Event::Event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventBlockingSync), "making an event");
  event_.reset(event);
}
void Event::record(Stream stream) const {
  check(cudaEventRecord(event_.get(), stream), "recording an event");
}
void Event::wait() const {
  check(cudaEventSynchronize(event_.get()), "work on the device");
}
void Event::hold(Stream stream) const {
  check(cudaStreamWaitEvent(stream, event_.get(), 0), "waiting for an event");
}
void Event::Destroy::operator()(CUevent_st* event) const noexcept {
  static_cast<void>(cudaEventDestroy(event));
}

int device_count() noexcept {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}
void use_device(int index) {
  check(cudaSetDevice(index), "choosing a device");
}
DeviceMemoryState device_memory() {
  DeviceMemoryState out;
  check(cudaMemGetInfo(&out.free, &out.total), "reading the device's memory");
  return out;
}

}  // namespace proofline::cuda
