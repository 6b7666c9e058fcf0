#include "device/cuda/fixed_base.hpp"

namespace proofline::cuda {

template <class Point>
std::vector<typename Point::Affine> fixed_base_table(const typename Point::Affine& base, const Executor& exec) {
  std::vector<typename Point::Affine> starts(kFixedBaseWindows);
  Point power(base);
  for (auto& start : starts) {
    start = power.to_affine();
    for (unsigned i = 0; i < kFixedBaseBits; ++i) power = power.doubled();
  }
  std::vector<typename Point::Affine> table(kFixedBaseMultiples);
  exec.parallel_for(kFixedBaseWindows, 1, [&](std::size_t begin, std::size_t end) {
    std::vector<Point> multiples(kFixedBaseDigits);
    for (std::size_t w = begin; w < end; ++w) {
      Point multiple;
      for (Point& entry : multiples) entry = multiple += starts[w];
      math::to_affine(multiples, std::span(table).subspan(w * kFixedBaseDigits, kFixedBaseDigits), Executor(1));
    }
  });
  return table;
}

template std::vector<math::G1Affine> fixed_base_table<math::G1>(const math::G1Affine& base, const Executor& exec);
template std::vector<math::G2Affine> fixed_base_table<math::G2>(const math::G2Affine& base, const Executor& exec);

}  // namespace proofline::cuda
