// proofline post synthesize
#include <fmt/format.h>

#include "base/hex.hpp"
#include "base/units.hpp"
#include "cli/console_progress.hpp"
#include "cli/post_files.hpp"
#include "cli/stage_table.hpp"
#include "filecoin/post_challenges.hpp"
#include "filecoin/post_vanilla_verify.hpp"
#include "filecoin/synthetic_post.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  PostFlags flags;
  std::uint64_t seed = 0;
  std::size_t sectors = 0;
  std::string out;
};

int run(const Options& options) {
  const filecoin::PostShape shape = post_shape_option(options.flags);
  const std::size_t sectors = options.sectors == 0 ? shape.sectors_per_partition() : options.sectors;
  const std::size_t partitions = filecoin::post_partitions(shape, sectors);
  const filecoin::ApiVersion version = api_version_option(options.flags);
  const filecoin::Bytes32 randomness = filecoin::synthetic_randomness(options.seed);
  const Executor exec = options.common.executor();
  PostFolderWriter out(options.out);
  StageRecorder recorder;
  ConsoleProgress console(options.common.quiet);
  std::uint64_t index = 0;
  const filecoin::PostStatement statement = filecoin::synthesize_post(
      shape, version, options.seed, sectors,
      [&](const filecoin::PostSectorProof& proof) {
        const auto challenges = filecoin::post_challenges(shape, version, randomness, proof.sector.id, index++);
        filecoin::verify_post_sector(proof, shape, challenges, "synthetic sector", exec);
        out.add(proof, shape);
      },
      exec, console);
  out.commit(statement);
  console.end_stage();
  recorder.done("synthesize");
  if (options.common.json) {
    print_json({{"folder", options.out},
                {"bytes", out.bytes()},
                {"proof", post_name(shape.kind)},
                {"sector_size", shape.sector->sector_size},
                {"seed", options.seed},
                {"randomness", to_hex(statement.randomness)},
                {"sectors", sectors},
                {"partitions", partitions},
                {"seconds", recorder.total_seconds()},
                {"peak_rss", recorder.peak_rss()}});
    return kDone;
  }
  fmt::print("vanilla proofs of synthetic {} sectors for a {}, verified: {} ({} sectors, {}; partitions {})\n",
             shape.sector->name, post_name(shape.kind), options.out, sectors, format_bytes(out.bytes()), partitions);
  print_stages(recorder);
  return kDone;
}

}  // namespace

void add_post_synthesize(CLI::App& post, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = post.add_subcommand(
      "synthesize",
      "Make vanilla proofs of sectors that were never sealed, in seconds at any size: for benchmarks and tests of "
      "proofs of spacetime at full size. They are checked before they are written, and satisfy the circuit as sealed "
      "sectors' do. They prove no "
      "storage: here the challenges are known before the commitments are made, on chain it is the other way round.");
  add_post_kind(*app, options->flags);
  add_post_size(*app, options->flags)->required();
  app->add_option("--sectors", options->sectors, "How many sectors (default: as many as a partition holds)")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""));
  add_post_version(*app, options->flags);
  app->add_option("--seed", options->seed, "Number that everything derives from; the same one gives the same files")
      ->capture_default_str()
      ->type_name("N");
  app->add_option("-o,--out", options->out, "The new folder: vanilla-ID.bin a sector, and post.json")
      ->required()
      ->type_name("DIR");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline post synthesize --kind window --size 32GiB -o window\n"
               "proofline post synthesize --kind winning --size 64GiB -o winning --seed 7 --json");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
