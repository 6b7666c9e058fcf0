// proofline plan: what a machine will do, and which limit binds.
#include "engine/plan.hpp"

#include <fmt/format.h>

#include <bit>

#include "base/units.hpp"
#include "cli/circuit_source.hpp"
#include "cli/command.hpp"
#include "cli/console_progress.hpp"
#include "cli/prove_command.hpp"
#include "device/cpu/cpu_backend.hpp"
#include "engine/kit_circuit.hpp"
#include "engine/memory_budget.hpp"
#include "engine/parameter_files.hpp"
#include "filecoin/circuit_id.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  std::string proof = "porep";
  std::string sector = "32GiB";
  std::string circuit;
  std::string memory;
  unsigned cores = 0;
};

/// From the file, from where the engine keeps circuits, or recorded.
r1cs::StructuredR1cs circuit_of(const Options& options, filecoin::CircuitKind kind, const filecoin::SectorShape& sector,
                                ConsoleProgress& console) {
  std::string file = options.circuit;
  if (const auto kept =
          engine::cached_circuit_file(engine::circuit_cache_directory(), filecoin::circuit_id(kind, sector));
      file.empty() && std::filesystem::exists(kept)) {
    file = kept;
  }
  return circuit_from(kind, sector, file, console);
}

/// Bytes of a partition's parsed vanilla proofs, about: of PoRep what a 32 GiB sector's take, which others hardly pass.
std::uint64_t input_bytes(filecoin::CircuitKind kind) {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  return kind == filecoin::CircuitKind::kPorep ? 16 * kMiB : 8 * kMiB;
}

engine::PlanCircuit plan_circuit(filecoin::CircuitKind kind, const filecoin::SectorShape& sector,
                                 const r1cs::StructuredR1cs& circuit, const Executor& exec) {
  const r1cs::Shape shape = circuit.shape();
  const auto backend = device::make_cpu_backend(exec, exec);
  engine::PlanCircuit out;
  out.rows = shape.num_constraints + shape.num_inputs;
  out.domain = std::bit_ceil(out.rows);
  out.fields = circuit.kinds->num_fields();
  out.bits = shape.num_aux - out.fields;
  const double b_share = static_cast<double>(shape.density_b_aux) / static_cast<double>(shape.num_aux);
  out.b_share_fields = static_cast<std::uint64_t>(b_share * static_cast<double>(out.fields));
  out.b_share_bits = shape.density_b_aux - out.b_share_fields;
  out.circuit_bytes = circuit.bytes().total();
  out.witness_bytes = circuit.witness_bytes();
  out.input_bytes = input_bytes(kind);
  out.needs = backend->needs(circuit);
  out.partitions = filecoin::circuit_partitions(kind, sector);
  return out;
}

std::uint64_t parameter_bytes(const r1cs::Shape& shape, std::uint64_t domain) {
  constexpr std::uint64_t kG1 = math::G1Affine::kUncompressed, kG2 = math::G2Affine::kUncompressed;
  const std::uint64_t b = shape.density_b_inputs + shape.density_b_aux;
  return kG1 * (domain + shape.num_aux + shape.num_inputs + shape.density_a_aux + b) + kG2 * b;
}

Json plan_json(const engine::PlanMachine& machine, const engine::Plan& plan, std::uint64_t parameters) {
  return {{"cores", machine.cores},
          {"memory", machine.memory},
          {"bytes",
           {{"program", plan.program},
            {"circuit", plan.circuit},
            {"parameter_pages", plan.parameters},
            {"working", plan.working},
            {"partition", plan.partition},
            {"least_budget", plan.least_budget},
            {"parameter_file", parameters}}},
          {"partitions_in_flight", plan.partitions_in_flight},
          {"seconds",
           {{"witness", plan.witness_seconds},
            {"start", plan.start_seconds},
            {"finish", plan.finish_seconds},
            {"proof", plan.proof_seconds}}},
          {"limit", plan.limit}};
}

