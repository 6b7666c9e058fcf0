#include "filecoin/update_challenges.hpp"

#include <array>
#include <string>

#include "base/error.hpp"
#include "filecoin/update_randomness.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;

/// Bits [begin, begin + count) of an integer, count <= 32.
std::uint64_t bits_of(const Fr::Limbs& limbs, unsigned begin, unsigned count) {
  std::uint64_t out = limbs[begin / 64] >> (begin % 64);
  if (begin % 64 + count > 64) out |= limbs[begin / 64 + 1] << (64 - begin % 64);
  return out & ((std::uint64_t{1} << count) - 1);
}

}  // namespace

std::vector<std::uint64_t> update_challenges(const UpdateShape& shape, const Fr& comm_r_new, unsigned partition) {
  if (partition >= shape.partitions) {
    throw InputError("sector update: partition " + std::to_string(partition) + " of a " + std::string(shape.name) +
                     " sector does not exist; it has " + std::to_string(shape.partitions));
  }
  const unsigned bits = shape.node_bits() - shape.partition_bits();
  const unsigned each_digest = Fr::kCapacity / bits;
  const unsigned digests = (shape.challenges_per_partition + each_digest - 1) / each_digest;
  std::vector<std::uint64_t> out;
  for (unsigned j = 0; j < digests; ++j) {
    const Fr index = Fr::from_u64(std::uint64_t{partition} * digests + j);
    const Fr::Limbs digest = math::poseidon(update_poseidon(), std::array{comm_r_new, index}).to_canonical();
    for (unsigned i = 0; i < each_digest && out.size() < shape.challenges_per_partition; ++i) {
      out.push_back(std::uint64_t{partition} << bits | bits_of(digest, i * bits, bits));
    }
  }
  return out;
}

}  // namespace proofline::filecoin
