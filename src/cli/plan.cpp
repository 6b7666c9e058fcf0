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
  std::string memory, device;
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

std::uint64_t parameter_bytes(const r1cs::Shape& shape, std::uint64_t domain) {
  constexpr std::uint64_t kG1 = math::G1Affine::kUncompressed, kG2 = math::G2Affine::kUncompressed;
  const std::uint64_t b = shape.density_b_inputs + shape.density_b_aux;
  return kG1 * (domain + shape.num_aux + shape.num_inputs + shape.density_a_aux + b) + kG2 * b;
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
  out.parameter_bytes = parameter_bytes(shape, out.domain);
  out.needs = backend->needs(circuit);
  out.partitions = filecoin::circuit_partitions(kind, sector);
  return out;
}

bool is_possible(const engine::Plan& plan) {
  return plan.partitions_in_flight > 0 && (!plan.device || plan.device->is_possible);
}

Json device_json(const engine::DevicePlan& device) {
  return {{"memory", device.memory},
          {"parameters", device.parameters},
          {"working", device.working},
          {"least_memory", device.least},
          {"memory_for_resident_parameters", device.all},
          {"parameters_resident", device.are_parameters_resident},
          {"seconds",
           {{"rows", device.rows_seconds},
            {"quotient", device.quotient_seconds},
            {"h", device.h_seconds},
            {"other_sums", device.other_seconds},
            {"transfer", device.transfer_seconds}}},
          {"seconds_scaled_from", "H200"}};
}

