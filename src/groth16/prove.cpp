#include "groth16/prove.hpp"

#include <utility>

#include "base/error.hpp"
#include "base/secret.hpp"
#include "groth16/quotient.hpp"
#include "r1cs/evaluate.hpp"
#include "r1cs/query_scalars.hpp"

namespace proofline::groth16 {

using math::Fr;
using math::G1;
using math::G2;

namespace {

void done(StageObserver* observer, std::string_view stage) {
  if (observer != nullptr) observer->stage_done(stage);
}

/// Values of a matrix on the domain; the prover appends the rows input_i * 0 = 0.
void evaluate_on_domain(const r1cs::StructuredR1cs& circuit, const r1cs::CompactWitness& witness, r1cs::Matrix matrix,
                        std::span<Fr> out, const Executor& exec) {
  const auto rows = static_cast<std::size_t>(circuit.num_constraints);
  r1cs::RowValues target;
  (matrix == r1cs::Matrix::kA ? target.a : matrix == r1cs::Matrix::kB ? target.b : target.c) = out.first(rows);
  r1cs::evaluate_rows(circuit, witness, 0, rows, target, exec);
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(rows), out.end(), Fr());
  if (matrix == r1cs::Matrix::kA) std::copy(witness.inputs.begin(), witness.inputs.end(), &out[rows]);
}

/// Adds up a query's scalars times its points.
template <class Reader>
auto sum(const Reader& reader, const Pending& pending, r1cs::Query query, const Executor& exec) {
  r1cs::QueryScalars scalars(*pending.circuit, pending.witness, query, exec);
  return math::msm(
      reader, [&](math::CompactScalars& piece) { return scalars.next(piece); }, scalars.max_fields(), exec);
}

G1 sum(const Pending& pending, const QueryLocation& points, r1cs::Query query, const Executor& exec) {
  const G1 out = sum(pending.parameters->read_g1(points), pending, query, exec);
  pending.parameters->release(points);
  return out;
}

}  // namespace

void require_same_circuit(const r1cs::StructuredR1cs& circuit, const MappedParameters& parameters,
                          std::string_view circuit_file) {
  const auto require = [&](const char* what, std::size_t of_circuit, std::size_t of_file) {
    if (of_circuit == of_file) return;
    const std::string circuit_has = circuit_file.empty()
                                        ? "this circuit has " + std::to_string(of_circuit)
                                        : "the circuit (" + std::string(circuit_file) + ") has " +
                                              std::to_string(of_circuit) + "; or that one is of another circuit";
    throw InputError(parameters.path().string() + ": parameters are for another circuit: " + what + " is " +
                     std::to_string(of_file) + ", " + circuit_has);
  };
  const r1cs::Shape shape = circuit.shape();
  require("number of inputs (with ONE)", shape.num_inputs, parameters.verifying_key().num_inputs());
  require("number of aux variables (l)", shape.num_aux, parameters.l().count);
  require("evaluation domain (h and one)", std::size_t{1} << domain_log_size(circuit), parameters.domain_size());
  require("size of query a", shape.num_inputs + shape.density_a_aux, parameters.a().count);
  require("size of query b", shape.density_b_inputs + shape.density_b_aux, parameters.b_g1().count);
}

Blinding Blinding::random() {
  return {Fr::random(), Fr::random()};
}

Blinding::Blinding(Blinding&& other) noexcept : r_(other.r_), s_(other.s_) {
  wipe(std::span(&other.r_, 1));
  wipe(std::span(&other.s_, 1));
}

Blinding::~Blinding() {
  wipe(std::span(&r_, 1));
  wipe(std::span(&s_, 1));
}

Pending start(std::shared_ptr<const r1cs::StructuredR1cs> circuit, r1cs::CompactWitness witness,
              std::shared_ptr<const MappedParameters> parameters, Blinding blinding, const Executor& exec,
              StageObserver* observer) {
  require_same_circuit(*circuit, *parameters);
  r1cs::require_satisfied(*circuit, witness, exec);
  done(observer, "satisfaction");

  std::vector<Fr> inputs(witness.inputs.begin() + 1, witness.inputs.end());
  Pending pending{std::move(parameters), std::move(blinding), std::move(inputs),
                  std::move(circuit),    std::move(witness),  {}};
  {
    const auto values = [&](r1cs::Matrix matrix, std::span<Fr> out) {
      evaluate_on_domain(*pending.circuit, pending.witness, matrix, out, exec);
    };
    const LargeArray<Fr> h = quotient(values, domain_log_size(*pending.circuit), exec);
    done(observer, "quotient");
    const QueryLocation& points = pending.parameters->h();
    pending.sums.h = math::msm(pending.parameters->read_g1(points), std::span<const Fr>(h.span()), exec);
    pending.parameters->release(points);
    done(observer, "h");
  }
  pending.sums.l = sum(pending, pending.parameters->l(), r1cs::Query::kAux, exec);
  done(observer, "l");
  pending.sums.a = sum(pending, pending.parameters->a(), r1cs::Query::kA, exec);
  done(observer, "a");
  pending.sums.b_g1 = sum(pending, pending.parameters->b_g1(), r1cs::Query::kB, exec);
  done(observer, "b in G1");
  return pending;
}

Proof finish(Pending pending, const Executor& exec, StageObserver* observer) {
  const MappedParameters& parameters = *pending.parameters;
  pending.sums.b_g2 = sum(parameters.read_g2(parameters.b_g2()), pending, r1cs::Query::kB, exec);
  parameters.release(parameters.b_g2());
  done(observer, "b in G2");
  const Proof proof = assemble(parameters.verifying_key(), pending.blinding, pending.sums);
  done(observer, "assembly");
  return proof;
}

Proof assemble(const VerifyingKey& key, const Blinding& blinding, const ProofSums& sums) {
  const Fr& r = blinding.r();
  const Fr& s = blinding.s();
  const G1 delta(key.delta_g1);
  const G1 a = G1(key.alpha_g1) + sums.a + delta * r;
  const G1 b_in_g1 = G1(key.beta_g1) + sums.b_g1 + delta * s;
  const G2 b = G2(key.beta_g2) + sums.b_g2 + G2(key.delta_g2) * s;
  const G1 c = sums.h + sums.l + a * s + b_in_g1 * r + -(delta * (r * s));
  return {a.to_affine(), b.to_affine(), c.to_affine()};
}

Proof prove(const r1cs::StructuredR1cs& circuit, r1cs::CompactWitness witness,
            std::shared_ptr<const MappedParameters> parameters, Blinding blinding, const Executor& exec,
            StageObserver* observer) {
  const PreparedVerifyingKey key(parameters->verifying_key());
  // Not owned: finish() ends before this returns.
  std::shared_ptr<const r1cs::StructuredR1cs> borrowed(std::shared_ptr<const r1cs::StructuredR1cs>(), &circuit);
  Pending pending =
      start(std::move(borrowed), std::move(witness), std::move(parameters), std::move(blinding), exec, observer);
  const std::vector<Fr> inputs = pending.inputs;
  const Proof proof = finish(std::move(pending), exec, observer);
  const bool holds = verify(key, inputs, proof);
  done(observer, "verification");
  if (!holds) {
    throw Error("the proof just made does not verify: parameters damaged, or a fault of this machine");
  }
  return proof;
}

}  // namespace proofline::groth16
