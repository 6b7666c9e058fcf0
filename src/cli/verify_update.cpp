// proofline verify update
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/stage_recorder.hpp"
#include "base/units.hpp"
#include "cli/command.hpp"
#include "cli/update_folder.hpp"
#include "filecoin/node_hash.hpp"
#include "filecoin/update_inputs.hpp"
#include "groth16/parameters.hpp"
#include "groth16/verify.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  std::string proof;
  std::string params;
  std::string key;
  std::string update;
  std::string size;
  std::string comm_r_old;
  std::string comm_d_new;
  std::string comm_r_new;
};

groth16::VerifyingKey verifying_key(const Options& options) {
  if (!options.key.empty()) return groth16::read_verifying_key(options.key);
  return groth16::MappedParameters(options.params).verifying_key();
}

math::Fr field_option(const std::string& text, std::string_view flag) {
  return filecoin::node_to_fr(bytes32_option(text, flag), flag);
}

filecoin::UpdateStatement statement(const Options& options) {
  if (!options.update.empty()) return read_update_folder(options.update).statement;
  return {filecoin::update_shape(filecoin::sector_shape(options.size).sector_size).sector_size,
          field_option(options.comm_r_old, "--comm-r-old"), field_option(options.comm_d_new, "--comm-d-new"),
          field_option(options.comm_r_new, "--comm-r-new")};
}

/// Empty when the proof holds, else why it does not.
std::string reject_reason(const Options& options, const Executor& exec) {
  const filecoin::UpdateStatement about = statement(options);
  const groth16::PreparedVerifyingKey key(verifying_key(options));
  const MappedFile file(options.proof);
  const unsigned partitions = about.shape().partitions;
  const std::size_t expected = partitions * groth16::Proof::kBytes;
  if (file.bytes().size() != expected) {
    throw InputError(fmt::format("{}: {} bytes, expected {} ({} partitions of {} bytes)", options.proof,
                                 file.bytes().size(), expected, partitions, groth16::Proof::kBytes));
  }
  std::vector<groth16::Proof> proofs;
  try {
    proofs = groth16::proofs_from_bytes(file.bytes(), options.proof);
  } catch (const InputError& error) {
    return error.what();
  }
  std::vector<groth16::Claim> claims;
  for (unsigned k = 0; k < partitions; ++k) claims.push_back({filecoin::update_public_inputs(about, k), proofs[k]});
  const bool holds = partitions == 1 ? groth16::verify(key, claims[0].inputs, claims[0].proof)
                                     : groth16::verify_batch(key, claims, exec);
  return holds ? "" : "the pairing equation does not hold for these public inputs";
}

int run(const Options& options) {
  StageRecorder recorder;
  const std::string reason = reject_reason(options, options.common.executor());
  recorder.done("verify");
  const bool valid = reason.empty();
  if (options.common.json) {
    Json document = {{"file", options.proof}, {"valid", valid}};
    if (!valid) document["reason"] = reason;
    document["seconds"] = recorder.total_seconds();
    print_json(document);
  } else if (valid) {
    fmt::print("valid: {} ({})\n", options.proof, format_seconds(recorder.total_seconds()));
  } else {
    fmt::print("NOT valid: {}\n", reason);
  }
  return valid ? kDone : kAnswerIsNo;
}

}  // namespace

void add_verify_update(CLI::App& verify, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = verify.add_subcommand("update",
                                        "Verify the proof of a sector update (192 bytes a partition) against a "
                                        "verifying key and what the chain knows: the "
                                        "commitments to old replica, new data and new replica, from an update's folder "
                                        "or given one by one. Exit status 1 "
                                        "when it does not verify.");
  app->add_option("PROOF", options->proof, "The proof file")->required();
  CLI::Option_group* key = app->add_option_group("Verifying key, one of");
  key->add_option("--params", options->params, "From this parameter file")->type_name("FILE");
  key->add_option("--vk", options->key, "From this verifying key file")->type_name("FILE");
  key->require_option(1);
  CLI::Option_group* about = app->add_option_group("What is proved, one of");
  about->add_option("--update", options->update, "The update in this folder (update.json)")->type_name("DIR");
  CLI::Option* size = about->add_option("--size", options->size, "Sector size, with:")->type_name("SIZE");
  about->require_option(1);
  const auto field = [&](const char* flag, std::string& value, const char* text) {
    CLI::Option* option = app->add_option(flag, value, text)->type_name("HEX")->needs(size);
    size->needs(option);
  };
  field("--comm-r-old", options->comm_r_old, "Commitment to the sealed replica");
  field("--comm-d-new", options->comm_d_new, "Commitment to the new data");
  field("--comm-r-new", options->comm_r_new, "Commitment to the new replica");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline verify update my.proof --vk update-2KiB.vk --update my-update\n"
               "proofline verify update my.proof --params update-2KiB.params --update my-vanilla --json");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
