// proofline circuit save
#include <fmt/format.h>

#include <filesystem>

#include "base/stage_recorder.hpp"
#include "base/units.hpp"
#include "cli/circuit_source.hpp"
#include "cli/command.hpp"
#include "cli/console_progress.hpp"
#include "r1cs/circuit_file.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  std::string proof = "porep";
  std::string sector;
  std::string out;
};

int run(const Options& options) {
  const filecoin::CircuitKind kind = filecoin::circuit_kind(options.proof);
  const filecoin::SectorShape& sector = filecoin::sector_shape(options.sector);
  ConsoleProgress console(options.common.quiet);
  StageRecorder recorder;
  const r1cs::StructuredR1cs circuit = circuit_from(kind, sector, "", console);
  console.end_stage();
  r1cs::save_circuit(circuit, options.out);
  recorder.done("circuit");
  const std::uint64_t bytes = std::filesystem::file_size(options.out);
  if (options.common.json) {
    print_json({{"file", options.out},
                {"bytes", bytes},
                {"proof", options.proof},
                {"sector_size", sector.sector_size},
                {"num_constraints", circuit.num_constraints},
                {"num_templates", circuit.templates.size()},
                {"num_placements", circuit.placements.size()},
                {"seconds", recorder.total_seconds()},
                {"peak_rss", recorder.peak_rss()}});
  } else {
    fmt::print("{} circuit of a {} sector: {} ({}; {} constraints, {} gadgets, {} instances) in {}\n", options.proof,
               sector.name, options.out, format_bytes(bytes), format_count(circuit.num_constraints),
               format_count(circuit.templates.size()), format_count(circuit.placements.size()),
               format_seconds(recorder.total_seconds()));
  }
  return kDone;
}

}  // namespace

void add_circuit_save(CLI::App& circuit, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = circuit.add_subcommand(
      "save",
      "Record one partition's circuit and write it to a file, which the other subcommands take as --circuit: reading "
      "it takes a fraction of recording it (at 32GiB half a second in place of half a minute).");
  add_circuit_kind(*app, options->proof);
  app->add_option("--sector", options->sector, "Sector size: 2KiB to 64GiB")->required()->type_name("SIZE");
  app->add_option("-o,--out", options->out, "The circuit file")->required()->type_name("FILE");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline circuit save --sector 32GiB -o porep-32GiB.circuit\n"
               "proofline circuit save --proof update --sector 32GiB -o update-32GiB.circuit");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
