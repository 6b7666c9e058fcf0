#pragma once
/// Values that must not outlive their use in memory.
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/large_array.hpp"

namespace proofline {

/// Overwrites the bytes in a way that the compiler keeps.
template <class T>
void wipe(std::span<T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (!values.empty()) explicit_bzero(values.data(), values.size_bytes());
}

/// One value, wiped when it goes out of scope. Temporaries of an expression are the compiler's and are not.
template <class T>
class Secret {
 public:
  explicit Secret(const T& value) : value_(value) {}
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  ~Secret() { wipe(std::span(&value_, 1)); }

  T& operator*() { return value_; }
  const T& operator*() const { return value_; }

 private:
  T value_;
};

/// A vector whose storage is wiped before it is released. Its size is fixed, so no copy is left behind
/// by growth.
template <class T>
class SecretVector {
 public:
  explicit SecretVector(std::size_t size) : values_(size) {}
  SecretVector(SecretVector&& other) noexcept : values_(std::exchange(other.values_, {})) {}
  SecretVector& operator=(SecretVector&&) = delete;
  ~SecretVector() { wipe(std::span<T>(values_)); }

  std::span<T> span() { return values_; }
  std::span<const T> span() const { return values_; }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  std::size_t size() const { return values_.size(); }

 private:
  std::vector<T> values_;
};

/// An array of many megabytes, zeroed at first, that is wiped before it is released.
template <class T>
class SecretArray {
 public:
  explicit SecretArray(std::size_t size) : values_(size) {}
  SecretArray(SecretArray&& other) noexcept = default;
  SecretArray& operator=(SecretArray&&) = delete;
  ~SecretArray() { wipe(values_.span()); }

  std::span<T> span() { return values_.span(); }
  std::span<const T> span() const { return values_.span(); }
  std::size_t size() const { return values_.size(); }

 private:
  LargeArray<T> values_;
};

}  // namespace proofline
