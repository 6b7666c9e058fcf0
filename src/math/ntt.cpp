#include "math/ntt.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/secret.hpp"
#include "math/ntt_lanes.hpp"

namespace proofline::math {
namespace {

/// Levels done on one tile while it is in cache, and the columns (neighbours in memory) of a tile:
/// 2^8 rows of 8 elements are 64 KiB.
constexpr unsigned kTileLevels = 8;
constexpr std::size_t kTileColumns = 8;

enum class Direction { kForward, kInverse };

/// Decimation in frequency, natural order in, bit-reversed order out, over levels [first, first + count).
/// Level t splits blocks of n >> t elements: (u, v) -> (u + v, (u - v) * w^j).
class TilePass {
 public:
  TilePass(std::span<Fr> values, std::span<const Fr> twiddles, unsigned log_size, unsigned first, unsigned count)
      : values_(values),
        twiddles_(twiddles),
        first_(first),
        count_(count),
        low_bits_(log_size - first - count),
        columns_(std::min(kTileColumns, std::size_t{1} << low_bits_)) {}

  std::size_t tiles() const { return (values_.size() >> count_) / columns_; }

  template <Direction direction>
  void run(std::size_t tile, std::vector<Fr>& buffer) const {
    const std::size_t tiles_a_block = (std::size_t{1} << low_bits_) / columns_;
    const std::size_t low = tile % tiles_a_block * columns_;
    Fr* const base = values_.data() + (tile / tiles_a_block << (low_bits_ + count_)) + low;
    const std::size_t rows = std::size_t{1} << count_;
    if (low_bits_ == 0) return levels<direction>(base, low);
    buffer.resize(rows * columns_);
    for (std::size_t r = 0; r < rows; ++r) std::copy_n(base + (r << low_bits_), columns_, &buffer[r * columns_]);
    levels<direction>(buffer.data(), low);
    for (std::size_t r = 0; r < rows; ++r) std::copy_n(&buffer[r * columns_], columns_, base + (r << low_bits_));
  }

 private:
  template <Direction direction>
  void levels(Fr* tile, std::size_t low) const {
    const std::size_t half_size = twiddles_.size() - 1;
    for (unsigned level = 0; level < count_; ++level) {
      const std::size_t half = std::size_t{1} << (count_ - 1 - level);
      for (std::size_t block = 0; block < std::size_t{1} << count_; block += 2 * half) {
        for (std::size_t r = 0; r < half; ++r) {
          Fr* u = tile + (block + r) * columns_;
          Fr* v = u + half * columns_;
          std::size_t index = ((r << low_bits_) + low) << (first_ + level);
          for (std::size_t c = 0; c < columns_; ++c, index += std::size_t{1} << (first_ + level)) {
            const Fr sum = u[c] + v[c];
            // w^-j = -w^(n/2 - j), so that one table serves both directions.
            v[c] = direction == Direction::kForward ? (u[c] - v[c]) * twiddles_[index]
                                                    : (v[c] - u[c]) * twiddles_[half_size - index];
            u[c] = sum;
          }
        }
      }
    }
  }

  std::span<Fr> values_;
  std::span<const Fr> twiddles_;
  unsigned first_, count_, low_bits_;
  std::size_t columns_;
};

std::size_t reverse_bits(std::size_t value, unsigned bits) {
  std::size_t out = 0;
  for (std::size_t byte = 0; byte < 4; ++byte) {
    std::size_t b = (value >> (8 * byte)) & 0xff;
    b = (b & 0xf0) >> 4 | (b & 0x0f) << 4;
    b = (b & 0xcc) >> 2 | (b & 0x33) << 2;
    b = (b & 0xaa) >> 1 | (b & 0x55) << 1;
    out |= b << (8 * (3 - byte));
  }
  return bits == 0 ? 0 : out >> (32 - bits);
}

/// Swaps the elements whose indices are bit reversals of each other. An index is cut into three bits (row), a middle
/// part, and three bits (column): the 8 x 8 tile of a middle part goes, reversed, to the tile of the reversed middle
/// part, so that whole cache lines move.
class BitReversal {
 public:
  BitReversal(std::span<Fr> values, unsigned log_size) : values_(values), log_size_(log_size) {}

  std::size_t tiles() const { return values_.size() / kTile; }

  /// Exchanges the tile with its partner; does nothing when it is the partner's turn.
  void run(std::size_t tile) const {
    const std::size_t partner = reverse_bits(tile, log_size_ - 6);
    if (partner < tile) return;
    std::array<Fr, kTile> first, second;
    read(tile, first);
    if (partner != tile) {
      read(partner, second);
      write(tile, second);
    }
    write(partner, first);
  }

 private:
  static constexpr std::size_t kTile = 64;

  Fr* row(std::size_t tile, std::size_t r) const { return &values_[(r << (log_size_ - 3)) + (tile << 3)]; }
  void read(std::size_t tile, std::array<Fr, kTile>& out) const {
    for (std::size_t r = 0; r < 8; ++r) std::copy_n(row(tile, r), 8, &out[8 * r]);
  }
  void write(std::size_t tile, const std::array<Fr, kTile>& in) const {
    constexpr std::array<std::size_t, 8> kReversed = {0, 4, 2, 6, 1, 5, 3, 7};
    for (std::size_t r = 0; r < 8; ++r)
      for (std::size_t c = 0; c < 8; ++c) row(tile, r)[c] = in[8 * kReversed[c] + kReversed[r]];
  }

