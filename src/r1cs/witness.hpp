#pragma once
/// The values of a circuit's variables: flat, as other provers hold them, and compact, as this one does.
#include <memory>
#include <vector>

#include "r1cs/bit_array.hpp"
#include "r1cs/variable.hpp"
#include "r1cs/variable_kinds.hpp"

namespace proofline::r1cs {

/// One field element a variable. inputs[0] is one.
struct FlatWitness {
  std::vector<math::Fr> inputs;
  std::vector<math::Fr> aux;
  const math::Fr& at(Variable v) const { return v.is_input() ? inputs[v.index()] : aux[v.index()]; }
};

struct CompactWitness {
  std::vector<math::Fr> inputs;                ///< inputs[0] is one
  std::shared_ptr<const VariableKinds> kinds;  ///< belongs to the circuit, shared by its witnesses
  BitArray bits;                               ///< one an aux variable; zero where it is a field element
  std::vector<math::Fr> fields;                ///< the field elements in allocation order, without the derived ones

  std::size_t num_aux() const { return bits.size(); }
  /// Takes the circuit's kinds in place of an equal copy. Throws InputError when they differ: the witness is then of
  /// another circuit.
  void share_kinds(std::shared_ptr<const VariableKinds> of_circuit);

  /// Drops the derived values. Throws InputError when the sizes differ or a variable of the kind bit is neither 0
  /// nor 1.
  static CompactWitness from_flat(const FlatWitness& flat, std::shared_ptr<const VariableKinds> kinds);

  /// Bytes of the values, without the shared kinds.
  std::size_t bytes() const;
};

}  // namespace proofline::r1cs
