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
using math::G1Affine;
using math::G2;
using r1cs::Query;

namespace {

/// Chunks in which a query's bits are added up.
std::size_t bit_chunks(std::size_t points, std::size_t chunk) {
  return (points + chunk - 1) / chunk;
}

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

/// All working memory of a partition. The sum over h, with two chunks of points where those are in pinned memory, takes
/// the place of a and b; the side stream's sums have scalars of
/// one query and scratch of one sum at a time.
struct PartitionMemory {
  std::span<std::uint64_t> first_broken;
  std::span<std::byte> values;
  std::span<Fr> a, b, c;
  std::span<std::byte> over_h;
  std::span<G1Affine> chunks[2];
  std::span<std::byte> side_scalars, side_scratch;

  PartitionMemory(const ResidentCircuit& circuit, Pieces& pieces) {
    const std::size_t n = circuit.domain_size();
    first_broken = pieces.take<std::uint64_t>(1);
    values = pieces.take<std::byte>(instance_values_device_bytes(circuit.on_device()));
    c = pieces.take<Fr>(n);
    const std::size_t two = 2 * Arena::rounded(n * sizeof(Fr));
    const PointsOfH& h = circuit.h();
    const std::size_t sum = std::max(msm_device_bytes<G1>(h.plan), msm_device_bytes<G1>(h.last_plan));
    const std::size_t chunk = h.in_chunks() ? Arena::rounded(h.chunk * sizeof(G1Affine)) : 0;
    const std::span<std::byte> shared = pieces.take<std::byte>(std::max(two, 2 * chunk + Arena::rounded(sum)));
    if (!shared.empty()) {
      Arena first(shared), then(shared);
      a = first.take<Fr>(n);
      b = first.take<Fr>(n);
      for (std::span<G1Affine>& one : chunks) one = then.take<G1Affine>(h.in_chunks() ? h.chunk : 0);
      over_h = then.take<std::byte>(sum);
    }
    std::size_t scalars = 0, sums = 0;
    for (const Query query : {Query::kAux, Query::kA, Query::kB})
      scalars = std::max(scalars, query_scalars_device_bytes(circuit.query(query)));
    const auto widen = [&]<class Point>(const QueryPoints<Point>& query) {
      sums = std::max({sums, bit_sum_device_bytes<Point>(std::min(query.count, circuit.chunk_of_bits()), query.group),
                       msm_device_bytes<Point>(query.plan)});
    };
    widen(circuit.l());
    widen(circuit.a());
    widen(circuit.b_g1());
    widen(circuit.b_g2());
    side_scalars = pieces.take<std::byte>(scalars);
    side_scratch = pieces.take<std::byte>(sums);
  }
};

/// Where a query's two sums are in a slot: that of the bits, a part a chunk, and the sets of the field elements.
template <class Point>
struct QueryResult {
  std::span<std::byte> bits, fields;
};

template <class Point>
Point sum_of(const QueryPoints<Point>& query, const QueryResult<Point>& result) {
  Point bits;
  for (std::size_t i = 0; i < result.bits.size() / kBitSumBytes<Point>; ++i)
    bits += finish_bit_sum<Point>(result.bits.subspan(i * kBitSumBytes<Point>));
  return query.plan.points == 0 ? bits : bits + finish_msm<Point>(query.plan, result.fields);
}

/// A slot's places.
struct Results {
  std::span<std::uint64_t> first_broken;
  std::vector<std::span<std::byte>> h;  ///< one a chunk
  QueryResult<G1> l, a, b_g1;
  QueryResult<G2> b_g2;

