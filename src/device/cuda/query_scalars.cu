#include <bit>
#include <vector>

#include "device/cuda/bits.cuh"
#include "device/cuda/check.cuh"
#include "device/cuda/fields.cuh"
#include "device/cuda/query_scalars.hpp"
#include "r1cs/density.hpp"

namespace proofline::cuda {

using std::uint32_t;
using std::uint64_t;

namespace {

/// In a field element's place: it is among the inputs; it is a bit of the witness.
constexpr uint32_t kOfInputs = 1U << 31, kOfBits = 1U << 30;
constexpr uint32_t kLanes = 32;

std::size_t words_of(std::size_t bits) {
  return (bits + 31) / 32;
}

/// Where each field element of the query lies: inputs, then those of instances that are used (all for kAux). With
/// `bits_too`, bits between them.
std::vector<uint32_t> places_of_fields(const r1cs::StructuredR1cs& circuit, r1cs::Query query,
                                       std::span<const uint32_t> inputs, std::span<const uint32_t> used,
                                       bool bits_too) {
  std::vector<uint32_t> out;
  for (const uint32_t input : inputs) out.push_back(kOfInputs | input);
  uint64_t instance = 0;
  for (const r1cs::Placement& placement : circuit.placements) {
    const r1cs::Template& t = circuit.template_of(placement);
    if (instance + t.num_field_slots() > kOfBits || circuit.num_aux() > kOfBits)
      throw InputError("circuit too large for the device's 30-bit places");
    const auto is_used = [&](uint32_t aux) {
      return query == r1cs::Query::kAux || (used[aux / 32] >> aux % 32 & 1) != 0;
    };
    uint32_t next = 0;
    const auto take_bits_before = [&](uint32_t local) {
      for (; bits_too && next < local; ++next)
        if (is_used(placement.aux_base + next)) out.push_back(kOfBits | (placement.aux_base + next));
      next = local + 1;
    };
    for (std::size_t i = 0; i < t.local_fields.size(); ++i) {
      take_bits_before(t.local_fields[i]);
      if (is_used(placement.aux_base + t.local_fields[i]))
        out.push_back(static_cast<uint32_t>(instance + t.outer_fields + i));
    }
    take_bits_before(t.num_aux);
    instance += t.num_field_slots();
  }
  return out;
}

/// The bits of used variables side by side from place before[0] on. A thread a word.
__global__ void pack_bits(const uint32_t* used, const uint32_t* before, uint32_t words, const uint32_t* bits,
                          uint32_t* out) {
  const uint32_t word = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % kLanes;
  const uint32_t mask = word < words ? used[word] : 0;
  const auto count = static_cast<uint32_t>(__popc(mask));
  uint32_t place = count;  // with the counts of the lanes before
#pragma unroll
  for (uint32_t distance = 1; distance < kLanes; distance *= 2) {
    const uint32_t earlier = __shfl_up_sync(~0U, place, distance);
    if (lane >= distance) place += earlier;
  }
  if (mask == 0) return;
  or_bits(out, before[word / kLanes] + place - count, packed(bits[word], mask), count);
}

__global__ void gather_fields(const uint32_t* places, uint32_t count, const Fr* inputs, const uint32_t* bits,
                              const Fr* fields, Fr* out) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const uint32_t place = places[i];
  if ((place & kOfInputs) != 0) {
    out[i] = inputs[place & ~kOfInputs];
  } else if ((place & kOfBits) != 0) {
    const uint32_t aux = place & ~kOfBits;
    out[i] = (bits[aux / 32] >> aux % 32 & 1) != 0 ? Fr::one() : Fr::zero();
  } else {
    out[i] = fields[place];
  }
}

}  // namespace

bool is_mostly_fields(const r1cs::StructuredR1cs& circuit) {
  return 2 * circuit.kinds->num_fields() > circuit.num_aux();
}

