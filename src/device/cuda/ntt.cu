#include <algorithm>
#include <string>

#include "device/cuda/check.cuh"
#include "device/cuda/ntt.hpp"
#include "device/cuda/ntt_pass.cuh"

namespace proofline::cuda {
namespace {

using DeviceFr = ::proofline::cuda::Fr;

// ---- tables

DeviceFr to_device(const math::Fr& value) {
  DeviceFr out;
  static_assert(sizeof(out) == sizeof(value));
  std::memcpy(&out, &value, sizeof(out));
  return out;
}
const DeviceFr* on_device(const math::Fr* values) {
  return reinterpret_cast<const DeviceFr*>(values);
}
DeviceFr* on_device(math::Fr* values) {
  return reinterpret_cast<DeviceFr*>(values);
}
DevicePowers on_device(const PowerTable& table) {
  return {on_device(table.low), on_device(table.high)};
}

DftConstants to_device(const std::array<math::Fr, 3>& constants) {
  return {to_device(constants[0]), to_device(constants[1]), to_device(constants[2])};
}

__device__ DeviceFr small_power(DeviceFr base, std::uint32_t exponent) {
  DeviceFr out = DeviceFr::one();
  for (; exponent != 0; exponent >>= 1, base = base * base) {
    if ((exponent & 1) != 0) out = out * base;
  }
  return out;
}

/// out[i] = first * step^i
__global__ void powers(DeviceFr* out, std::uint32_t count, DeviceFr first, DeviceFr step) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = first * small_power(step, i);
}

/// The primitive root of unity of order 2^log_size, as math::Domain::omega().
math::Fr root_of_unity(unsigned log_size) {
  math::Fr root = math::Fr::from_u64(7).pow(
      math::Fr::Limbs{0xfffe5bfeffffffffULL, 0x09a1d80553bda402ULL, 0x299d7d483339d808ULL, 0x0000000073eda753ULL});
  for (unsigned i = log_size; i < math::Fr::kTwoAdicity; ++i) root = root.square();
  return root;
}

std::array<math::Fr, 3> dft_constants(const math::Fr& eighth_root) {
  const math::Fr half = math::Fr::from_u64(2).inverse();
  const math::Fr square = eighth_root.square(), cube = square * eighth_root;
  return {square, (eighth_root + cube) * half, (eighth_root - cube) * half};
}

void require_log_size(unsigned log_size) {
  if (log_size <= NttTables::kMaxLogSize) return;
  throw InputError("evaluation domain of 2^" + std::to_string(log_size) +
                   " elements: Fr has roots of unity up to 2^32 only");
}

unsigned low_bits_for(unsigned log_size) {
  return (log_size + 1) / 2;
}

constexpr unsigned kSmallRoots = 1U << kMaxPassBits;
unsigned direct_bits_for(unsigned log_size) {
  return std::min(log_size, 2 * kMaxPassBits);
}

// ---- plans

/// Domains too small for a pass.
constexpr unsigned kMinLogSize = 3;

struct Plan {
  unsigned passes = 0;
  unsigned bits[4] = {};
};

/// Passes of equal size, the larger ones first.
Plan plan_for(unsigned log_size) {
  Plan plan;
  plan.passes = (log_size + kMaxPassBits - 1) / kMaxPassBits;
  for (unsigned i = 0, left = log_size; i < plan.passes; ++i) {
    plan.bits[i] = (left + plan.passes - i - 1) / (plan.passes - i);
    left -= plan.bits[i];
  }
  return plan;
}

enum class Rows { kNatural, kReversed };

/// Shared memory that a block may have on every card since compute capability 8.0 (8.6, 8.9 and 12.0 have the least).
constexpr std::size_t kMaxSharedBytes = 99 * 1024;

PassShape shape_of(const PassArguments& pass) {
  return PassShape::of(pass.bits, pass.log_columns, pass.steps, pass.digit, pass.low_bits != 0);
}

/// Everything but what is fused with the pass.
PassArguments pass_arguments(PassKind kind, const NttTables& tables, const Plan& plan, unsigned index, bool inverse,
                             Rows rows) {
  PassArguments out{};
  out.small_roots = on_device(tables.small_roots);
  out.roots = on_device(tables.roots);
  out.first = to_device(inverse ? tables.inverse_constants : tables.forward_constants);
  out.second = to_device(inverse ? tables.forward_constants : tables.inverse_constants);
  out.log_size = tables.log_size;
  out.power_bits = tables.low_bits;
  out.bits = plan.bits[index];
  for (unsigned i = index + 1; i < plan.passes; ++i) out.low_bits += plan.bits[i];
  if (out.bits + out.low_bits <= direct_bits_for(tables.log_size)) {
    out.direct_roots = on_device(tables.direct_roots);
    out.direct_shift = tables.log_size - direct_bits_for(tables.log_size);
  }
  for (unsigned left = out.bits; left != 0; ++out.steps) {
    out.digit[out.steps] = std::min(left, 3U);
    left -= out.digit[out.steps];
  }
  const unsigned available = out.low_bits != 0 ? out.low_bits : index == 0 ? 0 : plan.bits[0];
  out.log_columns = std::min(log_tile(kind) - out.bits, available);
  while (shape_of(out).bytes() > kMaxSharedBytes) --out.log_columns;
  if (plan.passes > 1) out.first_bits = plan.bits[0];
  if (plan.passes > 2) out.middle_bits[0] = plan.bits[1];
  if (plan.passes > 3) out.middle_bits[1] = plan.bits[2];
  out.inverse = inverse;
  out.reversed_rows = rows == Rows::kReversed;
  return out;
}

template <PassKind kind>
void launch(const PassArguments& pass, Stream stream) {
  const unsigned blocks = 1U << (pass.log_size - pass.bits - pass.log_columns);
  const unsigned threads = 1U << (pass.bits + pass.log_columns - 3);
  ntt_pass<kind><<<blocks, threads, shape_of(pass).bytes(), stream>>>(pass);
  check_launch("ntt_pass");
}

template <PassKind kind>
void allow_shared_memory() {
  check(cudaFuncSetAttribute(ntt_pass<kind>, cudaFuncAttributeMaxDynamicSharedMemorySize, int{kMaxSharedBytes}),
        "shared memory of ntt_pass");
}

void require_size(const NttTables& tables, std::span<const math::Fr> values) {
  if (values.size() == std::size_t{1} << tables.log_size) return;
  throw InputError("device transform: " + std::to_string(values.size()) + " values for a domain of 2^" +
                   std::to_string(tables.log_size));
}

// ---- domains of 1, 2 or 4 elements

struct TinyTransform {
  DeviceFr root, read_step, write_step, write_first;
  unsigned log_size;
  bool reversed_in, reversed_out;
};

/// values[i] * read_step^i, transformed, times write_first * write_step^k.
__global__ void tiny_transform(const DeviceFr* values, DeviceFr* out, TinyTransform t) {
  const unsigned n = 1U << t.log_size;
  DeviceFr in[4];
  for (unsigned i = 0; i < n; ++i)
    in[i] = values[t.reversed_in ? reverse(i, t.log_size) : i] * small_power(t.read_step, i);
  for (unsigned k = 0; k < n; ++k) {
    DeviceFr sum = DeviceFr::zero();
    for (unsigned i = 0; i < n; ++i) sum = sum + in[i] * small_power(t.root, i * k % n);
    out[t.reversed_out ? reverse(k, t.log_size) : k] = sum * t.write_first * small_power(t.write_step, k);
  }
}
__global__ void tiny_product(DeviceFr* a, const DeviceFr* b, unsigned n) {
  for (unsigned i = 0; i < n; ++i) a[i] = a[i] * b[i];
}
/// c = (a - c) * scale
__global__ void tiny_difference(const DeviceFr* a, DeviceFr* c, DeviceFr scale, unsigned n) {
  for (unsigned i = 0; i < n; ++i) c[i] = (a[i] - c[i]) * scale;
}

bool is_inverse(Transform transform) {
  return transform == Transform::kInverse || transform == Transform::kCosetInverse;
}

void enqueue_tiny(const NttTables& tables, Transform transform, bool reversed_in, bool reversed_out,
                  const math::Fr* values, math::Fr* out, Stream stream) {
  const math::Fr one = math::Fr::one(), shift = math::Fr::from_u64(7), root = root_of_unity(tables.log_size);
  const bool inverse = is_inverse(transform);
  const TinyTransform t = {
      .root = to_device(inverse ? root.inverse() : root),
      .read_step = to_device(transform == Transform::kCosetForward ? shift : one),
      .write_step = to_device(transform == Transform::kCosetInverse ? shift.inverse() : one),
      .write_first = to_device(inverse ? tables.inverse_size : one),
      .log_size = tables.log_size,
      .reversed_in = reversed_in,
      .reversed_out = reversed_out,
  };
  tiny_transform<<<1, 1, 0, stream>>>(on_device(values), on_device(out), t);
  check_launch("tiny_transform");
}

void enqueue_tiny_quotient(const NttTables& tables, math::Fr* a, math::Fr* b, math::Fr* c, Stream stream) {
  for (math::Fr* const values : {a, b}) {
    enqueue_tiny(tables, Transform::kInverse, false, false, values, values, stream);
    enqueue_tiny(tables, Transform::kCosetForward, false, false, values, values, stream);
  }
  const unsigned n = 1U << tables.log_size;
  tiny_product<<<1, 1, 0, stream>>>(on_device(a), on_device(b), n);
  enqueue_tiny(tables, Transform::kCosetInverse, false, false, a, a, stream);
  enqueue_tiny(tables, Transform::kInverse, false, false, c, c, stream);
  const math::Fr inverse_t = (math::Fr::from_u64(7).pow(n) - math::Fr::one()).inverse();
  tiny_difference<<<1, 1, 0, stream>>>(on_device(a), on_device(c), to_device(inverse_t), n);
  check_launch("tiny_difference");
}

// ---- transforms of passes

void set_scaling(const NttTables& tables, Transform transform, bool first, bool last, PassArguments& pass) {
  if (transform == Transform::kCosetForward && first) pass.read_scale = on_device(tables.coset);
  if (transform == Transform::kCosetInverse && last) pass.write_scale = on_device(tables.from_coset);
  if (transform == Transform::kInverse && first) {
    pass.scaled = true;
    pass.scale = to_device(tables.inverse_size);
  }
}

}  // namespace

