// proofline sector update
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
  std::string sector;
  std::string file;
  std::string out;
};

int run(const Options& options) {
  StageRecorder recorder;
  ConsoleProgress console(options.common.quiet);
  const filecoin::UpdateInfo info =
      filecoin::update_sector(options.sector, options.file, options.out, options.common.executor(), console);
  console.end_stage();
  recorder.done("update");
  Json document = Json::parse(filecoin::to_json(info));
  if (options.common.json) {
    document["folder"] = options.out;
    document["seconds"] = recorder.total_seconds();
    document["peak_rss"] = recorder.peak_rss();
    print_json(document);
    return kDone;
  }
  fmt::print("encoded {} ({}) under the replica of {} in {}\n", options.file, format_bytes(info.data_bytes),
             options.sector, options.out);
  for (const char* name : {"comm_r_old", "comm_d_new", "comm_r_new"}) {
    fmt::print("  {}  {}\n", name, document.at(name).get<std::string>());
  }
  fmt::print("in {}, peak memory {}\n", format_seconds(recorder.total_seconds()), format_bytes(recorder.peak_rss()));
  return kDone;
}

}  // namespace

void add_sector_update(CLI::App& sector, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = sector.add_subcommand(
      "update",
      "Encode a file under a sealed sector's replica (SnapDeals, FIP-0019): the new replica, its trees and update.json "
      "go "
      "into a new folder; the sealed sector stays as it is. `update` has what follows: proofs, decoding, removal.");
  app->add_option("DIR", options->sector, "The sealed sector's folder (sealed, cache/p_aux and sector.json are read)")
      ->required();
  app->add_option("FILE", options->file, "The new data, at most 127/128 of the sector's size")->required();
  app->add_option("--out", options->out, "The update's new folder")->required()->type_name("DIR");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline sector update my-sector photo.jpg --out my-update\n"
               "proofline sector update my-sector photo.jpg --out my-update --json");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
