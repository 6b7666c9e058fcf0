// proofline circuit stats: counts, densities and digest of a circuit, from one pass over its rows.
#include <fmt/format.h>

#include <chrono>

#include "base/hex.hpp"
#include "base/stage_recorder.hpp"
#include "base/units.hpp"
#include "cli/command.hpp"
#include "cli/console_progress.hpp"
#include "filecoin/porep_circuit.hpp"
#include "r1cs/row_counter.hpp"
#include "r1cs/row_digest.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  std::string proof = "porep";
  std::string sector;
  bool digest = false;
};

/// Reports how many of the public inputs have been allocated: they are spread evenly over the challenges.
class InputProgress final : public r1cs::RowSink {
 public:
  InputProgress(Progress& progress, std::uint64_t total) : progress_(progress), total_(total) {}
  void row(const r1cs::Builder& builder, const r1cs::Row&) override {
    if (builder.num_constraints() % (1 << 16) == 0) progress_.report("rows", builder.num_inputs(), total_);
  }

 private:
  Progress& progress_;
  std::uint64_t total_;
};

/// ONE, replica_id, comm_d, comm_r, and 18 for each challenge.
std::uint64_t porep_inputs(const filecoin::SectorShape& shape) {
  return 4 + 18 * shape.challenges_per_partition;
}

int run(const Options& options) {
  const filecoin::SectorShape& sector = filecoin::sector_shape(options.sector);
  ConsoleProgress console(options.common.quiet);
  r1cs::RowCounter counter;
  r1cs::RowDigest digest;
  InputProgress progress(console, porep_inputs(sector));
  std::vector<r1cs::RowSink*> sinks = {&counter, &progress};
  if (options.digest) sinks.push_back(&digest);
  r1cs::RowTee tee(sinks);
  r1cs::Builder builder(&tee, r1cs::Keep::kNothing);

  StageRecorder recorder;
  filecoin::porep_shape_circuit(sector)(builder);
  recorder.done("rows");
  console.end_stage();

  const r1cs::Shape shape = counter.shape(builder);
  const std::string digest_text = options.digest ? to_hex(digest.finish()) : "";
  const double seconds = recorder.total_seconds();
  const std::uint64_t peak = recorder.peak_rss();
  if (options.common.json) {
    Json document = {{"proof", options.proof},
                     {"sector_size", sector.sector_size},
                     {"partitions", sector.partitions},
                     {"num_inputs", shape.num_inputs},
                     {"num_aux", shape.num_aux},
                     {"num_constraints", shape.num_constraints},
                     {"nnz_a", shape.nonzeros_a},
                     {"nnz_b", shape.nonzeros_b},
                     {"nnz_c", shape.nonzeros_c},
                     {"density_a_aux", shape.density_a_aux},
                     {"density_b_inputs", shape.density_b_inputs},
                     {"density_b_aux", shape.density_b_aux}};
    if (options.digest) document["r1cs_sha256"] = digest_text;
    document["seconds"] = seconds;
    document["peak_rss"] = peak;
    print_json(document);
    return kDone;
  }
  fmt::print("{} circuit of a {} sector, one partition of {}\n", options.proof, sector.name, sector.partitions);
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
  if (options.digest) fmt::print("  row digest        {}\n", digest_text);
  fmt::print("in {}, peak memory {}\n", format_seconds(seconds), format_bytes(peak));
  return kDone;
}

}  // namespace

void add_circuit_stats(CLI::App& circuit, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = circuit.add_subcommand(
      "stats",
      "Counts, densities and row digest of one partition's circuit. The circuit is not held in memory: rows pass by "
      "once, whatever its size.");
  app->add_option("--proof", options->proof, "Kind of proof: porep")
      ->capture_default_str()
      ->check(CLI::IsMember({"porep"}));
  app->add_option("--sector", options->sector, "Sector size: 2KiB to 64GiB")->required()->type_name("SIZE");
  app->add_flag("--digest", options->digest, "Also the SHA-256 over all rows, the circuit's identity");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline circuit stats --sector 2KiB --digest\n"
               "proofline circuit stats --proof porep --sector 32GiB --digest --json");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
