#pragma once
/// Turns of host memory: the host fills (or empties) one slot while a stream still copies another. Plain C++.
#include "device/cuda/memory.hpp"

namespace proofline::cuda {

struct PinnedSlot {
  explicit PinnedSlot(std::size_t bytes) : memory(bytes) {}

  /// The memory as elements, as many as it holds.
  template <class T>
  std::span<T> as() const {
    return {reinterpret_cast<T*>(memory.bytes().data()), memory.bytes().size() / sizeof(T)};
  }

  PinnedBlock memory;
  Event done;  ///< recorded after the stream's last work with the memory; waiting returns at once before the first
};

}  // namespace proofline::cuda
