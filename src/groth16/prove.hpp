#pragma once
/// The Groth16 prover on a CPU, in two halves: start() does what a device would (evaluation, quotient
/// polynomial, G1 sums), finish() the host's rest (the G2 sum, assembly).
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/executor.hpp"
#include "base/progress.hpp"
#include "groth16/parameters.hpp"
#include "groth16/proof.hpp"
#include "groth16/verify.hpp"
#include "r1cs/structured.hpp"

namespace proofline::groth16 {

/// The scalars that make a proof zero-knowledge. Wiped on destruction.
class Blinding {
 public:
  /// From the operating system's generator.
  static Blinding random();
  /// Fixed values, for tests that compare proofs. The proofs reveal information about the witness.
  static Blinding insecure_for_tests(const math::Fr& r, const math::Fr& s) { return Blinding(r, s); }
  Blinding(const Blinding&) = delete;
  Blinding& operator=(const Blinding&) = delete;
  Blinding(Blinding&& other) noexcept;
  ~Blinding();

  const math::Fr& r() const { return r_; }
  const math::Fr& s() const { return s_; }

 private:
  Blinding(const math::Fr& r, const math::Fr& s) : r_(r), s_(s) {}
  math::Fr r_, s_;
};

/// The sums over a partition's queries, without the key's points.
struct ProofSums {
  math::G1 h, l, a, b_g1;
  math::G2 b_g2;
};

/// A proof half made. Owns or shares all that finish() reads.
struct Pending {
  std::shared_ptr<const MappedParameters> parameters;
  Blinding blinding;
  std::vector<math::Fr> inputs;  ///< public inputs without ONE
  std::shared_ptr<const r1cs::StructuredR1cs> circuit;
  r1cs::CompactWitness witness;  ///< for the sum in G2
  ProofSums sums;                ///< that in G2 comes with finish()
};

/// Throws InputError naming the parameter file and the first count that differs when the parameters are of another
/// circuit. `circuit_file`, where it is given, says in the message where the circuit is from. Equal counts are all that
/// can be compared: a circuit with other rows is found when its proof does not verify.
void require_same_circuit(const r1cs::StructuredR1cs& circuit, const MappedParameters& parameters,
                          std::string_view circuit_file = {});

/// Told of each stage when it ends, for tables of time and memory.
class StageObserver {
 public:
  virtual ~StageObserver() = default;
  virtual void stage_done(std::string_view name) = 0;
};

/// Takes the witness, which has the circuit's kinds. Throws UnsatisfiedError naming the first broken row when it does
/// not satisfy the circuit, InputError when the parameters belong to another circuit or hold a bad point.
Pending start(std::shared_ptr<const r1cs::StructuredR1cs> circuit, r1cs::CompactWitness witness,
              std::shared_ptr<const MappedParameters> parameters, Blinding blinding, const Executor& exec,
              StageObserver* observer = nullptr);

Proof finish(Pending pending, const Executor& exec, StageObserver* observer = nullptr);

/// A = alpha + a + r delta, B = beta + b + s delta, C = h + l + s A + r B - r s delta.
Proof assemble(const VerifyingKey& key, const Blinding& blinding, const ProofSums& sums);

/// start() and finish(); the proof is verified before it is returned (Error if it does not hold: a fault
/// of machine or program).
Proof prove(const r1cs::StructuredR1cs& circuit, r1cs::CompactWitness witness,
            std::shared_ptr<const MappedParameters> parameters, Blinding blinding, const Executor& exec,
            StageObserver* observer = nullptr);

}  // namespace proofline::groth16
