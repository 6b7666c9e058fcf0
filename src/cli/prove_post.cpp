// proofline prove winning-post and prove window-post
#include <fmt/format.h>

#include "cli/circuit_source.hpp"
#include "cli/console_progress.hpp"
#include "cli/post_files.hpp"
#include "cli/prove_command.hpp"
#include "cli/stage_table.hpp"
#include "filecoin/post_prove.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  PostFlags flags;
  std::vector<std::string> inputs;
  std::string statement;
  std::string params;
  std::string circuit;
  std::string out;
};

int run(const Options& options) {
  const Executor exec = options.common.executor();
  ConsoleProgress console(options.common.quiet);
  StageRecorder recorder;
  const PostSource source = post_source(options.inputs, options.statement, options.flags);
  const filecoin::PostShape& shape = source.statement.shape;
  recorder.done("look at vanilla proofs");
  const auto parameters = std::make_shared<const groth16::MappedParameters>(options.params);
  recorder.done("map parameters");
  const r1cs::StructuredR1cs circuit =
      circuit_from(filecoin::circuit_kind(post_name(shape.kind)), *shape.sector, options.circuit, console);
  console.end_stage();
  recorder.done(options.circuit.empty() ? "record circuit" : "read circuit");

  const std::size_t partitions = filecoin::post_partitions(shape, source.statement.sectors.size());
  std::vector<groth16::Proof> proofs;
  for (std::size_t k = 0; k < partitions; ++k) {
    console.report("partitions", k, partitions);
    ProverStages stages(recorder, partitions == 1 ? "" : fmt::format("partition {}: ", k));
    std::vector<filecoin::PostSectorProof> vanilla = source.partition(k);
    stages.stage_done("read vanilla proofs");
    proofs.push_back(filecoin::prove_post_partition(source.statement, k, std::move(vanilla), source.name, circuit,
                                                    parameters, groth16::Blinding::random(), exec, &stages));
  }
  console.end_stage();
  const std::size_t sectors = source.statement.sectors.size();
  return write_proofs(options.common, options.out, proofs, recorder,
                      fmt::format("{} of {}", post_name(shape.kind), counted(sectors, "sector")),
                      {{"proof", post_name(shape.kind)},
                       {"sector_size", shape.sector->sector_size},
                       {"sectors", sectors},
                       {"partitions", partitions}});
}

void add_prove_post(CLI::App& prove, Action& action, filecoin::PostKind kind) {
  const bool winning = kind == filecoin::PostKind::kWinning;
  const std::string name(post_name(kind));
  auto options = std::make_shared<Options>();
  options->flags.kind = name;
  CLI::App* app = prove.add_subcommand(
      name, winning
                ? "Make the WinningPoSt of one sector, 192 bytes. It is verified with the parameters' key before it "
                  "is written."
                : "Make the WindowPoSt of a provider's sectors, 192 bytes a partition: 2349 sectors of 32GiB, 2300 "
                  "of 64GiB, 2 of other sizes. A partition's vanilla proofs are read when its turn comes. Each "
                  "proof is verified with the parameters' key before it is written.");
  app->add_option("VANILLA", options->inputs,
                  "The folder of `post vanilla` or `post synthesize`, or vanilla proof files (bincode "
                  "FallbackPoStSectorProof) by ascending sector")
      ->required();
  CLI::Option* statement =
      app->add_option("--post", options->statement, "What is proved (default: post.json of the folder)")
          ->type_name("FILE");
  add_post_size(*app, options->flags)->excludes(statement);
  add_post_randomness(*app, options->flags)
      ->description("Challenge randomness; with --size in place of --post: all sectors of the vanilla proofs")
      ->excludes(statement);
  add_post_version(*app, options->flags)->excludes(statement);
  app->add_option("--params", options->params, fmt::format("Parameters of the sector size's {} circuit", name))
      ->required()
      ->type_name("FILE");
  app->add_option("--circuit", options->circuit, "Read the circuit from this file of `circuit save`")
      ->type_name("FILE");
  app->add_option("-o,--out", options->out, "Where the proof goes")->required()->type_name("FILE");
  add_common(*app, options->common);
  add_examples(*app, fmt::format("proofline prove {0} my-post --params {0}-2KiB.params -o my.proof\n"
                                 "proofline prove {0} vanilla-1.bin --size 2KiB --randomness HEX --params "
                                 "{0}-2KiB.params -o my.proof --json",
                                 name));
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace

void add_prove_posts(CLI::App& prove, Action& action) {
  add_prove_post(prove, action, filecoin::PostKind::kWinning);
  add_prove_post(prove, action, filecoin::PostKind::kWindow);
}

}  // namespace proofline::cli
