// proofline sector seal
#include <fmt/format.h>

#include "base/hex.hpp"
#include "base/stage_recorder.hpp"
#include "base/units.hpp"
#include "cli/command.hpp"
#include "cli/console_progress.hpp"
#include "filecoin/replica_id.hpp"
#include "filecoin/seal.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  std::string file;
  std::string out;
  std::string size;
  std::string api = "1.1";
  std::string registered_proof;
  std::uint64_t miner = 1000;
  std::uint64_t sector_number = 1;
  std::string ticket = std::string(64, '0');
  std::string seed = std::string(64, '0');
};

filecoin::SealRules rules_option(const Options& options) {
  if (!options.registered_proof.empty()) {
    return filecoin::seal_rules(filecoin::seal_proof_info(std::string_view(options.registered_proof)));
  }
  const auto version = options.api == "1.0" ? filecoin::ApiVersion::kV1_0 : filecoin::ApiVersion::kV1_1;
  return filecoin::seal_rules(filecoin::sector_shape(options.size).sector_size, version);
}

int run(const Options& options) {
  const filecoin::SealRules rules = rules_option(options);
  const filecoin::SectorIds ids{.prover_id = filecoin::prover_id(options.miner),
                                .sector_id = options.sector_number,
                                .ticket = bytes32_option(options.ticket, "--ticket"),
                                .seed = bytes32_option(options.seed, "--seed")};
  StageRecorder recorder;
  ConsoleProgress console(options.common.quiet);
  const filecoin::SectorInfo info =
      filecoin::seal_sector(options.file, options.out, rules, ids, options.common.executor(), console);
  console.end_stage();
  recorder.done("seal");
  if (options.common.json) {
    Json document = Json::parse(filecoin::to_json(info));
    document["folder"] = options.out;
    document["seconds"] = recorder.total_seconds();
    document["peak_rss"] = recorder.peak_rss();
    print_json(document);
    return kDone;
  }
  fmt::print("sealed {} ({}) as a {} sector in {}\n", options.file, format_bytes(info.data_bytes), rules.shape().name,
             options.out);
  fmt::print("  comm_d      {}\n", to_hex(info.comm_d));
  fmt::print("  comm_r      {}\n", to_hex(info.comm_r));
  fmt::print("  replica_id  {}\n", to_hex(info.replica_id));
  fmt::print("in {}, peak memory {}\n", format_seconds(recorder.total_seconds()), format_bytes(recorder.peak_rss()));
  return kDone;
}

}  // namespace

void add_sector_seal(CLI::App& sector, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = sector.add_subcommand(
      "seal",
      "Seal a file into a test sector of up to 1 GiB: labels, trees, commitments and replica go into a new folder with "
      "the reference's file names, and sector.json with ids and commitments.");
  app->add_option("FILE", options->file, "The data, at most 127/128 of the sector's size")->required();
  CLI::Option_group* rules = app->add_option_group("Rules, one of");
  rules->require_option(1);
  rules
      ->add_option(
          "--size", options->size,
          "Sector size: 2KiB, 8MiB or 512MiB (4KiB, 16KiB, 32KiB, 16MiB, 1GiB without C1), of interactive PoRep")
      ->type_name("SIZE");
  CLI::Option* registered = rules
                                ->add_option("--registered-proof", options->registered_proof,
                                             "Any seal proof, for example StackedDrg2KiBV1_1_Feat_SyntheticPoRep or "
                                             "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep")
                                ->type_name("NAME");
  app->add_option("--out", options->out, "The new folder")->required()->type_name("DIR");
  app->add_option("--api", options->api, "Rules for graph and challenges")
      ->capture_default_str()
      ->check(CLI::IsMember({"1.0", "1.1"}))
      ->excludes(registered);
  app->add_option("--miner", options->miner, "Miner's number")->capture_default_str()->type_name("N");
  app->add_option("--sector-number", options->sector_number, "Sector's number")->capture_default_str()->type_name("N");
  app->add_option("--ticket", options->ticket, "32 bytes of sealing randomness (default: zeros)")->type_name("HEX");
  app->add_option("--seed", options->seed, "32 bytes of challenge randomness for a later C1 (default: zeros)")
      ->type_name("HEX");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline sector seal notes.txt --size 2KiB --out my-sector\n"
               "proofline sector seal photo.jpg --size 8MiB --out photo --miner 1234 --sector-number 7 --json");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
