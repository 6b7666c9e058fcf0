#pragma once
/// The scalars of a prover's sums on the device: bits, which select points, and field elements, which multiply them.
/// Plain C++. Both are in the order of the parameter file's lists, as r1cs::QueryScalars gives them.
#include <cstddef>
#include <cstdint>
#include <span>

#include "device/cuda/instance_values.hpp"
#include "r1cs/query_scalars.hpp"

namespace proofline::cuda {

/// Whether most variables of the circuit are field elements, as in proofs of spacetime. Then all scalars are taken as
/// field elements, bits as 0 and 1: one sum over all points.
bool is_mostly_fields(const r1cs::StructuredR1cs& circuit);

/// What is known of a query without a witness. Device memory, borrowed from an arena.
struct DeviceQuery {
  r1cs::Query query = r1cs::Query::kAux;
  std::size_t points = 0;  ///< in the parameter file's list
  std::uint32_t num_aux = 0;
  bool all_fields = false;                ///< of a circuit that is_mostly_fields(): the other two are empty
  std::span<const std::uint32_t> used;    ///< a bit an aux variable; none for kAux
  std::span<const std::uint32_t> before;  ///< points before each 32 words of `used`
  std::span<const std::uint32_t> fields;  ///< where each field element lies among the values
};

/// Device bytes that enqueue_query() takes from its arena at most (for a 32 GiB PoRep partition 6.8 MB for kAux, 23.6
/// MB for the others).
std::size_t query_device_bytes(const r1cs::StructuredR1cs& circuit, r1cs::Query query);

/// Uploads the query, once a circuit. Throws InputError when the arena or 31-bit places do not suffice, DeviceError
/// when CUDA refuses.
DeviceQuery enqueue_query(const r1cs::StructuredR1cs& circuit, r1cs::Query query, Arena& arena, Stream stream);

/// A query's scalars in device memory, borrowed.
struct DeviceScalars {
  /// A bit a point, as enqueue_bit_sum() takes them; zero where the scalar is a field element. None where all are.
  std::span<const std::uint32_t> bits;
  /// The field elements, inputs first; their points are at r1cs::field_places(), or all.
  std::span<const math::Fr> fields;
};

/// Device bytes that enqueue_query_scalars() takes from its arena.
std::size_t query_scalars_device_bytes(const DeviceQuery& query);

/// The scalars live in the arena; kAux's bits are the witness's own, of `values`. Throws InputError when the values are
/// of another circuit than the query or the arena is too small, DeviceError when CUDA refuses.
DeviceScalars enqueue_query_scalars(const DeviceQuery& query, const DeviceValues& values, Arena& arena, Stream stream);

}  // namespace proofline::cuda
