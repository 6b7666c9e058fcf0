// proofline verify update
#include "cli/update_folder.hpp"
#include "cli/verify_command.hpp"
#include "filecoin/update_inputs.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  ProofToVerify proof;
  std::string update;
  std::string size;
  std::string comm_r_old;
  std::string comm_d_new;
  std::string comm_r_new;
};

filecoin::UpdateStatement statement(const Options& options) {
  if (!options.update.empty()) return read_update_folder(options.update).statement;
  return {filecoin::update_shape(filecoin::sector_shape(options.size).sector_size).sector_size,
          field_option(options.comm_r_old, "--comm-r-old"), field_option(options.comm_d_new, "--comm-d-new"),
          field_option(options.comm_r_new, "--comm-r-new")};
}

int run(const Options& options) {
  return verify_command(options.common, options.proof, [&]() -> ProvedStatement {
    const filecoin::UpdateStatement about = statement(options);
    return {about.shape().partitions,
            [about](std::size_t k) { return filecoin::update_public_inputs(about, static_cast<unsigned>(k)); }};
  });
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
  add_proof_to_verify(*app, options->proof);
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
