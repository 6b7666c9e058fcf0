#include "device/cuda/check.cuh"
#include "device/cuda/instance_values.hpp"
#include "device/cuda/part_value.cuh"

namespace proofline::cuda {

using std::uint32_t;
using std::uint64_t;

namespace {

/// What kernels read of the witness, and write.
struct Values {
  const uint32_t* witness_bits;
  const Fr* witness_fields;
  const Fr* inputs;
  uint32_t* bits;  ///< of all instances
  Fr* fields;
};

/// A block an instance: ONE, local bits, stored local fields.
__global__ void gather_local(const CircuitArrays* circuit, Values values) {
  const PlacementArrays placement = circuit->placements[blockIdx.x];
  const TemplateArrays t = circuit->templates[placement.template_index];
  const uint64_t to = 32 * uint64_t{placement.bits_at} + 1 + t.outer_bits;
  if (threadIdx.x == 0) or_bits(values.bits, 32 * uint64_t{placement.bits_at}, 1, 1);
  for (uint32_t i = 32 * threadIdx.x; i < t.num_aux; i += 32 * blockDim.x)
    or_bits(values.bits, to + i, bits_from(values.witness_bits, uint64_t{placement.aux_base} + i), t.num_aux - i);
  Fr* const fields = values.fields + placement.fields_at;
  for (uint32_t i = threadIdx.x; i < t.num_stored; i += blockDim.x)
    fields[circuit->stored_places[t.first_stored + i]] = values.witness_fields[placement.field_base + i];
}

__global__ void gather_bit_runs(const CircuitArrays* circuit, uint32_t count, Values values) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const BitRun run = circuit->bit_runs[i];
  for (uint32_t bit = 0; bit < run.count; bit += 32)
    or_bits(values.bits, run.to + bit, bits_from(values.witness_bits, uint64_t{run.from} + bit), run.count - bit);
}

__global__ void gather_field_runs(const CircuitArrays* circuit, uint32_t count, Values values) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const FieldRun run = circuit->field_runs[i];
  const Fr* const from = (run.of_inputs != 0 ? values.inputs : values.witness_fields) + run.from;
  for (uint32_t k = 0; k < run.count; ++k) values.fields[run.to + k] = from[k];
}

constexpr uint32_t kLanes = 32, kAllLanes = ~0U;
/// Parts of more terms are worth adding the lanes' sums.
constexpr uint32_t kFewTerms = 3;

/// The value of a part, the same in all lanes. All lanes of the warp call it.
__device__ __forceinline__ Fr warp_part_value(const CircuitArrays& circuit, uint32_t index, const uint32_t* bits,
                                              const Fr* fields) {
  const Part part = part_between(circuit.part_begins[index], circuit.part_begins[index + 1]);
  if (part.small) return small_value(circuit, small_sum(circuit, part, bits));
  const bool shared = part.end - part.begin > kFewTerms;
  Fr sum = sum_of_terms(circuit, part.begin + (shared ? threadIdx.x % kLanes : 0), part.end, shared ? kLanes : 1, bits,
                        fields);
  if (!shared) return sum;
  __syncwarp();
#pragma unroll 1
  for (int distance = kLanes / 2; distance > 0; distance /= 2) {
    Fr other;
#pragma unroll
    for (int i = 0; i < Fr::kLimbs; ++i) other.l[i] = __shfl_xor_sync(kAllLanes, sum.l[i], distance);
    sum = sum + other;
  }
  return sum;
}

constexpr uint32_t kSolveThreads = 128;

