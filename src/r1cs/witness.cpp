#include "r1cs/witness.hpp"

#include <string>

#include "base/error.hpp"

namespace proofline::r1cs {

using math::Fr;

void CompactWitness::share_kinds(std::shared_ptr<const VariableKinds> of_circuit) {
  if (!(*kinds == *of_circuit)) {
    throw InputError("the witness is of another circuit: it has " + std::to_string(kinds->size()) +
                     " aux variables, of which " + std::to_string(kinds->num_fields()) + " field elements (" +
                     std::to_string(kinds->num_derived()) + " derived); the circuit has " +
                     std::to_string(of_circuit->size()) + " and " + std::to_string(of_circuit->num_fields()) + " (" +
                     std::to_string(of_circuit->num_derived()) + ")");
  }
  kinds = std::move(of_circuit);
}

CompactWitness CompactWitness::from_flat(const FlatWitness& flat, std::shared_ptr<const VariableKinds> kinds) {
  if (flat.aux.size() != kinds->size()) {
    throw InputError("flat witness has " + std::to_string(flat.aux.size()) + " aux values, the circuit " +
                     std::to_string(kinds->size()));
  }
  CompactWitness out{flat.inputs, std::move(kinds), {}, {}};
  out.bits.reserve(flat.aux.size());
  out.fields.reserve(out.kinds->num_stored());
  for (std::size_t i = 0; i < flat.aux.size(); ++i) {
    const Fr& value = flat.aux[i];
    if (out.kinds->is_field(i)) {
      if (!out.kinds->is_derived(i)) out.fields.push_back(value);
      out.bits.push(false);
      continue;
    }
    if (!value.is_zero() && !value.is_one()) {
      throw InputError("flat witness: aux " + std::to_string(i) + " is a bit of the circuit, but neither 0 nor 1");
    }
    out.bits.push(value.is_one());
  }
  return out;
}

std::size_t CompactWitness::bytes() const {
  return bits.bytes() + (inputs.capacity() + fields.capacity()) * sizeof(Fr);
}

}  // namespace proofline::r1cs