std::size_t ntt_table_bytes(unsigned log_size) {
  require_log_size(log_size);
  const std::size_t low = Arena::rounded(sizeof(math::Fr) << low_bits_for(log_size));
  const std::size_t high = Arena::rounded(sizeof(math::Fr) << (log_size - low_bits_for(log_size)));
  const std::size_t direct = Arena::rounded(sizeof(math::Fr) << direct_bits_for(log_size));
  return Arena::rounded(kSmallRoots * sizeof(math::Fr)) + direct + 3 * low + 5 * high;
}

NttTables enqueue_ntt_tables(unsigned log_size, Arena& arena, Stream stream) {
  require_log_size(log_size);
  const std::uint32_t low = 1U << low_bits_for(log_size), high = 1U << (log_size - low_bits_for(log_size));
  const auto make = [&](std::uint32_t count, const math::Fr& first, const math::Fr& step) {
    math::Fr* const out = arena.take<math::Fr>(count).data();
    powers<<<(count + 255) / 256, 256, 0, stream>>>(on_device(out), count, to_device(first), to_device(step));
    check_launch("powers");
    return out;
  };
  const math::Fr one = math::Fr::one(), shift = math::Fr::from_u64(7), shift_inverse = shift.inverse();
  const math::Fr root = root_of_unity(log_size), eighth = root_of_unity(3);
  NttTables out;
  out.log_size = log_size;
  out.low_bits = low_bits_for(log_size);
  out.inverse_size = math::Fr::from_u64(std::uint64_t{1} << log_size).inverse();
  out.quotient_scale = out.inverse_size * (shift.pow(std::uint64_t{1} << log_size) - one).inverse();
  out.forward_constants = dft_constants(eighth);
  out.inverse_constants = dft_constants(eighth.inverse());
  out.small_roots = make(kSmallRoots, one, root_of_unity(kMaxPassBits));
  out.direct_roots = make(1U << direct_bits_for(log_size), one, root_of_unity(direct_bits_for(log_size)));
  out.roots = {make(low, one, root), make(high, one, root.pow(low))};
  out.coset.low = make(low, one, shift);
  out.coset.high = make(high, one, shift.pow(low));
  out.to_coset = {out.coset.low, make(high, out.inverse_size, shift.pow(low))};
  out.from_coset.low = make(low, one, shift_inverse);
  out.from_coset.high = make(high, out.inverse_size, shift_inverse.pow(low));
  out.quotient = {out.from_coset.low, make(high, out.quotient_scale, shift_inverse.pow(low))};
  allow_shared_memory<PassKind::kFrequency>();
  allow_shared_memory<PassKind::kTime>();
  allow_shared_memory<PassKind::kBoth>();
  return out;
}

