#pragma once
/// How a circuit lies in device memory. An instance is a placement of a template; the values that its rows refer to lie
/// together, bits and field elements apart, one instance after another, in the order of r1cs::Operand.
#include <cstdint>

#include "device/cuda/fields.cuh"
#include "r1cs/structured.hpp"

namespace proofline::cuda {

struct TemplateArrays {
  std::uint32_t first_part;  ///< place of the first row's A part in part_begins
  std::uint32_t outer_bits, num_aux, outer_fields;
  std::uint32_t first_stored, num_stored;
};

struct PlacementArrays {
  std::uint64_t row_base;
  std::uint32_t template_index, aux_base, field_base;
  std::uint32_t bits_at;    ///< first 32-bit word of the instance's bits
  std::uint32_t fields_at;  ///< first of the instance's field elements
  std::uint32_t unused = 0;
};

/// Outer bits, copied from the witness's bits to a place among all instances' bits.
struct BitRun {
  std::uint64_t to;
  std::uint32_t from, count;
};
/// Outer field elements, copied from the inputs or the witness's stored ones.
struct FieldRun {
  std::uint32_t to, from, count, of_inputs;
};

/// Definitions of one instance that must be solved one after another.
struct Chain {
  std::uint32_t placement, first, count;
};

/// r1cs::Op, its operand raw.
struct DeviceOp {
  std::uint32_t operand, coefficient;
};
constexpr std::uint32_t kFieldOperand = 1U << 31;
constexpr std::uint32_t kMaxSlot = r1cs::Operand::kMaxSlot;
static_assert(kMaxSlot == (1U << 25) - 1);

constexpr std::uint32_t kSmall = 1U << 31;  ///< in the begin of a part: its value is a small integer
constexpr int kLargestSmall = 32;           ///< in size; see r1cs::PartEvaluator

/// Rows that a block evaluates.
constexpr std::uint32_t kBlockRows = 256;

/// Device pointers.
struct CircuitArrays {
  const TemplateArrays* templates;
  const PlacementArrays* placements;
  const std::uint32_t* row_placements;  ///< the placement of each kBlockRows-th row
  const std::uint32_t* part_begins;     ///< in ops; of a template one more than it has parts
  const DeviceOp* ops;
  const std::uint32_t* stored_places;  ///< field slots of each template's stored local variables
  const r1cs::Definition* definitions;
  const Chain* chains;
  const BitRun* bit_runs;
  const FieldRun* field_runs;
  const Fr* coefficients;
  const Fr* small_values;  ///< of the integers from -kLargestSmall on
};

}  // namespace proofline::cuda
