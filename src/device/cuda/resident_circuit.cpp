#include "device/cuda/resident_circuit.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "device/cuda/check.cuh"
#include "device/cuda/gather_points.hpp"
#include "device/cuda/instance_values.hpp"
#include "device/cuda/prover.hpp"
#include "device/cuda/setup.hpp"
#include "groth16/quotient.hpp"

namespace proofline::cuda {

using math::G1;
using math::G1Affine;
using math::G2;
using math::G2Affine;
using r1cs::Query;

namespace {

constexpr std::array kQueries = {Query::kAux, Query::kA, Query::kB};
/// Lists, those first for which device memory matters most.
enum class List { kH, kB2, kL, kA, kB1 };
constexpr std::array kOrder = {List::kH, List::kB2, List::kL, List::kA, List::kB1};
/// One way to lay a circuit out.
struct Residency {
  unsigned lists_on_device;  ///< of kOrder
  unsigned copies_of_h;
  unsigned copies_of_fields;  ///< those points are few, and a sum of few points is mostly buckets
  unsigned group_of_bits = 1;
  std::size_t chunk_of_bits = std::size_t{1} << 23;
};
constexpr std::size_t kAllBits = std::size_t{1} << 30, kAllPoints = std::size_t{1} << 30;
/// The fastest first.
constexpr std::array<Residency, 14> kChoices = {{{5, 2, 8, 2, kAllBits},
                                                 {5, 2, 8, 1, kAllBits},
                                                 {5, 2, 8},
                                                 {5, 1, 8},
                                                 {5, 1, 2},
                                                 {4, 1, 8},
                                                 {3, 1, 8},
                                                 {2, 1, 8},
                                                 {1, 1, 8},
                                                 {1, 1, 2},
                                                 {0, 1, 8},
                                                 {0, 1, 4},
                                                 {0, 1, 2},
                                                 {0, 1, 1}}};

/// Of a list of its own with multiples.
template <class Point>
std::size_t bytes_with_multiples(const PointList<Point>& list) {
  return Arena::rounded(list.plan.items() * sizeof(typename Point::Affine));
}

bool is_on_device(unsigned lists_on_device, List list) {
  return std::ranges::find(kOrder, list) - kOrder.begin() < static_cast<std::ptrdiff_t>(lists_on_device);
}

}  // namespace

ResidentCircuit::ResidentCircuit(const r1cs::StructuredR1cs& circuit, const PointSource& source,
                                 const MemoryLimits& limits)
    : log_domain_(groth16::domain_log_size(circuit)) {
  const OwnedStream stream;
  for (const Query query : kQueries)
    if (!is_mostly_fields(circuit)) field_places_[static_cast<std::size_t>(query)] = r1cs::field_places(circuit, query);
  counts_ = parameter_counts(circuit);
  upload_circuit(circuit, stream.get());
  stream.wait();
  choose_residency(limits);
  take_points(source, stream.get());
  for (std::vector<std::uint32_t>& places : field_places_) places = {};
}

void ResidentCircuit::upload_circuit(const r1cs::StructuredR1cs& circuit, Stream stream) {
  std::size_t bytes = circuit_device_bytes(circuit) + ntt_table_bytes(log_domain_);
  for (const Query query : kQueries) bytes += query_device_bytes(circuit, query);
  circuit_memory_ = DeviceBlock(bytes);
  Arena arena(circuit_memory_.bytes());
  on_device_ = enqueue_circuit(circuit, arena, stream);
  tables_ = enqueue_ntt_tables(log_domain_, arena, stream);
  for (const Query query : kQueries)
    queries_[static_cast<std::size_t>(query)] = enqueue_query(circuit, query, arena, stream);
}

void ResidentCircuit::choose_residency(const MemoryLimits& limits) {
  h_.count = counts_.h;
  const auto list_bytes = [&](List list, unsigned group) {
    const std::size_t one = list == List::kB2 ? sizeof(G2Affine) : sizeof(G1Affine);
    const std::size_t count = list == List::kL ? counts_.l : list == List::kA ? counts_.a : counts_.b;
    return Arena::rounded((list == List::kH ? h_.count : grouped_points(count, group)) * one);
  };
  std::size_t least = 0;
  for (const Residency& choice : kChoices) {
    if (all_fields() && choice.group_of_bits > 1) continue;
    lists_on_device_ = choice.lists_on_device;
    chunk_of_bits_ = std::min(choice.chunk_of_bits, limits.chunk_of_bits);
    std::size_t device = 0, pinned = 0;
    const auto chunk_of = [&](List list) {
      return is_on_device(lists_on_device_, list) ? kAllPoints : limits.chunk_of_points;
    };
    h_.make_plans(chunk_of(List::kH), choice.copies_of_h);
    const auto plan = [&]<class Point>(QueryPoints<Point>& query, List list, Query which, std::size_t count) {
      query.group = choice.group_of_bits;
      if (all_fields()) {
        query.fields.count = count;
        query.fields.make_plans(chunk_of(list), 1);
      } else {
        query.bits = count;
        query.fields.count = field_places_[static_cast<std::size_t>(which)].size();
        query.fields.make_plans(kAllPoints, choice.copies_of_fields);
        device += bytes_with_multiples(query.fields);
      }
    };
    plan(l_, List::kL, Query::kAux, counts_.l);
    plan(a_, List::kA, Query::kA, counts_.a);
    plan(b_g1_, List::kB1, Query::kB, counts_.b);
    plan(b_g2_, List::kB2, Query::kB, counts_.b);
    working_bytes_ = partition_bytes(*this);
    for (const List list : kOrder)
      (is_on_device(lists_on_device_, list) ? device : pinned) += list_bytes(list, choice.group_of_bits);
    if (!h_.in_chunks() && is_on_device(lists_on_device_, List::kH))
      device += bytes_with_multiples(h_) - list_bytes(List::kH, 1);
    least = circuit_memory_.bytes().size() + device + std::max(working_bytes_, l_.group > 1 ? fill_bytes() : 0);
    if (least > limits.device || pinned > limits.pinned) continue;
    point_memory_ = DeviceBlock(device);
    pinned_memory_ = PinnedBlock(pinned);
    return;
  }
  throw OutOfDeviceMemory("the circuit takes " + std::to_string(least) + " bytes of device memory with all " +
                          std::to_string(counts_.bytes()) + " bytes of points in pinned host memory; there are " +
                          std::to_string(limits.device) + " and " + std::to_string(limits.pinned));
}

std::size_t ResidentCircuit::fill_bytes() const {
  const std::size_t lists = counts_.bytes() - Arena::rounded(counts_.h * sizeof(G1Affine));
  return kPointScratch + (l_.group > 1 ? lists : 0);
}

void ResidentCircuit::take_points(const PointSource& source, Stream stream) {
  const DeviceBlock working(std::max(working_bytes_, fill_bytes()));
  Arena scratch(working.bytes()), on_device(point_memory_.bytes()), pinned(pinned_memory_.bytes());
  const auto arena_of = [&](List list) -> Arena& { return is_on_device(lists_on_device_, list) ? on_device : pinned; };
  const bool h_on_device = is_on_device(lists_on_device_, List::kH);
  h_.points = arena_of(List::kH).take<G1Affine>(h_on_device ? h_.plan.items() : h_.count);
  // Lists that are kept in groups pass through the scratch.
  const auto place = [&]<class Point>(QueryPoints<Point>& query, List list, std::size_t count) {
    query.points = arena_of(list).take<typename Point::Affine>(grouped_points(count, query.group));
    return query.group == 1 ? query.points : scratch.take<typename Point::Affine>(count);
  };
  const ParameterPoints points{.h = h_.points.first(counts_.h),
                               .l = place(l_, List::kL, counts_.l),
                               .a = place(a_, List::kA, counts_.a),
                               .b_g1 = place(b_g1_, List::kB1, counts_.b),
                               .b_g2 = place(b_g2_, List::kB2, counts_.b)};
  key_ = source(points, scratch, stream);
  if (h_on_device) copy_points<G1>(h_.plan, h_.points, scratch, stream);

  const auto set_up = [&]<class Point>(QueryPoints<Point>& query, std::span<typename Point::Affine> all, Query which) {
    if (all_fields()) {
      query.fields.points = query.points;
      return;
    }
    query.fields.points = on_device.take<typename Point::Affine>(query.fields.plan.items());
    const std::vector<std::uint32_t>& places = field_places_[static_cast<std::size_t>(which)];
    Arena here = scratch;
    const std::span<std::uint32_t> uploaded = here.take<std::uint32_t>(places.size());
    check(cudaMemcpyAsync(uploaded.data(), places.data(), uploaded.size_bytes(), cudaMemcpyHostToDevice, stream),
          "upload of the field elements' places");
    gather_points(all, uploaded, query.fields.points, stream);
    copy_points<Point>(query.fields.plan, query.fields.points, here, stream);
    if (query.group > 1) group_points<Point>(all, query.group, query.points, here, stream);
  };
  set_up(l_, points.l, Query::kAux);
  set_up(a_, points.a, Query::kA);
  set_up(b_g1_, points.b_g1, Query::kB);
  set_up(b_g2_, points.b_g2, Query::kB);
  check(cudaStreamSynchronize(stream), "making of the points' multiples");  // `working` is freed here
}

}  // namespace proofline::cuda