void enqueue_ntt(const NttTables& tables, Transform transform, std::span<math::Fr> values, std::span<math::Fr> out,
                 Stream stream) {
  require_size(tables, values);
  require_size(tables, out);
  if (tables.log_size < kMinLogSize)
    return enqueue_tiny(tables, transform, false, false, values.data(), out.data(), stream);
  const Plan plan = plan_for(tables.log_size);
  for (unsigned i = 0; i < plan.passes; ++i) {
    const bool last = i + 1 == plan.passes;
    PassArguments pass = pass_arguments(PassKind::kFrequency, tables, plan, i, is_inverse(transform), Rows::kNatural);
    pass.in = on_device(values.data());
    pass.out = on_device(last ? out.data() : values.data());
    pass.natural_out = last;
    set_scaling(tables, transform, i == 0, last, pass);
    launch<PassKind::kFrequency>(pass, stream);
  }
}

void enqueue_ntt_to_reversed(const NttTables& tables, Transform transform, std::span<math::Fr> values, Stream stream) {
  require_size(tables, values);
  if (tables.log_size < kMinLogSize)
    return enqueue_tiny(tables, transform, false, true, values.data(), values.data(), stream);
  const Plan plan = plan_for(tables.log_size);
  for (unsigned i = 0; i < plan.passes; ++i) {
    PassArguments pass = pass_arguments(PassKind::kFrequency, tables, plan, i, is_inverse(transform), Rows::kReversed);
    pass.in = on_device(values.data());
    pass.out = on_device(values.data());
    set_scaling(tables, transform, i == 0, i + 1 == plan.passes, pass);
    launch<PassKind::kFrequency>(pass, stream);
  }
}