void print_plan(const std::string& id, const engine::PlanCircuit& circuit, const engine::PlanMachine& machine,
                const engine::Plan& plan, std::uint64_t parameters) {
  const auto bytes = [](const char* name, std::uint64_t size, const std::string& note) {
    fmt::print("  {:<26}{:>12}  {}\n", name, format_bytes(size), note);
  };
  const auto seconds = [](const char* name, double time, const char* note) {
    fmt::print("  {:<26}{:>12}  {}\n", name, format_seconds(time), note);
  };
  fmt::print("{}: {} of {} rows, on {} cores with {}\n", id, counted(circuit.partitions, "partition"),
             format_count(circuit.rows), machine.cores, format_bytes(machine.memory));
  fmt::print("memory, as the engine reserves it\n");
  bytes("program", plan.program, "");
  bytes("circuit", plan.circuit, "");
  bytes("parameters", plan.parameters, "of a mapped file of " + format_bytes(parameters));
  bytes("working memory", plan.working, "of the CPU backend, once");
  bytes("a partition in flight", plan.partition, "witness and parsed vanilla proofs");
  bytes("least budget", plan.least_budget, "with one partition");
  fmt::print("time of a partition, estimated from rates measured on this machine\n");
  seconds("witness", plan.witness_seconds, "");
  seconds("start", plan.start_seconds, "quotient, and the sums over h, l, a and b in G1");
  seconds("finish", plan.finish_seconds, "the sum over b in G2, assembly");
  if (plan.partitions_in_flight == 0) {
    fmt::print("limit: memory. Not even one partition fits; give it {}\n", format_bytes(plan.least_budget));
    return;
  }
  fmt::print("a proof takes {}; {} fit into memory, 2 keep the cores busy\n", format_seconds(plan.proof_seconds),
             counted(plan.partitions_in_flight, "partition"));
  const double rate = static_cast<double>(parameters) * circuit.partitions / plan.proof_seconds;
  fmt::print(
      "limit: cores. Parameters are read once a partition: keep {} free for them beside the budget, or a disk "
      "that gives {} a second\n",
      format_bytes(parameters), format_bytes(static_cast<std::uint64_t>(rate)));
}

int run(const Options& options) {
  const filecoin::CircuitKind kind = filecoin::circuit_kind(options.proof);
  const filecoin::SectorShape& sector = filecoin::sector_shape(options.sector);
  ConsoleProgress console(options.common.quiet || options.common.json);
  engine::PlanMachine machine;
  machine.cores = options.cores > 0 ? options.cores : options.common.executor().threads();
  machine.memory = options.memory.empty() ? engine::default_host_budget(engine::read_host_memory())
                                          : parse_bytes(options.memory, "--memory");
  const std::uint64_t program = machine.memory - std::min(machine.memory, engine::ledger_budget(machine.memory));
  const r1cs::StructuredR1cs recorded = circuit_of(options, kind, sector, console);
  console.end_stage();
  machine.rates =
      engine::measure_rates(kind == filecoin::CircuitKind::kWindowPost || kind == filecoin::CircuitKind::kWinningPost);
  const engine::PlanCircuit circuit = plan_circuit(kind, sector, recorded, Executor(machine.cores));
  const engine::Plan plan = engine::plan(circuit, machine, program);
  const std::uint64_t parameters = parameter_bytes(recorded.shape(), circuit.domain);
  if (options.common.json) {
    print_json(plan_json(machine, plan, parameters));
  } else {
    print_plan(filecoin::circuit_id(kind, sector), circuit, machine, plan, parameters);
  }
  return plan.partitions_in_flight == 0 ? kAnswerIsNo : kDone;
}

}  // namespace

void add_plan(CLI::App& root, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand(
      "plan",
      "What a machine will do: how its memory divides, how long a proof takes and which limit binds. Sizes are exact: "
      "what the engine would reserve. Times are estimates: rates measured on this machine in two seconds, shared out "
      "over the cores. Only the CPU is planned for. Exit status 1 when the memory holds no partition.");
  add_circuit_kind(*app, options->proof);
  app->add_option("--sector", options->sector, "Sector size: 2KiB to 64GiB")->capture_default_str()->type_name("SIZE");
  app->add_option("--circuit", options->circuit,
                  "Read the circuit from this file of `circuit save` (default: the engine's, or recorded: half a "
                  "minute at 32GiB)")
      ->type_name("FILE");
  app->add_option("--memory", options->memory, "The budget (default: what is free here, less a margin)")
      ->type_name("SIZE");
  app->add_option("--cores", options->cores, "Cores like those of this machine (default: its number)")
      ->check(CLI::Range(1U, 4096U))
      ->type_name("N");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline plan --memory 128GiB --cores 16\n"
               "proofline plan --proof window-post --sector 64GiB --memory 16GiB");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