Json plan_json(const engine::PlanMachine& machine, const engine::Plan& plan, std::uint64_t parameters) {
  Json out = {{"cores", machine.cores},
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
  if (plan.device) out["device"] = device_json(*plan.device);
  return out;
}

void print_bytes(const char* name, std::uint64_t size, const std::string& note) {
  fmt::print("  {:<26}{:>12}  {}\n", name, format_bytes(size), note);
}

void print_seconds(const char* name, double time, const char* note) {
  fmt::print("  {:<26}{:>12}  {}\n", name, format_seconds(time), note);
}

void print_device(const engine::DevicePlan& device) {
  fmt::print("memory of a device with {}\n", format_bytes(device.memory));
  print_bytes("parameters", device.parameters,
              device.are_parameters_resident ? "stay on the device" + std::string(device.copies > 1 ? ", h twice" : "")
                                             : "do not fit: streamed from host memory, partition by partition");
  print_bytes("working memory", device.working, "of a partition");
  print_bytes("least", device.least, "with parameters streamed");
  print_bytes("least for parameters", device.all, "to stay");
  fmt::print("time of a partition on the device, scaled from an H200; yours will differ\n");
  print_seconds("rows", device.rows_seconds, "");
  print_seconds("quotient", device.quotient_seconds, "");
  print_seconds("sum over h", device.h_seconds, "");
  print_seconds("other sums", device.other_seconds, "l, a and b in G1, b in G2");
  if (device.transfer_seconds > 0) print_seconds("transfer of parameters", device.transfer_seconds, "beside the work");
}

/// What the cores do, for the CPU backend all of it.
void print_times(const engine::Plan& plan) {
  fmt::print("time of a partition on the cores, estimated from rates measured on this machine\n");
  print_seconds("witness", plan.witness_seconds, "");
  if (plan.device) return;
  print_seconds("start", plan.start_seconds, "quotient, and the sums over h, l, a and b in G1");
  print_seconds("finish", plan.finish_seconds, "the sum over b in G2, assembly");
}

std::string limit_text(const engine::PlanCircuit& circuit, const engine::Plan& plan) {
  if (plan.limit == "memory")
    return fmt::format("memory. Not even one partition fits; give it {}", format_bytes(plan.least_budget));
  const std::string parameters = format_bytes(circuit.parameter_bytes);
  if (plan.device && !plan.device->is_possible)
    return fmt::format("device memory. Not even one partition fits; it takes {}", format_bytes(plan.device->least));
  if (plan.limit == "device memory") {
    return fmt::format("device memory. The device waits for parameters; with {} they would stay",
                       format_bytes(plan.device->all));
  }
  if (plan.device && plan.device->are_parameters_resident) return plan.limit + ".";
  const double rate = static_cast<double>(circuit.parameter_bytes) * circuit.partitions / plan.proof_seconds;
  return fmt::format(
      "{}. Parameters are read once a partition: keep {} free for them beside the budget, or a disk that gives {} a "
      "second",
      plan.limit, parameters, format_bytes(static_cast<std::uint64_t>(rate)));
}

void print_plan(const std::string& id, const engine::PlanCircuit& circuit, const engine::PlanMachine& machine,
                const engine::Plan& plan) {
  fmt::print("{}: {} of {} rows, on {} cores with {}\n", id, counted(circuit.partitions, "partition"),
             format_count(circuit.rows), machine.cores, format_bytes(machine.memory));
  fmt::print("memory, as the engine reserves it\n");
  print_bytes("program", plan.program, "");
  print_bytes("circuit", plan.circuit, "");
  print_bytes("parameters", plan.parameters, "of a mapped file of " + format_bytes(circuit.parameter_bytes));
  print_bytes("working memory", plan.working, plan.device ? "on the way to the device" : "of the CPU backend, once");
  print_bytes("a partition in flight", plan.partition, "witness and parsed vanilla proofs");
  print_bytes("least budget", plan.least_budget, "with one partition");
  if (plan.device) print_device(*plan.device);
  print_times(plan);
  if (is_possible(plan)) {
    fmt::print("a proof takes {}; {} fit into memory, 2 keep the {} busy\n", format_seconds(plan.proof_seconds),
               counted(plan.partitions_in_flight, "partition"), plan.device ? "device" : "cores");
  }
  fmt::print("limit: {}\n", limit_text(circuit, plan));
}

int run(const Options& options) {
  const filecoin::CircuitKind kind = filecoin::circuit_kind(options.proof);
  const filecoin::SectorShape& sector = filecoin::sector_shape(options.sector);
  ConsoleProgress console(options.common.quiet || options.common.json);
  engine::PlanMachine machine;
  machine.cores = options.cores > 0 ? options.cores : options.common.executor().threads();
  machine.memory = options.memory.empty() ? engine::default_host_budget(engine::read_host_memory())
                                          : parse_bytes(options.memory, "--memory");
  if (!options.device.empty()) machine.device_memory = parse_bytes(options.device, "--device");
  const std::uint64_t program = machine.memory - std::min(machine.memory, engine::ledger_budget(machine.memory));
  const r1cs::StructuredR1cs recorded = circuit_of(options, kind, sector, console);
  console.end_stage();
  machine.rates =
      engine::measure_rates(kind == filecoin::CircuitKind::kWindowPost || kind == filecoin::CircuitKind::kWinningPost);
  const engine::PlanCircuit circuit = plan_circuit(kind, sector, recorded, Executor(machine.cores));
  const engine::Plan plan = engine::plan(circuit, machine, program);
  if (options.common.json) {
    print_json(plan_json(machine, plan, circuit.parameter_bytes));
  } else {
    print_plan(filecoin::circuit_id(kind, sector), circuit, machine, plan);
  }
  return is_possible(plan) ? kDone : kAnswerIsNo;
}

}  // namespace

void add_plan(CLI::App& root, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand(
      "plan",
      "What a machine will do: how its memory divides, how long a proof takes and which limit binds. Sizes are exact: "
      "what the engine would reserve. Times are estimates: rates measured on this machine in two seconds, shared out "
      "over the cores. With --device, times and sizes on the device are those of the CUDA kernels, measured on an H200 "
      "and scaled. Exit status 1 when host or device hold no partition.");
  add_circuit_kind(*app, options->proof);
  app->add_option("--sector", options->sector, "Sector size: 2KiB to 64GiB")->capture_default_str()->type_name("SIZE");
  app->add_option("--circuit", options->circuit,
                  "Read the circuit from this file of `circuit save` (default: the engine's, or recorded: half a "
                  "minute at 32GiB)")
      ->type_name("FILE");
  app->add_option("--memory", options->memory, "The budget (default: what is free here, less a margin)")
      ->type_name("SIZE");
  app->add_option("--device", options->device, "A CUDA device with so much free memory (default: the CPU proves)")
      ->type_name("SIZE");
  app->add_option("--cores", options->cores, "Cores like those of this machine (default: its number)")
      ->check(CLI::Range(1U, 4096U))
      ->type_name("N");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline plan --memory 128GiB --cores 16\n"
               "proofline plan --memory 128GiB --device 24GiB --cores 16\n"
               "proofline plan --proof window-post --sector 64GiB --memory 16GiB");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
