#pragma once
/// Owners of what a device gives: memory, pinned host memory, streams, events. Plain C++. Made at start-up: making and
/// freeing may wait for the whole device, so that the hot path does neither. All of them belong to the device that was
/// current when they were made. Constructors throw DeviceError when CUDA refuses.
#include <cstddef>
#include <memory>
#include <span>

#include "device/cuda/stream.hpp"

struct CUevent_st;

namespace proofline::cuda {

/// Frees with CUDA's function for the kind of memory; errors of freeing are ignored.
struct DeviceFree {
  void operator()(std::byte* memory) const noexcept;
};
struct PinnedFree {
  void operator()(std::byte* memory) const noexcept;
};

/// A block of memory of a device. Contents are undefined.
class DeviceBlock {
 public:
  DeviceBlock() = default;
  explicit DeviceBlock(std::size_t bytes);
  std::span<std::byte> bytes() const { return {memory_.get(), size_}; }

 private:
  std::unique_ptr<std::byte, DeviceFree> memory_;
  std::size_t size_ = 0;
};

/// A block of host memory that copies of streams read and write without the host's help.
class PinnedBlock {
 public:
  PinnedBlock() = default;
  explicit PinnedBlock(std::size_t bytes);
  std::span<std::byte> bytes() const { return {memory_.get(), size_}; }

 private:
  std::unique_ptr<std::byte, PinnedFree> memory_;
  std::size_t size_ = 0;
};

/// A stream that does not wait for the default stream.
class OwnedStream {
 public:
  OwnedStream();
  Stream get() const { return stream_.get(); }
  /// Waits until everything enqueued so far is done. Throws DeviceError when any of it failed.
  void wait() const;

 private:
  struct Destroy {
    void operator()(CUstream_st* stream) const noexcept;
  };
  std::unique_ptr<CUstream_st, Destroy> stream_;
};

/// A place in a stream that others can wait for. No timing.
class Event {
 public:
  Event();
  void record(Stream stream) const;
  /// The host waits. Throws DeviceError when work before the event failed.
  void wait() const;
  /// The stream's later work waits.
  void hold(Stream stream) const;

 private:
  struct Destroy {
    void operator()(CUevent_st* event) const noexcept;
  };
  std::unique_ptr<CUevent_st, Destroy> event_;
};

/// How many devices there are; 0 where there is no driver.
int device_count() noexcept;
/// Makes a device the calling thread's current one.
void use_device(int index);
struct DeviceMemoryState {
  std::size_t free = 0, total = 0;
};
/// Of the current device.
DeviceMemoryState device_memory();

}  // namespace proofline::cuda
