#include "math/ntt_lanes.hpp"

#if PROOFLINE_HAVE_IFMA

#include <algorithm>
#include <array>
#include <vector>

#include "math/fr_lanes.hpp"

namespace proofline::math {
namespace {

/// Levels done on a tile while it is in cache: 2^8 rows of 8 elements in lanes are 80 KiB.
constexpr unsigned kLevels = 8;

unsigned reverse(unsigned value, unsigned bits) {
  unsigned out = 0;
  for (unsigned i = 0; i < bits; ++i) out |= ((value >> i) & 1) << (bits - 1 - i);
  return out;
}

/// Levels [first, first + count): each block of n >> first elements, seen as 2^count rows of 2^low
/// columns, gets a transform of size 2^count down every column; then the element in (bit-reversed) row k
/// and column c is multiplied by omega_block^(k c), which leaves independent transforms of the rows.
class Pass {
 public:
  Pass(std::span<Fr> values, std::span<const Fr> twiddles, unsigned log_size, unsigned first, unsigned count,
       bool inverse)
      : values_(values),
        twiddles_(twiddles),
        first_(first),
        count_(count),
        low_(log_size - first - count),
        inverse_(inverse) {
    for (std::size_t i = 0; i < std::size_t{1} << (count - 1); ++i)
      powers_.push_back(as_factor(root(i << (log_size - count))));
  }

  std::size_t tiles() const { return (values_.size() >> count_) / 8; }

  PROOFLINE_IFMA void run(std::size_t tile, std::vector<FrLaneRow>& rows) const {
    const std::size_t num_rows = std::size_t{1} << count_;
    rows.resize(num_rows);
    if (low_ == 0) {
      // The last pass has no columns: eight blocks stand side by side instead.
      Fr* base = values_.data() + (tile << (count_ + 3));
      for (std::size_t r = 0; r < num_rows; ++r) put(rows[r], load(base + r, num_rows));
      levels(rows);
      for (std::size_t r = 0; r < num_rows; ++r) {
        FrLanes value = get(rows[r]);
        reduce_fully(value);
        store(value, base + r, num_rows);
      }
      return;
    }
    const std::size_t column = (tile << 3) & ((std::size_t{1} << low_) - 1);
    Fr* base = values_.data() + ((tile << 3) >> low_ << (low_ + count_)) + column;
    for (std::size_t r = 0; r < num_rows; ++r) put(rows[r], load(base + (r << low_), 1));
    levels(rows);
    std::array<Fr, 8> steps;
    for (std::size_t c = 0; c < 8; ++c) steps[c] = root((column + c) << first_);
    const FrLanes step = load_factors(steps.data(), 1);
    FrLanes twist = step;
    store(get(rows[0]), base, 1);
    for (unsigned k = 1; k < num_rows; ++k) {
      const std::size_t r = reverse(k, count_);
      store(multiply(get(rows[r]), twist), base + (r << low_), 1);
      twist = multiply(twist, step);
    }
  }

 private:
  /// omega^exponent or omega^-exponent, exponent <= n/2.
  Fr root(std::size_t exponent) const {
    // omega^-e = -omega^(n/2 - e)
    return inverse_ ? -twiddles_[twiddles_.size() - 1 - exponent] : twiddles_[exponent];
  }

  PROOFLINE_IFMA_INLINE void levels(std::vector<FrLaneRow>& rows) const {
    for (unsigned level = 0; level < count_; ++level) {
      const std::size_t half = std::size_t{1} << (count_ - 1 - level);
      for (std::size_t block = 0; block < rows.size(); block += 2 * half) {
        for (std::size_t r = 0; r < half; ++r) {
          const FrLanes u = get(rows[block + r]);
          const FrLanes v = get(rows[block + r + half]);
          put(rows[block + r], add(u, v));
          put(rows[block + r + half], multiply(subtract_lazy(u, v), broadcast<FrPrime>(powers_[r << level])));
        }
      }
    }
  }

  std::span<Fr> values_;
  std::span<const Fr> twiddles_;
  unsigned first_, count_, low_;
  bool inverse_;
  std::vector<FrLimbs> powers_;
};

PROOFLINE_IFMA void scale_block(std::span<Fr> values, const Fr& first, const Fr& step) {
  std::array<Fr, 8> starts;
  Fr power = first;
  for (Fr& start : starts) {
    start = power;
    power *= step;
  }
  FrLanes factor = load_factors(starts.data(), 1);
  const FrLanes eighth = broadcast<FrPrime>(as_factor(step.square().square().square()));
  for (std::size_t i = 0; i + 8 <= values.size(); i += 8) {
    FrLanes value = multiply(load(&values[i], 1), factor);
    reduce_fully(value);
    store(value, &values[i], 1);
    factor = multiply(factor, eighth);
  }
}

}  // namespace

void transform_lanes(std::span<Fr> values, std::span<const Fr> twiddles, unsigned log_size, bool inverse,
                     const Executor& exec) {
  for (unsigned first = 0; first < log_size;) {
    const unsigned passes = (log_size - first + kLevels - 1) / kLevels;
    const unsigned count = (log_size - first + passes - 1) / passes;
    const Pass pass(values, twiddles, log_size, first, count, inverse);
    exec.parallel_for(pass.tiles(), 4, [&](std::size_t begin, std::size_t end) {
      std::vector<FrLaneRow> rows;
      for (std::size_t tile = begin; tile < end; ++tile) pass.run(tile, rows);
    });
    first += count;
  }
}

void scale_by_powers_lanes(std::span<Fr> values, const Fr& scale, const Fr& step, const Executor& exec) {
  const std::size_t groups = values.size() / 8;
  exec.parallel_for(groups, 1 << 10, [&](std::size_t begin, std::size_t end) {
    scale_block(values.subspan(8 * begin, 8 * (end - begin)), scale * step.pow(8 * begin), step);
  });
  Fr power = scale * step.pow(8 * groups);
  for (std::size_t i = 8 * groups; i < values.size(); ++i, power *= step) values[i] *= power;
}

}  // namespace proofline::math

#endif
