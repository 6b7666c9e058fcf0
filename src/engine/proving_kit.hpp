#pragma once
/// What all proofs of one circuit share.
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/memory_ledger.hpp"
#include "groth16/parameters.hpp"
#include "groth16/verify.hpp"
#include "r1cs/structured.hpp"

namespace proofline::engine {

/// In use: its memory is reserved and stays.
struct ProvingKit {
  std::shared_ptr<const r1cs::StructuredR1cs> circuit;
  std::shared_ptr<const groth16::MappedParameters> parameters;
  std::shared_ptr<const groth16::PreparedVerifyingKey> key;
  std::vector<CachedMemory::Use> uses;
  std::uint64_t bytes = 0;  ///< reserved for it
};

/// Where proving kits come from.
class KitSource {
 public:
  KitSource() = default;
  KitSource(const KitSource&) = delete;
  KitSource& operator=(const KitSource&) = delete;
  virtual ~KitSource() = default;

  /// Loads what is not there, waiting for memory; several threads that ask for one circuit load it once. Nothing when
  /// `stop` is requested first. Throws InputError or IoError saying which file is missing or wrong and what to do.
  virtual std::optional<ProvingKit> acquire(const std::string& circuit_id, Priority priority, std::stop_token stop) = 0;
};

}  // namespace proofline::engine
