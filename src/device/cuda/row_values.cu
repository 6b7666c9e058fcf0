#include "device/cuda/row_values.hpp"

#include <string>
#include <vector>

#include "device/cuda/check.cuh"
#include "device/cuda/fields.cuh"

namespace proofline::cuda {

using std::uint32_t;
using std::uint64_t;

namespace {

constexpr uint32_t kSmall = 1U << 31;  ///< in the begin of a part: its value is a small integer
constexpr int kLargestSmall = 32;

struct TemplateArrays {
  uint32_t first_part;  ///< place of the first row's A part in part_begins
  uint32_t outer_bits, num_aux, outer_fields;
  uint32_t first_stored, num_stored;
  uint32_t first_definition, num_definitions;
};
struct PlacementArrays {
  uint64_t row_base;
  uint32_t template_index, aux_base, field_base;
  uint32_t bits_at;    ///< first 32-bit word of the instance's bits
  uint32_t fields_at;  ///< first of the instance's field elements
  uint32_t unused = 0;
};
struct BitRun {
  uint64_t to;  ///< bit place among all instances'
  uint32_t from, count;
};
struct FieldRun {
  uint32_t to, from, count, of_inputs;
};

/// r1cs::Op, its operand raw.
struct DeviceOp {
  uint32_t operand, coefficient;
};
constexpr uint32_t kFieldOperand = 1U << 31;
constexpr uint32_t kMaxSlot = r1cs::Operand::kMaxSlot;
static_assert(kMaxSlot == (1U << 25) - 1);

/// The arrays of a circuit on the host.
struct HostCircuit {
  std::vector<TemplateArrays> templates;
  std::vector<PlacementArrays> placements;
  std::vector<uint32_t> part_begins;
  std::vector<DeviceOp> ops;
  std::vector<uint32_t> stored_places;
  std::vector<r1cs::Definition> definitions;
  std::vector<BitRun> bit_runs;
  std::vector<FieldRun> field_runs;
  std::vector<uint32_t> solved;  ///< placements whose template has definitions
  std::vector<math::Fr> coefficients, small_values;
  uint64_t bit_words = 0, num_fields = 0;
};

uint32_t narrow(uint64_t value) {
  if (value >= kSmall) throw InputError("circuit too large for the device's 31-bit places");
  return static_cast<uint32_t>(value);
}

HostCircuit flatten(const r1cs::StructuredR1cs& circuit) {
  HostCircuit out;
  for (const r1cs::Template& t : circuit.templates) {
    out.templates.push_back({
        .first_part = narrow(out.part_begins.size()),
        .outer_bits = t.outer_bits,
        .num_aux = t.num_aux,
        .outer_fields = t.outer_fields,
        .first_stored = narrow(out.stored_places.size()),
        .num_stored = t.num_stored(),
        .first_definition = narrow(out.definitions.size()),
        .num_definitions = narrow(t.definitions.size()),
    });
    const uint32_t first_op = narrow(out.ops.size() + t.ops.size()) - static_cast<uint32_t>(t.ops.size());
    for (std::size_t part = 0; part < t.part_ends.size(); ++part) {
      const uint32_t begin = first_op + (part == 0 ? 0 : t.part_ends[part - 1]);
      out.part_begins.push_back(begin | (t.small.get(part) ? kSmall : 0));
    }
    out.part_begins.push_back(first_op + static_cast<uint32_t>(t.ops.size()));
    for (const r1cs::Op& op : t.ops) out.ops.push_back({op.operand.raw(), op.coefficient});
    auto derived = t.derived.begin();
    for (uint32_t place = 0; place < t.local_fields.size(); ++place) {
      if (derived != t.derived.end() && *derived == place) {
        ++derived;
      } else {
        out.stored_places.push_back(t.outer_fields + place);
      }
    }
    out.definitions.insert(out.definitions.end(), t.definitions.begin(), t.definitions.end());
  }
  for (const r1cs::Placement& p : circuit.placements) {
    const r1cs::Template& t = circuit.template_of(p);
    const auto index = narrow(out.placements.size());
    out.placements.push_back({
        .row_base = p.row_base,
        .template_index = p.template_index,
        .aux_base = p.aux_base,
        .field_base = p.field_base,
        .bits_at = narrow(out.bit_words),
        .fields_at = narrow(out.num_fields),
    });
    uint64_t bit = 32 * out.bit_words + 1;
    for (const r1cs::VariableRun& run : circuit.outer_bit_runs(p)) {
      out.bit_runs.push_back({bit, run.first.index(), run.count});
      bit += run.count;
    }
    uint64_t field = out.num_fields;
    for (const r1cs::VariableRun& run : circuit.outer_field_runs(p)) {
      const bool input = run.first.is_input();
      const std::size_t from = input ? run.first.index() : circuit.kinds->stored_rank(run.first.index());
      out.field_runs.push_back({narrow(field), narrow(from), run.count, input ? 1U : 0U});
      field += run.count;
    }
    out.bit_words += (t.num_bit_slots() + 31) / 32;
    out.num_fields += t.num_field_slots();
    if (!t.definitions.empty()) out.solved.push_back(index);
  }
  out.bit_words += 2;  // a run may be read beyond its last word
  narrow(out.bit_words);
  narrow(out.num_fields);
  out.coefficients = circuit.coefficients;
  for (int i = -kLargestSmall; i <= kLargestSmall; ++i) {
    const math::Fr size = math::Fr::from_u64(static_cast<uint64_t>(i < 0 ? -i : i));
    out.small_values.push_back(i < 0 ? -size : size);
  }
  return out;
}

template <class T>
std::size_t bytes_of(const std::vector<T>& values) {
  return Arena::rounded(values.size() * sizeof(T));
}

}  // namespace

/// Device pointers of a circuit and of one evaluation.
struct CircuitArrays {
  const TemplateArrays* templates;
  const PlacementArrays* placements;
  const uint32_t* part_begins;
  const DeviceOp* ops;
  const uint32_t* stored_places;
  const r1cs::Definition* definitions;
  const BitRun* bit_runs;
  const FieldRun* field_runs;
  const uint32_t* solved;
  const Fr* coefficients;
  const Fr* small_values;
};

namespace {

struct Values {
  const uint32_t* witness_bits;
  const Fr* witness_fields;
  const Fr* inputs;
  uint32_t* bits;  ///< of all instances
  Fr* fields;
};

// ---- gathering

/// 32 bits from a place on.
__device__ __forceinline__ uint32_t bits_from(const uint32_t* words, uint64_t place) {
  const uint64_t word = place / 32;
  return __funnelshift_r(words[word], words[word + 1], static_cast<uint32_t>(place % 32));
}

/// Ors `count` (1 to 32) bits in at a place.
__device__ __forceinline__ void or_bits(uint32_t* words, uint64_t place, uint32_t bits, uint32_t count) {
  if (count < 32) bits &= (1U << count) - 1;
  const uint32_t shift = place % 32;
  if (bits << shift != 0) atomicOr(&words[place / 32], bits << shift);
  if (shift != 0 && bits >> (32 - shift) != 0) atomicOr(&words[place / 32 + 1], bits >> (32 - shift));
}

/// A block an instance: ONE, local bits, stored local fields.
__global__ void gather_local(const CircuitArrays* circuit, Values values) {
  const PlacementArrays placement = circuit->placements[blockIdx.x];
  const TemplateArrays t = circuit->templates[placement.template_index];
  const uint64_t to = 32 * uint64_t{placement.bits_at} + 1 + t.outer_bits;
  if (threadIdx.x == 0) or_bits(values.bits, 32 * uint64_t{placement.bits_at}, 1, 1);
  for (uint32_t i = 32 * threadIdx.x; i < t.num_aux; i += 32 * blockDim.x)
    or_bits(values.bits, to + i, bits_from(values.witness_bits, uint64_t{placement.aux_base} + i), min(32, t.num_aux - i));
  Fr* const fields = values.fields + placement.fields_at;
  for (uint32_t i = threadIdx.x; i < t.num_stored; i += blockDim.x)
    fields[circuit->stored_places[t.first_stored + i]] = values.witness_fields[placement.field_base + i];
}

__global__ void gather_bit_runs(const CircuitArrays* circuit, uint32_t count, Values values) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const BitRun run = circuit->bit_runs[i];
  for (uint32_t bit = 0; bit < run.count; bit += 32)
    or_bits(values.bits, run.to + bit, bits_from(values.witness_bits, uint64_t{run.from} + bit), min(32, run.count - bit));
}

__global__ void gather_field_runs(const CircuitArrays* circuit, uint32_t count, Values values) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const FieldRun run = circuit->field_runs[i];
  const Fr* const from = (run.of_inputs != 0 ? values.inputs : values.witness_fields) + run.from;
  for (uint32_t k = 0; k < run.count; ++k) values.fields[run.to + k] = from[k];
}

