// proofline demo: from a file to a verified proof on a 2 KiB sector, and where time and memory went.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <system_error>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/hex.hpp"
#include "base/units.hpp"
#include "cli/command.hpp"
#include "cli/console_progress.hpp"
#include "cli/stage_table.hpp"
#include "filecoin/node_hash.hpp"
#include "filecoin/porep_circuit.hpp"
#include "filecoin/porep_inputs.hpp"
#include "filecoin/replica_id.hpp"
#include "filecoin/seal.hpp"
#include "filecoin/vanilla_json.hpp"
#include "filecoin/vanilla_prove.hpp"
#include "filecoin/vanilla_verify.hpp"
#include "groth16/prove.hpp"
#include "groth16/setup.hpp"
#include "r1cs/recorder.hpp"

namespace proofline::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSize = "2KiB";
constexpr std::string_view kText =
    "A sector holds whatever its owner puts there. This text is the demo's: it is sealed, challenged, proved and "
    "verified, and it comes back unchanged when the sector is unsealed.\n";

struct Options {
  Common common;
  std::string file;
  std::string out;
};

/// The folder that the demo works in: the user's, or a temporary one that goes with the object.
class Workplace {
 public:
  explicit Workplace(const std::string& out) : temporary_(out.empty()), path_(out) {
    if (temporary_) {
      std::string name = (fs::temp_directory_path() / "proofline-demo-XXXXXX").string();
      if (::mkdtemp(name.data()) == nullptr) {
        throw IoError(name + ": cannot make a temporary folder: " + std::generic_category().message(errno));
      }
      path_ = name;
    } else {
      std::error_code failure;
      fs::create_directories(path_, failure);
      if (failure) throw IoError(path_.string() + ": cannot make the folder: " + failure.message());
    }
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace() {
    std::error_code ignored;
    if (temporary_) fs::remove_all(path_, ignored);
  }

  bool temporary() const { return temporary_; }
  fs::path operator/(std::string_view name) const { return path_ / name; }

 private:
  bool temporary_;
  fs::path path_;
};

/// What the demo tells, unless it speaks JSON.
class Narrator {
 public:
  explicit Narrator(bool silent) : silent_(silent) {}
  template <class... Args>
  void step(fmt::format_string<Args...> format, Args&&... args) {
    ++step_;
    if (!silent_) say(fmt::format("{}. {}", step_, fmt::format(format, std::forward<Args>(args)...)));
  }
  template <class... Args>
  void detail(fmt::format_string<Args...> format, Args&&... args) {
    if (!silent_) say("   " + fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  static void say(const std::string& line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
  }
  bool silent_;
  int step_ = 0;
};

class Demo {
 public:
  explicit Demo(const Options& options)
      : options_(options),
        exec_(options.common.executor()),
        place_(options.out),
        narrator_(options.common.json),
        shape_(filecoin::sector_shape(kSize)) {}

  int run() {
    const fs::path file = take_file();
    seal(file);
    make_c1();
    record_circuit();
    const auto parameters = take_parameters();
    prove(parameters);
    verify(groth16::PreparedVerifyingKey(parameters->verifying_key()));
    unseal(file);
    return report();
  }

 private:
  fs::path take_file() {
    if (!options_.file.empty()) {
      narrator_.step("The file: {}", options_.file);
      return options_.file;
    }
    const fs::path path = place_ / "file.txt";
    AtomicFile file(path);
    for (int i = 0; i < 10; ++i) file.write(kText);
    file.commit();
    narrator_.step("The file: {} of text", format_bytes(fs::file_size(path)));
    return path;
  }

  void seal(const fs::path& file) {
    const fs::path folder = place_ / "sector";
    // An earlier run's sector, nothing else.
    if (fs::exists(folder / "sector.json")) fs::remove_all(folder);
    narrator_.step("Seal it into a {} sector: labels, replica, trees, commitments", kSize);
    const filecoin::SealRules rules = filecoin::seal_rules(shape_.sector_size, filecoin::ApiVersion::kV1_1);
    filecoin::SectorIds ids{.prover_id = filecoin::prover_id(1000), .sector_id = 1, .ticket = {}, .seed = {}};
    ids.ticket.fill(1);
    ids.seed.fill(2);
    ConsoleProgress console(options_.common.quiet);
    recorder_.skip();
    info_ = filecoin::seal_sector(file, folder, rules, ids, exec_, console);
    recorder_.done("seal");
    narrator_.detail("comm_d  {}", to_hex(info_.comm_d));
    narrator_.detail("comm_r  {}", to_hex(info_.comm_r));
  }

  void make_c1() {
    narrator_.step("Answer the chain's challenges (C1) and check the answers");
    recorder_.skip();
    vanilla_ = filecoin::prove_vanilla(place_ / "sector");
    recorder_.done("C1: make");
    filecoin::verify_vanilla(vanilla_, "C1", exec_);
    recorder_.done("C1: verify");
    const std::string text = filecoin::write_c1(vanilla_);
    AtomicFile file(place_ / "c1.json");
    file.write(text);
    file.commit();
    recorder_.done("C1: write JSON");
    narrator_.detail("{} challenges, {} of JSON", shape_.challenges_per_partition, format_bytes(text.size()));
  }

  void record_circuit() {
    narrator_.step("Record the circuit: each gadget once, and where its instances lie");
    recorder_.skip();
    circuit_ = r1cs::record(filecoin::porep_shape_circuit(shape_));
    recorder_.done("record circuit");
    narrator_.detail("{} constraints of {} gadgets in {}", format_count(circuit_.num_constraints),
                     circuit_.templates.size(), format_bytes(circuit_.bytes().total()));
  }

  std::shared_ptr<const groth16::MappedParameters> take_parameters() {
    const fs::path path = place_ / "porep-2KiB.params";
    reused_ = fs::exists(path);
    if (reused_) {
      narrator_.step("Parameters of an earlier run: {}", path.string());
    } else {
      narrator_.step("Make parameters for the circuit (setup; the network has published ones)");
      ConsoleProgress console(options_.common.quiet,
                              [&](const std::string& stage) { recorder_.done("setup: " + stage); });
      recorder_.skip();
      const groth16::ToxicWaste waste = groth16::ToxicWaste::random();
      const groth16::VerifyingKey key = groth16::generate_parameters(circuit_, waste, path, exec_, console);
      console.end_stage();
      recorder_.skip();
      groth16::write_verifying_key(key, place_ / "porep-2KiB.vk");
      narrator_.detail("{} in {}", format_bytes(fs::file_size(path)), format_seconds(recorder_.total_seconds()));
    }
    recorder_.skip();
    auto parameters = std::make_shared<const groth16::MappedParameters>(path);
    recorder_.done("C2: map parameters");
    return parameters;
  }

  void prove(const std::shared_ptr<const groth16::MappedParameters>& parameters) {
    narrator_.step("Prove (C2): the circuit's witness becomes a Groth16 proof");
    const double before = recorder_.total_seconds();
    ProverStages stages(recorder_, "C2: ");
    std::vector<groth16::Proof> proofs;
    for (std::size_t i = 0; i < vanilla_.partitions.size(); ++i) {
      r1cs::CompactWitness witness =
          r1cs::generate_witness(filecoin::porep_circuit(filecoin::porep_partition(vanilla_, i)), exec_);
      stages.stage_done("witness");
      proofs.push_back(
          groth16::prove(circuit_, std::move(witness), parameters, groth16::Blinding::random(), exec_, &stages));
    }
    proof_bytes_ = groth16::proofs_to_bytes(proofs);
    AtomicFile file(place_ / "proof");
    file.write(proof_bytes_);
    file.commit();
    recorder_.skip();
    narrator_.detail("{} bytes in {}", proof_bytes_.size(), format_seconds(recorder_.total_seconds() - before));
  }

  /// Whether `bytes` is a proof of `statement`; bytes that are no proof at all are none.
  bool holds(const groth16::PreparedVerifyingKey& key, const std::vector<std::uint8_t>& bytes,
             const filecoin::PorepStatement& statement) const {
    try {
      const std::vector<groth16::Proof> proofs = groth16::proofs_from_bytes(bytes, "proof");
      for (unsigned i = 0; i < proofs.size(); ++i) {
        if (!groth16::verify(key, filecoin::porep_public_inputs(statement, i), proofs[i])) return false;
      }
      return true;
    } catch (const InputError&) {
      return false;
    }
  }

  void verify(const groth16::PreparedVerifyingKey& key) {
    narrator_.step("Verify it as the chain does: from key, commitments, replica id and seed");
    const filecoin::PorepStatement statement = filecoin::porep_statement(vanilla_);
    recorder_.skip();
    valid_ = holds(key, proof_bytes_, statement);
    recorder_.done("verify");
    narrator_.detail("{}", valid_ ? "valid" : "NOT VALID");

    narrator_.step("Flip a bit: it must not verify any more");
    std::vector<std::uint8_t> flipped_bytes = proof_bytes_;
    flipped_bytes[40] ^= 1;
    flipped_proof_rejected_ = !holds(key, flipped_bytes, statement);
    narrator_.detail("of the proof:   {}", flipped_proof_rejected_ ? "rejected" : "ACCEPTED");
    filecoin::PorepStatement other = statement;
    filecoin::Node comm_r = info_.comm_r;
    comm_r[0] ^= 1;
    other.comm_r = filecoin::node_to_fr(comm_r, "comm_r");
    flipped_input_rejected_ = !holds(key, proof_bytes_, other);
    narrator_.detail("of the replica: {}", flipped_input_rejected_ ? "rejected" : "ACCEPTED");
  }

  void unseal(const fs::path& file) {
    narrator_.step("Unseal the sector: the file comes back");
    const fs::path back = place_ / "unsealed";
    recorder_.skip();
    filecoin::unseal_sector(place_ / "sector", back, exec_, no_progress());
    recorder_.done("unseal");
    const MappedFile original(file);
    const MappedFile unsealed(back);
    same_file_ = std::ranges::equal(original.bytes(), unsealed.bytes());
    narrator_.detail("{}", same_file_ ? "unchanged" : "CHANGED");
  }

  int report() const {
    const bool good = valid_ && flipped_proof_rejected_ && flipped_input_rejected_ && same_file_;
    if (options_.common.json) {
      Json document = {{"valid", valid_},
                       {"flipped_proof_rejected", flipped_proof_rejected_},
                       {"flipped_input_rejected", flipped_input_rejected_},
                       {"unsealed_unchanged", same_file_},
                       {"parameters_reused", reused_},
                       {"proof", to_hex(proof_bytes_)},
                       {"threads", exec_.threads()},
                       {"seconds", recorder_.total_seconds()},
                       {"peak_rss", recorder_.peak_rss()},
                       {"stages", stages_json(recorder_)}};
      if (!place_.temporary()) document["folder"] = options_.out;
      print_json(document);
    } else {
      fmt::print("\nWhere time and memory went, on {} thread{}:\n", exec_.threads(), exec_.threads() == 1 ? "" : "s");
      print_stages(recorder_);
      if (!place_.temporary()) fmt::print("\nEverything is in {}; run again to reuse the parameters.\n", options_.out);
      fmt::print("\n{}\n", good ? "All good: proof valid, forgeries rejected, file recovered."
                                : "SOMETHING IS WRONG, see above.");
    }
    return good ? kDone : kAnswerIsNo;
  }

  const Options& options_;
  Executor exec_;
  Workplace place_;
  Narrator narrator_;
  const filecoin::SectorShape& shape_;
  StageRecorder recorder_;
  filecoin::SectorInfo info_;
  filecoin::VanillaProof vanilla_;
  r1cs::StructuredR1cs circuit_;
  std::vector<std::uint8_t> proof_bytes_;
  bool reused_ = false;
  bool valid_ = false;
  bool flipped_proof_rejected_ = false;
  bool flipped_input_rejected_ = false;
  bool same_file_ = false;
};

}  // namespace

void add_demo(CLI::App& root, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand(
      "demo",
      "The whole road once, on a 2 KiB sector: a file is sealed, challenged, proved and verified; a flipped bit is "
      "rejected; the file comes back. Then a table of where time and memory went.");
  app->add_option("FILE", options->file, "The file, at most 2032 bytes (default: a short text)");
  app->add_option("--out", options->out,
                  "Keep sector, C1, parameters (1.1 GB) and proof in this folder, and reuse its parameters "
                  "(default: a temporary folder)")
      ->type_name("DIR");
  add_common(*app, options->common);
  add_examples(*app,
               "proofline demo\n"
               "proofline demo notes.txt --out demo-out");
  app->callback([options, &action] { action = [options] { return Demo(*options).run(); }; });
}

}  // namespace proofline::cli
