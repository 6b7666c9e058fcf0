// proofline sector synthesize
#include <fmt/format.h>

#include "base/file.hpp"
#include "base/hex.hpp"
#include "base/units.hpp"
#include "cli/command.hpp"
#include "cli/console_progress.hpp"
#include "cli/stage_table.hpp"
#include "filecoin/synthetic_sector.hpp"
#include "filecoin/vanilla_json.hpp"
#include "filecoin/vanilla_verify.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  std::string size;
  std::string out;
  std::uint64_t seed = 0;
  bool envelope = false;
};

int run(const Options& options) {
  const filecoin::SealProofInfo& info =
      filecoin::seal_proof_info(filecoin::sector_shape(options.size).sector_size, filecoin::ApiVersion::kV1_1);
  const Executor exec = options.common.executor();
  AtomicFile file(options.out);
  StageRecorder recorder;
  ConsoleProgress console(options.common.quiet);
  const filecoin::VanillaProof proof = filecoin::synthesize_sector(info, options.seed, exec, console);
  recorder.done("synthesize");
  console.report("verify", 0, 1);
  filecoin::verify_vanilla(proof, "synthetic sector", exec);
  recorder.done("verify");
  console.report("write", 0, 1);
  const auto sector_number = static_cast<std::int64_t>(filecoin::synthetic_ids(options.seed).sector_id);
  const std::string text =
      options.envelope ? filecoin::write_c1_envelope(proof, sector_number) : filecoin::write_c1(proof);
  file.write(text);
  file.commit();
  console.end_stage();
  recorder.done("write");

  const std::size_t challenges = proof.partitions.front().size();
  if (options.common.json) {
    print_json({{"file", options.out},
                {"bytes", text.size()},
                {"registered_proof", info.json_name},
                {"seed", options.seed},
                {"sector_number", sector_number},
                {"comm_d", to_hex(proof.comm_d.to_bytes())},
                {"comm_r", to_hex(proof.comm_r.to_bytes())},
                {"replica_id", to_hex(proof.replica_id.to_bytes())},
                {"partitions", proof.partitions.size()},
                {"challenges_per_partition", challenges},
                {"seconds", recorder.total_seconds()},
                {"peak_rss", recorder.peak_rss()},
                {"stages", stages_json(recorder)}});
    return kDone;
  }
  fmt::print("C1 of a synthetic {} sector, verified: {} ({}; partitions {}, challenges in each {})\n",
             info.shape().name, options.out, format_bytes(text.size()), proof.partitions.size(), challenges);
  print_stages(recorder);
  return kDone;
}

}  // namespace

void add_sector_synthesize(CLI::App& sector, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = sector.add_subcommand(
      "synthesize",
      "Make the C1 file of a sector that was never sealed, in seconds at any size: for benchmarks and tests of C2 at "
      "full "
      "size. The answers are checked before they are written, and satisfy the circuit as a sealed sector's do. They "
      "prove no storage: here the challenges are known before the commitment is made, and labels chosen to fit. On "
      "chain the commitment comes first and the seed is drawn later.");
  app->add_option("--size", options->size, "Sector size: 2KiB, 8MiB, 512MiB, 32GiB or 64GiB")
      ->required()
      ->type_name("SIZE");
  app->add_option("-o,--out", options->out, "Where the C1 file goes")->required()->type_name("FILE");
  app->add_option(
         "--seed", options->seed,
         "Number that data, labels, ids, ticket and challenge seed derive from; the same one gives the same file")
      ->capture_default_str()
      ->type_name("N");
  app->add_flag("--envelope", options->envelope, "Write it inside the envelope of lotus-bench and Curio");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline sector synthesize --size 32GiB -o c1.json\n"
               "proofline sector synthesize --size 64GiB -o c1.json --seed 7 --envelope --json");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
