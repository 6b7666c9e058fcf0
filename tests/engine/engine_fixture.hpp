#pragma once
/// An engine over a small circuit: proofs take milliseconds, and backends can be made to fail.
#include <gmock/gmock.h>

#include <atomic>
#include <functional>
#include <thread>

#include "device/cpu/cpu_backend.hpp"
#include "engine/engine.hpp"
#include "groth16/small_circuit.hpp"

namespace proofline::test {

using namespace std::chrono_literals;
using engine::JobId;
using engine::JobState;
using engine::JobStatus;
using engine::Priority;

/// Proves cubic(x) for each byte x of the request's `c1`: a byte is a partition. 255 is no input.
class CubicTask : public engine::ProofTask {
 public:
  explicit CubicTask(engine::Bytes values) : values_(std::move(values)) {
    if (values_.empty()) throw InputError("c1: is empty");
    if (std::ranges::find(values_, 255) != values_.end()) throw InputError("c1: 255 is no value");
  }
  const std::string& circuit_id() const override { return id_; }
  std::size_t partitions() const override { return values_.size(); }
  std::uint64_t bytes() const override { return values_.size(); }
  std::uint64_t partition_input_bytes() const override { return 1000; }
  r1cs::CompactWitness witness(std::size_t partition, const Executor& exec) const override {
    if (values_[partition] == 254) throw InputError("vanilla proof of 254 is damaged");
    return r1cs::generate_witness(cubic(values_[partition], 3, values_[partition] == 253), exec);
  }
  std::vector<Fr> public_inputs(std::size_t partition) const override {
    return {cubic_output(values_[partition]) + Fr::from_u64(values_[partition] == 253 ? 1 : 0)};
  }

 private:
  engine::Bytes values_;
  std::string id_ = "cubic";
};

/// The cubic circuit with fresh parameters.
class CubicKits : public engine::KitSource {
 public:
  CubicKits() : circuit_(std::make_shared<const r1cs::StructuredR1cs>(recorded_cubic(0))) {
    groth16::generate_parameters(*circuit_, groth16::ToxicWaste::random(), folder_ / "p.params", exec_, no_progress());
    parameters_ = std::make_shared<const groth16::MappedParameters>(folder_ / "p.params");
    key_ = std::make_shared<const groth16::PreparedVerifyingKey>(parameters_->verifying_key());
  }
  std::optional<engine::ProvingKit> acquire(const std::string& circuit_id, Priority, std::stop_token) override {
    if (circuit_id != "cubic") throw InputError("no parameters of " + circuit_id);
    return engine::ProvingKit{circuit_, parameters_, key_, {}};
  }
  const groth16::PreparedVerifyingKey& key() const { return *key_; }

 private:
  TempFolder folder_;
  Executor exec_{1};
  std::shared_ptr<const r1cs::StructuredR1cs> circuit_;
  std::shared_ptr<const groth16::MappedParameters> parameters_;
  std::shared_ptr<const groth16::PreparedVerifyingKey> key_;
};

/// A CPU backend whose steps do as told first.
class ToldBackend : public device::Backend {
 public:
  using Told = std::function<void(std::stop_token)>;
  ToldBackend(std::string name, const Executor& exec, Told on_start, Told on_finish = {})
      : name_(std::move(name)),
        cpu_(device::make_cpu_backend(exec, exec)),
        on_start_(std::move(on_start)),
        on_finish_(std::move(on_finish)) {}
  const std::string& name() const override { return name_; }
  device::PartitionNeeds needs(const r1cs::StructuredR1cs&) const override {
    device::PartitionNeeds out;
    out.evaluation.host = 10'000;
    out.finish.host = 1000;
    return out;
  }
  std::unique_ptr<device::Pending> start(device::PartitionWork work, std::stop_token stop,
                                         groth16::StageObserver* observer) override {
    if (on_start_) on_start_(stop);
    return std::make_unique<Half>(cpu_->start(std::move(work), stop, observer), on_finish_);
  }

 private:
  class Half : public device::Pending {
   public:
    Half(std::unique_ptr<device::Pending> half, Told told) : half_(std::move(half)), told_(std::move(told)) {}
    groth16::Proof finish(std::stop_token stop, groth16::StageObserver* observer) override {
      if (told_) told_(stop);
      return half_->finish(stop, observer);
    }

