// proofline sector c1
#include <fmt/format.h>

#include "base/file.hpp"
#include "base/stage_recorder.hpp"
#include "base/units.hpp"
#include "cli/command.hpp"
#include "cli/console_progress.hpp"
#include "filecoin/sector_files.hpp"
#include "filecoin/vanilla_json.hpp"
#include "filecoin/vanilla_prove.hpp"
#include "filecoin/vanilla_verify.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  std::string folder;
  std::string out;
  bool envelope = false;
};

std::int64_t sector_number(const std::filesystem::path& folder) {
  return static_cast<std::int64_t>(filecoin::read_sector_info(folder / "sector.json").ids.sector_id);
}

int run(const Options& options) {
  const std::filesystem::path folder = options.folder;
  StageRecorder recorder;
  const filecoin::VanillaProof proof = filecoin::prove_vanilla(folder);
  filecoin::verify_vanilla(proof, options.folder, options.common.executor());
  const std::string text =
      options.envelope ? filecoin::write_c1_envelope(proof, sector_number(folder)) : filecoin::write_c1(proof);
  AtomicFile file(options.out);
  file.write(text);
  file.commit();
  recorder.done("c1");

  const std::size_t challenges = proof.partitions.front().size();
  if (options.common.json) {
    print_json({{"file", options.out},
                {"bytes", text.size()},
                {"registered_proof", filecoin::seal_proof_info(proof.registered_proof).json_name},
                {"partitions", proof.partitions.size()},
                {"challenges_per_partition", challenges},
                {"seconds", recorder.total_seconds()},
                {"peak_rss", recorder.peak_rss()}});
  } else {
    fmt::print("C1 of {}, verified: {} ({}; partitions {}, challenges in each {}) in {}\n", options.folder, options.out,
               format_bytes(text.size()), proof.partitions.size(), challenges,
               format_seconds(recorder.total_seconds()));
  }
  return kDone;
}

}  // namespace

void add_sector_c1(CLI::App& sector, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = sector.add_subcommand(
      "c1",
      "Answer a sector's challenges: data, labels and Merkle paths become a C1 file (SealCommitPhase1Output as the "
      "reference writes it). The answers are checked before they are written.");
  app->add_option("DIR", options->folder, "The sector's folder")->required();
  app->add_option("-o,--out", options->out, "Where the C1 file goes")->required()->type_name("FILE");
  app->add_flag("--envelope", options->envelope, "Write it inside the envelope of lotus-bench and Curio");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline sector c1 my-sector -o c1.json\n"
               "proofline sector c1 my-sector -o c1.json --envelope --json");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
