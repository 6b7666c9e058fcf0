#include "device/cuda/prover.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <utility>

#include "device/cuda/check.cuh"
#include "device/cuda/instance_values.hpp"
#include "device/cuda/row_values.hpp"
#include "r1cs/evaluate.hpp"
#include "r1cs/satisfaction.hpp"

namespace proofline::cuda {

using math::Fr;
using math::G1;
using math::G2;
using r1cs::Query;

namespace {

constexpr std::uint64_t kNoRow = ~std::uint64_t{0};

/// Takes pieces in order from an arena, or only counts their bytes.
class Pieces {
 public:
  explicit Pieces(Arena* arena) : arena_(arena) {}
  template <class T>
  std::span<T> take(std::size_t count) {
    bytes += Arena::rounded(count * sizeof(T));
    return arena_ != nullptr ? arena_->take<T>(count) : std::span<T>();
  }
  std::size_t bytes = 0;

 private:
  Arena* arena_;
};

/// All working memory of a partition. The sum over h takes the place of a and b; the side stream's sums have scalars of
/// one query and scratch of one sum at a time.
struct PartitionMemory {
  std::span<std::uint64_t> first_broken;
  std::span<std::byte> values;
  std::span<Fr> a, b, c;
  std::span<std::byte> over_h;
  std::span<std::uint32_t> side_bits;
  std::span<Fr> side_fields;
  std::span<std::byte> side_scratch;

  PartitionMemory(const ResidentCircuit& circuit, Pieces& pieces) {
    const std::size_t n = circuit.domain_size();
    first_broken = pieces.take<std::uint64_t>(1);
    values = pieces.take<std::byte>(instance_values_device_bytes(circuit.on_device()));
    c = pieces.take<Fr>(n);
    const std::size_t two = 2 * Arena::rounded(n * sizeof(Fr));
    over_h = pieces.take<std::byte>(std::max(two, msm_device_bytes<G1>(circuit.h_plan())));
    if (!over_h.empty()) {
      Arena shared(over_h);
      a = shared.take<Fr>(n);
      b = shared.take<Fr>(n);
    }
    std::size_t words = 0, scalars = 0, sums = 0;
    const auto widen = [&]<class Point>(const QueryPoints<Point>& query) {
      words = std::max(words, (query.count + 31) / 32);
      scalars = std::max(scalars, query.plan.points);
      sums = std::max({sums, bit_sum_device_bytes<Point>(query.count), msm_device_bytes<Point>(query.plan)});
    };
    widen(circuit.l());
    widen(circuit.a());
    widen(circuit.b_g1());
    widen(circuit.b_g2());
    side_bits = pieces.take<std::uint32_t>(words);
    side_fields = pieces.take<Fr>(scalars);
    side_scratch = pieces.take<std::byte>(sums);
  }
};

/// Where a query's two sums are in a slot: that of the bits, then the sets of the field elements.
template <class Point>
struct QueryResult {
  std::span<std::byte> bits, fields;
};

template <class Point>
Point sum_of(const QueryPoints<Point>& query, const QueryResult<Point>& result) {
  const Point bits = finish_bit_sum<Point>(result.bits);
  return query.plan.points == 0 ? bits : bits + finish_msm<Point>(query.plan, result.fields);
}

/// A slot's places.
struct Results {
  std::span<std::uint64_t> first_broken;
  std::span<std::byte> h;
  QueryResult<G1> l, a, b_g1;
  QueryResult<G2> b_g2;

