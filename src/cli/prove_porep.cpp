// proofline prove porep
#include <fmt/format.h>

#include "cli/circuit_source.hpp"
#include "cli/console_progress.hpp"
#include "cli/prove_command.hpp"
#include "cli/stage_table.hpp"
#include "filecoin/c1_reader.hpp"
#include "filecoin/porep_circuit.hpp"
#include "filecoin/vanilla_verify.hpp"
#include "groth16/prove.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  std::string c1;
  std::string params;
  std::string circuit;
  std::string out;
};

/// Each partition is parsed, checked and dropped: what is wrong in the last one is said before the first is proved.
void check_partitions(const filecoin::C1Reader& c1, const std::string& name, const Executor& exec,
                      ConsoleProgress& console) {
  for (std::size_t k = 0; k < c1.partitions(); ++k) {
    console.report("check C1", k, c1.partitions());
    filecoin::verify_vanilla_partition(c1.header(), k, c1.read_partition(k), name, exec);
  }
  console.end_stage();
}

r1cs::CompactWitness partition_witness(const filecoin::C1Reader& c1, std::size_t k, const Executor& exec) {
  const std::vector<filecoin::ChallengeProof> challenges = c1.read_partition(k);
  return r1cs::generate_witness(filecoin::porep_circuit(filecoin::porep_partition(c1.header(), challenges)), exec);
}

int run(const Options& options) {
  const Executor exec = options.common.executor();
  ConsoleProgress console(options.common.quiet);
  StageRecorder recorder;
  const filecoin::C1Reader c1(options.c1);
  const filecoin::SealProofInfo& info = filecoin::seal_proof_info(c1.header().registered_proof);
  recorder.done("read C1's outline");
  check_partitions(c1, options.c1, exec, console);
  recorder.done("check C1");
  const auto parameters = std::make_shared<const groth16::MappedParameters>(options.params);
  recorder.done("map parameters");
  const r1cs::StructuredR1cs circuit =
      circuit_from(filecoin::CircuitKind::kPorep, info.shape(), options.circuit, console);
  console.end_stage();
  recorder.done(options.circuit.empty() ? "record circuit" : "read circuit");

  const std::size_t partitions = c1.partitions();
  std::vector<groth16::Proof> proofs;
  for (std::size_t i = 0; i < partitions; ++i) {
    console.report("partitions", i, partitions);
    ProverStages stages(recorder, partitions == 1 ? "" : fmt::format("partition {}: ", i));
    r1cs::CompactWitness witness = partition_witness(c1, i, exec);
    stages.stage_done("witness");
    proofs.push_back(
        groth16::prove(circuit, std::move(witness), parameters, groth16::Blinding::random(), exec, &stages));
  }
  console.end_stage();
  return write_proofs(options.common, options.out, proofs, recorder, "proof of " + counted(partitions, "partition"),
                      {{"partitions", partitions}, {"registered_proof", info.json_name}});
}

}  // namespace

void add_prove_porep(CLI::App& prove, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = prove.add_subcommand(
      "porep",
      "Make the Groth16 proof (C2) of what a C1 file reveals: 192 bytes a partition. Each proof is verified with the "
      "parameters' key before it is written.");
  app->add_option("C1", options->c1,
                  "C1 file: SealCommitPhase1Output as JSON, or in the envelope of lotus-bench and Curio")
      ->required();
  app->add_option("--params", options->params, "Parameters of the sector size's porep circuit")
      ->required()
      ->type_name("FILE");
  app->add_option("--circuit", options->circuit,
                  "Read the circuit from this file of `circuit save` (default: record it, which takes half a minute at "
                  "32GiB)")
      ->type_name("FILE");
  app->add_option("-o,--out", options->out, "Where the proof goes")->required()->type_name("FILE");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline prove porep c1.json --params porep-2KiB.params -o my.proof\n"
               "proofline prove porep c1.json --params porep-2KiB.params -o my.proof --threads 4 --json");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