  Results(const ResidentCircuit& circuit, Pieces& pieces) {
    first_broken = pieces.take<std::uint64_t>(1);
    for (std::size_t i = 0; i < circuit.h().chunks(); ++i)
      h.push_back(pieces.take<std::byte>(circuit.h().plan_of(i).sets * kSetSumBytes<G1>));
    const auto take = [&]<class Point>(const QueryPoints<Point>& query, QueryResult<Point>& out) {
      out.bits = pieces.take<std::byte>(bit_chunks(query.count, circuit.chunk_of_bits()) * kBitSumBytes<Point>);
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
void enqueue_sum(const QueryPoints<Point>& query, const DeviceScalars& scalars, std::size_t chunk,
                 std::span<std::byte> scratch, const QueryResult<Point>& result, Stream stream) {
  for (std::size_t i = 0; i < bit_chunks(query.count, chunk); ++i)
    enqueue_bits(query, scalars, {i * chunk, std::min(chunk, query.count - i * chunk)}, Arena(scratch),
                 result.bits.subspan(i * kBitSumBytes<Point>, kBitSumBytes<Point>), stream);
  enqueue_msm<Point>(query.plan, query.fields, scalars.fields, Arena(scratch), result.fields, stream);
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
  for (const OwnedStream* stream : {&main_, &side_, &copies_}) {
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
  enqueue_sum_over_h(circuit.h(), memory.c, memory.chunks, memory.over_h, results.h);
  slot.main_done.record(main);

  values_ready_.hold(side);
  const auto scalars = [&](Query query) {
    Arena arena_of_scalars(memory.side_scalars);
    return enqueue_query_scalars(circuit.query(query), values, arena_of_scalars, side);
  };
  const std::size_t chunk = circuit.chunk_of_bits();
  enqueue_sum(circuit.l(), scalars(Query::kAux), chunk, memory.side_scratch, results.l, side);
  enqueue_sum(circuit.a(), scalars(Query::kA), chunk, memory.side_scratch, results.a, side);
  const DeviceScalars of_b = scalars(Query::kB);
  enqueue_sum(circuit.b_g1(), of_b, chunk, memory.side_scratch, results.b_g1, side);
  enqueue_sum(circuit.b_g2(), of_b, chunk, memory.side_scratch, results.b_g2, side);
  side_idle_.record(side);
  slot.side_done.record(side);
}

void Prover::enqueue_sum_over_h(const PointsOfH& h, std::span<const Fr> scalars,
                                std::span<const std::span<G1Affine>, 2> chunks, std::span<std::byte> scratch,
                                std::span<const std::span<std::byte>> results) {
  const Stream main = main_.get(), copies = copies_.get();
  if (!h.in_chunks()) {
    enqueue_msm<G1>(h.plan, h.points, scalars.first(h.count), Arena(scratch), results[0], main);
    return;
  }
  // A chunk is copied while the one before it is added up.
  for (const Event& free : chunk_free_) free.record(main);
  for (std::size_t i = 0; i < h.chunks(); ++i) {
    const std::span<const G1Affine> from = h.points.subspan(i * h.chunk, h.size_of(i));
    const std::span<G1Affine> to = chunks[i % 2].first(from.size());
    chunk_free_[i % 2].hold(copies);
    check(cudaMemcpyAsync(to.data(), from.data(), from.size_bytes(), cudaMemcpyHostToDevice, copies),
          "copying a chunk of points");
    chunk_there_[i % 2].record(copies);
    chunk_there_[i % 2].hold(main);
    enqueue_msm<G1>(h.plan_of(i), to, scalars.subspan(i * h.chunk, to.size()), Arena(scratch), results[i], main);
    chunk_free_[i % 2].record(main);
  }
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
  G1 over_h;
  for (std::size_t i = 0; i < results.h.size(); ++i) over_h += finish_msm<G1>(resident_->h().plan_of(i), results.h[i]);
  return {.h = over_h,
          .l = sum_of(resident_->l(), results.l),
          .a = sum_of(resident_->a(), results.a),
          .b_g1 = sum_of(resident_->b_g1(), results.b_g1),
          .b_g2 = sum_of(resident_->b_g2(), results.b_g2)};
}

}  // namespace proofline::cuda
