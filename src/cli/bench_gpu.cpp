// proofline bench porep and bench gpu: proofs on a GPU, with parameters that are made there. The first makes its sector
// itself.
#include <fmt/format.h>

#include <optional>

#include "base/file.hpp"
#include "base/units.hpp"
#include "cli/bench_rows.hpp"
#include "cli/circuit_source.hpp"
#include "cli/csv.hpp"
#include "cli/request_files.hpp"
#include "cli/stage_table.hpp"
#include "device/gpu.hpp"
#include "engine/memory_budget.hpp"
#include "filecoin/circuit_id.hpp"
#include "filecoin/synthetic_sector.hpp"
#include "filecoin/vanilla_json.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  std::string sector = "32GiB";     ///< of bench porep
  std::uint64_t seed = 0;           ///< of bench porep
  std::vector<std::string> inputs;  ///< of bench gpu; empty: bench porep
  std::string circuit;
  unsigned device = 0;
  std::string device_memory;
  std::string pinned_memory;
  BenchOptions bench{.proofs = 5, .concurrency = 3};
  std::string memory;
  std::string export_to;
};

/// What can be measured where there is no GPU.
[[noreturn]] void refuse_without_gpu() {
  const char* missing = device::built_for_gpus()
                            ? "the driver shows no CUDA device"
                            : "this build has no code for GPUs (configure it with -DPROOFLINE_CUDA=ON)";
  throw InputError(
      fmt::format("this needs a GPU, and {}. What fits a CPU are sectors of 2 KiB: `proofline demo`, or\n"
                  "  proofline params generate --sector 2KiB -o porep-2KiB.params\n"
                  "  proofline sector synthesize --size 2KiB -o c1.json\n"
                  "  proofline bench prove --c1 c1.json --params porep-2KiB.params",
                  missing));
}

engine::ProofRequest synthetic_request(const filecoin::SealProofInfo& info, std::uint64_t seed, const Executor& exec,
                                       Progress& progress) {
  const std::string text = filecoin::write_c1(filecoin::synthesize_sector(info, seed, exec, progress));
  return porep_request(info, {text.begin(), text.end()});
}

/// What is proved: the synthetic sector, or what the inputs say, all of one circuit.
std::vector<engine::ProofRequest> requests_for(const Options& options, const Executor& exec, Progress& progress) {
  std::vector<engine::ProofRequest> out;
  if (options.inputs.empty()) {
    const filecoin::SectorShape& shape = filecoin::sector_shape(options.sector);
    out.push_back(synthetic_request(filecoin::seal_proof_info(shape.sector_size, filecoin::ApiVersion::kV1_1),
                                    options.seed, exec, progress));
  }
  for (const std::string& input : options.inputs) {
    for (engine::ProofRequest& request : requests_of(input)) out.push_back(std::move(request));
  }
  const std::string circuit_id = engine::make_task(out.front())->circuit_id();
  for (const engine::ProofRequest& request : out) {
    const std::string other = engine::make_task(request)->circuit_id();
    if (other != circuit_id) {
      throw InputError(
          fmt::format("the inputs are of two circuits, {} and {}: measure one at a time", circuit_id, other));
    }
  }
  return out;
}

/// The one circuit that there is, with parameters that the device holds.
class DeviceKits final : public engine::KitSource {
 public:
  DeviceKits(const engine::ProvingKit& kit, engine::Reservation memory, engine::Reservation pinned,
             engine::Reservation device_memory)
      : circuit_(kit.circuit),
        key_(kit.key),
        bytes_(kit.bytes),
        memory_(std::move(memory)),
        pinned_(std::move(pinned)),
        device_memory_(std::move(device_memory)) {}
  std::optional<engine::ProvingKit> acquire(const std::string&, engine::Priority, std::stop_token) override {
    engine::ProvingKit out;
    out.circuit = circuit_;
    out.key = key_;
    out.bytes = bytes_;
    return out;
  }

 private:
  std::shared_ptr<const r1cs::StructuredR1cs> circuit_;
  std::shared_ptr<const groth16::PreparedVerifyingKey> key_;
  std::uint64_t bytes_;
  engine::Reservation memory_, pinned_, device_memory_;
};

