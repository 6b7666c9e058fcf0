#pragma once
/// What the CUDA kernels' host functions take: a stream and an arena of device memory. Plain C++.
#include <cstddef>
#include <span>

#include "base/error.hpp"

struct CUstream_st;

namespace proofline::cuda {

/// A CUDA call or launch failed; the message names the call and CUDA's reason.
class DeviceError : public Error {
 public:
  using Error::Error;
};

/// There is too little device memory; the message names the bytes.
class OutOfDeviceMemory : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

/// A CUDA stream (cudaStream_t). Borrowed.
using Stream = CUstream_st*;

/// Hands out pieces of one block of device memory, from its start on; reset by making a new one. Borrowed memory.
class Arena {
 public:
  /// Pieces begin at multiples of this many bytes.
  static constexpr std::size_t kAlignment = 256;

  explicit Arena(std::span<std::byte> memory) : memory_(memory) {}

  /// Throws InputError when the block is too small.
  template <class T>
  std::span<T> take(std::size_t count) {
    const std::size_t bytes = rounded(count * sizeof(T));
    if (bytes > memory_.size()) throw InputError("device arena: too small for the work it was given to");
    T* const at = reinterpret_cast<T*>(memory_.data());
    memory_ = memory_.subspan(bytes);
    return {at, count};
  }
  /// Bytes that take() uses for a piece of this many.
  static constexpr std::size_t rounded(std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

 private:
  std::span<std::byte> memory_;
};

}  // namespace proofline::cuda
