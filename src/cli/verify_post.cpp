// proofline verify winning-post and verify window-post
#include <fmt/format.h>

#include <charconv>

#include "base/error.hpp"
#include "cli/post_files.hpp"
#include "cli/verify_command.hpp"
#include "filecoin/node_hash.hpp"
#include "filecoin/post_inputs.hpp"
#include "filecoin/post_statement_file.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  PostFlags flags;
  ProofToVerify proof;
  std::string statement;
  std::vector<std::string> sectors;
};

/// "ID:COMM_R"
filecoin::PostSector sector_option(const std::string& text) {
  const std::size_t colon = text.find(':');
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + std::min(colon, text.size()), id);
  if (colon == std::string::npos || error != std::errc() || end != text.data() + colon) {
    throw InputError(fmt::format("--sector: \"{}\" is not ID:COMM_R", text));
  }
  return {id, filecoin::node_to_fr(bytes32_option(text.substr(colon + 1), "--sector"), "--sector")};
}

filecoin::PostStatement statement(const Options& options) {
  if (!options.statement.empty()) {
    filecoin::PostStatement out = filecoin::read_post_statement(options.statement);
    check_kind(out, options.flags, options.statement);
    return out;
  }
  filecoin::PostStatement out = post_statement_option(options.flags);
  for (const std::string& sector : options.sectors) out.sectors.push_back(sector_option(sector));
  return out;
}

int run(const Options& options) {
  return verify_command(options.common, options.proof, [&]() -> ProvedStatement {
    const filecoin::PostStatement about = statement(options);
    filecoin::check_statement(about);
    return {filecoin::post_partitions(about.shape, about.sectors.size()),
            [about](std::size_t k) { return filecoin::post_public_inputs(about, k); }};
  });
}

void add_verify_post(CLI::App& verify, Action& action, filecoin::PostKind kind) {
  const std::string name(post_name(kind));
  auto options = std::make_shared<Options>();
  options->flags.kind = name;
  CLI::App* app = verify.add_subcommand(
      name, fmt::format("Verify a {} (192 bytes a partition) against a verifying key and what the chain knows: the "
                        "randomness, and id and comm_r of the sectors. Exit status 1 when it does not verify.",
                        kind == filecoin::PostKind::kWinning ? "WinningPoSt" : "WindowPoSt"));
  add_proof_to_verify(*app, options->proof);
  CLI::Option_group* about = app->add_option_group("What is proved, one of");
  about->add_option("--post", options->statement, "From this post.json")->type_name("FILE");
  CLI::Option* sector =
      about->add_option("--sector", options->sectors, "A sector; several by ascending id; with --size and --randomness")
          ->type_name("ID:COMM_R");
  about->require_option(1);
  CLI::Option* size = add_post_size(*app, options->flags)->needs(sector);
  CLI::Option* randomness = add_post_randomness(*app, options->flags)->needs(sector);
  sector->needs(size)->needs(randomness);
  add_post_version(*app, options->flags)->needs(sector);
  add_common(*app, options->common);
  add_examples(*app, fmt::format("proofline verify {0} my.proof --vk {0}-2KiB.vk --post my-post/post.json\n"
                                 "proofline verify {0} my.proof --vk {0}-2KiB.vk --size 2KiB --randomness HEX --sector "
                                 "1:HEX --json",
                                 name));
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace

void add_verify_posts(CLI::App& verify, Action& action) {
  add_verify_post(verify, action, filecoin::PostKind::kWinning);
  add_verify_post(verify, action, filecoin::PostKind::kWindow);
}

}  // namespace proofline::cli
