#include "r1cs/witness.hpp"

#include <string>

#include "base/error.hpp"

namespace proofline::r1cs {

using math::Fr;

Fr CompactWitness::at(Variable v) const {
  if (v.is_input()) return inputs[v.index()];
  const std::size_t i = v.index();
  if (kinds->get(i)) return fields[kinds->rank(i)];
  return bits.get(i) ? Fr::one() : Fr::zero();
}

void CompactWitness::share_kinds(std::shared_ptr<const VariableKinds> of_circuit) {
  if (!(*kinds == *of_circuit)) {
    throw InputError("the witness is of another circuit: it has " + std::to_string(kinds->size()) +
                     " aux variables, of which " + std::to_string(kinds->count()) +
                     " field elements; the circuit has " + std::to_string(of_circuit->size()) + " and " +
                     std::to_string(of_circuit->count()));
  }
  kinds = std::move(of_circuit);
}

FlatWitness CompactWitness::to_flat() const {
  FlatWitness out{inputs, {}};
  out.aux.reserve(bits.size());
  auto field = fields.begin();
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (kinds->get(i)) {
      out.aux.push_back(*field++);
    } else {
      out.aux.push_back(bits.get(i) ? Fr::one() : Fr::zero());
    }
  }
  return out;
}

CompactWitness CompactWitness::from_flat(const FlatWitness& flat, std::shared_ptr<const VariableKinds> kinds) {
  if (flat.aux.size() != kinds->size()) {
    throw InputError("flat witness has " + std::to_string(flat.aux.size()) + " aux values, the circuit " +
                     std::to_string(kinds->size()));
  }
  CompactWitness out{flat.inputs, std::move(kinds), {}, {}};
  out.bits.reserve(flat.aux.size());
  out.fields.reserve(out.kinds->count());
  for (std::size_t i = 0; i < flat.aux.size(); ++i) {
    const Fr& value = flat.aux[i];
    if (out.kinds->get(i)) {
      out.fields.push_back(value);
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
