#pragma once
/// Working memory of a sum or a partition, whose pieces are taken in one place, whether to use or only to count them.
/// Plain C++.
#include "device/cuda/stream.hpp"

namespace proofline::cuda {

/// Takes pieces in order from an arena; without one, only counts their bytes, and pieces are empty.
class Pieces {
 public:
  explicit Pieces(Arena* arena) : arena_(arena) {}

  template <class T>
  std::span<T> take(std::size_t count) {
    bytes_ += Arena::rounded(count * sizeof(T));
    return arena_ != nullptr ? arena_->take<T>(count) : std::span<T>();
  }
  /// That an arena must have for all pieces taken so far.
  std::size_t bytes() const { return bytes_; }

 private:
  Arena* arena_;
  std::size_t bytes_ = 0;
};

}  // namespace proofline::cuda
