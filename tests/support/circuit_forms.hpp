#pragma once
/// A circuit in its structured form, with values made without rows, against the same circuit row by row.
#include <gtest/gtest.h>

#include "r1cs/evaluate.hpp"
#include "r1cs/expand.hpp"
#include "r1cs/query_scalars.hpp"
#include "r1cs/recorder.hpp"
#include "support/circuits.hpp"

namespace proofline::test {

/// Checks that shape, digest, every witness value and whether it is satisfied are the same in all forms.
inline void expect_same_forms(const r1cs::Circuit& circuit) {
  const CircuitRun flat = run_circuit(circuit);
  const r1cs::StructuredR1cs structured = r1cs::record(circuit);
  EXPECT_EQ(structured.shape(), flat.shape);
  EXPECT_EQ(r1cs::digest(structured), flat.digest);
  r1cs::CompactWitness compact = r1cs::generate_witness(circuit, Executor(2));
  ASSERT_NO_THROW(compact.share_kinds(structured.kinds));
  const r1cs::FlatWitness values = r1cs::to_flat(structured, compact, Executor(2));
  EXPECT_EQ(values.inputs, flat.witness.inputs);
  ASSERT_EQ(values.aux.size(), flat.witness.aux.size());
  for (std::size_t i = 0; i < values.aux.size(); ++i) ASSERT_EQ(values.aux[i], flat.witness.aux[i]) << "aux " << i;
  EXPECT_EQ(r1cs::generate_flat_witness(circuit, Executor(2)).aux, flat.witness.aux);
  const auto broken = r1cs::first_broken_row(structured, compact, Executor(2));
  EXPECT_EQ(broken ? r1cs::row_name(*broken, structured.path_of_row(*broken)) : "", flat.first_broken);
}

}  // namespace proofline::test