  std::span<Fr> values_;
  unsigned log_size_;
};

void permute_to_natural_order(std::span<Fr> values, unsigned log_size, const Executor& exec) {
  if (log_size >= 6) {
    const BitReversal reversal(values, log_size);
    exec.parallel_for(reversal.tiles(), 1 << 8, [&](std::size_t begin, std::size_t end) {
      for (std::size_t tile = begin; tile < end; ++tile) reversal.run(tile);
    });
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t j = reverse_bits(i, log_size);
    if (i < j) std::swap(values[i], values[j]);
  }
}

template <Direction direction>
void transform(std::span<Fr> values, std::span<const Fr> twiddles, unsigned log_size, const Executor& exec) {
#if PROOFLINE_HAVE_IFMA
  if (log_size >= kLaneTransformMinimum && ifma_available()) {
    transform_lanes(values, twiddles, log_size, direction == Direction::kInverse, exec);
    return permute_to_natural_order(values, log_size, exec);
  }
#endif
  for (unsigned first = 0; first < log_size;) {
    const unsigned passes = (log_size - first + kTileLevels - 1) / kTileLevels;
    const unsigned count = (log_size - first + passes - 1) / passes;
    const TilePass pass(values, twiddles, log_size, first, count);
    exec.parallel_for(pass.tiles(), 4, [&](std::size_t begin, std::size_t end) {
      std::vector<Fr> buffer;
      for (std::size_t tile = begin; tile < end; ++tile) pass.run<direction>(tile, buffer);
    });
    first += count;
  }
  permute_to_natural_order(values, log_size, exec);
}

/// values[i] *= scale * step^i
void scale_by_powers(std::span<Fr> values, const Fr& scale, const Fr& step, const Executor& exec) {
#if PROOFLINE_HAVE_IFMA
  if (ifma_available()) return scale_by_powers_lanes(values, scale, step, exec);
#endif
  exec.parallel_for(values.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
    Fr factor = scale * step.pow(begin);
    for (std::size_t i = begin; i < end; ++i, factor *= step) values[i] *= factor;
  });
}

}  // namespace

unsigned Domain::log_size_for(std::size_t n) {
  return n <= 1 ? 0 : static_cast<unsigned>(std::bit_width(n - 1));
}

Domain::Domain(unsigned log_size, const Executor& exec) : log_size_(log_size) {
  if (log_size > Fr::kTwoAdicity) {
    throw InputError("evaluation domain of 2^" + std::to_string(log_size) +
                     " elements: Fr has roots of unity up to 2^32 only");
  }
  // (r - 1) / 2^32, so that 7 raised to it generates the 2^32-th roots of unity.
  const Fr root = Fr::from_u64(7).pow(
      Fr::Limbs{0xfffe5bfeffffffffULL, 0x09a1d80553bda402ULL, 0x299d7d483339d808ULL, 0x0000000073eda753ULL});
  omega_ = root;
  for (unsigned i = log_size; i < Fr::kTwoAdicity; ++i) omega_ = omega_.square();
  twiddles_ = LargeArray<Fr>(size() / 2 + 1);
  exec.parallel_for(twiddles_.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
    std::fill_n(&twiddles_[begin], end - begin, Fr::one());
  });
  scale_by_powers(twiddles_.span(), Fr::one(), omega_, exec);
}

void Domain::forward(std::span<Fr> values, const Executor& exec) const {
  transform<Direction::kForward>(values, twiddles_.span(), log_size_, exec);
}

void Domain::inverse(std::span<Fr> values, const Executor& exec) const {
  transform<Direction::kInverse>(values, twiddles_.span(), log_size_, exec);
  scale_by_powers(values, Fr::from_u64(size()).inverse(), Fr::one(), exec);
}

void Domain::coset_forward(std::span<Fr> values, const Executor& exec) const {
  scale_by_powers(values, Fr::one(), coset_shift(), exec);
  forward(values, exec);
}

void Domain::coset_inverse(std::span<Fr> values, const Executor& exec) const {
  transform<Direction::kInverse>(values, twiddles_.span(), log_size_, exec);
  scale_by_powers(values, Fr::from_u64(size()).inverse(), coset_shift().inverse(), exec);
}

void Domain::to_coset(std::span<Fr> values, const Executor& exec) const {
  transform<Direction::kInverse>(values, twiddles_.span(), log_size_, exec);
  scale_by_powers(values, Fr::from_u64(size()).inverse(), coset_shift(), exec);
  forward(values, exec);
}

Fr Domain::vanishing(const Fr& tau) const {
  return tau.pow(size()) - Fr::one();
}

void Domain::lagrange_at(const Fr& tau, std::span<Fr> out, const Executor& exec) const {
  // L_i(tau) = (tau^n - 1) / n * omega^i / (tau - omega^i)
  // tau is setup's secret, and so is what gives it away.
  const Secret<Fr> scale(vanishing(tau) * Fr::from_u64(size()).inverse());
  constexpr std::size_t kBlock = 1 << 12;
  exec.parallel_for(out.size(), kBlock, [&](std::size_t begin, std::size_t end) {
    SecretVector<Fr> scratch(std::min(end - begin, kBlock));
    for (std::size_t start = begin; start < end; start += kBlock) {
      const std::span<Fr> block = out.subspan(start, std::min(kBlock, end - start));
      Fr power = omega_.pow(start);
      for (Fr& value : block) {
        value = tau - power;
        power *= omega_;
      }
      batch_inverse(block, scratch.span());
      Secret<Fr> numerator(*scale * omega_.pow(start));
      for (Fr& value : block) {
        value *= *numerator;
        *numerator *= omega_;
      }
    }
  });
}

}  // namespace proofline::math
