#include "groth16/prove.hpp"

#include <utility>

#include "base/error.hpp"
#include "base/secret.hpp"
#include "groth16/assignment.hpp"
#include "groth16/quotient.hpp"

namespace proofline::groth16 {

using math::Fr;
using math::G1;
using math::G2;

namespace {

void done(StageObserver* observer, std::string_view stage) {
  if (observer != nullptr) observer->stage_done(stage);
}

void require_same_circuit(const Assignment& assignment, const MappedParameters& parameters) {
  const auto require = [&](const char* what, std::size_t circuit, std::size_t file) {
    if (circuit == file) return;
    throw InputError(parameters.path().string() + ": parameters are for another circuit: " + what + " is " +
                     std::to_string(file) + ", this circuit has " + std::to_string(circuit));
  };
  const std::size_t inputs = assignment.witness.inputs.size();
  require("number of inputs (with ONE)", inputs, parameters.verifying_key().num_inputs());
  require("number of aux variables (l)", assignment.witness.aux.size(), parameters.l().count);
  require("evaluation domain (h and one)", assignment.a.size(), parameters.domain_size());
  require("size of query a", inputs + count(assignment.a_aux), parameters.a().count);
  require("size of query b", count(assignment.b_inputs) + count(assignment.b_aux), parameters.b_g1().count);
}

void append_dense(std::vector<Fr>& out, std::span<const Fr> values, const Density& density) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (density[i]) out.push_back(values[i]);
}

G1 sum(const MappedParameters& parameters, const QueryLocation& query, std::span<const Fr> scalars,
       const Executor& exec) {
  const G1 out = math::msm(parameters.read_g1(query), scalars, exec);
  parameters.release(query);
  return out;
}

}  // namespace

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

Pending start(const r1cs::Circuit& circuit, std::shared_ptr<const MappedParameters> parameters, Blinding blinding,
              const Executor& exec, StageObserver* observer) {
  Assignment assignment = assign(circuit, parameters->domain_size());
  require_same_circuit(assignment, *parameters);
  done(observer, "synthesis");
  const r1cs::Witness& witness = assignment.witness;

  Pending pending{parameters, std::move(blinding), {witness.inputs.begin() + 1, witness.inputs.end()}, {}, {}, {}, {},
                  {}};
  {
    const std::vector<Fr> h = quotient(std::move(assignment.a), std::move(assignment.b), std::move(assignment.c), exec);
    done(observer, "quotient");
    pending.h_sum = sum(*parameters, parameters->h(), h, exec);
    done(observer, "h");
  }
  pending.l_sum = sum(*parameters, parameters->l(), witness.aux, exec);
  done(observer, "l");

  std::vector<Fr> scalars = witness.inputs;
  scalars.reserve(parameters->a().count);
  append_dense(scalars, witness.aux, assignment.a_aux);
  pending.a_sum = sum(*parameters, parameters->a(), scalars, exec);
  done(observer, "a");

  append_dense(pending.b_scalars, witness.inputs, assignment.b_inputs);
  append_dense(pending.b_scalars, witness.aux, assignment.b_aux);
  pending.b_sum = sum(*parameters, parameters->b_g1(), pending.b_scalars, exec);
  done(observer, "b in G1");
  return pending;
}

Proof finish(Pending pending, const Executor& exec, StageObserver* observer) {
  const MappedParameters& parameters = *pending.parameters;
  const VerifyingKey& key = parameters.verifying_key();
  const Fr& r = pending.blinding.r();
  const Fr& s = pending.blinding.s();

  const G2 b_sum = math::msm(parameters.read_g2(parameters.b_g2()), pending.b_scalars, exec);
  parameters.release(parameters.b_g2());
  done(observer, "b in G2");

  // A = alpha + sum_a + r delta, B = beta + sum_b + s delta, C = h + l + s A + r B - r s delta
  const G1 delta(key.delta_g1);
  const G1 a = G1(key.alpha_g1) + pending.a_sum + delta * r;
  const G1 b_in_g1 = G1(key.beta_g1) + pending.b_sum + delta * s;
  const G2 b = G2(key.beta_g2) + b_sum + G2(key.delta_g2) * s;
  const G1 c = pending.h_sum + pending.l_sum + a * s + b_in_g1 * r + -(delta * (r * s));
  done(observer, "assembly");
  return {a.to_affine(), b.to_affine(), c.to_affine()};
}

Proof prove(const r1cs::Circuit& circuit, std::shared_ptr<const MappedParameters> parameters, Blinding blinding,
            const Executor& exec, StageObserver* observer) {
  const PreparedVerifyingKey key(parameters->verifying_key());
  Pending pending = start(circuit, std::move(parameters), std::move(blinding), exec, observer);
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