/// A warp a chain. Derived values are zero at first, so that C is all the rest of its part.
__global__ void __launch_bounds__(kSolveThreads, 6)
    solve(const CircuitArrays* arrays, uint32_t chains, const uint32_t* all_bits, Fr* all_fields) {
  const uint32_t i = (blockIdx.x * kSolveThreads + threadIdx.x) / kLanes;
  if (i >= chains) return;
  const CircuitArrays circuit = *arrays;
  const Chain chain = circuit.chains[i];
  const PlacementArrays placement = circuit.placements[chain.placement];
  const uint32_t first_part = circuit.templates[placement.template_index].first_part;
  const uint32_t* const bits = all_bits + placement.bits_at;
  Fr* const fields = all_fields + placement.fields_at;
#pragma unroll 1
  for (uint32_t d = chain.first; d < chain.first + chain.count; ++d) {
    const r1cs::Definition definition = circuit.definitions[d];
    Fr value = Fr::one(), rest;
#pragma unroll 1
    for (uint32_t m = 0; m < 3; ++m) {
      rest = warp_part_value(circuit, first_part + 3 * definition.row + m, bits, fields);
      if (m != 2) value = value * rest;
    }
    value = definition.negative ? rest - value : value - rest;
    if (threadIdx.x % kLanes == 0) fields[definition.slot] = value;
    __syncwarp();
  }
}

std::size_t witness_words(const DeviceCircuit& circuit) {
  return (std::size_t{circuit.num_aux} + 63) / 64 * 2;
}

}  // namespace

std::size_t instance_values_device_bytes(const DeviceCircuit& circuit) {
  return Arena::rounded(circuit.num_inputs * sizeof(Fr)) +
         Arena::rounded((witness_words(circuit) + 2) * sizeof(uint32_t)) +
         Arena::rounded(circuit.num_stored * sizeof(Fr)) + Arena::rounded(circuit.bit_words * sizeof(uint32_t)) +
         Arena::rounded(circuit.num_fields * sizeof(Fr));
}

DeviceValues enqueue_instance_values(const DeviceCircuit& circuit, const r1cs::CompactWitness& witness, Arena& arena,
                                     Stream stream) {
  if (witness.inputs.size() != circuit.num_inputs || witness.bits.size() != circuit.num_aux ||
      witness.fields.size() != circuit.num_stored)
    throw InputError("values of instances: the witness is of another circuit");
  const std::span<math::Fr> inputs = arena.take<math::Fr>(circuit.num_inputs);
  const std::span<uint32_t> witness_bits = arena.take<uint32_t>(witness_words(circuit) + 2);
  const std::span<math::Fr> stored = arena.take<math::Fr>(circuit.num_stored);
  const std::span<uint32_t> bits = arena.take<uint32_t>(circuit.bit_words);
  const std::span<math::Fr> fields = arena.take<math::Fr>(circuit.num_fields);
  const auto copy = [&](void* to, const void* from, std::size_t bytes) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream), "upload of a witness");
  };
  const auto clear = [&](auto part) { check(cudaMemsetAsync(part.data(), 0, part.size_bytes(), stream), "clearing"); };
  copy(inputs.data(), witness.inputs.data(), inputs.size_bytes());
  copy(witness_bits.data(), witness.bits.words().data(), witness.bits.words().size_bytes());
  clear(witness_bits.last(2));
  copy(stored.data(), witness.fields.data(), stored.size_bytes());
  clear(bits);
  clear(fields);

  const Values values = {witness_bits.data(), reinterpret_cast<const Fr*>(stored.data()),
                         reinterpret_cast<const Fr*>(inputs.data()), bits.data(), reinterpret_cast<Fr*>(fields.data())};
  if (circuit.placements != 0) gather_local<<<circuit.placements, 128, 0, stream>>>(circuit.arrays, values);
  if (circuit.bit_runs != 0)
    gather_bit_runs<<<blocks_for(circuit.bit_runs, 128), 128, 0, stream>>>(circuit.arrays, circuit.bit_runs, values);
  if (circuit.field_runs != 0)
    gather_field_runs<<<blocks_for(circuit.field_runs, 128), 128, 0, stream>>>(circuit.arrays, circuit.field_runs,
                                                                               values);
  check_launch("gathering of instances");
  if (circuit.chains != 0)
    solve<<<blocks_for(std::size_t{circuit.chains} * kLanes, kSolveThreads), kSolveThreads, 0, stream>>>(
        circuit.arrays, circuit.chains, values.bits, values.fields);
  check_launch("solve");
  return {.inputs = inputs,
          .witness_bits = witness_bits.first((std::size_t{circuit.num_aux} + 31) / 32),
          .instance_bits = bits,
          .instance_fields = fields};
}

}  // namespace proofline::cuda
