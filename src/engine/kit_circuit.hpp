#pragma once
/// The circuit of a proving kit: from a file, from the cache of recorded ones, or recorded.
#include <filesystem>
#include <functional>
#include <string>

#include "base/progress.hpp"
#include "filecoin/circuit_id.hpp"
#include "groth16/parameters.hpp"
#include "r1cs/structured.hpp"

namespace proofline::engine {

/// The circuit in `file` of `circuit save`. Throws as load_circuit, and InputError when it is not that of the
/// parameters.
r1cs::StructuredR1cs circuit_from_file(const std::filesystem::path& file, const groth16::MappedParameters& parameters);

/// The circuit as an earlier call left it in `cache_folder`, otherwise recorded (half a minute at 32 GiB) and left
/// there. A cached file that is damaged or of another circuit is recorded anew; that the cache cannot be used goes to
/// `warn`. No folder: no cache. Throws InputError when the parameters are of another circuit.
r1cs::StructuredR1cs recorded_circuit(const std::string& circuit_id, const std::filesystem::path& cache_folder,
                                      const groth16::MappedParameters& parameters,
                                      const std::function<void(const std::string&)>& warn, Progress& progress);

/// The file that recorded_circuit keeps.
std::filesystem::path cached_circuit_file(const std::filesystem::path& cache_folder, const std::string& circuit_id);

}  // namespace proofline::engine
