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
/// Multiples of the points of field elements. They are few, and a sum of few points is mostly buckets.
constexpr unsigned kFieldCopies = 8;
/// Multiples of the points of h, the fastest choice first.
constexpr std::array<unsigned, 2> kCopiesOfH = {2, 1};

template <class Point>
std::size_t field_bytes(const QueryPoints<Point>& query) {
  return Arena::rounded(query.plan.items() * sizeof(typename Point::Affine));
}

}  // namespace

ResidentCircuit::ResidentCircuit(const r1cs::StructuredR1cs& circuit, const PointSource& source,
                                 std::size_t device_bytes)
    : log_domain_(math::Domain::log_size_for(circuit.num_constraints + circuit.num_inputs)) {
  const OwnedStream stream;
  for (const Query query : kQueries)
    field_places_[static_cast<std::size_t>(query)] = cuda::field_places(circuit, query);
  upload_circuit(circuit, stream.get());
  stream.wait();
  choose_plans(circuit.shape(), device_bytes);
  take_points(source, stream.get());
  stream.wait();
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

void ResidentCircuit::choose_plans(const r1cs::Shape& shape, std::size_t device_bytes) {
  counts_ = {.h = domain_size() - 1,
             .l = shape.num_aux,
             .a = shape.num_inputs + shape.density_a_aux,
             .b = shape.density_b_inputs + shape.density_b_aux};
  l_.count = counts_.l;
  a_.count = counts_.a;
  b_g1_.count = b_g2_.count = counts_.b;
  const auto plan = [&](Query query) {
    return plan_msm(field_places_[static_cast<std::size_t>(query)].size(), kFieldCopies);
  };
  l_.plan = plan(Query::kAux);
  a_.plan = plan(Query::kA);
  b_g1_.plan = b_g2_.plan = plan(Query::kB);
  const std::size_t fields = field_bytes(l_) + field_bytes(a_) + field_bytes(b_g1_) + field_bytes(b_g2_);
  for (const unsigned copies : kCopiesOfH) {
    h_plan_ = plan_msm(counts_.h, copies);
    working_bytes_ = partition_bytes(*this);
    const std::size_t more = (copies - 1) * Arena::rounded(counts_.h * sizeof(G1Affine));
    const std::size_t points = counts_.bytes() + more + fields + 4096;
    if (circuit_memory_.bytes().size() + points + working_bytes_ > device_bytes && copies > 1) continue;
    if (circuit_memory_.bytes().size() + points + working_bytes_ > device_bytes) {
      throw OutOfDeviceMemory("the circuit's parameters take " + std::to_string(points) +
                              " bytes of device memory and a " + "partition " + std::to_string(working_bytes_) +
                              " more; there are " + std::to_string(device_bytes));
    }
    point_memory_ = DeviceBlock(points);
    return;
  }
}

void ResidentCircuit::take_points(const PointSource& source, Stream stream) {
  const DeviceBlock working(working_bytes_);
  const Arena scratch(working.bytes());
  Arena arena(point_memory_.bytes());
  h_ = arena.take<G1Affine>(h_plan_.items());
  ParameterPoints points;
  points.h = h_.first(counts_.h);
  points.l = arena.take<G1Affine>(counts_.l);
  points.a = arena.take<G1Affine>(counts_.a);
  points.b_g1 = arena.take<G1Affine>(counts_.b);
  points.b_g2 = arena.take<G2Affine>(counts_.b);
  key_ = source(points, scratch, stream);
  copy_points<G1>(h_plan_, h_, scratch, stream);

  const auto set_up = [&]<class Point>(QueryPoints<Point>& query, std::span<typename Point::Affine> all, Query which) {
    query.points = all;
    query.fields = arena.take<typename Point::Affine>(query.plan.items());
    const std::vector<std::uint32_t>& places = field_places_[static_cast<std::size_t>(which)];
    Arena here = scratch;
    const std::span<std::uint32_t> on_device = here.take<std::uint32_t>(places.size());
    check(cudaMemcpyAsync(on_device.data(), places.data(), on_device.size_bytes(), cudaMemcpyHostToDevice, stream),
          "upload of the field elements' places");
    gather_points(all, on_device, query.fields, stream);
    copy_points<Point>(query.plan, query.fields, here, stream);
  };
  set_up(l_, points.l, Query::kAux);
  set_up(a_, points.a, Query::kA);
  set_up(b_g1_, points.b_g1, Query::kB);
  set_up(b_g2_, points.b_g2, Query::kB);
  check(cudaStreamSynchronize(stream), "making of the points' multiples");  // `working` is freed here
}

}  // namespace proofline::cuda
