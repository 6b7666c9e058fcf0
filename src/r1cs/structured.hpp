#pragma once
/// A rank-1 constraint system stored as what it is: a few gadgets, each many times. A Template holds the rows of one
/// gadget instance with references to local and outer variables; a Placement says where an instance of it lies. Rows
/// and aux variables of the circuit are the placements', one after another without gaps.
/// CircuitRecorder makes it from circuit code. Plain data: the functions that use it are in evaluate.hpp,
/// left_product.hpp, expand.hpp, density.hpp and circuit_file.hpp.
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "r1cs/bit_array.hpp"
#include "r1cs/shape.hpp"
#include "r1cs/variable.hpp"
#include "r1cs/witness.hpp"

namespace proofline::r1cs {

enum class Matrix : unsigned { kA = 0, kB = 1, kC = 2 };
inline constexpr std::array kMatrices = {Matrix::kA, Matrix::kB, Matrix::kC};

/// What an Op multiplies. An instance sees its variables in two arrays:
///   bits    ONE, then the outer bits in ascending order, then one place for each local variable
///   fields  the outer field elements in ascending order, then the local ones
class Operand {
 public:
  static constexpr std::uint32_t kMaxSlot = (1U << 25) - 1;
  static constexpr unsigned kMaxRun = 64;

  /// A run of `length` bits from `slot` on, taken as an integer with the first bit lowest.
  static constexpr Operand bits(std::uint32_t slot, unsigned length = 1) { return Operand((length - 1) << 25 | slot); }
  static constexpr Operand field(std::uint32_t slot) { return Operand(kField | slot); }
  static constexpr Operand from_raw(std::uint32_t raw) { return Operand(raw); }

  constexpr bool is_field() const { return (raw_ & kField) != 0; }
  constexpr std::uint32_t slot() const { return raw_ & kMaxSlot; }
  constexpr unsigned length() const { return is_field() ? 1 : (raw_ >> 25) + 1; }
  constexpr std::uint32_t raw() const { return raw_; }
  constexpr bool operator==(const Operand&) const = default;

 private:
  static constexpr std::uint32_t kField = 1U << 31;
  constexpr explicit Operand(std::uint32_t raw) : raw_(raw) {}
  std::uint32_t raw_;
};

/// coefficients[coefficient] * operand. A run of n bits stands for n terms whose coefficients double from one to the
/// next.
struct Op {
  Operand operand;
  std::uint32_t coefficient;
  bool operator==(const Op&) const = default;
};

/// From this row of the template on, rows are at paths[path] below the instance.
struct PathChange {
  std::uint32_t row;
  std::uint32_t path;
  bool operator==(const PathChange&) const = default;
};

/// A row that gives a derived variable: it is the only unknown, alone in C.
struct Definition {
  std::uint32_t row;
  std::uint32_t slot;  ///< of the field element
  bool negative;       ///< its coefficient is -1, otherwise 1
};

/// The rows of a gadget instance up to the names of its variables.
struct Template {
  std::uint32_t num_aux = 0;
  std::uint32_t outer_bits = 0, outer_fields = 0;
  std::vector<std::uint32_t> local_fields;  ///< which local variables are field elements, ascending
  std::vector<std::uint32_t> derived;       ///< places in local_fields of those that are not stored, ascending
  std::vector<std::uint32_t> part_ends;     ///< ends in `ops` of each row's A, B and C part
  std::vector<Op> ops;                      ///< of a part: bits before fields, each ascending by slot
  std::vector<PathChange> paths;

  /// Derived by derive(): per matrix the numbers of terms and of local variables that occur, and which slots occur.
  std::array<std::uint64_t, 3> nonzeros{};
  std::array<std::uint32_t, 3> num_used_local{};
  std::array<BitArray, 3> used_bits, used_fields;
  BitArray small;  ///< one a part: a few bits with small coefficients, whose sum is a small integer
  std::vector<Definition> definitions;  ///< of the derived variables, each after all that it needs