std::size_t query_device_bytes(const r1cs::StructuredR1cs& circuit, r1cs::Query query) {
  if (is_mostly_fields(circuit))
    return Arena::rounded((std::size_t{circuit.num_aux()} + circuit.num_inputs) * sizeof(uint32_t));
  const std::size_t fields = circuit.kinds->num_fields() + circuit.num_inputs, words = words_of(circuit.num_aux());
  const std::size_t places = Arena::rounded(fields * sizeof(uint32_t));
  if (query == r1cs::Query::kAux) return places;
  return places + Arena::rounded(words * sizeof(uint32_t)) +
         Arena::rounded((words + kLanes - 1) / kLanes * sizeof(uint32_t));
}

DeviceQuery enqueue_query(const r1cs::StructuredR1cs& circuit, r1cs::Query query, Arena& arena, Stream stream) {
  const std::vector<uint32_t> inputs = r1cs::query_inputs(circuit, query);
  std::vector<uint32_t> used, before;
  std::size_t points = inputs.size();
  if (query == r1cs::Query::kAux) {
    points += circuit.num_aux();
  } else {
    const r1cs::Matrix matrix = query == r1cs::Query::kA ? r1cs::Matrix::kA : r1cs::Matrix::kB;
    const r1cs::BitArray bits = r1cs::used_aux(circuit, matrix, 0, circuit.num_aux());
    used.resize(words_of(circuit.num_aux()));
    for (std::size_t i = 0; i < used.size(); ++i) {
      used[i] = static_cast<uint32_t>(bits.words()[i / 2] >> (32 * (i % 2)));
      if (i % kLanes == 0) before.push_back(static_cast<uint32_t>(points));
      points += static_cast<std::size_t>(std::popcount(used[i]));
    }
  }
  const bool all_fields = is_mostly_fields(circuit);
  const std::vector<uint32_t> fields = places_of_fields(circuit, query, inputs, used, all_fields);
  if (all_fields) {
    used.clear();
    before.clear();
  }
  // From pageable memory: each copy is staged before the call returns.
  const auto upload = [&](const std::vector<uint32_t>& values) -> std::span<const uint32_t> {
    const std::span<uint32_t> to = arena.take<uint32_t>(values.size());
    check(cudaMemcpyAsync(to.data(), values.data(), to.size_bytes(), cudaMemcpyHostToDevice, stream),
          "upload of a query");
    return to;
  };
  return {.query = query,
          .points = points,
          .num_aux = circuit.num_aux(),
          .all_fields = all_fields,
          .used = upload(used),
          .before = upload(before),
          .fields = upload(fields)};
}

std::size_t query_scalars_device_bytes(const DeviceQuery& query) {
  return Arena::rounded(query.fields.size() * sizeof(Fr)) +
         (query.query == r1cs::Query::kAux || query.all_fields
              ? 0
              : Arena::rounded(words_of(query.points) * sizeof(uint32_t)));
}

DeviceScalars enqueue_query_scalars(const DeviceQuery& query, const DeviceValues& values, Arena& arena, Stream stream) {
  if (values.witness_bits.size() != words_of(query.num_aux))
    throw InputError("scalars of a query: the values are of another circuit");
  const std::span<math::Fr> fields = arena.take<math::Fr>(query.fields.size());
  const auto num_fields = static_cast<uint32_t>(fields.size());
  if (num_fields != 0)
    gather_fields<<<blocks_for(num_fields, 256), 256, 0, stream>>>(
        query.fields.data(), num_fields, reinterpret_cast<const Fr*>(values.inputs.data()), values.witness_bits.data(),
        reinterpret_cast<const Fr*>(values.instance_fields.data()), reinterpret_cast<Fr*>(fields.data()));
  check_launch("gather_fields");
  if (query.all_fields) return {.bits = {}, .fields = fields};
  if (query.query == r1cs::Query::kAux) return {.bits = values.witness_bits, .fields = fields};
  const std::span<uint32_t> bits = arena.take<uint32_t>(words_of(query.points));
  check(cudaMemsetAsync(bits.data(), 0, bits.size_bytes(), stream), "clearing");
  const auto words = static_cast<uint32_t>(query.used.size());
  if (words != 0)
    pack_bits<<<blocks_for(words, 256), 256, 0, stream>>>(query.used.data(), query.before.data(), words,
                                                          values.witness_bits.data(), bits.data());
  check_launch("pack_bits");
  return {.bits = bits, .fields = fields};
}

}  // namespace proofline::cuda
