#pragma once
/// Many multiples of one point, as setup needs them.
#include <span>
#include <vector>

#include "base/executor.hpp"
#include "math/curve.hpp"
#include "math/fr.hpp"

namespace proofline::math {

/// Holds all multiples digit * 2^(12 w) * base of signed 12-bit windows (22 windows of 2048 points: 4 MiB
/// in G1, 8 MiB in G2). A multiplication is then 22 batched affine additions.
template <class Point>
class FixedBase {
 public:
  using Affine = typename Point::Affine;
  FixedBase(const Affine& base, const Executor& exec);

  /// out[i] = scalars[i] * base. Spans have equal length. Variable time.
  void multiply(std::span<const Fr> scalars, std::span<Affine> out, const Executor& exec) const;

 private:
  template <class Kernel>
  void multiply_with(Kernel kernel, std::span<const Fr> scalars, std::span<Affine> out, const Executor& exec) const;
  std::vector<Affine> table_;
};

using FixedBaseG1 = FixedBase<G1>;
using FixedBaseG2 = FixedBase<G2>;

}  // namespace proofline::math
