#pragma once
/// A round of affine additions with shared inversions, on the device. Plain C++.
/// A thread adds many pairs; the products of its denominators are inverted together with those of all threads
/// (Montgomery's trick on three levels), so that an addition costs 5 products, 1 square and a small share.
#include <cstdint>
#include <span>

#include "device/cuda/bucket_lists.hpp"
#include "device/cuda/stream.hpp"

namespace proofline::cuda {

/// Room for rounds of up to `pairs` additions. Field elements of `element` bytes.
struct RoundScratch {
  /// Threads of a round whose threads add fewer pairs than they could.
  static constexpr std::size_t kSmallRoundThreads = std::size_t{1} << 18;

  std::span<std::byte> before, products, inversion;
  std::size_t pairs = 0;

  /// Bytes of the three for so many pairs.
  struct Sizes {
    std::size_t before = 0, products = 0, inversion = 0;
  };
  static Sizes sizes(std::size_t pairs, std::size_t element) {
    // A thread adds 8 to 32 pairs; see pairs_of_thread().
    const std::size_t threads = pairs / 32 + 2 * kSmallRoundThreads;
    return {.before = pairs * element,
            .products = threads * element,
            .inversion = (threads + threads / 8 + 8192) * element};
  }
};

/// Where coordinates are: those of point i at x + i * stride and y + i * stride bytes. Sums are kept with all x before
/// all y, because the first pass of a round reads x alone and memory is read in pieces of 64 bytes.
struct PointView {
  const std::byte* x = nullptr;
  const std::byte* y = nullptr;
  std::uint32_t stride = 0;
};
struct PointTarget {
  std::byte* x = nullptr;
  std::byte* y = nullptr;
  std::uint32_t stride = 0;

  operator PointView() const { return {x, y, stride}; }
};

/// Affine points one after the other.
template <class Affine>
PointView view_of(const Affine* points) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(points);
  return {bytes, bytes + sizeof(Affine) / 2, sizeof(Affine)};
}
/// Room for as many affine points as fit, x before y.
template <class Affine>
PointTarget split_coordinates(std::span<Affine> room) {
  auto* const bytes = reinterpret_cast<std::byte*>(room.data());
  return {bytes, bytes + room.size_bytes() / 2, sizeof(Affine) / 2};
}

/// out[i] = points[left] + points[right] for i < *count, with *count <= most_pairs <= scratch.pairs. Complete:
/// infinity, equal and opposite points. Enqueued on the stream. Defined for G1Affine and G2Affine.
template <class Affine>
void add_pairs(PointView points, std::span<const PairReference> references, const std::uint32_t* count,
               std::size_t most_pairs, RoundScratch scratch, PointTarget out, Stream stream);

}  // namespace proofline::cuda