void enqueue_ntt_from_reversed(const NttTables& tables, Transform transform, std::span<math::Fr> values,
                               Stream stream) {
  require_size(tables, values);
  if (tables.log_size < kMinLogSize)
    return enqueue_tiny(tables, transform, true, false, values.data(), values.data(), stream);
  const Plan plan = plan_for(tables.log_size);
  for (unsigned i = plan.passes; i-- > 0;) {
    PassArguments pass = pass_arguments(PassKind::kTime, tables, plan, i, is_inverse(transform), Rows::kReversed);
    pass.in = on_device(values.data());
    pass.out = on_device(values.data());
    set_scaling(tables, transform, i + 1 == plan.passes, i == 0, pass);
    launch<PassKind::kTime>(pass, stream);
  }
}

void enqueue_quotient(const NttTables& tables, std::span<math::Fr> a, std::span<math::Fr> b, std::span<math::Fr> c,
                      Stream stream) {
  require_size(tables, a);
  require_size(tables, b);
  require_size(tables, c);
  if (tables.log_size < kMinLogSize) return enqueue_tiny_quotient(tables, a.data(), b.data(), c.data(), stream);
  const Plan plan = plan_for(tables.log_size);
  const unsigned last = plan.passes - 1;
  // To the coset: inverse from natural to reversed order, forward back; the passes over the lowest rows are one.
  for (const std::span<math::Fr> values : {a, b}) {
    const auto on_values = [&](PassArguments pass) {
      pass.in = on_device(values.data());
      pass.out = on_device(values.data());
      return pass;
    };
    for (unsigned i = 0; i < last; ++i)
      launch<PassKind::kFrequency>(
          on_values(pass_arguments(PassKind::kFrequency, tables, plan, i, true, Rows::kReversed)), stream);
    PassArguments middle = on_values(pass_arguments(PassKind::kBoth, tables, plan, last, true, Rows::kReversed));
    middle.middle_scale = on_device(tables.to_coset);
    launch<PassKind::kBoth>(middle, stream);
    for (unsigned i = last; i-- > 0;)
      launch<PassKind::kTime>(on_values(pass_arguments(PassKind::kTime, tables, plan, i, false, Rows::kReversed)),
                              stream);
  }
  // b's memory is free once a * b is read: it takes c's coefficients.
  const auto inverse_passes = [&](math::Fr* values, math::Fr* out, const auto& fuse) {
    for (unsigned i = 0; i < plan.passes; ++i) {
      PassArguments pass = pass_arguments(PassKind::kFrequency, tables, plan, i, true, Rows::kNatural);
      pass.in = on_device(values);
      pass.out = on_device(i == last ? out : values);
      pass.natural_out = i == last;
      fuse(i, pass);
      launch<PassKind::kFrequency>(pass, stream);
    }
  };
  const auto finish_c = [&] {
    inverse_passes(c.data(), b.data(), [&](unsigned i, PassArguments& pass) {
      if (i != 0) return;
      pass.scaled = true;
      pass.scale = to_device(tables.quotient_scale);
    });
  };
  if (plan.passes == 1) {
    // One pass both reads a * b and subtracts c's coefficients: they wait in a's stead.
    tiny_product<<<1, 1, 0, stream>>>(on_device(a.data()), on_device(b.data()), 1U << tables.log_size);
    check_launch("tiny_product");
    finish_c();
    inverse_passes(a.data(), c.data(), [&](unsigned, PassArguments& pass) {
      pass.write_scale = on_device(tables.quotient);
      pass.minus = on_device(b.data());
    });
    return;
  }
  for (unsigned i = 0; i < plan.passes; ++i) {
    if (i == last) finish_c();
    PassArguments pass = pass_arguments(PassKind::kFrequency, tables, plan, i, true, Rows::kNatural);
    pass.in = on_device(a.data());
    pass.out = on_device(a.data());
    if (i == 0) pass.factor = on_device(b.data());
    if (i == last) {
      pass.out = on_device(c.data());
      pass.natural_out = true;
      pass.write_scale = on_device(tables.quotient);
      pass.minus = on_device(b.data());
    }
    launch<PassKind::kFrequency>(pass, stream);
  }
}

}  // namespace proofline::cuda
