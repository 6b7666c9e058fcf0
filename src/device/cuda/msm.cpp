#include "device/cuda/msm.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>

#include "device/cuda/affine_rounds.hpp"
#include "device/cuda/bucket_lists.hpp"
#include "device/cuda/bucket_sums.hpp"
#include "device/cuda/check.cuh"
#include "device/cuda/pieces.hpp"

namespace proofline::cuda {
namespace {

constexpr std::size_t kPartial = 32;

/// All device memory of one sum, in the order in which it is taken.
template <class Point>
struct MsmMemory {
  using Affine = typename Point::Affine;
  std::uint32_t* shifted;
  BucketLists lists;
  RoundScratch rounds;
  PointTarget sums[2];
  Affine* buckets;
  BucketSumScratch reduction;

  MsmMemory(const MsmPlan& plan, Pieces& pieces) {
    const std::size_t items = plan.items();
    const std::size_t most = std::size_t{1} << (plan.width[0] - 1);
    // As pair_neighbours() bounds them.
    const std::size_t half = std::min(items, (items + most) / 2);
    const std::size_t quarter = std::min(half, (half + most) / 2);
    shifted = pieces.take<std::uint32_t>(8 * plan.points).data();
    for (int i = 0; i < 2; ++i) {
      lists.pairs.keys[i] = pieces.take<std::uint32_t>(items);
      lists.pairs.values[i] = pieces.take<std::uint32_t>(items);
      lists.offsets[i] = pieces.take<std::uint32_t>(most + 1);
    }
    lists.references = pieces.take<PairReference>(half);
    lists.scratch = pieces.take<std::byte>(sort_scratch_bytes(std::max(items, most + 1)));
    const RoundScratch::Sizes sizes = RoundScratch::sizes(half, sizeof(Affine) / 2);
    rounds.before = pieces.take<std::byte>(sizes.before);
    rounds.products = pieces.take<std::byte>(sizes.products);
    rounds.inversion = pieces.take<std::byte>(sizes.inversion);
    rounds.pairs = half;
    sums[0] = split_coordinates(pieces.take<Affine>(half));
    sums[1] = split_coordinates(pieces.take<Affine>(quarter));
    buckets = pieces.take<Affine>(plan.bucket_begin[plan.sets]).data();
    const std::size_t point = kSetSumBytes<Point>;
    reduction.long_lists = pieces.take<std::byte>(4 * (most + 1));
    reduction.parts = pieces.take<std::byte>(point * plan.sets * parts_of(plan));
    reduction.partial = pieces.take<std::byte>(point * plan.sets * kPartial);
    reduction.sums = pieces.take<std::byte>(point * plan.sets);
  }
};

template <class Point>
void add_set(const MsmPlan& plan, unsigned s, const typename Point::Affine* points, MsmMemory<Point>& m,
             Stream stream) {
  make_lists(plan, s, m.shifted, m.lists, stream);
  PointView from = view_of(points);
  for (unsigned r = 0; r < plan.rounds[s]; ++r) {
    pair_neighbours(m.lists, r == 0, stream);
    add_pairs<typename Point::Affine>(from, m.lists.references, m.lists.begin() + m.lists.buckets, m.lists.items,
                                      m.rounds, m.sums[r % 2], stream);
    from = m.sums[r % 2];
  }
  collect_buckets(plan, s, m.lists, from, m.reduction, m.buckets + plan.bucket_begin[s], stream);
}

}  // namespace

template <class Point>
std::size_t msm_device_bytes(const MsmPlan& plan) {
  Pieces pieces(nullptr);
  const MsmMemory<Point> counted(plan, pieces);
  return pieces.bytes();
}

template <class Point>
void enqueue_msm(const MsmPlan& plan, std::span<const typename Point::Affine> points, std::span<const math::Fr> scalars,
                 Arena arena, std::span<std::byte> set_sums, Stream stream) {
  if (points.size() != plan.items() || scalars.size() != plan.points) {
    throw InputError("msm: the plan is for another number of points");
  }
  if (set_sums.size() < plan.sets * kSetSumBytes<Point>) throw InputError("msm: too little room for the sums");
  if (plan.points == 0) {
    std::fill(set_sums.begin(), set_sums.end(), std::byte{0});
    return;
  }
  Pieces pieces(&arena);
  MsmMemory<Point> m(plan, pieces);
  shift_scalars(plan, scalars, m.shifted, stream);
  for (unsigned s = 0; s < plan.sets; ++s) add_set(plan, s, points.data(), m, stream);
  weighted_sums(plan, static_cast<const typename Point::Affine*>(m.buckets), m.reduction, stream);
  check(cudaMemcpyAsync(set_sums.data(), m.reduction.sums.data(), plan.sets * kSetSumBytes<Point>,
                        cudaMemcpyDeviceToHost, stream),
        "copying the sums");
}

template std::size_t msm_device_bytes<math::G1>(const MsmPlan&);
template std::size_t msm_device_bytes<math::G2>(const MsmPlan&);
template void enqueue_msm<math::G1>(const MsmPlan&, std::span<const math::G1Affine>, std::span<const math::Fr>, Arena,
                                    std::span<std::byte>, Stream);
template void enqueue_msm<math::G2>(const MsmPlan&, std::span<const math::G2Affine>, std::span<const math::Fr>, Arena,
                                    std::span<std::byte>, Stream);

}  // namespace proofline::cuda
