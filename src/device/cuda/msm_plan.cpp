#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "device/cuda/bit_sum.hpp"
#include "device/cuda/msm.hpp"
#include "math/fp.hpp"

namespace proofline::cuda {
namespace {

/// Bits of a scalar and the carry of its signed digits.
constexpr unsigned kScalarBits = 256;
/// Costs in field products: an affine addition, what a bucket costs (its last round and the reduction), a set's
/// launches.
constexpr double kAddition = 7, kBucket = 40, kSet = 8e6;

void set_windows(MsmPlan& plan, unsigned sets, unsigned copy_bits) {
  plan.sets = sets;
  plan.copy_bits = copy_bits;
  unsigned shift = 0;
  std::size_t bucket = 0;
  for (unsigned s = 0; s < sets; ++s) {
    plan.width[s] = copy_bits / sets + (s < copy_bits % sets ? 1 : 0);
    plan.shift[s] = shift;
    plan.bucket_begin[s] = bucket;
    shift += plan.width[s];
    bucket += std::size_t{1} << (plan.width[s] - 1);
  }
  plan.bucket_begin[sets] = bucket;
}

/// Enough that few lists of a random set have more than one point left.
unsigned rounds_for(double items, double buckets) {
  const double average = items / buckets;
  const double most = average + 4.5 * std::sqrt(average) + 3;
  return static_cast<unsigned>(std::ceil(std::log2(most)));
}

double cost(const MsmPlan& plan, std::size_t points) {
  double windows = 0;
  for (unsigned s = 0; s < plan.sets; ++s) windows += plan.windows(s);
  return kAddition * static_cast<double>(points) * windows +
         kBucket * static_cast<double>(plan.bucket_begin[plan.sets]) + kSet * plan.sets;
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
Point from_xyzz(std::span<const std::byte> bytes) {
  typename Form::Field xyzz[4];
  if (bytes.size() < sizeof xyzz) throw InputError("a sum from the device is cut short");
  std::memcpy(xyzz, bytes.data(), sizeof xyzz);
  Point out;
  if (!xyzz[2].is_zero()) Form::set(out, xyzz[0] * xyzz[2], xyzz[1] * xyzz[3], xyzz[2]);
  return out;
}

template <class Form, class Point>
Point finish(const MsmPlan& plan, std::span<const std::byte> sums) {
  Point total;
  for (unsigned s = plan.sets; s-- > 0;) {
    for (unsigned i = 0; i < plan.width[s]; ++i) total = total.doubled();
    total += from_xyzz<Form, Point>(sums.subspan(s * kSetSumBytes<Point>));
  }
  return total;
}

}  // namespace

MsmPlan plan_msm(std::size_t points, unsigned copies) {
  if (copies == 0 || copies > MsmPlan::kMaxCopies) throw InputError("msm: the number of copies must be 1 to 8");
  if (points >= (std::size_t{1} << 30) / copies) throw InputError("msm: 2^30 points or more; do it in parts");
  MsmPlan plan, best;
  plan.copies = copies;
  double best_cost = 0;
  const unsigned least = (kScalarBits + copies - 1) / copies;
  // More bits than needed let the last copies skip windows.
  for (unsigned bits = least; bits <= least + (copies > 1 ? 32 : 0); ++bits) {
    for (unsigned sets = 1; sets <= 43; ++sets) {
      const unsigned widest = (bits + sets - 1) / sets;
      if (widest > MsmPlan::kMaxWidth || widest < 3) continue;
      set_windows(plan, sets, bits);
      const double now = cost(plan, points);
      if (best.sets == 0 || now < best_cost) {
        best = plan;
        best_cost = now;
      }
    }
  }
  best.points = points;
  for (unsigned s = 0; s < best.sets; ++s) {
    const auto items = static_cast<double>(points * best.windows(s));
    best.rounds[s] = rounds_for(items, static_cast<double>(best.bucket_begin[s + 1] - best.bucket_begin[s]));
  }
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

template <>
math::G1 finish_bit_sum<math::G1>(std::span<const std::byte> sum) {
  return from_xyzz<G1Form, math::G1>(sum);
}
template <>
math::G2 finish_bit_sum<math::G2>(std::span<const std::byte> sum) {
  return from_xyzz<G2Form, math::G2>(sum);
}

}  // namespace proofline::cuda
