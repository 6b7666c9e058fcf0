// A partition of a synthetic PoRep on the device: each stage alone (median of 5 after a warm-up, by events), one
// partition from witness to sums, and partitions one after another as the engine starts them. Parameters are made on
// the device; the last proof is verified. Arguments: a circuit file (proofline circuit save), its sector size, and
// optionally limits in GiB of device and pinned memory.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "device/cuda/memory.hpp"
#include "device/cuda/prover.hpp"
#include "device/cuda/row_values.hpp"
#include "device/cuda/setup.hpp"
#include "filecoin/porep_circuit.hpp"
#include "filecoin/porep_inputs.hpp"
#include "filecoin/registered_proof.hpp"
#include "filecoin/synthetic_sector.hpp"
#include "groth16/verify.hpp"
#include "r1cs/circuit_file.hpp"
#include "timing.cuh"

namespace proofline::cuda {
namespace {

using math::Fr;
using math::G1;
using math::G2;
using r1cs::Query;

using Clock = std::chrono::steady_clock;
double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void print(const char* what, double ms) {
  std::printf("  %-44s %9.2f ms\n", what, ms);
  std::fflush(stdout);
}

template <class Point>
void time_sums(const char* name, const ResidentCircuit& circuit, const QueryPoints<Point>& query,
               const DeviceScalars& scalars, std::span<std::byte> scratch, std::span<std::byte> results) {
  const std::size_t chunk = circuit.chunk_of_bits();
  char what[80];
  std::snprintf(what, sizeof what, "%s: bits of %zu points, groups of %u", name, query.bits, query.group);
  print(
      what, static_cast<double>(median_ms([&] {
        for (std::size_t first = 0; first < query.bits; first += chunk)
          enqueue_bits(query, scalars, {first, std::min(chunk, query.bits - first)}, Arena(scratch), results, nullptr);
      })));
  std::snprintf(what, sizeof what, "%s: %zu field elements, %u copies", name, query.fields.count,
                query.fields.plan.copies);
  print(what, static_cast<double>(median_ms([&] {
          enqueue_msm<Point>(query.fields.plan, query.fields.points, scalars.fields, Arena(scratch), results, nullptr);
        })));
}

/// The default stream's work, stage by stage.
void time_stages(const ResidentCircuit& circuit, const r1cs::CompactWitness& witness, std::span<std::byte> working,
                 std::span<std::byte> results) {
  const std::size_t n = circuit.domain_size();
  Arena arena(working);
  const auto values_memory = arena.take<std::byte>(instance_values_device_bytes(circuit.on_device()));
  const auto first_broken = arena.take<std::uint64_t>(1);
  const std::span<Fr> c = arena.take<Fr>(n);
  Arena after = arena;
  const std::span<Fr> a = arena.take<Fr>(n), b = arena.take<Fr>(n);
  DeviceValues values;
  print("upload and values of instances", static_cast<double>(median_ms([&] {
          Arena memory(values_memory);
          values = enqueue_instance_values(circuit.on_device(), witness, memory, nullptr);
        })));
  print("rows", static_cast<double>(median_ms([&] {
          enqueue_row_values(circuit.on_device(), values, a, b, c, std::span<std::uint64_t, 1>(first_broken), nullptr);
        })));
  print("quotient", static_cast<double>(median_ms([&] { enqueue_quotient(circuit.tables(), a, b, c, nullptr); })));
  const PointList<G1>& h = circuit.h();
  if (!h.in_chunks()) {
    const auto scratch = after.take<std::byte>(msm_device_bytes<G1>(h.plan));
    char what[80];
    std::snprintf(what, sizeof what, "sum over h: %zu points, %u copies", h.count, h.plan.copies);
    print(what, static_cast<double>(median_ms(
                    [&] { enqueue_msm<G1>(h.plan, h.points, c.first(h.count), Arena(scratch), results, nullptr); })));
  }
  const auto sums = [&](Query query, const auto& use) {
    Arena here(working.subspan(Arena::rounded(values_memory.size()) + Arena::kAlignment));
    const auto memory = here.take<std::byte>(query_scalars_device_bytes(circuit.query(query)));
    DeviceScalars scalars;
    print("scalars", static_cast<double>(median_ms([&] {
            Arena of_scalars(memory);
            scalars = enqueue_query_scalars(circuit.query(query), values, of_scalars, nullptr);
          })));
    const std::size_t used = Arena::rounded(values_memory.size()) + Arena::kAlignment + Arena::rounded(memory.size());
    use(scalars, working.subspan(used));
  };
  sums(Query::kAux, [&](const DeviceScalars& scalars, std::span<std::byte> scratch) {
    time_sums("l", circuit, circuit.l(), scalars, scratch, results);
  });
  sums(Query::kA, [&](const DeviceScalars& scalars, std::span<std::byte> scratch) {
    time_sums("a", circuit, circuit.a(), scalars, scratch, results);
  });
  sums(Query::kB, [&](const DeviceScalars& scalars, std::span<std::byte> scratch) {
    time_sums("b in G1", circuit, circuit.b_g1(), scalars, scratch, results);
    time_sums("b in G2", circuit, circuit.b_g2(), scalars, scratch, results);
  });
}

void run(const char* circuit_file, const char* size, std::size_t device_gib, std::size_t pinned_gib) {
  const Executor exec;
  const auto circuit = std::make_shared<const r1cs::StructuredR1cs>(r1cs::load_circuit(circuit_file));
  const filecoin::SealProofInfo& info =
      filecoin::seal_proof_info(filecoin::sector_shape(size).sector_size, filecoin::ApiVersion::kV1_1);
  const filecoin::VanillaProof sector = filecoin::synthesize_sector(info, 1, exec, no_progress());
  Clock::time_point begin = Clock::now();
  r1cs::CompactWitness witness =
      r1cs::generate_witness(filecoin::porep_circuit(filecoin::porep_partition(sector, 0)), exec);
  witness.share_kinds(circuit->kinds);
  std::printf("witness on %u threads: %.1f ms\n", exec.threads(), ms_since(begin));

  use_device(0);
  MemoryLimits limits{.device = device_memory().free - (std::size_t{512} << 20), .pinned = pinned_gib << 30};
  if (device_gib != 0) limits.device = device_gib << 30;
  begin = Clock::now();
  const auto resident = std::make_shared<const ResidentCircuit>(
      *circuit,
      [&](const ParameterPoints& out, Arena scratch, Stream stream) {
        return make_parameters(*circuit, groth16::ToxicWaste::random(), out, scratch, stream, exec, no_progress());
      },
      limits);
  std::printf("circuit and parameters brought in %.2f s; device %.2f GiB, pinned %.2f GiB, a partition %.2f GiB\n",
              ms_since(begin) * 1e-3, static_cast<double>(resident->bytes()) / (1 << 30),
              static_cast<double>(resident->pinned_bytes()) / (1 << 30),
              static_cast<double>(resident->working_bytes()) / (1 << 30));
  {
    const DeviceBlock working(resident->working_bytes());
    const PinnedBlock results(std::size_t{1} << 20);
    time_stages(*resident, witness, working.bytes(), results.bytes());
  }

  Prover prover;
  prover.reserve(resident->working_bytes());
  groth16::ProofSums sums;
  std::vector<double> times;
  for (int i = 0; i < 6; ++i) {
    begin = Clock::now();
    sums = prover.start(resident, *circuit, witness)->sums();
    if (i > 0) times.push_back(ms_since(begin));
  }
  std::sort(times.begin(), times.end());
  print("one partition, witness to sums", times[2]);
  constexpr int kPartitions = 10;
  std::unique_ptr<Prover::Started> before = prover.start(resident, *circuit, witness);
  before->sums();
  begin = Clock::now();
  for (int i = 0; i < kPartitions; ++i) {
    auto next = prover.start(resident, *circuit, witness);
    sums = before->sums();
    before = std::move(next);
  }
  sums = before->sums();
  print("each of ten one after another", ms_since(begin) / kPartitions);

  const groth16::Proof proof = groth16::assemble(resident->key(), groth16::Blinding::random(), sums);
  const auto inputs = filecoin::porep_public_inputs(filecoin::porep_statement(sector), 0);
  std::printf("the proof %s\n", groth16::verify(groth16::PreparedVerifyingKey(resident->key()), inputs, proof)
                                    ? "verifies"
                                    : "DOES NOT VERIFY");
}

}  // namespace
}  // namespace proofline::cuda

int main(int count, char** arguments) {
  if (count < 3 || count > 5) {
    std::fprintf(stderr, "usage: partition_cuda_bench circuit-file sector-size [device-GiB [pinned-GiB]]\n");
    return 2;
  }
  try {
    const auto number = [&](int i) { return i < count ? std::strtoull(arguments[i], nullptr, 10) : 0; };
    proofline::cuda::run(arguments[1], arguments[2], number(3), number(4));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
