// proofline witness stats: what a partition's witness is made of, and whether it satisfies the circuit.
#include <fmt/format.h>

#include <optional>

#include "base/error.hpp"
#include "base/stage_recorder.hpp"
#include "base/units.hpp"
#include "cli/circuit_source.hpp"
#include "cli/command.hpp"
#include "cli/console_progress.hpp"
#include "cli/stage_table.hpp"
#include "filecoin/c1_reader.hpp"
#include "filecoin/porep_circuit.hpp"
#include "r1cs/evaluate.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  std::string c1;
  std::string circuit;
  unsigned partition = 0;
  bool check = false;
};

struct Check {
  std::uint64_t rows = 0;
  std::string first_broken;  ///< empty when all rows hold
};

Check check(const Options& options, const filecoin::SectorShape& sector, r1cs::CompactWitness& witness,
            const Executor& exec, ConsoleProgress& console, StageRecorder& recorder) {
  const r1cs::StructuredR1cs circuit = circuit_from(filecoin::CircuitKind::kPorep, sector, options.circuit, console);
  console.end_stage();
  recorder.done(options.circuit.empty() ? "record circuit" : "read circuit");
  witness.share_kinds(circuit.kinds);
  const std::optional<std::uint64_t> broken = r1cs::first_broken_row(circuit, witness, exec);
  recorder.done("check rows");
  return {circuit.num_constraints,
          broken ? fmt::format("constraint {} at {}", *broken, circuit.path_of_row(*broken)) : ""};
}

int run(const Options& options) {
  const Executor exec = options.common.executor();
  ConsoleProgress console(options.common.quiet);
  StageRecorder recorder;
  const filecoin::C1Reader c1(options.c1);
  const filecoin::SectorShape& sector = filecoin::seal_proof_info(c1.header().registered_proof).shape();
  if (options.partition >= c1.partitions()) {
    throw InputError(fmt::format("--partition: {} does not exist; {} has partitions 0 to {}", options.partition,
                                 options.c1, c1.partitions() - 1));
  }
  const std::vector<filecoin::ChallengeProof> challenges = c1.read_partition(options.partition);
  recorder.done("read C1");
  r1cs::CompactWitness witness =
      r1cs::generate_witness(filecoin::porep_circuit(filecoin::porep_partition(c1.header(), challenges)), exec);
  recorder.done("witness");
  const double seconds = recorder.stages().back().seconds;
  std::optional<Check> checked;
  if (options.check) checked = check(options, sector, witness, exec, console, recorder);

  const std::size_t fields = witness.fields.size();
  const std::size_t derived = witness.kinds->num_derived();
  const std::size_t bits = witness.num_aux() - fields - derived;
  const std::size_t flat = (witness.num_aux() + witness.inputs.size()) * math::Fr::kBytes;
  const bool satisfied = !checked || checked->first_broken.empty();
  if (options.common.json) {
    Json document = {{"c1", options.c1},
                     {"partition", options.partition},
                     {"sector_size", sector.sector_size},
                     {"num_inputs", witness.inputs.size()},
                     {"num_aux", witness.num_aux()},
                     {"bits", bits},
                     {"field_elements", fields},
                     {"derived", derived},
                     {"bytes", witness.bytes()},
                     {"bytes_flat", flat},
                     {"threads", exec.threads()},
                     {"seconds", seconds}};
    if (checked) {
      document["satisfied"] = satisfied;
      document["rows"] = checked->rows;
      if (!satisfied) document["first_broken"] = checked->first_broken;
    }
    document["stages"] = stages_json(recorder);
    document["peak_rss"] = recorder.peak_rss();
    print_json(document);
    return satisfied ? kDone : kAnswerIsNo;
  }
  fmt::print("witness of partition {} of a {} sector\n", options.partition, sector.name);
  const auto line = [](const char* name, const std::string& value, const std::string& note) {
    fmt::print("  {:<18}{:>15}  {}\n", name, value, note);
  };
  line("inputs", format_count(witness.inputs.size()), "with ONE");
  line("bits", format_count(bits), "aux variables that are 0 or 1");
  line("field elements", format_count(fields), "the other aux variables that are stored");
  line("derived", format_count(derived), "field elements that rows of the circuit give again: not stored");
  line("memory", format_bytes(witness.bytes()), "flat: " + format_bytes(flat));
  line("made in", format_seconds(seconds),
       fmt::format("{:.2f} ns a value, {} thread{}", seconds * 1e9 / static_cast<double>(witness.num_aux()),
                   exec.threads(), exec.threads() == 1 ? "" : "s"));
  if (checked) {
    line("rows", format_count(checked->rows),
         satisfied ? "all satisfied" : "NOT SATISFIED: first broken is " + checked->first_broken);
  }
  print_stages(recorder);
  return satisfied ? kDone : kAnswerIsNo;
}

}  // namespace

void add_witness_stats(CLI::App& witness, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = witness.add_subcommand(
      "stats",
      "Make the witness of one partition of a C1 file: how many bits and field elements it has, the memory they take, "
      "and the time. With --check also whether it satisfies every row of the circuit; exit status 1 if not.");
  app->add_option("C1", options->c1, "C1 file, as for `prove porep`; it is not verified here")->required();
  app->add_option("--partition", options->partition, "Which partition")->capture_default_str()->type_name("N");
  app->add_flag("--check", options->check, "Check every row of the circuit, in blocks");
  app->add_option("--circuit", options->circuit, "For --check, read the circuit from this file of `circuit save`")
      ->type_name("FILE");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline witness stats c1.json\n"
               "proofline witness stats c1.json --partition 3 --check --json");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
