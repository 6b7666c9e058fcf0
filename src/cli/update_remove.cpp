// proofline update remove
#include <fmt/format.h>

#include "base/hex.hpp"
#include "base/stage_recorder.hpp"
#include "base/units.hpp"
#include "cli/command.hpp"
#include "cli/console_progress.hpp"
#include "filecoin/update_sector.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  std::string update;
  std::string out;
};

int run(const Options& options) {
  StageRecorder recorder;
  ConsoleProgress console(options.common.quiet);
  const filecoin::Node comm_r_last =
      filecoin::remove_updated_data(options.update, options.out, options.common.executor(), console);
  console.end_stage();
  recorder.done("remove");
  if (options.common.json) {
    print_json({{"folder", options.out},
                {"comm_r_last", to_hex(comm_r_last)},
                {"seconds", recorder.total_seconds()},
                {"peak_rss", recorder.peak_rss()}});
  } else {
    fmt::print("the sealed replica under {} is in {}, in {}\n", options.update, options.out,
               format_seconds(recorder.total_seconds()));
  }
  return kDone;
}

}  // namespace

void add_update_remove(CLI::App& update, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = update.add_subcommand("remove",
                                        "Take the data out of an updated replica again: the sealed replica that it was "
                                        "encoded under, tree_r_last and p_aux "
                                        "go into a new folder. They are checked against comm_r_old before it appears.");
  app->add_option("DIR", options->update, "The update's folder (replica, staged, cache/p_aux and update.json are read)")
      ->required();
  app->add_option("--out", options->out, "The new folder")->required()->type_name("DIR");
  add_common(*app, options->common);
  add_examples(*app, "proofline update remove my-update --out my-sector-again");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
