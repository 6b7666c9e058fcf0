// proofline prove update
#include <fmt/format.h>

#include "cli/circuit_source.hpp"
#include "cli/console_progress.hpp"
#include "cli/prove_command.hpp"
#include "cli/stage_table.hpp"
#include "cli/update_folder.hpp"
#include "filecoin/update_bincode.hpp"
#include "filecoin/update_circuit.hpp"
#include "filecoin/update_vanilla.hpp"
#include "groth16/prove.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  std::string folder;
  std::string params;
  std::string circuit;
  std::string out;
};

int run(const Options& options) {
  const Executor exec = options.common.executor();
  ConsoleProgress console(options.common.quiet);
  StageRecorder recorder;
  const filecoin::UpdateStatement about = read_update_folder(options.folder).statement;
  const filecoin::UpdateShape& shape = about.shape();
  const auto parameters = std::make_shared<const groth16::MappedParameters>(options.params);
  recorder.done("map parameters");
  const r1cs::StructuredR1cs circuit =
      circuit_from(filecoin::CircuitKind::kUpdate, filecoin::sector_shape(shape.sector_size), options.circuit, console);
  console.end_stage();
  recorder.done(options.circuit.empty() ? "record circuit" : "read circuit");

  std::vector<groth16::Proof> proofs;
  for (unsigned k = 0; k < shape.partitions; ++k) {
    console.report("partitions", k, shape.partitions);
    ProverStages stages(recorder, shape.partitions == 1 ? "" : fmt::format("partition {}: ", k));
    const std::filesystem::path file = filecoin::update_partition_file(options.folder, k);
    const filecoin::UpdatePartitionProof vanilla = filecoin::read_update_partition(file, shape);
    filecoin::verify_update_partition(about, k, vanilla, file.string(), exec);
    stages.stage_done("check");
    r1cs::CompactWitness witness =
        r1cs::generate_witness(filecoin::update_circuit(filecoin::update_partition(about, k, vanilla)), exec);
    stages.stage_done("witness");
    proofs.push_back(
        groth16::prove(circuit, std::move(witness), parameters, groth16::Blinding::random(), exec, &stages));
  }
  console.end_stage();
  return write_proofs(options.common, options.out, proofs, recorder, "proof of " + counted(proofs.size(), "partition"),
                      {{"partitions", proofs.size()}, {"sector_size", shape.sector_size}});
}

}  // namespace

void add_prove_update(CLI::App& prove, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = prove.add_subcommand(
      "update",
      "Make the Groth16 proof of a sector update (SnapDeals) from its partition proofs: 192 bytes a partition, one "
      "partition after another. Each proof is verified with the parameters' key before it is written.");
  app->add_option("DIR", options->folder, "The folder of partition proofs: update.json, vanilla-0.bin and so on")
      ->required();
  app->add_option("--params", options->params, "Parameters of the sector size's update circuit")
      ->required()
      ->type_name("FILE");
  app->add_option("--circuit", options->circuit,
                  "Read the circuit from this file of `circuit save` (default: record it, which takes half a minute at "
                  "32GiB)")
      ->type_name("FILE");
  app->add_option("-o,--out", options->out, "Where the proof goes")->required()->type_name("FILE");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline prove update my-vanilla --params update-2KiB.params -o my.proof\n"
               "proofline prove update my-vanilla --params update-2KiB.params -o my.proof --threads 4 --json");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
