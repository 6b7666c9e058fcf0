#include "device/cuda/prover.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <utility>

#include "device/cuda/check.cuh"
#include "device/cuda/instance_values.hpp"
#include "device/cuda/pieces.hpp"
#include "device/cuda/row_values.hpp"
#include "r1cs/evaluate.hpp"
#include "r1cs/satisfaction.hpp"

namespace proofline::cuda {

using math::Fr;
using math::G1;
using math::G2;
using r1cs::Query;

namespace {

/// Chunks in which a query's bits are added up.
std::size_t bit_chunks(std::size_t points, std::size_t chunk) {
  return (points + chunk - 1) / chunk;
}

/// What adding up a list takes, with two chunks of points where those are in pinned memory.
template <class Point>
std::size_t list_sum_bytes(const PointList<Point>& list) {
  const std::size_t chunk = list.in_chunks() ? Arena::rounded(list.chunk * sizeof(typename Point::Affine)) : 0;
  return 2 * chunk + std::max(msm_device_bytes<Point>(list.plan), msm_device_bytes<Point>(list.last_plan));
}

/// All working memory of a partition. The main stream's sums take the place of a and b, one after another; the side
/// stream has scratch of one sum at a time. Scalars are of one query at a time.
struct PartitionMemory {
  std::span<std::uint64_t> first_broken;
  std::span<std::byte> values;
  std::span<Fr> a, b, c;
  std::span<std::byte> main_sums, scalars, side_sums;

  PartitionMemory(const ResidentCircuit& circuit, Pieces& pieces) {
    const std::size_t n = circuit.domain_size();
    first_broken = pieces.take<std::uint64_t>(1);
    values = pieces.take<std::byte>(instance_values_device_bytes(circuit.on_device()));
    c = pieces.take<Fr>(n);
    std::size_t of_scalars = 0, on_main = list_sum_bytes(circuit.h()), on_side = 0;
    for (const Query query : {Query::kAux, Query::kA, Query::kB})
      of_scalars = std::max(of_scalars, query_scalars_device_bytes(circuit.query(query)));
    const auto widen = [&]<class Point>(const QueryPoints<Point>& query) {
      std::size_t& here = circuit.all_fields() ? on_main : on_side;
      const std::size_t bits = std::min(query.bits, circuit.chunk_of_bits());
      here = std::max({here, bit_sum_device_bytes<Point>(bits, query.group), list_sum_bytes(query.fields)});
    };
    widen(circuit.l());
    widen(circuit.a());
    widen(circuit.b_g1());
    widen(circuit.b_g2());
    main_sums = pieces.take<std::byte>(std::max(2 * Arena::rounded(n * sizeof(Fr)), on_main));
    if (!main_sums.empty()) {
      Arena shared(main_sums);
      a = shared.take<Fr>(n);
      b = shared.take<Fr>(n);
    }
    scalars = pieces.take<std::byte>(of_scalars);
    side_sums = pieces.take<std::byte>(on_side);
  }
};

/// Where a list's sums are in a slot: the sets of each chunk.
using ListResult = std::vector<std::span<std::byte>>;

template <class Point>
ListResult take_list_result(const PointList<Point>& list, Pieces& pieces) {
  ListResult out;
  for (std::size_t i = 0; i < list.chunks(); ++i)
    out.push_back(pieces.take<std::byte>(list.plan_of(i).sets * kSetSumBytes<Point>));
  return out;
}

template <class Point>
Point sum_of(const PointList<Point>& list, const ListResult& result) {
  Point out;
  for (std::size_t i = 0; i < result.size(); ++i) out += finish_msm<Point>(list.plan_of(i), result[i]);
  return out;
}

/// Where a query's two sums are in a slot: that of the bits, a part a chunk, and that of the field elements.
struct QueryResult {
  std::span<std::byte> bits;
  ListResult fields;
};

template <class Point>
Point sum_of(const QueryPoints<Point>& query, const QueryResult& result) {
  Point out = sum_of(query.fields, result.fields);
  for (std::size_t i = 0; i < result.bits.size() / kBitSumBytes<Point>; ++i)
    out += finish_bit_sum<Point>(result.bits.subspan(i * kBitSumBytes<Point>));
  return out;
}

/// A slot's places.
struct Results {
  std::span<std::uint64_t> first_broken;
  ListResult h;
  QueryResult l, a, b_g1, b_g2;

