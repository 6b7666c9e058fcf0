// proofline params check
#include <fmt/format.h>

#include <bit>

#include "base/error.hpp"
#include "base/units.hpp"
#include "cli/circuit_source.hpp"
#include "cli/command.hpp"
#include "cli/console_progress.hpp"
#include "groth16/parameters.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  std::string file;
  bool full = false;
  std::string proof = "porep";
  std::string sector;
  std::string circuit;
  std::string published;
};

/// What was checked, one entry each; `problem` ends the list.
struct Findings {
  std::vector<std::string> good;
  std::string problem;
};

void require_count(const Options& options, const char* what, std::uint64_t file, std::uint64_t circuit) {
  if (file == circuit) return;
  throw InputError(fmt::format("{}: {} is {}, the {} circuit of {} sectors has {}", options.file, what,
                               format_count(file), options.proof, options.sector, format_count(circuit)));
}

void check_circuit(const Options& options, const groth16::MappedParameters& parameters, Progress& progress) {
  const r1cs::Shape shape = circuit_from(filecoin::circuit_kind(options.proof), filecoin::sector_shape(options.sector),
                                         options.circuit, progress)
                                .shape();
  require_count(options, "number of inputs", parameters.verifying_key().num_inputs(), shape.num_inputs);
  require_count(options, "number of aux variables (l)", parameters.l().count, shape.num_aux);
  require_count(options, "evaluation domain", parameters.domain_size(),
                std::bit_ceil(shape.num_constraints + shape.num_inputs));
  require_count(options, "size of query a", parameters.a().count, shape.num_inputs + shape.density_a_aux);
  require_count(options, "size of query b", parameters.b_g1().count, shape.density_b_inputs + shape.density_b_aux);
}

void check_published(const Options& options, Progress& progress) {
  const std::string name = std::filesystem::path(options.file).filename().string();
  const std::string listed = groth16::published_digest(options.published, name);
  if (listed.empty())
    throw InputError(fmt::format("{}: {} does not list a file of this name", options.file, options.published));
  const std::string digest = groth16::parameter_digest(options.file, progress);
  if (digest != listed) {
    throw InputError(fmt::format("{}: digest is {}, {} lists {}", options.file, digest, options.published, listed));
  }
}

/// Runs the checks in order. What the file gets wrong ends up in Findings::problem; other errors (no such file, a bad
/// list) are thrown.
Findings check(const Options& options, const Executor& exec, Progress& progress) {
  if (!options.sector.empty()) filecoin::sector_shape(options.sector);
  { const MappedFile readable(options.file); }
  Findings findings;
  try {
    const groth16::MappedParameters parameters(options.file);
    findings.good.emplace_back("layout and verifying key");
    if (!options.sector.empty()) {
      check_circuit(options, parameters, progress);
      findings.good.push_back(
          fmt::format("counts are those of the {} circuit of {} sectors", options.proof, options.sector));
    }
    if (!options.published.empty()) {
      check_published(options, progress);
      findings.good.push_back(fmt::format("digest is the one in {}", options.published));
    }
    parameters.check_points(options.full ? math::PointCheck::kSubgroup : math::PointCheck::kCurve, exec, progress);
    findings.good.emplace_back(options.full ? "every point is in the prime-order subgroup, none is infinity"
                                            : "every point is on its curve, none is infinity");
  } catch (const InputError& error) {
    findings.problem = error.what();
  }
  return findings;
}

int run(const Options& options) {
  ConsoleProgress console(options.common.quiet);
  const Findings findings = check(options, options.common.executor(), console);
  console.end_stage();
  const bool valid = findings.problem.empty();
  if (options.common.json) {
    Json document = {{"file", options.file}, {"valid", valid}, {"checked", findings.good}};
    if (!valid) document["problem"] = findings.problem;
    print_json(document);
  } else {
    for (const std::string& text : findings.good) fmt::print("ok   {}\n", text);
    if (!valid) fmt::print("BAD  {}\n", findings.problem);
  }
  return valid ? kDone : kAnswerIsNo;
}

}  // namespace

void add_params_check(CLI::App& params, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = params.add_subcommand(
      "check",
      "Check a parameter file: layout, verifying key and every point; on request also that it belongs to a circuit and "
      "is the one that was published. Exit status 1 when something is wrong with it.");
  app->add_option("FILE", options->file, "The parameter file")->required();
  app->add_flag("--full", options->full,
                "Also check that every point is in the prime-order subgroup (about 20 us a point)");
  add_circuit_kind(*app, options->proof);
  app->add_option("--sector", options->sector, "Compare its counts with the circuit of this kind and sector size")
      ->type_name("SIZE");
  app->add_option("--circuit", options->circuit, "For --sector, read the circuit from this file of `circuit save`")
      ->type_name("FILE");
  app->add_option("--published", options->published,
                  "Compare its digest with this list (the network's parameters.json)")
      ->type_name("FILE");
  add_common(*app, options->common);
  add_examples(
      *app,
      "proofline params check porep-2KiB.params --sector 2KiB\n"
      "proofline params check v28-stacked-proof-of-replication-[...].params --published parameters.json --full");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
