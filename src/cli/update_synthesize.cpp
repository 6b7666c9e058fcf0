// proofline update synthesize
#include <fmt/format.h>

#include "base/stage_recorder.hpp"
#include "base/units.hpp"
#include "cli/command.hpp"
#include "cli/console_progress.hpp"
#include "cli/update_folder.hpp"
#include "filecoin/fr32.hpp"
#include "filecoin/synthetic_update.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  std::string size;
  std::string out;
  std::uint64_t seed = 0;
};

int run(const Options& options) {
  const filecoin::UpdateShape& shape = filecoin::update_shape(filecoin::sector_shape(options.size).sector_size);
  const Executor exec = options.common.executor();
  StageRecorder recorder;
  ConsoleProgress console(options.common.quiet);
  const filecoin::SyntheticUpdate update(shape, options.seed, exec);
  const filecoin::UpdateInfo info{update.statement(), filecoin::fr32_unpadded_size(shape.sector_size)};
  const std::uint64_t bytes = write_update_partitions(
      options.out, info, [&](unsigned k) { return update.open(k); }, exec, console);
  console.end_stage();
  recorder.done("synthesize");
  if (options.common.json) {
    Json document = Json::parse(filecoin::to_json(info));
    document["folder"] = options.out;
    document["bytes"] = bytes;
    document["seed"] = options.seed;
    document["partitions"] = shape.partitions;
    document["challenges_per_partition"] = shape.challenges_per_partition;
    document["seconds"] = recorder.total_seconds();
    document["peak_rss"] = recorder.peak_rss();
    print_json(document);
    return kDone;
  }
  fmt::print(
      "partition proofs of a synthetic {} update, verified: {} ({}; partitions {}, challenges in each {}) in {}\n",
      shape.name, options.out, format_bytes(bytes), shape.partitions, shape.challenges_per_partition,
      format_seconds(recorder.total_seconds()));
  return kDone;
}

}  // namespace

void add_update_synthesize(CLI::App& update, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = update.add_subcommand(
      "synthesize",
      "Make the partition proofs of an update that never happened, in seconds at any size: for benchmarks and tests of "
      "`prove update` at full size. They are checked before they are written, and satisfy the circuit as a real "
      "update's "
      "do.");
  app->add_option("--size", options->size, "Sector size: 2KiB to 64GiB")->required()->type_name("SIZE");
  app->add_option("-o,--out", options->out, "The new folder: vanilla-0.bin and so on, update.json")
      ->required()
      ->type_name("DIR");
  app->add_option("--seed", options->seed,
                  "Number that data and sealed replica derive from; the same one gives the same files")
      ->capture_default_str()
      ->type_name("N");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline update synthesize --size 32GiB -o vanilla\n"
               "proofline update synthesize --size 64GiB -o vanilla --seed 7 --json");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