  Results(const ResidentCircuit& circuit, Pieces& pieces) {
    first_broken = pieces.take<std::uint64_t>(1);
    h = take_list_result(circuit.h(), pieces);
    const auto take = [&]<class Point>(const QueryPoints<Point>& query, QueryResult& out) {
      out.bits = pieces.take<std::byte>(bit_chunks(query.bits, circuit.chunk_of_bits()) * kBitSumBytes<Point>);
      out.fields = take_list_result(query.fields, pieces);
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
  return pieces.bytes();
}

}  // namespace

std::size_t partition_bytes(const ResidentCircuit& circuit) {
  Pieces pieces(nullptr);
  const PartitionMemory counted(circuit, pieces);
  return pieces.bytes();
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
  enqueue_list(circuit.h(), memory.c.first(circuit.h().count), memory.main_sums, results.h, main);

  values_ready_.hold(side);
  const Stream stream = circuit.all_fields() ? main : side;
  const std::span<std::byte> scratch = circuit.all_fields() ? memory.main_sums : memory.side_sums;
  const auto scalars = [&](Query query) {
    Arena arena_of_scalars(memory.scalars);
    return enqueue_query_scalars(circuit.query(query), values, arena_of_scalars, stream);
  };
  const auto add = [&]<class Point>(const QueryPoints<Point>& query, const DeviceScalars& of,
                                    const QueryResult& result) {
    const std::size_t chunk = circuit.chunk_of_bits();
    for (std::size_t i = 0; i < bit_chunks(query.bits, chunk); ++i)
      enqueue_bits(query, of, {i * chunk, std::min(chunk, query.bits - i * chunk)}, Arena(scratch),
                   result.bits.subspan(i * kBitSumBytes<Point>, kBitSumBytes<Point>), stream);
    enqueue_list(query.fields, of.fields, scratch, result.fields, stream);
  };
  add(circuit.l(), scalars(Query::kAux), results.l);
  add(circuit.a(), scalars(Query::kA), results.a);
  const DeviceScalars of_b = scalars(Query::kB);
  add(circuit.b_g1(), of_b, results.b_g1);
  add(circuit.b_g2(), of_b, results.b_g2);
  slot.main_done.record(main);
  side_idle_.record(side);
  slot.side_done.record(side);
}

template <class Point>
void Prover::enqueue_list(const PointList<Point>& list, std::span<const Fr> scalars, std::span<std::byte> memory,
                          std::span<const std::span<std::byte>> results, Stream stream) {
  using Affine = typename Point::Affine;
  if (list.count == 0) return;
  if (!list.in_chunks()) {
    enqueue_msm<Point>(list.plan, list.points, scalars, Arena(memory), results[0], stream);
    return;
  }
  Arena arena(memory);
  const std::span<Affine> chunks[2] = {arena.take<Affine>(list.chunk), arena.take<Affine>(list.chunk)};
  const Stream copies = copies_.get();
  // A chunk is copied while the one before it is added up.
  for (const Event& free : chunk_free_) free.record(stream);
  for (std::size_t i = 0; i < list.chunks(); ++i) {
    const std::span<const Affine> from = list.points.subspan(i * list.chunk, list.size_of(i));
    const std::span<Affine> to = chunks[i % 2].first(from.size());
    chunk_free_[i % 2].hold(copies);
    check(cudaMemcpyAsync(to.data(), from.data(), from.size_bytes(), cudaMemcpyHostToDevice, copies),
          "copying a chunk of points");
    chunk_there_[i % 2].record(copies);
    chunk_there_[i % 2].hold(stream);
    enqueue_msm<Point>(list.plan_of(i), to, scalars.subspan(i * list.chunk, to.size()), arena, results[i], stream);
    chunk_free_[i % 2].record(stream);
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
  return {.h = sum_of(resident_->h(), results.h),
          .l = sum_of(resident_->l(), results.l),
          .a = sum_of(resident_->a(), results.a),
          .b_g1 = sum_of(resident_->b_g1(), results.b_g1),
          .b_g2 = sum_of(resident_->b_g2(), results.b_g2)};
}

}  // namespace proofline::cuda
