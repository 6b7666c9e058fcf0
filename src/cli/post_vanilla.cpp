// proofline post vanilla
#include <fmt/format.h>

#include <algorithm>

#include "base/stage_recorder.hpp"
#include "base/units.hpp"
#include "cli/console_progress.hpp"
#include "cli/post_files.hpp"
#include "filecoin/post_vanilla_prove.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  PostFlags flags;
  std::vector<std::string> folders;
  std::string out;
};

int run(const Options& options) {
  StageRecorder recorder;
  std::vector<filecoin::PostReplica> replicas;
  for (const std::string& folder : options.folders) replicas.push_back(filecoin::post_replica(folder));
  std::ranges::stable_sort(replicas, {}, [](const filecoin::PostReplica& replica) { return replica.sector.id; });
  PostFlags flags = options.flags;
  if (flags.size.empty()) flags.size = std::string(replicas.front().shape->name);
  filecoin::PostStatement statement = post_statement_option(flags);
  for (const filecoin::PostReplica& replica : replicas) statement.sectors.push_back(replica.sector);

  PostFolderWriter out(options.out);
  ConsoleProgress console(options.common.quiet);
  filecoin::prove_post_vanilla(
      statement, replicas, [&](const filecoin::PostSectorProof& proof) { out.add(proof, statement.shape); },
      options.common.executor(), console);
  out.commit(statement);
  console.end_stage();
  recorder.done("vanilla proofs");
  const std::size_t partitions = filecoin::post_partitions(statement.shape, statement.sectors.size());
  if (options.common.json) {
    print_json({{"folder", options.out},
                {"bytes", out.bytes()},
                {"proof", post_name(statement.shape.kind)},
                {"sectors", statement.sectors.size()},
                {"partitions", partitions},
                {"seconds", recorder.total_seconds()},
                {"peak_rss", recorder.peak_rss()}});
  } else {
    fmt::print("vanilla proofs of {}, verified: {} ({} sectors, {}; partitions {}) in {}\n",
               post_name(statement.shape.kind), options.out, statement.sectors.size(), format_bytes(out.bytes()),
               partitions, format_seconds(recorder.total_seconds()));
  }
  return kDone;
}

}  // namespace

void add_post_vanilla(CLI::App& post, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = post.add_subcommand(
      "vanilla",
      "Open sealed sectors at the challenges that the randomness gives: a new folder with the vanilla proof of each "
      "sector (vanilla-ID.bin, bincode as Curio sends it) and post.json, which says what they prove. Each proof is "
      "checked before it is written; sectors that cannot be proved are listed as faulty, and nothing is then written.");
  app->add_option("DIR", options->folders, "The sectors' folders, in any order")->required();
  add_post_kind(*app, options->flags);
  add_post_randomness(*app, options->flags)->required();
  add_post_size(*app, options->flags)->description("Sector size (default: that of the first sector)");
  add_post_version(*app, options->flags);
  app->add_option("-o,--out", options->out, "The new folder")->required()->type_name("DIR");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline post vanilla sector-1 sector-2 --kind window --randomness HEX -o my-post\n"
               "proofline post vanilla sector-1 --kind winning --randomness HEX -o my-post --json");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