  Results(const ResidentCircuit& circuit, Pieces& pieces) {
    first_broken = pieces.take<std::uint64_t>(1);
    h = pieces.take<std::byte>(circuit.h_plan().sets * kSetSumBytes<G1>);
    const auto take = [&]<class Point>(const QueryPoints<Point>& query, QueryResult<Point>& out) {
      out.bits = pieces.take<std::byte>(kBitSumBytes<Point>);
      out.fields = pieces.take<std::byte>(query.plan.sets * kSetSumBytes<Point>);
    };
    take(circuit.l(), l);
    take(circuit.a(), a);
    take(circuit.b_g1(), b_g1);
    take(circuit.b_g2(), b_g2);
  }
};

Results results_in(const ResidentCircuit& circuit, const PinnedBlock& block) {
  Arena arena(block.bytes());
  Pieces pieces(&arena);
  return {circuit, pieces};
}

std::size_t result_bytes(const ResidentCircuit& circuit) {
  Pieces pieces(nullptr);
  const Results counted(circuit, pieces);
  return pieces.bytes;
}

template <class Point>
void enqueue_sum(const QueryPoints<Point>& query, const PartitionMemory& memory, const QueryResult<Point>& result,
                 Stream stream) {
  enqueue_bit_sum<Point>(query.points, query.count, 1, memory.side_bits.first((query.count + 31) / 32),
                         Arena(memory.side_scratch), result.bits, stream);
  enqueue_msm<Point>(query.plan, query.fields, memory.side_fields.first(query.plan.points), Arena(memory.side_scratch),
                     result.fields, stream);
}

}  // namespace

std::size_t partition_bytes(const ResidentCircuit& circuit) {
  Pieces pieces(nullptr);
  const PartitionMemory counted(circuit, pieces);
  return pieces.bytes;
}

Prover::~Prover() {
  wait_for_all();
}

void Prover::wait_for_all() noexcept {
  for (const OwnedStream* stream : {&main_, &side_}) {
    try {
      stream->wait();
    } catch (const DeviceError&) {  // a lost device has nothing left to wait for
    }
  }
}

void Prover::reserve(std::size_t bytes) {
  if (bytes <= working_.bytes().size()) return;
  release();
  working_ = DeviceBlock(bytes);
}

void Prover::release() {
  main_.wait();
  side_.wait();
  working_ = DeviceBlock();
}

std::unique_ptr<Prover::Started> Prover::start(std::shared_ptr<const ResidentCircuit> resident,
                                               const r1cs::StructuredR1cs& circuit,
                                               const r1cs::CompactWitness& witness) {
  r1cs::require_same_circuit(circuit, witness);
  std::unique_ptr<Started> started(new Started(*this, std::move(resident)));
  try {
    enqueue(*started->resident_, witness, *started->slot_);
    started->slot_->evaluated.wait();
  } catch (...) {
    wait_for_all();  // what was enqueued may still write into the slot
    throw;
  }
  const std::uint64_t broken = results_in(*started->resident_, started->slot_->results).first_broken[0];
  if (broken != kNoRow) r1cs::throw_unsatisfied(r1cs::row_name(broken, circuit.path_of_row(broken)));
  return started;
}

void Prover::enqueue(const ResidentCircuit& circuit, const r1cs::CompactWitness& witness, const Slot& slot) {
  const Stream main = main_.get(), side = side_.get();
  Arena arena(working_.bytes());
  Pieces pieces(&arena);
  const PartitionMemory memory(circuit, pieces);
  const Results results = results_in(circuit, slot.results);

  side_idle_.hold(main);  // the partition before may still read its instance values
  Arena values_arena(memory.values);
  const DeviceValues values = enqueue_instance_values(circuit.on_device(), witness, values_arena, main);
  values_ready_.record(main);
  enqueue_row_values(circuit.on_device(), values, memory.a, memory.b, memory.c,
                     std::span<std::uint64_t, 1>(memory.first_broken), main);
  check(cudaMemcpyAsync(results.first_broken.data(), memory.first_broken.data(), sizeof(std::uint64_t),
                        cudaMemcpyDeviceToHost, main),
        "copying the first broken row");
  enqueue_quotient(circuit.tables(), memory.a, memory.b, memory.c, main);
  slot.evaluated.record(main);
  enqueue_msm<G1>(circuit.h_plan(), circuit.h(), memory.c.first(circuit.h_plan().points), Arena(memory.over_h),
                  results.h, main);
  slot.main_done.record(main);

  values_ready_.hold(side);
  const auto scalars = [&](Query query, std::size_t points, std::size_t fields) {
    enqueue_query_scalars(circuit.on_device(), circuit.query(query), values, memory.side_bits.first((points + 31) / 32),
                          memory.side_fields.first(fields), side);
  };
  scalars(Query::kAux, circuit.l().count, circuit.l().plan.points);
  enqueue_sum(circuit.l(), memory, results.l, side);
  scalars(Query::kA, circuit.a().count, circuit.a().plan.points);
  enqueue_sum(circuit.a(), memory, results.a, side);
  scalars(Query::kB, circuit.b_g1().count, circuit.b_g1().plan.points);
  enqueue_sum(circuit.b_g1(), memory, results.b_g1, side);
  enqueue_sum(circuit.b_g2(), memory, results.b_g2, side);
  side_idle_.record(side);
  slot.side_done.record(side);
}

std::unique_ptr<Prover::Slot> Prover::take_slot(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto fits = std::ranges::find_if(
      free_slots_, [&](const std::unique_ptr<Slot>& slot) { return slot->results.bytes().size() >= bytes; });
  if (fits == free_slots_.end()) return std::unique_ptr<Slot>(new Slot{PinnedBlock(bytes), {}, {}, {}});
  std::unique_ptr<Slot> out = std::move(*fits);
  free_slots_.erase(fits);
  return out;
}

void Prover::give_back(std::unique_ptr<Slot> slot) noexcept {
  const std::lock_guard lock(mutex_);
  free_slots_.push_back(std::move(slot));
}

Prover::Started::Started(Prover& prover, std::shared_ptr<const ResidentCircuit> resident)
    : prover_(prover), resident_(std::move(resident)), slot_(prover.take_slot(result_bytes(*resident_))) {}

Prover::Started::~Started() {
  try {
    slot_->main_done.wait();
    slot_->side_done.wait();
  } catch (const DeviceError&) {  // nothing is written any more
  }
  prover_.give_back(std::move(slot_));
}

groth16::ProofSums Prover::Started::sums() const {
  slot_->main_done.wait();
  slot_->side_done.wait();
  const Results results = results_in(*resident_, slot_->results);
  return {.h = finish_msm<G1>(resident_->h_plan(), results.h),
          .l = sum_of(resident_->l(), results.l),
          .a = sum_of(resident_->a(), results.a),
          .b_g1 = sum_of(resident_->b_g1(), results.b_g1),
          .b_g2 = sum_of(resident_->b_g2(), results.b_g2)};
}

}  // namespace proofline::cuda