/// One device for several engines, one after another.
class BorrowedBackend final : public device::Backend {
 public:
  explicit BorrowedBackend(device::Backend& backend) : backend_(backend) {}
  const std::string& name() const override { return backend_.name(); }
  device::PartitionNeeds needs(const r1cs::StructuredR1cs& circuit) const override { return backend_.needs(circuit); }
  std::unique_ptr<device::Pending> start(device::PartitionWork work, std::stop_token stop,
                                         groth16::StageObserver* observer) override {
    return backend_.start(std::move(work), std::move(stop), observer);
  }

 private:
  device::Backend& backend_;
};

engine::Reservation reserved(engine::MemoryLedger& ledger, engine::Pool pool, engine::MemoryClass memory_class,
                             std::uint64_t bytes) {
  auto out = ledger.try_reserve({pool, memory_class, bytes, engine::Priority::kNormal});
  if (!out) {
    throw InputError(fmt::format("{}: {} do not fit into {}", engine::memory_class_name(memory_class),
                                 format_bytes(bytes), format_bytes(ledger.state(pool).budget)));
  }
  return std::move(*out);
}

/// For a check by another process: key, C1 and a proof.
void export_proof(const std::string& folder, const groth16::VerifyingKey& key, const engine::ProofRequest& request,
                  const engine::JobStatus& status) {
  const std::filesystem::path to(folder);
  std::filesystem::create_directories(to);
  groth16::write_verifying_key(key, to / "porep.vk");
  const auto write = [&](const char* name, std::span<const std::uint8_t> bytes) {
    AtomicFile file(to / name);
    file.write(bytes);
    file.commit();
  };
  write("c1.json", request.c1);
  write("porep.proof", status.proof());
}

int run(const Options& options) {
  const std::vector<device::Gpu> gpus = device::gpus();
  if (gpus.empty()) refuse_without_gpu();
  if (options.device >= gpus.size())
    throw InputError(fmt::format("--device: {}: there are {}, counted from 0", options.device, gpus.size()));
  const Executor exec = options.common.executor();
  ConsoleProgress console(options.common.quiet || options.common.json || options.bench.csv);
  StageRecorder stages;

  const BenchLoad load{requests_for(options, exec, console), options.bench.proofs, options.bench.concurrency,
                       options.bench.trace};
  stages.done("inputs");

  const std::string circuit_id = engine::make_task(load.requests.front())->circuit_id();
  const filecoin::CircuitName circuit = filecoin::parse_circuit_id(circuit_id);
  engine::ProvingKit kit;
  kit.circuit = std::make_shared<const r1cs::StructuredR1cs>(
      circuit_from(circuit.kind, *circuit.sector, options.circuit, console));
  kit.bytes = kit.circuit->bytes().total();
  stages.done("circuit");

  const std::uint64_t device_memory =
      options.device_memory.empty() ? 0 : parse_bytes(options.device_memory, "--device-memory");
  const std::uint64_t pinned =
      options.pinned_memory.empty() ? 0 : parse_bytes(options.pinned_memory, "--pinned-memory");
  BenchEngine parts;
  parts.budget = options.memory.empty() ? std::uint64_t{16} << 30 : parse_bytes(options.memory, "--memory");
  // Before the points: those in pinned memory are beside this budget.
  parts.pools = {engine::ledger_budget(parts.budget), pinned, gpus[options.device].memory};
  device::GpuMemory taken;
  const auto gpu = device::make_gpu_backend(
      {options.device, device_memory, pinned, [&](const device::GpuMemory& now) { taken = now; }}, exec);
  const groth16::VerifyingKey key = gpu->set_up(kit.circuit, groth16::ToxicWaste::random(), console);
  kit.key = std::make_shared<const groth16::PreparedVerifyingKey>(key);
  stages.done("setup");
  const std::uint64_t setup_peak = stages.peak_rss();

  parts.kits = [&](engine::MemoryLedger& ledger) {
    return std::make_unique<DeviceKits>(
        kit, reserved(ledger, engine::Pool::host(), engine::MemoryClass::kCircuit, kit.bytes),
        reserved(ledger, engine::Pool::pinned(), engine::MemoryClass::kParameters, taken.pinned),
        reserved(ledger, engine::Pool::device(0), engine::MemoryClass::kParameters, taken.resident + taken.working));
  };
  parts.backends = [&] {
    std::vector<std::unique_ptr<device::Backend>> out;
    out.push_back(std::make_unique<BorrowedBackend>(*gpu));
    return out;
  };

  BenchLoad warm_up = load;
  warm_up.proofs = 1;
  warm_up.trace.clear();
  std::optional<engine::JobStatus> first;
  measure_row(warm_up, parts, exec, console, [&](const engine::JobStatus& status) { first = status; });
  stages.done("warm-up proof");
  if (!options.export_to.empty()) export_proof(options.export_to, key, load.requests.front(), *first);

  std::vector<BenchRow> rows;
  for (const unsigned count : options.bench.rows()) {
    parts.workers = count;
    rows.push_back(measure_row(load, parts, exec, console));
  }
  stages.done("measurement");

  if (!options.bench.plot.empty()) write_bench_plot(options.bench.plot, rows);
  std::vector<Json> documents;
  for (const BenchRow& row : rows) documents.push_back(bench_row_json(row));
  if (options.bench.csv) {
    print_csv(documents);
  } else if (options.common.json) {
    print_json({{"circuit", circuit_id},
                {"device", gpus[options.device].name},
                {"proofs", load.proofs},
                {"concurrency", load.concurrency},
                {"setup_peak_rss", setup_peak},
                {"device_bytes", taken.resident + taken.working},
                {"stages", stages_json(stages)},
                {"rows", documents}});
  } else {
    fmt::print("{} on {}, every proof verified; peak of host memory until the end of setup {}\n", circuit_id,
               gpus[options.device].name, format_bytes(setup_peak));
    print_bench_table(load, rows);
    print_stages(stages);
  }
  return kDone;
}

}  // namespace

