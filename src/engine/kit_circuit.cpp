#include "engine/kit_circuit.hpp"

#include <optional>

#include "base/error.hpp"
#include "groth16/prove.hpp"
#include "r1cs/circuit_file.hpp"

namespace proofline::engine {
namespace {

namespace fs = std::filesystem;

using Warn = std::function<void(const std::string&)>;

std::optional<r1cs::StructuredR1cs> cached_circuit(const fs::path& file, const groth16::MappedParameters& parameters,
                                                   const Warn& warn) {
  if (!fs::exists(file)) return std::nullopt;
  try {
    return circuit_from_file(file, parameters);
  } catch (const Error& error) {
    warn(std::string(error.what()) + "; the circuit is recorded anew");
    return std::nullopt;
  }
}

void keep_circuit(const r1cs::StructuredR1cs& circuit, const fs::path& file, const Warn& warn) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  try {
    r1cs::save_circuit(circuit, file);
  } catch (const IoError& failure) {
    warn(std::string(failure.what()) + "; the next start records the circuit again");
  }
}

}  // namespace

r1cs::StructuredR1cs circuit_from_file(const fs::path& file, const groth16::MappedParameters& parameters) {
  r1cs::StructuredR1cs out = r1cs::load_circuit(file);
  groth16::require_same_circuit(out, parameters, file.string());
  return out;
}

r1cs::StructuredR1cs recorded_circuit(const std::string& circuit_id, const fs::path& cache_folder,
                                      const groth16::MappedParameters& parameters, const Warn& warn,
                                      Progress& progress) {
  const fs::path file = cached_circuit_file(cache_folder, circuit_id);
  if (!cache_folder.empty()) {
    if (auto cached = cached_circuit(file, parameters, warn)) return std::move(*cached);
  }
  const filecoin::CircuitName name = filecoin::parse_circuit_id(circuit_id);
  r1cs::StructuredR1cs out = filecoin::record_circuit(name.kind, *name.sector, progress);
  groth16::require_same_circuit(out, parameters, circuit_id);
  if (!cache_folder.empty()) keep_circuit(out, file, warn);
  return out;
}

fs::path cached_circuit_file(const fs::path& cache_folder, const std::string& circuit_id) {
  return cache_folder / (circuit_id + ".circuit");
}

}  // namespace proofline::engine
