#pragma once
/// Arrays of many megabytes.
#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace proofline {

/// Zeroed memory from the system, in huge pages where it has them. Pages come when they are first touched: the threads
/// that fill an array share that work, where a vector's constructor would do it on one.
class LargeMemory {
 public:
  LargeMemory() = default;
  /// Throws std::bad_alloc.
  explicit LargeMemory(std::size_t bytes);
  LargeMemory(LargeMemory&& other) noexcept
      : at_(std::exchange(other.at_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  LargeMemory& operator=(LargeMemory&& other) noexcept {
    std::swap(at_, other.at_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~LargeMemory();

  std::byte* data() const { return at_; }

 private:
  std::byte* at_ = nullptr;
  std::size_t size_ = 0;
};

/// `size` elements whose bytes are all zero.
template <class T>
class LargeArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  LargeArray() = default;
  explicit LargeArray(std::size_t size) : memory_(size * sizeof(T)), size_(size) {}
  LargeArray(LargeArray&& other) noexcept : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  LargeArray& operator=(LargeArray&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    return *this;
  }

  T* data() const { return reinterpret_cast<T*>(memory_.data()); }
  std::size_t size() const { return size_; }
  /// Forgets the elements from `size` on; the memory stays.
  void truncate(std::size_t size) { size_ = std::min(size, size_); }
  T& operator[](std::size_t i) const { return data()[i]; }
  std::span<T> span() const { return {data(), size_}; }

 private:
  LargeMemory memory_;
  std::size_t size_ = 0;
};

}  // namespace proofline