  std::size_t num_rows() const { return part_ends.size() / 3; }
  std::uint32_t num_bit_slots() const { return 1 + outer_bits + num_aux; }
  std::uint32_t num_field_slots() const { return outer_fields + static_cast<std::uint32_t>(local_fields.size()); }
  std::uint32_t num_stored() const { return static_cast<std::uint32_t>(local_fields.size() - derived.size()); }
  /// Whether every derived variable has a definition.
  bool is_defined() const { return definitions.size() == derived.size(); }
  /// Whether variable `local` of the instance occurs in its own rows of the matrix.
  bool uses_local(Matrix matrix, std::uint32_t local) const;
  std::span<const Op> part(std::size_t row, Matrix matrix) const {
    const std::size_t i = 3 * row + static_cast<unsigned>(matrix);
    const std::size_t begin = i == 0 ? 0 : part_ends[i - 1];
    return {ops.data() + begin, part_ends[i] - begin};
  }
  bool same_rows(const Template& other) const;
};

/// Consecutive variables.
struct VariableRun {
  Variable first;
  std::uint32_t count = 0;
  bool operator==(const VariableRun&) const = default;
};

/// One instance of a template.
struct Placement {
  std::uint32_t template_index = 0;
  std::uint32_t path = 0;  ///< of the gadget, in paths
  std::uint64_t row_base = 0;
  std::uint32_t aux_base = 0;
  std::uint32_t field_base = 0;  ///< stored field elements among the aux variables before aux_base
  /// Outer variables: runs [first_run, first_field_run) of bits, [first_field_run, end_run) of field elements.
  std::uint32_t first_run = 0, first_field_run = 0, end_run = 0;
};

struct StructuredR1cs {
  /// Coefficients of these ids are 1, -1, 2, -2, ... 8, -8.
  static constexpr std::uint32_t kSmallCoefficients = 16;
  static constexpr int small_coefficient(std::uint32_t id) {
    const int magnitude = static_cast<int>(id / 2) + 1;
    return id % 2 == 0 ? magnitude : -magnitude;
  }

  std::uint32_t num_inputs = 0;
  std::uint64_t num_constraints = 0;
  std::shared_ptr<const VariableKinds> kinds;
  std::vector<math::Fr> coefficients;
  std::vector<Template> templates;
  std::vector<Placement> placements;
  std::vector<VariableRun> outer_runs;
  std::vector<std::string> paths;
  /// Per matrix: aux variables that occur in it, but not in the rows of their own instance; and inputs that occur.
  std::array<std::vector<VariableRun>, 3> used_elsewhere;
  std::array<BitArray, 3> used_inputs;

  std::uint32_t num_aux() const { return static_cast<std::uint32_t>(kinds->size()); }
  const Template& template_of(const Placement& placement) const { return templates[placement.template_index]; }
  std::span<const VariableRun> outer_bit_runs(const Placement& p) const {
    return std::span(outer_runs).subspan(p.first_run, p.first_field_run - p.first_run);
  }
  std::span<const VariableRun> outer_field_runs(const Placement& p) const {
    return std::span(outer_runs).subspan(p.first_field_run, p.end_run - p.first_field_run);
  }
  /// Index of the placement that holds the row or the aux variable. Precondition: there is one.
  std::size_t placement_of_row(std::uint64_t row) const;
  std::size_t placement_of_aux(std::uint32_t aux) const;
  /// The gadget path of a row.
  std::string path_of_row(std::uint64_t row) const;

  Shape shape() const;
  /// Host memory that it takes.
  struct Bytes {
    std::size_t templates, placements, coefficients, kinds, densities;
    std::size_t total() const { return templates + placements + coefficients + kinds + densities; }
  };
  Bytes bytes() const;
  /// Of a compact witness of this circuit, whatever its values.
  std::uint64_t witness_bytes() const;
};

/// Fills in what the template's rows say.
void derive(Template& t);
/// Fills in used_elsewhere and used_inputs from everything else.
void derive_uses(StructuredR1cs& r1cs);

}  // namespace proofline::r1cs
