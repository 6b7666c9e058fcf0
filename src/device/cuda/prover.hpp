#pragma once
/// A whole partition on one device: from the compact witness to the sums that a proof is assembled from. Plain C++.
///
/// Two streams. The main one computes instance values, rows, quotient polynomial and the sum over h; the side one the
/// sums over l, a and b, which need only the instance values (where all scalars count as field elements, these are
/// large, and go on the main one, too). Both go on from one partition to the next without the host: start() returns
/// when the quotient is done, so that the next partition's work is enqueued while the sum over h, more than half of the
/// time, goes on.
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "device/cuda/memory.hpp"
#include "device/cuda/resident_circuit.hpp"
#include "groth16/prove.hpp"

namespace proofline::cuda {

/// Device bytes that a partition of the circuit takes beside what is resident, with its plans as they are.
std::size_t partition_bytes(const ResidentCircuit& circuit);

/// Makes partitions on the device that was current when it was made. start() and reserve() are called by one thread at
/// a time, with that device current.
class Prover {
 public:
  Prover() = default;
  Prover(const Prover&) = delete;
  Prover& operator=(const Prover&) = delete;
  /// Waits for the device. Every Started has been destroyed before.
  ~Prover();

  /// Sets working memory aside. For start-up, or when nothing is in progress: allocates and waits for the device.
  void reserve(std::size_t bytes);
  /// Gives the working memory back, for others to be set aside.
  void release();
  std::size_t reserved() const { return working_.bytes().size(); }

 private:
  /// Pinned memory and events of a partition in progress.
  struct Slot {
    PinnedBlock results;
    Event evaluated, main_done, side_done;
  };

 public:
  /// A partition in progress on the device. Destroying it waits for the device.
  class Started {
   public:
    Started(const Started&) = delete;
    Started& operator=(const Started&) = delete;
    ~Started();
    /// Waits for the sums. Throws DeviceError when the device failed.
    groth16::ProofSums sums() const;

   private:
    friend class Prover;
    Started(Prover& prover, std::shared_ptr<const ResidentCircuit> resident);
    Prover& prover_;
    std::shared_ptr<const ResidentCircuit> resident_;
    std::unique_ptr<Slot> slot_;
  };

  /// Returns when the quotient polynomial is done. Precondition: the circuit's working_bytes() are reserved. Throws
  /// UnsatisfiedError naming the first broken row, InputError when the witness is of another circuit, DeviceError when
  /// CUDA refuses.
  std::unique_ptr<Started> start(std::shared_ptr<const ResidentCircuit> resident, const r1cs::StructuredR1cs& circuit,
                                 const r1cs::CompactWitness& witness);

 private:
  void enqueue(const ResidentCircuit& circuit, const r1cs::CompactWitness& witness, const Slot& slot);
  template <class Point>
  void enqueue_list(const PointList<Point>& list, std::span<const math::Fr> scalars, std::span<std::byte> memory,
                    std::span<const std::span<std::byte>> results, Stream stream);
  void wait_for_all() noexcept;
  std::unique_ptr<Slot> take_slot(std::size_t result_bytes);
  void give_back(std::unique_ptr<Slot> slot) noexcept;

  OwnedStream main_, side_, copies_;
  DeviceBlock working_;
  Event values_ready_, side_idle_, chunk_free_[2], chunk_there_[2];
  std::mutex mutex_;
  std::vector<std::unique_ptr<Slot>> free_slots_;
};

}  // namespace proofline::cuda
