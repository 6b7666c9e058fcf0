// proofline update vanilla
#include "filecoin/update_vanilla.hpp"

#include <fmt/format.h>

#include "base/stage_recorder.hpp"
#include "base/units.hpp"
#include "cli/command.hpp"
#include "cli/console_progress.hpp"
#include "cli/update_folder.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  std::string update;
  std::string sector;
  std::string out;
};

int run(const Options& options) {
  const Executor exec = options.common.executor();
  StageRecorder recorder;
  ConsoleProgress console(options.common.quiet);
  const filecoin::UpdatedSector sector(options.sector, options.update);
  const std::uint64_t bytes = write_update_partitions(
      options.out, read_update_folder(options.update), [&](unsigned k) { return sector.open(k, exec); }, exec, console);
  console.end_stage();
  recorder.done("vanilla");
  const filecoin::UpdateShape& shape = sector.statement().shape();
  if (options.common.json) {
    print_json({{"folder", options.out},
                {"bytes", bytes},
                {"sector_size", shape.sector_size},
                {"partitions", shape.partitions},
                {"challenges_per_partition", shape.challenges_per_partition},
                {"seconds", recorder.total_seconds()},
                {"peak_rss", recorder.peak_rss()}});
  } else {
    fmt::print("partition proofs of {}, verified: {} ({}; partitions {}, challenges in each {}) in {}\n",
               options.update, options.out, format_bytes(bytes), shape.partitions, shape.challenges_per_partition,
               format_seconds(recorder.total_seconds()));
  }
  return kDone;
}

}  // namespace

void add_update_vanilla(CLI::App& update, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = update.add_subcommand("vanilla",
                                        "Answer an update's challenges: nodes and Merkle paths of old replica, new "
                                        "data and new replica become one file a "
                                        "partition, vanilla-0.bin and so on (bincode PartitionProof as the reference "
                                        "writes it), beside update.json. Each is "
                                        "checked before it is written.");
  app->add_option("DIR", options->update, "The update's folder")->required();
  app->add_option("--sector", options->sector, "The sealed sector's folder")->required()->type_name("DIR");
  app->add_option("-o,--out", options->out, "The new folder of partition proofs")->required()->type_name("DIR");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline update vanilla my-update --sector my-sector -o my-vanilla\n"
               "proofline update vanilla my-update --sector my-sector -o my-vanilla --json");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
