// proofline post challenges
#include "filecoin/post_challenges.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/post_files.hpp"
#include "filecoin/api_version.hpp"
#include "filecoin/post_inputs.hpp"
#include "filecoin/post_statement_file.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  PostFlags flags;
  std::string statement;
  std::vector<std::uint64_t> sectors;
};

/// What is proved; comm_r plays no part in challenges.
filecoin::PostStatement statement(const Options& options) {
  if (!options.statement.empty()) return filecoin::read_post_statement(options.statement);
  filecoin::PostStatement out = post_statement_option(options.flags);
  for (const std::uint64_t id : options.sectors) out.sectors.push_back({id, {}});
  filecoin::check_statement(out);
  return out;
}

int run(const Options& options) {
  const filecoin::PostStatement about = statement(options);
  Json list = Json::array();
  for (std::size_t i = 0; i < about.sectors.size(); ++i) {
    const std::uint64_t id = about.sectors[i].id;
    const std::vector<std::uint64_t> challenges =
        filecoin::post_challenges(about.shape, about.version, about.randomness, id, i);
    if (options.common.json) {
      list.push_back({{"id", id}, {"challenges", challenges}});
    } else {
      fmt::print("sector {}: {}\n", id, fmt::join(challenges, " "));
    }
  }
  if (options.common.json) {
    print_json({{"proof", post_name(about.shape.kind)},
                {"sector_size", about.shape.sector->sector_size},
                {"api_version", filecoin::api_version_name(about.version)},
                {"partitions", filecoin::post_partitions(about.shape, about.sectors.size())},
                {"sectors", list}});
  }
  return kDone;
}

}  // namespace

void add_post_challenges(CLI::App& post, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = post.add_subcommand(
      "challenges",
      "Which leaves a proof of spacetime opens of each sector, as the randomness decides: 66 of a WinningPoSt's one "
      "sector, 10 of each sector of a WindowPoSt.");
  CLI::Option* kind = add_post_kind(*app, options->flags)->required(false);
  CLI::Option* size = add_post_size(*app, options->flags)->needs(kind);
  CLI::Option* randomness = add_post_randomness(*app, options->flags)->needs(kind);
  CLI::Option* sectors =
      app->add_option("--sector", options->sectors, "Sector numbers, ascending")->type_name("N")->needs(kind);
  kind->needs(size)->needs(randomness)->needs(sectors);
  add_post_version(*app, options->flags)->needs(kind);
  CLI::Option* file =
      app->add_option("--post", options->statement, "Take all of it from this post.json")->type_name("FILE");
  file->excludes(kind);
  app->callback([options, kind, file, &action] {
    if (kind->empty() && file->empty()) throw CLI::RequiredError("--post, or --kind");
    action = [options] { return run(*options); };
  });
  add_common(*app, options->common);
  add_examples(*app,
               "proofline post challenges --post my-post/post.json\n"
               "proofline post challenges --kind window --size 32GiB --randomness HEX --sector 3 --sector 5 --json");
}

}  // namespace proofline::cli
