// proofline params generate
#include <fmt/format.h>

#include <optional>

#include "base/error.hpp"
#include "base/stage_recorder.hpp"
#include "base/units.hpp"
#include "cli/circuit_source.hpp"
#include "cli/command.hpp"
#include "cli/console_progress.hpp"
#include "groth16/setup.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  std::string proof = "porep";
  std::string sector;
  std::string out;
  std::string key_out;
  std::string circuit;
  std::optional<std::uint64_t> seed;
  bool insecure = false;
};

groth16::ToxicWaste toxic_waste(const Options& options) {
  if (!options.seed) return groth16::ToxicWaste::random();
  if (!options.insecure) {
    throw InputError(
        "--seed: whoever knows the seed can forge proofs; add --insecure to make such parameters for tests");
  }
  return groth16::ToxicWaste::insecure_from_seed(*options.seed);
}

int run(const Options& options) {
  const filecoin::CircuitKind kind = filecoin::circuit_kind(options.proof);
  const filecoin::SectorShape& sector = filecoin::sector_shape(options.sector);
  const groth16::ToxicWaste waste = toxic_waste(options);
  StageRecorder recorder;
  ConsoleProgress console(options.common.quiet);
  const r1cs::StructuredR1cs circuit = circuit_from(kind, sector, options.circuit, console);
  const groth16::VerifyingKey key =
      groth16::generate_parameters(circuit, waste, options.out, options.common.executor(), console);
  console.end_stage();
  recorder.done("setup");
  if (!options.key_out.empty()) groth16::write_verifying_key(key, options.key_out);
  const std::uint64_t bytes = std::filesystem::file_size(options.out);
  if (options.common.json) {
    Json document = {{"file", options.out},
                     {"bytes", bytes},
                     {"proof", options.proof},
                     {"sector_size", sector.sector_size},
                     {"insecure", options.seed.has_value()},
                     {"seconds", recorder.total_seconds()},
                     {"peak_rss", recorder.peak_rss()}};
    if (!options.key_out.empty()) document["verifying_key"] = options.key_out;
    print_json(document);
    return kDone;
  }
  fmt::print("parameters for {} of {} sectors: {} ({})\n", options.proof, sector.name, options.out,
             format_bytes(bytes));
  if (!options.key_out.empty()) fmt::print("verifying key: {}\n", options.key_out);
  if (options.seed) fmt::print("INSECURE: made from a known seed, proofs with them prove nothing\n");
  fmt::print("in {}, peak memory {}\n", format_seconds(recorder.total_seconds()), format_bytes(recorder.peak_rss()));
  return kDone;
}

}  // namespace

void add_params_generate(CLI::App& params, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = params.add_subcommand(
      "generate",
      "Make proving parameters from random toxic waste, which is wiped. They are for tests: on the network only proofs "
      "with the parameters of the public ceremony count.");
  add_circuit_kind(*app, options->proof);
  app->add_option("--sector", options->sector, "Sector size, for example 2KiB")->required()->type_name("SIZE");
  app->add_option("-o,--out", options->out, "The parameter file (bellperson's layout; about 1.1 GB for 2KiB)")
      ->required()
      ->type_name("FILE");
  app->add_option("--vk", options->key_out, "Also write the verifying key to this file")->type_name("FILE");
  app->add_option("--circuit", options->circuit, "Read the circuit from this file of `circuit save`")
      ->type_name("FILE");
  app->add_option("--seed", options->seed, "Derive the toxic waste from this number; needs --insecure")->type_name("N");
  app->add_flag("--insecure", options->insecure, "Allow --seed: anybody can forge proofs for such parameters");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline params generate --sector 2KiB -o porep-2KiB.params --vk porep-2KiB.vk\n"
               "proofline params generate --proof window-post --sector 2KiB -o window-2KiB.params\n"
               "proofline params generate --sector 2KiB -o test.params --seed 1 --insecure");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
