#include <string>

#include "device/cuda/check.cuh"
#include "device/cuda/part_value.cuh"
#include "device/cuda/row_values.hpp"

namespace proofline::cuda {

using std::uint32_t;
using std::uint64_t;

namespace {

constexpr uint32_t kRowBlocks = 1024 / kBlockRows;

/// a * b == c, without the product where it can be spared.
__device__ __forceinline__ bool holds(const Fr& a, const Fr& b, const Fr& c) {
  if (b == Fr::one()) return a == c;
  return a * b == c;
}

/// 32 warps a multiprocessor: waiting for loads, not arithmetic, bounds this.
__global__ void __launch_bounds__(kBlockRows, kRowBlocks)
    row_values(const CircuitArrays* arrays, uint32_t placements, uint64_t rows, const uint32_t* all_bits,
               const Fr* all_fields, Fr* a, Fr* b, Fr* c, unsigned long long* first_broken) {
  const CircuitArrays circuit = *arrays;
  const uint64_t row = uint64_t{blockIdx.x} * kBlockRows + threadIdx.x;
  if (row >= rows) return;
  uint32_t p = circuit.row_placements[blockIdx.x];
  while (p + 1 < placements && circuit.placements[p + 1].row_base <= row) ++p;
  const PlacementArrays placement = circuit.placements[p];
  const uint32_t first_part =
      circuit.templates[placement.template_index].first_part + 3 * static_cast<uint32_t>(row - placement.row_base);
  const uint32_t* const bits = all_bits + placement.bits_at;
  const Fr* const fields = all_fields + placement.fields_at;

  const uint32_t* const begins = circuit.part_begins + first_part;
  uint32_t begin = begins[0], end = begins[1], end_of_b = begins[2], end_of_c = begins[3];

  bool all_small = true;
  int sums[2], sum = 0;  // meant for small parts
  Fr factors[2], value;
#pragma unroll 1
  for (int m = 0; m < 3; ++m) {
    const Part part = part_between(begin, end);
    begin = end;
    end = end_of_b;
    end_of_b = end_of_c;
    if (part.small) {
      sum = small_sum(circuit, part, bits);
      value = small_value(circuit, sum);
    } else {
      all_small = false;
      value = sum_of_terms(circuit, part.begin, part.end, 1, bits, fields);
    }
    (m == 0 ? a : m == 1 ? b : c)[row] = value;
    if (m == 0) {
      sums[0] = sum;
      factors[0] = value;
    } else if (m == 1) {
      sums[1] = sum;
      factors[1] = value;
    }
  }
  // Small integers, of up to 32 in size, are equal modulo r only when they are equal.
  const bool good = all_small ? sums[0] * sums[1] == sum : holds(factors[0], factors[1], value);
  if (!good && row < *static_cast<volatile unsigned long long*>(first_broken))
    atomicMin(first_broken, static_cast<unsigned long long>(row));
}

}  // namespace

void enqueue_row_values(const DeviceCircuit& circuit, const DeviceValues& values, std::span<math::Fr> a,
                        std::span<math::Fr> b, std::span<math::Fr> c, std::span<uint64_t, 1> first_broken,
                        Stream stream) {
  if (a.size() < circuit.num_rows + circuit.num_inputs || b.size() != a.size() || c.size() != a.size())
    throw InputError("values of rows: places for " + std::to_string(a.size()) + ", " + std::to_string(b.size()) +
                     " and " + std::to_string(c.size()) + " values of " + std::to_string(circuit.num_rows) +
                     " rows and " + std::to_string(circuit.num_inputs) + " inputs");
  if (values.inputs.size() != circuit.num_inputs || values.instance_bits.size() != circuit.bit_words ||
      values.instance_fields.size() != circuit.num_fields)
    throw InputError("values of rows: the values are of another circuit");
  static_assert(sizeof(uint64_t) == sizeof(unsigned long long));
  check(cudaMemsetAsync(first_broken.data(), 0xff, first_broken.size_bytes(), stream), "clearing");
  if (circuit.num_rows != 0)
    row_values<<<blocks_for(circuit.num_rows, kBlockRows), kBlockRows, 0, stream>>>(
        circuit.arrays, circuit.placements, circuit.num_rows, values.instance_bits.data(),
        reinterpret_cast<const Fr*>(values.instance_fields.data()), reinterpret_cast<Fr*>(a.data()),
        reinterpret_cast<Fr*>(b.data()), reinterpret_cast<Fr*>(c.data()),
        reinterpret_cast<unsigned long long*>(first_broken.data()));
  check_launch("row_values");
  const std::span<math::Fr> appended = a.subspan(circuit.num_rows, circuit.num_inputs);
  check(cudaMemcpyAsync(appended.data(), values.inputs.data(), appended.size_bytes(), cudaMemcpyDeviceToDevice, stream),
        "rows of inputs");
  const auto clear = [&](std::span<math::Fr> rest) {
    check(cudaMemsetAsync(rest.data(), 0, rest.size_bytes(), stream), "clearing");
  };
  clear(a.subspan(circuit.num_rows + circuit.num_inputs));
  clear(b.subspan(circuit.num_rows));
  clear(c.subspan(circuit.num_rows));
}

}  // namespace proofline::cuda
