#include <algorithm>
#include <bit>
#include <cstring>

#include "device/cuda/msm.hpp"
#include "math/fp.hpp"

namespace proofline::cuda {
namespace {

/// Bits of a scalar and the carry of its signed digits.
constexpr unsigned kScalarBits = 256;
/// Costs in field products: an affine addition, what a bucket costs in the reduction, a round trip of launches.
constexpr double kAddition = 6.5, kBucket = 32, kWindow = 2e6;

void set_windows(MsmPlan& plan, unsigned windows) {
  plan.windows = windows;
  unsigned shift = 0;
  std::size_t bucket = 0;
  for (unsigned w = 0; w < windows; ++w) {
    plan.width[w] = kScalarBits / windows + (w < kScalarBits % windows ? 1 : 0);
    plan.shift[w] = shift;
    plan.bucket_begin[w] = bucket;
    shift += plan.width[w];
    bucket += std::size_t{1} << (plan.width[w] - 1);
  }
  plan.bucket_begin[windows] = bucket;
}

struct G1Form {
  using Field = math::Fp;
  static void set(math::G1& out, const Field& x, const Field& y, const Field& z) { out.p = {x.v, y.v, z.v}; }
};
struct G2Form {
  using Field = math::Fp2;
  static void set(math::G2& out, const Field& x, const Field& y, const Field& z) { out.p = {x.v, y.v, z.v}; }
};

/// With Z = ZZ, (X * ZZ, Y * ZZZ, ZZ) is the same point in Jacobian form, as ZZ^3 = ZZZ^2.
template <class Form, class Point>
Point finish(const MsmPlan& plan, std::span<const std::byte> sums) {
  Point total;
  for (unsigned w = plan.windows; w-- > 0;) {
    for (unsigned i = 0; i < plan.width[w]; ++i) total = total.doubled();
    typename Form::Field xyzz[4];
    std::memcpy(xyzz, sums.data() + w * kWindowSumBytes<Point>, sizeof xyzz);
    if (xyzz[2].is_zero()) continue;
    Point sum;
    Form::set(sum, xyzz[0] * xyzz[2], xyzz[1] * xyzz[3], xyzz[2]);
    total += sum;
  }
  return total;
}

}  // namespace

MsmPlan plan_msm(std::size_t points) {
  if (points >= std::size_t{1} << 30) throw InputError("msm: 2^30 points or more; do it in parts");
  MsmPlan plan, best;
  double best_cost = 0;
  for (unsigned windows = (kScalarBits + MsmPlan::kMaxWidth - 1) / MsmPlan::kMaxWidth; windows <= 43; ++windows) {
    set_windows(plan, windows);
    const double cost = kAddition * static_cast<double>(points) * windows +
                        kBucket * static_cast<double>(plan.bucket_begin[windows]) + kWindow * windows;
    if (best.windows == 0 || cost < best_cost) {
      best = plan;
      best_cost = cost;
    }
  }
  best.points = points;
  const std::size_t average = points * best.windows / best.bucket_begin[best.windows];
  best.rounds = average < 16 ? 0 : std::min(4, static_cast<int>(std::bit_width(average)) - 3);
  return best;
}

template <>
math::G1 finish_msm<math::G1>(const MsmPlan& plan, std::span<const std::byte> sums) {
  return finish<G1Form, math::G1>(plan, sums);
}
template <>
math::G2 finish_msm<math::G2>(const MsmPlan& plan, std::span<const std::byte> sums) {
  return finish<G2Form, math::G2>(plan, sums);
}

}  // namespace proofline::cuda
