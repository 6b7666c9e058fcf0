/// The reader of update partition proofs on any bytes, for a size with a base tree and one with sub and top levels: it
/// may only ever throw InputError; what it accepts is written back as it was, and the verifier answers with InputError
/// at worst.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/error.hpp"
#include "filecoin/update_bincode.hpp"
#include "filecoin/update_vanilla.hpp"

namespace {

using namespace proofline;

void check(std::span<const std::uint8_t> bytes, const filecoin::UpdateShape& shape) {
  filecoin::UpdatePartitionProof proof;
  try {
    proof = filecoin::parse_update_partition(bytes, shape, "fuzz");
  } catch (const InputError&) {
    return;
  }
  if (!std::ranges::equal(filecoin::write_update_partition(proof, shape), bytes)) std::abort();
  const filecoin::UpdateStatement about{shape.sector_size, proof.comm_c, proof.apex_leaves.front(), proof.comm_c};
  try {
    filecoin::verify_update_partition(about, 0, proof, "fuzz", Executor(1));
  } catch (const InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check({data, size}, filecoin::update_shape(std::uint64_t{2} << 10));
  check({data, size}, filecoin::update_shape(std::uint64_t{32} << 10));
  return 0;
}
