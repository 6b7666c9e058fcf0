// proofline post winning-sector
#include <fmt/format.h>

#include "cli/post_files.hpp"
#include "filecoin/post_challenges.hpp"
#include "filecoin/replica_id.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  PostFlags flags;
  std::string prover_id;
  std::uint64_t miner = 0;
  std::uint64_t sectors = 0;
};

int run(const Options& options) {
  const filecoin::Bytes32 prover =
      options.prover_id.empty() ? filecoin::prover_id(options.miner) : bytes32_option(options.prover_id, "--prover-id");
  const std::uint64_t index =
      filecoin::winning_post_sector(prover, bytes32_option(options.flags.randomness, "--randomness"), options.sectors);
  if (options.common.json) {
    print_json({{"index", index}, {"sectors", options.sectors}});
  } else {
    fmt::print("{}\n", index);
  }
  return kDone;
}

}  // namespace

void add_post_winning_sector(CLI::App& post, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = post.add_subcommand(
      "winning-sector",
      "Which of a provider's sectors a WinningPoSt opens, as its index in the list of sectors (the first is 0).");
  CLI::Option_group* who = app->add_option_group("Provider, one of");
  who->add_option("--miner", options->miner, "The provider's actor number: 1000 for f01000")->type_name("N");
  who->add_option("--prover-id", options->prover_id, "The 32 bytes that stand for it in proofs")->type_name("HEX");
  who->require_option(1);
  add_post_randomness(*app, options->flags)->required();
  app->add_option("--sectors", options->sectors, "How many sectors the provider has")->required()->type_name("N");
  add_common(*app, options->common);
  add_examples(*app, "proofline post winning-sector --miner 1000 --randomness HEX --sectors 2349");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
