#include "math/fixed_base.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/secret.hpp"
#include "math/point_kernels.hpp"
#include "math/signed_digits.hpp"

namespace proofline::math {
namespace {

constexpr unsigned kWindow = 12;
constexpr unsigned kWindows = signed_windows(kWindow);
constexpr std::size_t kMultiples = std::size_t{1} << (kWindow - 1);
/// Scalars that go through the windows together, sharing their inversions.
constexpr std::size_t kTogether = 512;
/// Additions ahead of which a multiple is fetched into cache.
constexpr std::size_t kPrefetch = 16;

}  // namespace

template <class Point>
FixedBase<Point>::FixedBase(const Affine& base, const Executor& exec) : table_(kWindows * kMultiples) {
  std::vector<Affine> starts(kWindows);
  Point power(base);
  for (unsigned w = 0; w < kWindows; ++w) {
    starts[w] = power.to_affine();
    for (unsigned i = 0; i < kWindow; ++i) power = power.doubled();
  }
  exec.parallel_for(kWindows, 1, [&](std::size_t begin, std::size_t end) {
    std::vector<Point> multiples(kMultiples);
    for (std::size_t w = begin; w < end; ++w) {
      Point multiple;
      for (Point& entry : multiples) entry = multiple += starts[w];
      to_affine(multiples, std::span(table_).subspan(w * kMultiples, kMultiples), Executor(1));
    }
  });
}

template <class Point>
void FixedBase<Point>::multiply(std::span<const Fr> scalars, std::span<Affine> out, const Executor& exec) const {
  with_point_kernel<Point>([&](auto kernel) { multiply_with(kernel, scalars, out, exec); });
}

template <class Point>
template <class Kernel>
void FixedBase<Point>::multiply_with(Kernel, std::span<const Fr> scalars, std::span<Affine> out,
                                     const Executor& exec) const {
  using Stored = typename Kernel::Stored;
  std::vector<Stored> table(table_.size());
  exec.parallel_for(table.size(), 1 << 10, [&](std::size_t begin, std::size_t end) {
    Kernel::load(std::span(table_).subspan(begin, end - begin), std::span(table).subspan(begin, end - begin));
  });
  exec.parallel_for(scalars.size(), kTogether, [&](std::size_t begin, std::size_t end) {
    typename Kernel::Adder adder(kTogether);
    SecretVector<std::int32_t> digits(kWindows * kTogether);  // setup's scalars are secret
    std::vector<Stored> sums(kTogether);
    for (std::size_t start = begin; start < end; start += kTogether) {
      const std::size_t count = std::min(kTogether, end - start);
      for (std::size_t i = 0; i < count; ++i) {
        const Secret<SignedScalar> scalar{SignedScalar(scalars[start + i])};
        signed_digits((*scalar).limbs, kWindow, kWindows, [&](unsigned w, std::int32_t digit) {
          digits[w * kTogether + i] = (*scalar).negative ? -digit : digit;
        });
        sums[i] = Stored{};
      }
      for (unsigned w = 0; w < kWindows; ++w) {
        const auto multiple = [&](std::size_t i) {
          const auto size = static_cast<std::size_t>(std::abs(digits[w * kTogether + i]));
          return &table[w * kMultiples + std::max<std::size_t>(size, 1) - 1];
        };
        for (std::size_t i = 0; i < count; ++i) {
          if (i + kPrefetch < count) prefetch(*multiple(i + kPrefetch));
          const std::int32_t digit = digits[w * kTogether + i];
          if (digit != 0) adder.add(&sums[i], *multiple(i), digit < 0);
        }
        adder.flush();
      }
      Kernel::unload(std::span<const Stored>(sums).first(count), out.subspan(start, count));
    }
  });
}

template class FixedBase<G1>;
template class FixedBase<G2>;

}  // namespace proofline::math