namespace {

void add_gpu_options(CLI::App& app, Options& options) {
  app.add_option("--circuit", options.circuit, "Read the circuit from this file of `circuit save` (default: record)")
      ->type_name("FILE");
  app.add_option("--device", options.device, "Which device, of those that CUDA_VISIBLE_DEVICES shows")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--device-memory", options.device_memory, "Use no more of its memory (default: what is free)")
      ->type_name("SIZE");
  app.add_option("--pinned-memory", options.pinned_memory,
                 "Host memory for parameters that do not fit into the device's, beside --memory (default: none)")
      ->type_name("SIZE");
  add_bench_options(app, options.bench);
  app.add_option("--memory", options.memory, "Host memory budget (default: 16GiB)")->type_name("SIZE");
  add_common(app, options.common);
}

void add_bench_porep(CLI::App& bench, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = bench.add_subcommand(
      "porep",
      "PoRep C2 at full size on a GPU, in one command: makes a synthetic sector and its circuit, makes parameters on "
      "the device, where they stay (they never touch a disk, and are worth nothing), warms up, and proves N times "
      "through the engine; every proof is verified. A row for each number of witness workers.");
  app->add_option("--sector", options->sector, "Sector size: 2KiB, 8MiB, 512MiB, 32GiB or 64GiB")
      ->capture_default_str()
      ->type_name("SIZE");
  app->add_flag("--synthetic")->description("The sector is synthetic; the only kind that there is");
  add_gpu_options(*app, *options);
  app->add_option("--seed", options->seed, "Number that the sector derives from")->capture_default_str();
  app->add_option("--export", options->export_to,
                  "Write key, C1 and the first proof into this folder, for `proofline verify porep`")
      ->type_name("DIR");
  add_examples(
      *app,
      "proofline bench porep --sector 32GiB --synthetic\n"
      "proofline bench porep --sector 32GiB --proofs 15 --concurrency 15 --workers 1,2,4,10,12,28 --export out\n"
      "proofline verify porep out/porep.proof --vk out/porep.vk --c1 out/c1.json");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace

void add_bench_gpu(CLI::App& bench, Action& action) {
  add_bench_porep(bench, action);
  auto options = std::make_shared<Options>();
  CLI::App* app = bench.add_subcommand(
      "gpu",
      "The same for other proofs: makes parameters of the inputs' circuit on the device (they never touch a disk, and "
      "are worth nothing), warms up, and proves the inputs in turns, N in all, through the engine; every proof is "
      "verified. A row for each number of witness workers.");
  app->add_option("INPUT", options->inputs,
                  "What to prove: C1 files, folders of `post vanilla` (or `post synthesize`) and `update vanilla` (or "
                  "`update synthesize`), all of one circuit")
      ->required();
  add_gpu_options(*app, *options);
  add_examples(*app,
               "proofline post synthesize --help\n"
               "proofline bench gpu window/ --proofs 4 --workers 2\n"
               "proofline bench gpu update/ --device-memory 24GiB --pinned-memory 48GiB");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