   private:
    std::unique_ptr<device::Pending> half_;
    Told told_;
  };

  std::string name_;
  std::unique_ptr<device::Backend> cpu_;
  Told on_start_, on_finish_;
};

/// Blocks until it is opened or its stop token asks for an end.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void wait(std::stop_token stop) {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    const bool opened = changed_.wait(lock, stop, [&] { return open_; });
    --waiting_;
    if (!opened) throw device::Cancelled("cancelled at the gate");
  }
  /// Returns when that many wait.
  void wait_for_waiting(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool open_ = false;
  int waiting_ = 0;
};

class EngineFixture : public testing::Test {
 protected:
  static constexpr std::uint64_t kBudget = 1 << 20;

  static CubicKits& kits() {
    static CubicKits all;
    return all;
  }
  static std::shared_ptr<const engine::ProofTask> make_task(engine::ProofRequest request) {
    return std::make_shared<const CubicTask>(std::move(request.c1));
  }
  static engine::ProofRequest request(engine::Bytes values,
                                      filecoin::CircuitKind kind = filecoin::CircuitKind::kPorep) {
    engine::ProofRequest out;
    out.kind = kind;
    out.c1 = std::move(values);
    return out;
  }

  std::unique_ptr<device::Backend> cpu() { return std::make_unique<ToldBackend>("cpu", exec_, nullptr); }
  std::unique_ptr<device::Backend> told(ToldBackend::Told on_start, ToldBackend::Told on_finish = {},
                                        std::string name = "told") {
    return std::make_unique<ToldBackend>(std::move(name), exec_, std::move(on_start), std::move(on_finish));
  }

  engine::Engine& start(std::vector<std::unique_ptr<device::Backend>> backends, engine::EngineOptions options = {}) {
    engine_ = std::make_unique<engine::Engine>(
        engine::EngineParts{*ledger_, recorder_, *journal_, kits(), make_task, std::move(backends), exec_},
        std::move(options));
    return *engine_;
  }
  engine::Engine& start(std::unique_ptr<device::Backend> backend, engine::EngineOptions options = {}) {
    std::vector<std::unique_ptr<device::Backend>> backends;
    backends.push_back(std::move(backend));
    return start(std::move(backends), std::move(options));
  }
  engine::Engine& start() { return start(cpu()); }

  void set_budget(std::uint64_t bytes) {
    ledger_ = std::make_unique<engine::MemoryLedger>(std::vector<std::uint64_t>{bytes}, &recorder_);
  }
  /// What the engine holds once nothing is left to do.
  void expect_idle_ledger(std::uint64_t bytes = 0) {
    for (int i = 0; i < 2000 && ledger_->state(engine::Pool::host()).reserved != bytes; ++i)
      std::this_thread::sleep_for(1ms);
    EXPECT_EQ(ledger_->state(engine::Pool::host()).reserved, bytes);
  }
  static void expect_proofs(const JobStatus& status, const engine::Bytes& values) {
    ASSERT_EQ(status.record.state, JobState::kDone) << status.record.error;
    const auto proof = status.proof();
    ASSERT_EQ(proof.size(), values.size() * groth16::Proof::kBytes);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto bytes = std::span(proof).subspan(i * groth16::Proof::kBytes).first<groth16::Proof::kBytes>();
      const Fr inputs[] = {cubic_output(values[i])};
      EXPECT_TRUE(groth16::verify(kits().key(), inputs, groth16::Proof::from_bytes(bytes, "proof")));
    }
  }

  Executor exec_{1};
  engine::EventRecorder recorder_{1 << 12};
  std::unique_ptr<engine::MemoryLedger> ledger_ =
      std::make_unique<engine::MemoryLedger>(std::vector<std::uint64_t>{kBudget}, &recorder_);
  TempFolder folder_;
  std::unique_ptr<engine::Journal> journal_ = std::make_unique<engine::Journal>(std::filesystem::path());
  std::unique_ptr<engine::Engine> engine_;
};

}  // namespace proofline::test
