#pragma once
/// The heavy steps of a proof behind one interface: start() is everything that a device does, finish() the host's rest.
/// A CPU backend is always there; others are compiled in where their tools are.
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

#include "base/error.hpp"
#include "groth16/prove.hpp"

namespace proofline::device {

/// Work given up because its stop token asked for it.
class Cancelled : public Error {
 public:
  using Error::Error;
};

/// What the proof of one partition is made from.
struct PartitionWork {
  std::shared_ptr<const r1cs::StructuredR1cs> circuit;
  std::shared_ptr<const groth16::MappedParameters> parameters;  ///< none where the backend made them itself
  r1cs::CompactWitness witness;                                 ///< has the circuit's kinds
  groth16::Blinding blinding;
};

/// Bytes of one phase, beside circuit, parameters and witness.
struct PhaseBytes {
  std::uint64_t host = 0, pinned = 0, device = 0;
};

/// The most that a partition takes, phase by phase. A phase's bytes are free when the next begins.
struct PartitionNeeds {
  PhaseBytes evaluation;  ///< start(): rows, quotient polynomial and the sum over h
  PhaseBytes sums;        ///< start(): the sums over l, a and b
  PhaseBytes finish;      ///< from the end of start() to the end of finish()
};

/// A proof half made. Owns or shares all that its unfinished work reads; destroying it gives the work up.
class Pending {
 public:
  Pending() = default;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  virtual ~Pending() = default;

  /// Makes the proof; it has not been verified. Called once. Throws Cancelled soon after `stop` is requested.
  virtual groth16::Proof finish(std::stop_token stop, groth16::StageObserver* observer) = 0;
};

/// One device. Its functions may be called from several threads; start() runs for one partition at a time.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  /// "cpu", "cuda 0"
  virtual const std::string& name() const = 0;
  /// For a circuit of that shape.
  virtual PartitionNeeds needs(const r1cs::StructuredR1cs& circuit) const = 0;
  /// Takes the work. `observer` is told of each stage on the calling thread; the stage "h" ends the phase `evaluation`.
  /// Throws UnsatisfiedError and InputError as groth16::start, Cancelled soon after `stop` is requested, Error when the
  /// device fails.
  virtual std::unique_ptr<Pending> start(PartitionWork work, std::stop_token stop,
                                         groth16::StageObserver* observer) = 0;
};

}  // namespace proofline::device
