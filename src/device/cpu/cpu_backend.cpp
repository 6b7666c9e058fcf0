#include "device/cpu/cpu_backend.hpp"

#include <algorithm>
#include <utility>

#include "groth16/quotient.hpp"
#include "math/msm.hpp"

namespace proofline::device {
namespace {

/// Hands stages on, and ends the work at the next one when that is asked for.
class StoppingObserver : public groth16::StageObserver {
 public:
  StoppingObserver(std::stop_token stop, groth16::StageObserver* next) : stop_(std::move(stop)), next_(next) {}
  void stage_done(std::string_view name) override {
    if (next_ != nullptr) next_->stage_done(name);
    if (stop_.stop_requested()) throw Cancelled("cancelled after stage \"" + std::string(name) + "\"");
  }

 private:
  std::stop_token stop_;
  groth16::StageObserver* next_;
};

class CpuPending : public Pending {
 public:
  CpuPending(groth16::Pending pending, const Executor& exec) : pending_(std::move(pending)), exec_(exec) {}
  groth16::Proof finish(std::stop_token stop, groth16::StageObserver* observer) override {
    StoppingObserver stages(std::move(stop), observer);
    return groth16::finish(std::move(pending_), exec_, &stages);
  }

 private:
  groth16::Pending pending_;
  const Executor& exec_;
};

class CpuBackend : public Backend {
 public:
  CpuBackend(const Executor& exec, const Executor& finish_exec) : exec_(exec), finish_exec_(finish_exec) {}
  const std::string& name() const override { return name_; }

  PartitionNeeds needs(const r1cs::StructuredR1cs& circuit) const override {
    const std::uint64_t domain = std::uint64_t{1} << groth16::domain_log_size(circuit);
    // Two arrays of the domain and half of one for its twiddles.
    const std::uint64_t polynomials = domain * sizeof(math::Fr) * 5 / 2;
    const std::uint64_t over_h = domain * sizeof(math::Fr) + math::msm_scratch_bytes<math::G1Affine>(domain, exec_);
    const std::uint64_t fields = circuit.num_inputs + circuit.kinds->num_fields();
    PartitionNeeds out;
    out.evaluation.host = std::max(polynomials, over_h) + kSmallThings;
    out.sums.host = math::msm_scratch_bytes<math::G1Affine>(fields, exec_) + kSmallThings;
    out.finish.host = math::msm_scratch_bytes<math::G2Affine>(fields, finish_exec_) + kSmallThings;
    return out;
  }

  std::unique_ptr<Pending> start(PartitionWork work, std::stop_token stop, groth16::StageObserver* observer) override {
    StoppingObserver stages(std::move(stop), observer);
    return std::make_unique<CpuPending>(
        groth16::start(std::move(work.circuit), std::move(work.witness), std::move(work.parameters),
                       std::move(work.blinding), exec_, &stages),
        finish_exec_);
  }

 private:
  /// Pieces of the evaluation and of the witness's scalars at hand, on every thread.
  static constexpr std::uint64_t kSmallThings = std::uint64_t{16} << 20;

  const Executor& exec_;
  const Executor& finish_exec_;
  std::string name_ = "cpu";
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(const Executor& exec, const Executor& finish_exec) {
  return std::make_unique<CpuBackend>(exec, finish_exec);
}

}  // namespace proofline::device
