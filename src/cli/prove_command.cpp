#include "cli/prove_command.hpp"

#include <fmt/format.h>

#include "base/file.hpp"
#include "cli/stage_table.hpp"

namespace proofline::cli {

int write_proofs(const Common& common, const std::string& out, std::span<const groth16::Proof> proofs,
                 StageRecorder& recorder, std::string_view what, const Json& about) {
  AtomicFile file(out);
  file.write(groth16::proofs_to_bytes(proofs));
  file.commit();
  recorder.done("write");
  const std::size_t bytes = proofs.size() * groth16::Proof::kBytes;
  if (!common.json) {
    fmt::print("{}, verified: {} ({} bytes)\n", what, out, bytes);
    print_stages(recorder);
    return kDone;
  }
  Json document = {{"file", out}, {"bytes", bytes}};
  document.update(about);
  document["seconds"] = recorder.total_seconds();
  document["peak_rss"] = recorder.peak_rss();
  document["stages"] = stages_json(recorder);
  print_json(document);
  return kDone;
}

std::string counted(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

}  // namespace proofline::cli