// ---- rows

/// A sum of integers times coefficients, below 2^384, of Montgomery forms.
struct WideSum {
  uint32_t l[12] = {};

  template <int offset>
  __device__ __forceinline__ void add(const Fr& coefficient, uint32_t factor) {
    uint64_t carry = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      carry += uint64_t{coefficient.l[i]} * factor + l[offset + i];
      l[offset + i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
#pragma unroll
    for (int i = offset + 8; i < 12; ++i) {
      carry += l[i];
      l[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
  }
  __device__ __forceinline__ Fr reduced() const {
    Fr low, high = Fr::zero();
#pragma unroll
    for (int i = 0; i < 8; ++i) low.l[i] = l[i];
#pragma unroll
    for (int i = 0; i < 4; ++i) high.l[i] = l[8 + i];
    low = low.reduced().reduced();  // 2^256 is less than three times the modulus
    // 2^256 is the Montgomery factor: the upper limbs count as an integer.
    return high.is_zero() ? low : low + high * Fr::montgomery_square();
  }
};

__device__ __forceinline__ uint32_t bit(const uint32_t* bits, uint32_t slot) { return bits[slot / 32] >> slot % 32 & 1; }

/// The value of part `part` (from the circuit's first), as r1cs::PartEvaluator.
__device__ Fr part_value(const CircuitArrays& circuit, uint32_t part, const uint32_t* bits, const Fr* fields) {
  const uint32_t begin = circuit.part_begins[part], end = circuit.part_begins[part + 1] & ~kSmall;
  if ((begin & kSmall) != 0) {
    int sum = 0;
    for (uint32_t i = begin & ~kSmall; i < end; ++i) {
      const DeviceOp op = circuit.ops[i];
      const int size = static_cast<int>(op.coefficient / 2) + 1;
      if (bit(bits, op.operand & kMaxSlot) != 0) sum += op.coefficient % 2 == 0 ? size : -size;
    }
    return circuit.small_values[kLargestSmall + sum];
  }
  uint32_t i = begin;
  Fr sum = Fr::zero();
  if (i < end && (circuit.ops[i].operand & kFieldOperand) == 0) {
    WideSum wide;
    for (; i < end; ++i) {
      const uint32_t raw = circuit.ops[i].operand;
      if ((raw & kFieldOperand) != 0) break;
      const uint32_t slot = raw & kMaxSlot, length = (raw >> 25) + 1;
      const Fr coefficient = circuit.coefficients[circuit.ops[i].coefficient];
      const uint32_t low = bits_from(bits, slot);
      wide.add<0>(coefficient, length < 32 ? low & ((1U << length) - 1) : low);
      if (length > 32) {
        const uint32_t high = bits_from(bits, slot + 32);
        wide.add<1>(coefficient, length < 64 ? high & ((1U << (length - 32)) - 1) : high);
      }
    }
    sum = wide.reduced();
  }
  for (; i < end; ++i) {
    const DeviceOp op = circuit.ops[i];
    const Fr value = fields[op.operand & kMaxSlot];
    if (op.coefficient == 0) {
      sum = sum + value;
    } else if (op.coefficient == 1) {
      sum = sum - value;
    } else {
      sum = sum + circuit.coefficients[op.coefficient] * value;
    }
  }
  return sum;
}

/// A thread an instance: its derived values in order, as r1cs::InstanceValues.
__global__ void solve(const CircuitArrays* arrays, uint32_t count, Values values) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const CircuitArrays& circuit = *arrays;
  const PlacementArrays placement = circuit.placements[circuit.solved[i]];
  const TemplateArrays t = circuit.templates[placement.template_index];
  const uint32_t* const bits = values.bits + placement.bits_at;
  Fr* const fields = values.fields + placement.fields_at;
#pragma unroll 1
  for (uint32_t d = 0; d < t.num_definitions; ++d) {
    const r1cs::Definition definition = circuit.definitions[t.first_definition + d];
    fields[definition.slot] = Fr::zero();  // C is then all the rest of its part
    Fr part[3];
#pragma unroll 1
    for (uint32_t m = 0; m < 3; ++m) part[m] = part_value(circuit, t.first_part + 3 * definition.row + m, bits, fields);
    const Fr product = part[0] * part[1];
    fields[definition.slot] = definition.negative ? part[2] - product : product - part[2];
  }
}

constexpr uint32_t kRowThreads = 256;

__global__ void row_values(const CircuitArrays* arrays, uint32_t placements, uint64_t rows, Values values, Fr* a, Fr* b,
                           Fr* c) {
  __shared__ uint32_t first;
  const CircuitArrays& circuit = *arrays;
  const uint64_t first_row = uint64_t{blockIdx.x} * kRowThreads, row = first_row + threadIdx.x;
  if (threadIdx.x == 0) {
    uint32_t low = 0, high = placements;  // the last placement whose rows begin at or before first_row
    while (high - low > 1) {
      const uint32_t middle = low + (high - low) / 2;
      (circuit.placements[middle].row_base <= first_row ? low : high) = middle;
    }
    first = low;
  }
  __syncthreads();
  if (row >= rows) return;
  uint32_t p = first;
  while (p + 1 < placements && circuit.placements[p + 1].row_base <= row) ++p;
  const PlacementArrays placement = circuit.placements[p];
  const uint32_t part = circuit.templates[placement.template_index].first_part +
                        3 * static_cast<uint32_t>(row - placement.row_base);
  const uint32_t* const bits = values.bits + placement.bits_at;
  const Fr* const fields = values.fields + placement.fields_at;
#pragma unroll 1
  for (uint32_t m = 0; m < 3; ++m) (m == 0 ? a : m == 1 ? b : c)[row] = part_value(circuit, part + m, bits, fields);
}

std::size_t witness_words(const DeviceCircuit& circuit) { return (std::size_t{circuit.num_aux} + 63) / 64 * 2; }

}  // namespace

std::size_t circuit_device_bytes(const r1cs::StructuredR1cs& circuit) {
  const HostCircuit h = flatten(circuit);
  return bytes_of(h.templates) + bytes_of(h.placements) + bytes_of(h.part_begins) + bytes_of(h.ops) +
         bytes_of(h.stored_places) + bytes_of(h.definitions) + bytes_of(h.bit_runs) + bytes_of(h.field_runs) +
         bytes_of(h.solved) + bytes_of(h.coefficients) + bytes_of(h.small_values) +
         Arena::rounded(sizeof(CircuitArrays));
}

DeviceCircuit enqueue_circuit(const r1cs::StructuredR1cs& circuit, Arena& arena, Stream stream) {
  const HostCircuit h = flatten(circuit);
  // From pageable memory: each copy is staged before the call returns.
  const auto upload = [&]<class T>(const std::vector<T>& values) {
    T* const at = arena.take<T>(values.size()).data();
    check(cudaMemcpyAsync(at, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice, stream),
          "upload of a circuit");
    return at;
  };
  const CircuitArrays arrays = {
      .templates = upload(h.templates),
      .placements = upload(h.placements),
      .part_begins = upload(h.part_begins),
      .ops = upload(h.ops),
      .stored_places = upload(h.stored_places),
      .definitions = upload(h.definitions),
      .bit_runs = upload(h.bit_runs),
      .field_runs = upload(h.field_runs),
      .solved = upload(h.solved),
      .coefficients = reinterpret_cast<const Fr*>(upload(h.coefficients)),
      .small_values = reinterpret_cast<const Fr*>(upload(h.small_values)),
  };
  return {
      .arrays = upload(std::vector<CircuitArrays>{arrays}),
      .num_rows = circuit.num_constraints,
      .bit_words = h.bit_words,
      .num_fields = h.num_fields,
      .num_inputs = circuit.num_inputs,
      .num_aux = circuit.num_aux(),
      .num_stored = static_cast<uint32_t>(circuit.kinds->num_stored()),
      .placements = static_cast<uint32_t>(h.placements.size()),
      .bit_runs = static_cast<uint32_t>(h.bit_runs.size()),
      .field_runs = static_cast<uint32_t>(h.field_runs.size()),
      .solved = static_cast<uint32_t>(h.solved.size()),
  };
}

std::size_t row_values_device_bytes(const DeviceCircuit& circuit) {
  return Arena::rounded((witness_words(circuit) + 2) * sizeof(uint32_t)) +
         Arena::rounded(circuit.num_stored * sizeof(Fr)) + Arena::rounded(circuit.num_inputs * sizeof(Fr)) +
         Arena::rounded(circuit.bit_words * sizeof(uint32_t)) + Arena::rounded(circuit.num_fields * sizeof(Fr));
}

void enqueue_row_values(const DeviceCircuit& circuit, const r1cs::CompactWitness& witness, std::span<math::Fr> a,
                        std::span<math::Fr> b, std::span<math::Fr> c, Arena arena, Stream stream) {
  if (witness.inputs.size() != circuit.num_inputs || witness.bits.size() != circuit.num_aux ||
      witness.fields.size() != circuit.num_stored)
    throw InputError("device evaluation: the witness is of another circuit");
  if (a.size() < circuit.num_rows || b.size() != a.size() || c.size() != a.size())
    throw InputError("device evaluation: places for " + std::to_string(a.size()) + ", " + std::to_string(b.size()) +
                     " and " + std::to_string(c.size()) + " values of " + std::to_string(circuit.num_rows) + " rows");
  const std::span<uint32_t> witness_bits = arena.take<uint32_t>(witness_words(circuit) + 2);
  const std::span<Fr> fields = arena.take<Fr>(circuit.num_stored), inputs = arena.take<Fr>(circuit.num_inputs);
  const std::span<uint32_t> bits = arena.take<uint32_t>(circuit.bit_words);
  const Values values = {witness_bits.data(), fields.data(), inputs.data(), bits.data(),
                         arena.take<Fr>(circuit.num_fields).data()};
  const auto copy = [&](void* to, const void* from, std::size_t bytes) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream), "upload of a witness");
  };
  const auto clear = [&](void* at, std::size_t bytes) { check(cudaMemsetAsync(at, 0, bytes, stream), "clearing"); };
  copy(witness_bits.data(), witness.bits.words().data(), witness.bits.words().size_bytes());
  clear(witness_bits.data() + witness_words(circuit), 2 * sizeof(uint32_t));
  copy(fields.data(), witness.fields.data(), fields.size_bytes());
  copy(inputs.data(), witness.inputs.data(), inputs.size_bytes());
  clear(bits.data(), bits.size_bytes());
  if (circuit.placements != 0) gather_local<<<circuit.placements, 128, 0, stream>>>(circuit.arrays, values);
  if (circuit.bit_runs != 0)
    gather_bit_runs<<<blocks_for(circuit.bit_runs, 128), 128, 0, stream>>>(circuit.arrays, circuit.bit_runs, values);
  if (circuit.field_runs != 0)
    gather_field_runs<<<blocks_for(circuit.field_runs, 128), 128, 0, stream>>>(circuit.arrays, circuit.field_runs,
                                                                               values);
  check_launch("gathering of instances");
  if (circuit.solved != 0)
    solve<<<blocks_for(circuit.solved, 32), 32, 0, stream>>>(circuit.arrays, circuit.solved, values);
  check_launch("solve");
  if (circuit.num_rows != 0)
    row_values<<<blocks_for(circuit.num_rows, kRowThreads), kRowThreads, 0, stream>>>(
        circuit.arrays, circuit.placements, circuit.num_rows, values, reinterpret_cast<Fr*>(a.data()),
        reinterpret_cast<Fr*>(b.data()), reinterpret_cast<Fr*>(c.data()));
  check_launch("row_values");
  for (const std::span<math::Fr> target : {a, b, c})
    clear(target.data() + circuit.num_rows, (target.size() - circuit.num_rows) * sizeof(math::Fr));
}

}  // namespace proofline::cuda
