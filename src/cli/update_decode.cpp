// proofline update decode
#include <fmt/format.h>

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
  std::string sector;
  std::string out;
};

int run(const Options& options) {
  StageRecorder recorder;
  ConsoleProgress console(options.common.quiet);
  const std::uint64_t bytes =
      filecoin::decode_updated_sector(options.update, options.sector, options.out, options.common.executor(), console);
  console.end_stage();
  recorder.done("decode");
  if (options.common.json) {
    print_json({{"file", options.out},
                {"bytes", bytes},
                {"seconds", recorder.total_seconds()},
                {"peak_rss", recorder.peak_rss()}});
  } else {
    fmt::print("decoded {} into {} in {}\n", format_bytes(bytes), options.out,
               format_seconds(recorder.total_seconds()));
  }
  return kDone;
}

}  // namespace

void add_update_decode(CLI::App& update, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = update.add_subcommand(
      "decode",
      "Recover the file from an updated replica, with the help of the replica that it was encoded under. The data is "
      "checked against comm_d_new before the file appears.");
  app->add_option("DIR", options->update, "The update's folder (replica and update.json are read)")->required();
  app->add_option("--sector", options->sector, "The sealed sector's folder")->required()->type_name("DIR");
  app->add_option("-o,--out", options->out, "Where the file goes")->required()->type_name("FILE");
  add_common(*app, options->common);
  add_examples(*app, "proofline update decode my-update --sector my-sector -o photo.jpg");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
