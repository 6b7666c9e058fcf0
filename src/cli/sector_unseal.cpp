// proofline sector unseal
#include <fmt/format.h>

#include "base/stage_recorder.hpp"
#include "base/units.hpp"
#include "cli/command.hpp"
#include "cli/console_progress.hpp"
#include "filecoin/seal.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  std::string folder;
  std::string out;
};

int run(const Options& options) {
  StageRecorder recorder;
  ConsoleProgress console(options.common.quiet);
  const std::uint64_t bytes = filecoin::unseal_sector(options.folder, options.out, options.common.executor(), console);
  console.end_stage();
  recorder.done("unseal");
  if (options.common.json) {
    print_json({{"file", options.out},
                {"bytes", bytes},
                {"seconds", recorder.total_seconds()},
                {"peak_rss", recorder.peak_rss()}});
  } else {
    fmt::print("unsealed {} into {} in {}\n", format_bytes(bytes), options.out,
               format_seconds(recorder.total_seconds()));
  }
  return kDone;
}

}  // namespace

void add_sector_unseal(CLI::App& sector, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = sector.add_subcommand(
      "unseal",
      "Recover the file from a sector's replica: labels are computed anew, the data is checked against comm_d.");
  app->add_option("DIR", options->folder, "The sector's folder (sealed and sector.json are read)")->required();
  app->add_option("-o,--out", options->out, "Where the file goes")->required()->type_name("FILE");
  add_common(*app, options->common);
  add_examples(*app, "proofline sector unseal my-sector -o notes.txt");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
