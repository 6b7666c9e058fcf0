#pragma once
/// What all proofs of one circuit share, in device memory: its templates, and its parameters' points as the sums use
/// them. Plain C++. Lists that do not fit are in pinned host memory, which the device reads as it goes: those of l, a
/// and b straight, a point once at most; that of h, whose points are read many times, by copies of chunks.
///
/// A query's points are those of variables that are bits and those of field elements. The first are added where a bit
/// is one, straight from the whole list, or from the sums of all subsets of each two points where memory allows. The
/// second, few, lie a second time in a list of their own, with multiples of each point, so that their sum needs few
/// buckets. Where most variables are field elements, all count as such, and there is but the one list.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "device/cuda/bit_sum.hpp"
#include "device/cuda/device_circuit.hpp"
#include "device/cuda/memory.hpp"
#include "device/cuda/msm.hpp"
#include "device/cuda/ntt.hpp"
#include "device/cuda/parameter_points.hpp"
#include "device/cuda/query_scalars.hpp"
#include "groth16/verifying_key.hpp"

namespace proofline::cuda {

/// Points that are multiplied, and how: all at once from device memory, or in chunks from pinned memory.
template <class Point>
struct PointList {
  std::size_t count = 0, chunk = 0;  ///< chunk >= count: all at once
  MsmPlan plan, last_plan;           ///< of a chunk; of the last one where it is shorter
  /// In device memory with multiples, plan.items() of them, or in pinned memory.
  std::span<typename Point::Affine> points;

  bool in_chunks() const { return chunk < count; }
  std::size_t chunks() const { return count == 0 ? 0 : (count + chunk - 1) / chunk; }
  std::size_t size_of(std::size_t i) const { return i + 1 < chunks() ? chunk : count - i * chunk; }
  const MsmPlan& plan_of(std::size_t i) const { return size_of(i) == plan.points ? plan : last_plan; }
  void make_plans(std::size_t most, unsigned copies) {
    chunk = std::min(count, most);
    plan = plan_msm(chunk, copies);
    if (count > 0) last_plan = plan_msm(size_of(chunks() - 1), copies);
  }
};

/// One query's points, and how they are added. Where all scalars count as field elements there are no bits.
template <class Point>
struct QueryPoints {
  std::size_t bits = 0;  ///< points of the list that are added where a bit is one: all or none
  unsigned group = 1;
  std::span<typename Point::Affine> points;  ///< all in the file's order, in groups (bit_sum.hpp)
  PointList<Point> fields;                   ///< points of field elements
};

/// Working memory that a PointSource has at least.
constexpr std::size_t kPointScratch = std::size_t{2} << 30;

/// Fills the lists of a circuit's parameters, which the device can write wherever they are, with working memory to use,
/// and returns their key. The stream need not be done on return.
using PointSource = std::function<groth16::VerifyingKey(const ParameterPoints& out, Arena scratch, Stream stream)>;

/// Points of a query, beginning at a multiple of 32.
struct PointRange {
  std::size_t first = 0, count = 0;
};

/// Enqueues the sum of a range of the query's points, those whose bit is one.
template <class Point>
void enqueue_bits(const QueryPoints<Point>& query, const DeviceScalars& scalars, PointRange range, Arena arena,
                  std::span<std::byte> sum, Stream stream) {
  const auto groups =
      query.points.subspan(grouped_points(range.first, query.group), grouped_points(range.count, query.group));
  enqueue_bit_sum<Point>(groups, range.count, query.group,
                         scalars.bits.subspan(range.first / 32, (range.count + 31) / 32), arena, sum, stream);
}

/// How much memory a circuit may take.
struct MemoryLimits {
  std::size_t device = 0;  ///< with what a partition takes beside
  std::size_t pinned = 0;
  /// Points that are copied to the device at a time where they are multiplied and in pinned memory.
  std::size_t chunk_of_points = std::size_t{1} << 24;
  /// Points whose bits are added up at a time at most, a multiple of 32: what that takes grows with them.
  std::size_t chunk_of_bits = std::size_t{1} << 30;
};

/// What all proofs of one circuit share. Owns the memory; belongs to the device that was current when it was made.
class ResidentCircuit {
 public:
  /// Uploads the circuit, has `source` bring the points, and makes their multiples. For start-up: allocates, and waits
  /// for the device. Chooses the fastest way that keeps to the limits: more or fewer multiples, and lists in pinned
  /// memory. Throws OutOfDeviceMemory when there is none, and what `source` throws.
  ResidentCircuit(const r1cs::StructuredR1cs& circuit, const PointSource& source, const MemoryLimits& limits);

  const groth16::VerifyingKey& key() const { return key_; }
  const DeviceCircuit& on_device() const { return on_device_; }
  const NttTables& tables() const { return tables_; }
  const DeviceQuery& query(r1cs::Query query) const { return queries_[static_cast<std::size_t>(query)]; }
  const PointList<math::G1>& h() const { return h_; }
  std::size_t chunk_of_bits() const { return chunk_of_bits_; }
  /// Whether all scalars count as field elements.
  bool all_fields() const { return queries_[0].all_fields; }
  const QueryPoints<math::G1>& l() const { return l_; }
  const QueryPoints<math::G1>& a() const { return a_; }
  const QueryPoints<math::G1>& b_g1() const { return b_g1_; }
  const QueryPoints<math::G2>& b_g2() const { return b_g2_; }

  /// Elements of the evaluation domain.
  std::size_t domain_size() const { return std::size_t{1} << log_domain_; }
  /// Device memory that it holds.
  std::size_t bytes() const { return circuit_memory_.bytes().size() + point_memory_.bytes().size(); }
  /// Pinned memory that it holds.
  std::size_t pinned_bytes() const { return pinned_memory_.bytes().size(); }
  /// Device memory that a partition takes beside it.
  std::size_t working_bytes() const { return working_bytes_; }

 private:
  void upload_circuit(const r1cs::StructuredR1cs& circuit, Stream stream);
  void choose_residency(const MemoryLimits& limits);
  /// Bytes of scratch while the points are brought.
  std::size_t fill_bytes() const;
  void take_points(const PointSource& source, Stream stream);

  unsigned log_domain_ = 0;
  groth16::VerifyingKey key_;
  DeviceBlock circuit_memory_, point_memory_;
  PinnedBlock pinned_memory_;
  DeviceCircuit on_device_;
  NttTables tables_;
  DeviceQuery queries_[3];
  std::vector<std::uint32_t> field_places_[3];
  ParameterCounts counts_;
  std::size_t chunk_of_bits_ = 0;
  unsigned lists_on_device_ = 0;  ///< the first so many of kOrder
  PointList<math::G1> h_;
  QueryPoints<math::G1> l_, a_, b_g1_;
  QueryPoints<math::G2> b_g2_;
  std::size_t working_bytes_ = 0;
};

}  // namespace proofline::cuda
