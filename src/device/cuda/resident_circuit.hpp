#pragma once
/// What all proofs of one circuit share, in device memory: its templates, and its parameters' points as the sums use
/// them. Plain C++.
///
/// A query's points are those of variables that are bits and those of field elements. The first are added where a bit
/// is one, straight from the whole list. The second, few, lie a second time in a list of their own, with multiples of
/// each point, so that their sum needs few buckets.
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

/// One query's points, and how they are added.
template <class Point>
struct QueryPoints {
  std::size_t count = 0;
  std::span<typename Point::Affine> points;  ///< all, in the file's order
  MsmPlan plan;                              ///< of the field elements
  std::span<typename Point::Affine> fields;  ///< theirs, plan.items() of them
};

/// Fills the lists of a circuit's parameters, with working memory to use, and returns their key. The stream need not be
/// done on return.
using PointSource = std::function<groth16::VerifyingKey(const ParameterPoints& out, Arena scratch, Stream stream)>;

/// What all proofs of one circuit share. Owns the memory; belongs to the device that was current when it was made.
class ResidentCircuit {
 public:
  /// Uploads the circuit, has `source` bring the points, and makes their multiples. For start-up: allocates, and waits
  /// for the device. Of the plans for h those with more multiples are faster and take more memory; the fastest one is
  /// chosen with which this and working_bytes() stay within `device_bytes`. Throws OutOfDeviceMemory when none does,
  /// and what `source` throws.
  ResidentCircuit(const r1cs::StructuredR1cs& circuit, const PointSource& source, std::size_t device_bytes);

  const groth16::VerifyingKey& key() const { return key_; }
  const DeviceCircuit& on_device() const { return on_device_; }
  const NttTables& tables() const { return tables_; }
  const DeviceQuery& query(r1cs::Query query) const { return queries_[static_cast<std::size_t>(query)]; }
  const MsmPlan& h_plan() const { return h_plan_; }
  std::span<const math::G1Affine> h() const { return h_; }
  const QueryPoints<math::G1>& l() const { return l_; }
  const QueryPoints<math::G1>& a() const { return a_; }
  const QueryPoints<math::G1>& b_g1() const { return b_g1_; }
  const QueryPoints<math::G2>& b_g2() const { return b_g2_; }

  /// Elements of the evaluation domain.
  std::size_t domain_size() const { return std::size_t{1} << log_domain_; }
  /// Device memory that it holds.
  std::size_t bytes() const { return circuit_memory_.bytes().size() + point_memory_.bytes().size(); }
  /// Device memory that a partition takes beside it.
  std::size_t working_bytes() const { return working_bytes_; }

 private:
  void upload_circuit(const r1cs::StructuredR1cs& circuit, Stream stream);
  void choose_plans(const r1cs::Shape& shape, std::size_t device_bytes);
  void take_points(const PointSource& source, Stream stream);

  unsigned log_domain_ = 0;
  groth16::VerifyingKey key_;
  DeviceBlock circuit_memory_, point_memory_;
  DeviceCircuit on_device_;
  NttTables tables_;
  DeviceQuery queries_[3];
  std::vector<std::uint32_t> field_places_[3];
  ParameterCounts counts_;
  MsmPlan h_plan_;
  std::span<math::G1Affine> h_;
  QueryPoints<math::G1> l_, a_, b_g1_;
  QueryPoints<math::G2> b_g2_;
  std::size_t working_bytes_ = 0;
};

}  // namespace proofline::cuda
