#pragma once
/// Where time and memory went, for people and as JSON.
#include <string>

#include "base/stage_recorder.hpp"
#include "cli/command.hpp"
#include "groth16/prove.hpp"

namespace proofline::cli {

/// The prover's stages into a recorder, each name after `prefix`.
class ProverStages final : public groth16::StageObserver {
 public:
  ProverStages(StageRecorder& recorder, std::string prefix) : recorder_(recorder), prefix_(std::move(prefix)) {}
  void stage_done(std::string_view name) override { recorder_.done(prefix_ + std::string(name)); }

 private:
  StageRecorder& recorder_;
  std::string prefix_;
};

/// [{"stage", "seconds", "peak_rss"}...]
Json stages_json(const StageRecorder& recorder);

/// One line a stage, and a total.
void print_stages(const StageRecorder& recorder);

}  // namespace proofline::cli
