/// The reader of PoSt vanilla proofs on any bytes: it may only ever throw InputError, and what it accepts is written
/// again byte for byte. The first byte chooses kind of proof and sector size.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/error.hpp"
#include "filecoin/post_bincode.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace proofline;
  if (size == 0) return 0;
  const auto sizes = filecoin::sector_shapes();
  const filecoin::PostShape shape =
      filecoin::post_shape((data[0] & 1) == 0 ? filecoin::PostKind::kWindow : filecoin::PostKind::kWinning,
                           sizes[(data[0] >> 1) % sizes.size()]);
  const std::span<const std::uint8_t> bytes(data + 1, size - 1);
  try {
    const filecoin::PostSectorProof proof = filecoin::parse_post_proof(bytes, shape, "fuzz");
    if (!std::ranges::equal(filecoin::write_post_proof(proof, shape), bytes)) std::abort();
    if (!(filecoin::parse_post_sector(bytes, "fuzz") == proof.sector)) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
