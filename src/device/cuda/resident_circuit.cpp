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
#include "math/ntt.hpp"

namespace proofline::cuda {

using math::Fr;
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
constexpr std::size_t kAllBits = std::size_t{1} << 30;
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

template <class Point>
std::size_t field_bytes(const QueryPoints<Point>& query) {
  return Arena::rounded(query.plan.items() * sizeof(typename Point::Affine));
}

bool is_on_device(unsigned lists_on_device, List list) {
  return std::ranges::find(kOrder, list) - kOrder.begin() < static_cast<std::ptrdiff_t>(lists_on_device);
}

}  // namespace

ResidentCircuit::ResidentCircuit(const r1cs::StructuredR1cs& circuit, const PointSource& source,
                                 const MemoryLimits& limits)
    : log_domain_(math::Domain::log_size_for(circuit.num_constraints + circuit.num_inputs)) {
  const OwnedStream stream;
  for (const Query query : kQueries)
    field_places_[static_cast<std::size_t>(query)] = r1cs::field_places(circuit, query);
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
  l_.count = counts_.l;
  a_.count = counts_.a;
  b_g1_.count = b_g2_.count = counts_.b;
  h_.count = counts_.h;
  const auto list_bytes = [&](List list, unsigned group) {
    const std::size_t one = list == List::kB2 ? sizeof(G2Affine) : sizeof(G1Affine);
    const std::size_t count = list == List::kL ? l_.count : list == List::kA ? a_.count : b_g1_.count;
    return Arena::rounded((list == List::kH ? h_.count : grouped_points(count, group)) * one);
  };
  std::size_t least = 0;
  for (const Residency& choice : kChoices) {
    const auto plan = [&](Query query) {
      return plan_msm(field_places_[static_cast<std::size_t>(query)].size(), choice.copies_of_fields);
    };
    l_.plan = plan(Query::kAux);
    a_.plan = plan(Query::kA);
    b_g1_.plan = b_g2_.plan = plan(Query::kB);
    lists_on_device_ = choice.lists_on_device;
    l_.group = a_.group = b_g1_.group = b_g2_.group = choice.group_of_bits;
    chunk_of_bits_ = std::min(choice.chunk_of_bits, limits.chunk_of_bits);
    const bool h_on_device = is_on_device(lists_on_device_, List::kH);
    h_.chunk = h_on_device ? h_.count : std::min(h_.count, limits.chunk_of_h);
    h_.plan = plan_msm(h_.chunk, choice.copies_of_h);
    h_.last_plan = plan_msm(h_.size_of(h_.chunks() - 1), choice.copies_of_h);
    working_bytes_ = partition_bytes(*this);
    std::size_t device = field_bytes(l_) + field_bytes(a_) + field_bytes(b_g1_) + field_bytes(b_g2_), pinned = 0;
    for (const List list : kOrder)
      (is_on_device(lists_on_device_, list) ? device : pinned) += list_bytes(list, choice.group_of_bits);
    if (h_on_device) device += Arena::rounded(h_.plan.items() * sizeof(G1Affine)) - list_bytes(List::kH, 1);
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
  h_.points = arena_of(List::kH).take<G1Affine>(h_.in_chunks() ? h_.count : h_.plan.items());
  // Lists that are kept in groups pass through the scratch.
  const auto place = [&]<class Point>(QueryPoints<Point>& query, List list) {
    query.points = arena_of(list).take<typename Point::Affine>(grouped_points(query.count, query.group));
    return query.group == 1 ? query.points : scratch.take<typename Point::Affine>(query.count);
  };
  const ParameterPoints points{.h = h_.points.first(counts_.h),
                               .l = place(l_, List::kL),
                               .a = place(a_, List::kA),
                               .b_g1 = place(b_g1_, List::kB1),
                               .b_g2 = place(b_g2_, List::kB2)};
  key_ = source(points, scratch, stream);
  if (!h_.in_chunks()) copy_points<G1>(h_.plan, h_.points, scratch, stream);

  const auto set_up = [&]<class Point>(QueryPoints<Point>& query, std::span<typename Point::Affine> all, Query which) {
    query.fields = on_device.take<typename Point::Affine>(query.plan.items());
    const std::vector<std::uint32_t>& places = field_places_[static_cast<std::size_t>(which)];
    Arena here = scratch;
    const std::span<std::uint32_t> uploaded = here.take<std::uint32_t>(places.size());
    check(cudaMemcpyAsync(uploaded.data(), places.data(), uploaded.size_bytes(), cudaMemcpyHostToDevice, stream),
          "upload of the field elements' places");
    gather_points(all, uploaded, query.fields, stream);
    copy_points<Point>(query.plan, query.fields, here, stream);
    if (query.group > 1) group_points<Point>(all, query.group, query.points, here, stream);
  };
  set_up(l_, points.l, Query::kAux);
  set_up(a_, points.a, Query::kA);
  set_up(b_g1_, points.b_g1, Query::kB);
  set_up(b_g2_, points.b_g2, Query::kB);
  check(cudaStreamSynchronize(stream), "making of the points' multiples");  // `working` is freed here
}

}  // namespace proofline::cuda
