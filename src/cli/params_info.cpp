// proofline params info
#include <fmt/format.h>

#include "base/units.hpp"
#include "cli/command.hpp"
#include "cli/console_progress.hpp"
#include "groth16/parameters.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  std::string file;
  bool digest = false;
};

int run(const Options& options) {
  const groth16::MappedParameters parameters(options.file);
  std::string digest;
  if (options.digest) {
    ConsoleProgress console(options.common.quiet);
    digest = groth16::parameter_digest(options.file, console);
  }
  const groth16::QueryLocation* const queries[] = {&parameters.h(), &parameters.l(), &parameters.a(),
                                                   &parameters.b_g1(), &parameters.b_g2()};
  if (options.common.json) {
    Json document = {{"file", options.file},
                     {"bytes", parameters.bytes().size()},
                     {"num_inputs", parameters.verifying_key().num_inputs()},
                     {"domain", parameters.domain_size()}};
    for (const groth16::QueryLocation* query : queries) document[query->name] = query->count;
    if (options.digest) document["digest"] = digest;
    print_json(document);
    return kDone;
  }
  fmt::print("{}: {}\n", options.file, format_bytes(parameters.bytes().size()));
  fmt::print("  {:<20}{:>15}  with ONE\n", "inputs", format_count(parameters.verifying_key().num_inputs()));
  fmt::print("  {:<20}{:>15}\n", "evaluation domain", format_count(parameters.domain_size()));
  constexpr const char* kNotes[] = {"powers of tau over delta", "aux variables", "inputs, and aux variables in A",
                                    "variables in B, G1", "variables in B, G2"};
  for (std::size_t i = 0; i < std::size(queries); ++i) {
    fmt::print("  {:<20}{:>15}  {}\n", queries[i]->name, format_count(queries[i]->count), kNotes[i]);
  }
  if (options.digest) fmt::print("  digest              {}\n", digest);
  return kDone;
}

}  // namespace

void add_params_info(CLI::App& params, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = params.add_subcommand("info", "What is in a parameter file: counts of inputs, domain and points.");
  app->add_option("FILE", options->file, "The parameter file")->required();
  app->add_flag("--digest", options->digest, "Also its digest, as the published lists give it (reads the whole file)");
  add_common(*app, options->common);
  add_examples(*app, "proofline params info porep-2KiB.params --digest");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
