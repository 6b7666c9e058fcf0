// proofline verify porep
#include <fmt/format.h>

#include "base/error.hpp"
#include "cli/verify_command.hpp"
#include "filecoin/c1_reader.hpp"
#include "filecoin/node_hash.hpp"
#include "filecoin/porep_inputs.hpp"
#include "filecoin/sector_files.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  ProofToVerify proof;
  std::string c1;
  std::string sector;
  std::string registered_proof;
  std::string replica_id;
  std::string comm_d;
  std::string comm_r;
  std::string seed;
};

filecoin::PorepStatement sector_statement(const Options& options) {
  const std::filesystem::path file = std::filesystem::path(options.sector) / "sector.json";
  const filecoin::SectorInfo info = filecoin::read_sector_info(file);
  if (!info.rules.proof) {
    throw InputError(
        fmt::format("{}: sectors of {} bytes have no registered proof", file.string(), info.rules.sector_size));
  }
  return {*info.rules.proof, filecoin::node_to_fr(info.replica_id, "replica_id"),
          filecoin::node_to_fr(info.comm_d, "comm_d"), filecoin::node_to_fr(info.comm_r, "comm_r"), info.ids.seed};
}

filecoin::PorepStatement statement(const Options& options) {
  if (!options.sector.empty()) return sector_statement(options);
  if (!options.c1.empty()) return filecoin::porep_statement(filecoin::C1Reader(options.c1).header());
  return {filecoin::seal_proof_info(std::string_view(options.registered_proof)).proof,
          field_option(options.replica_id, "--replica-id"), field_option(options.comm_d, "--comm-d"),
          field_option(options.comm_r, "--comm-r"), bytes32_option(options.seed, "--seed")};
}

int run(const Options& options) {
  return verify_command(options.common, options.proof, [&]() -> ProvedStatement {
    const filecoin::PorepStatement about = statement(options);
    return {filecoin::seal_proof_info(about.proof).partitions(),
            [about](std::size_t k) { return filecoin::porep_public_inputs(about, static_cast<unsigned>(k)); }};
  });
}

}  // namespace

void add_verify_porep(CLI::App& verify, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = verify.add_subcommand(
      "porep",
      "Verify a PoRep proof (192 bytes a partition) against a verifying key and what the chain knows of the sector: "
      "taken from a sector's folder, from a C1 file, or given one by one. Exit status 1 when it does not verify.");
  add_proof_to_verify(*app, options->proof);
  CLI::Option_group* about = app->add_option_group("What is proved, one of");
  about->add_option("--sector", options->sector, "The sector in this folder (sector.json)")->type_name("DIR");
  about->add_option("--c1", options->c1, "The sector of this C1 file")->type_name("FILE");
  CLI::Option* registered =
      about->add_option("--registered-proof", options->registered_proof, "For example StackedDrg2KiBV1_1, with:")
          ->type_name("NAME");
  about->require_option(1);
  const auto field = [&](const char* flag, std::string& value, const char* text) {
    CLI::Option* option = app->add_option(flag, value, text)->type_name("HEX")->needs(registered);
    registered->needs(option);
  };
  field("--replica-id", options->replica_id, "Replica id");
  field("--comm-d", options->comm_d, "Commitment to the data");
  field("--comm-r", options->comm_r, "Commitment to the replica");
  field("--seed", options->seed, "Challenge randomness");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline verify porep my.proof --vk porep-2KiB.vk --sector my-sector\n"
               "proofline verify porep my.proof --params porep-2KiB.params --c1 c1.json --json");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
