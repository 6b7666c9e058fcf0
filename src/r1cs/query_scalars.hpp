#pragma once
/// The scalars that a prover's sums take from a witness.
#include <span>
#include <vector>

#include "base/executor.hpp"
#include "math/compact_scalars.hpp"
#include "r1cs/part_evaluator.hpp"
#include "r1cs/structured.hpp"

namespace proofline::r1cs {

/// Which variables: all aux ones; inputs and aux ones that occur in A (all inputs: the prover appends a row of A for
/// each) or B.
enum class Query { kAux, kA, kB };

/// The inputs of a query, ascending.
std::vector<std::uint32_t> query_inputs(const StructuredR1cs& r1cs, Query query);

/// Places of the field elements among the query's scalars, which are the places of their points in a parameter file's
/// list, ascending; the same for all witnesses. All other scalars are bits.
std::vector<std::uint32_t> field_places(const StructuredR1cs& r1cs, Query query);

/// The scalars of one query, inputs first, a piece at a time: derived values exist only in the piece at hand.
class QueryScalars {
 public:
  /// Borrows everything. The witness is of this circuit (InputError otherwise).
  QueryScalars(const StructuredR1cs& r1cs, const CompactWitness& witness, Query query, const Executor& exec);

  /// The next scalars, valid until the call after this; false at the end.
  bool next(math::CompactScalars& piece);
  /// How many field elements there are at most.
  std::size_t max_fields() const { return r1cs_.num_inputs + r1cs_.kinds->num_fields(); }

 private:
  void take_inputs();
  void take_placements(std::size_t end);
  /// The field elements of the placements, derived ones too.
  std::span<const math::Fr> fields_of(std::size_t begin, std::size_t end);
  void select(const BitArray& used, std::uint32_t begin, std::span<const math::Fr> fields);

  const StructuredR1cs& r1cs_;
  const CompactWitness& witness_;
  Query query_;
  const Executor& exec_;
  PartEvaluator evaluator_;
  bool inputs_taken_ = false;
  std::size_t next_placement_ = 0;
  std::vector<math::Fr> expanded_;
  BitArray bits_, is_field_;
  std::vector<math::Fr> fields_;            ///< of a piece of A or B
  std::span<const math::Fr> piece_fields_;  ///< of the piece at hand
};

/// Every value as a field element, as other provers hold it.
FlatWitness to_flat(const StructuredR1cs& r1cs, const CompactWitness& witness, const Executor& exec);

}  // namespace proofline::r1cs
