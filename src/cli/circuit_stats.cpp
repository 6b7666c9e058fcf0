// proofline circuit stats: counts, densities, digest and memory of a circuit.
#include <fmt/format.h>

#include "base/hex.hpp"
#include "base/stage_recorder.hpp"
#include "base/units.hpp"
#include "cli/circuit_source.hpp"
#include "cli/command.hpp"
#include "cli/console_progress.hpp"
#include "r1cs/expand.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  std::string proof = "porep";
  std::string sector;
  std::string circuit;
  bool digest = false;
  bool memory = false;
};

Json memory_json(const r1cs::StructuredR1cs& circuit) {
  const r1cs::StructuredR1cs::Bytes bytes = circuit.bytes();
  return {{"templates", bytes.templates},
          {"placements", bytes.placements},
          {"coefficients", bytes.coefficients},
          {"kinds", bytes.kinds},
          {"densities", bytes.densities},
          {"total", bytes.total()},
          {"num_templates", circuit.templates.size()},
          {"num_placements", circuit.placements.size()}};
}

void print_memory(const r1cs::StructuredR1cs& circuit) {
  const r1cs::StructuredR1cs::Bytes bytes = circuit.bytes();
  const auto line = [](const char* name, std::size_t size, const std::string& note) {
    fmt::print("  {:<18}{:>15}  {}\n", name, format_bytes(size), note);
  };
  fmt::print("memory of the circuit\n");
  line("templates", bytes.templates, format_count(circuit.templates.size()) + " gadgets, each stored once");
  line("placements", bytes.placements, format_count(circuit.placements.size()) + " instances");
  line("coefficients", bytes.coefficients, format_count(circuit.coefficients.size()) + " different ones");
  line("kinds", bytes.kinds, "what each aux variable is: bit, field element, derived");
  line("densities", bytes.densities, "which variables occur in A and B");
  line("total", bytes.total(), "");
}

int run(const Options& options) {
  const filecoin::CircuitKind kind = filecoin::circuit_kind(options.proof);
  const filecoin::SectorShape& sector = filecoin::sector_shape(options.sector);
  ConsoleProgress console(options.common.quiet);
  StageRecorder recorder;
  const r1cs::StructuredR1cs circuit = circuit_from(kind, sector, options.circuit, console);
  const r1cs::Shape shape = circuit.shape();
  const std::string digest = options.digest ? to_hex(r1cs::digest(circuit)) : "";
  console.end_stage();
  recorder.done("circuit");
  if (options.common.json) {
    Json document = {{"proof", options.proof},
                     {"sector_size", sector.sector_size},
                     {"partitions", filecoin::circuit_partitions(kind, sector)},
                     {"num_inputs", shape.num_inputs},
                     {"num_aux", shape.num_aux},
                     {"num_constraints", shape.num_constraints},
                     {"nnz_a", shape.nonzeros_a},
                     {"nnz_b", shape.nonzeros_b},
                     {"nnz_c", shape.nonzeros_c},
                     {"density_a_aux", shape.density_a_aux},
                     {"density_b_inputs", shape.density_b_inputs},
                     {"density_b_aux", shape.density_b_aux}};
    if (options.digest) document["r1cs_sha256"] = digest;
    if (options.memory) document["memory"] = memory_json(circuit);
    document["seconds"] = recorder.total_seconds();
    document["peak_rss"] = recorder.peak_rss();
    print_json(document);
    return kDone;
  }
  fmt::print("{} circuit of a {} sector, one partition of {}\n", options.proof, sector.name,
             filecoin::circuit_partitions(kind, sector));
  const auto line = [](const char* name, std::uint64_t count, const char* note) {
    fmt::print("  {:<18}{:>15}{}{}\n", name, format_count(count), *note == '\0' ? "" : "  ", note);
  };
  line("inputs", shape.num_inputs, "with ONE");
  line("aux variables", shape.num_aux, "");
  line("constraints", shape.num_constraints, "without the row per input that a prover appends");
  line("nonzeros A", shape.nonzeros_a, "");
  line("nonzeros B", shape.nonzeros_b, "");
  line("nonzeros C", shape.nonzeros_c, "");
  line("density a, aux", shape.density_a_aux, "aux variables that occur in A");
  line("density b, inputs", shape.density_b_inputs, "inputs that occur in B");
  line("density b, aux", shape.density_b_aux, "aux variables that occur in B");
  if (options.digest) fmt::print("  row digest        {}\n", digest);
  if (options.memory) print_memory(circuit);
  fmt::print("in {}, peak memory {}\n", format_seconds(recorder.total_seconds()), format_bytes(recorder.peak_rss()));
  return kDone;
}

}  // namespace

void add_circuit_stats(CLI::App& circuit, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = circuit.add_subcommand(
      "stats",
      "Counts, densities, row digest and memory of one partition's circuit. Its rows pass by once; what is held are "
      "its gadgets, each stored once, and where they lie.");
  add_circuit_kind(*app, options->proof);
  app->add_option("--sector", options->sector, "Sector size: 2KiB to 64GiB")->required()->type_name("SIZE");
  app->add_option("--circuit", options->circuit, "Read the circuit from this file of `circuit save`")
      ->type_name("FILE");
  app->add_flag("--digest", options->digest, "Also the SHA-256 over all rows, the circuit's identity");
  app->add_flag("--memory", options->memory, "Also how much memory the circuit takes, and for what");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline circuit stats --sector 2KiB --digest\n"
               "proofline circuit stats --proof window-post --sector 32GiB --memory --json");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
