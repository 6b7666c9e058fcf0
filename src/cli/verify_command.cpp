#include "cli/verify_command.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/stage_recorder.hpp"
#include "base/units.hpp"
#include "filecoin/node_hash.hpp"
#include "groth16/parameters.hpp"
#include "groth16/verify.hpp"

namespace proofline::cli {
namespace {

groth16::VerifyingKey verifying_key(const ProofToVerify& proof) {
  if (!proof.key.empty()) return groth16::read_verifying_key(proof.key);
  return groth16::MappedParameters(proof.params).verifying_key();
}

/// Empty when the proof holds, else why it does not.
std::string reject_reason(const ProofToVerify& proof, const ProvedStatement& statement, const Executor& exec) {
  const groth16::PreparedVerifyingKey key(verifying_key(proof));
  const MappedFile file(proof.file);
  const std::size_t expected = statement.partitions * groth16::Proof::kBytes;
  if (file.bytes().size() != expected) {
    throw InputError(fmt::format("{}: {} bytes, expected {} ({} partitions of {} bytes)", proof.file,
                                 file.bytes().size(), expected, statement.partitions, groth16::Proof::kBytes));
  }
  std::vector<groth16::Proof> proofs;
  try {
    proofs = groth16::proofs_from_bytes(file.bytes(), proof.file);
  } catch (const InputError& error) {
    return error.what();
  }
  std::vector<groth16::Claim> claims;
  for (std::size_t k = 0; k < statement.partitions; ++k) claims.push_back({statement.public_inputs(k), proofs[k]});
  return groth16::verify_batch(key, claims, exec) ? "" : "the pairing equation does not hold for these public inputs";
}

}  // namespace

void add_proof_to_verify(CLI::App& app, ProofToVerify& proof) {
  app.add_option("PROOF", proof.file, "The proof file")->required();
  CLI::Option_group* key = app.add_option_group("Verifying key, one of");
  key->add_option("--params", proof.params, "From this parameter file")->type_name("FILE");
  key->add_option("--vk", proof.key, "From this verifying key file")->type_name("FILE");
  key->require_option(1);
}

math::Fr field_option(const std::string& text, std::string_view flag) {
  return filecoin::node_to_fr(bytes32_option(text, flag), flag);
}

int verify_command(const Common& common, const ProofToVerify& proof,
                   const std::function<ProvedStatement()>& statement) {
  StageRecorder recorder;
  const std::string reason = reject_reason(proof, statement(), common.executor());
  recorder.done("verify");
  const bool valid = reason.empty();
  if (common.json) {
    Json document = {{"file", proof.file}, {"valid", valid}};
    if (!valid) document["reason"] = reason;
    document["seconds"] = recorder.total_seconds();
    print_json(document);
  } else if (valid) {
    fmt::print("valid: {} ({})\n", proof.file, format_seconds(recorder.total_seconds()));
  } else {
    fmt::print("NOT valid: {}\n", reason);
  }
  return valid ? kDone : kAnswerIsNo;
}

}  // namespace proofline::cli
