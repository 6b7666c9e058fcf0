/// A WindowPoSt of 2 KiB from any bytes, post.json and the sectors' vanilla proofs: reading, checking and deriving
/// public inputs may only ever throw InputError. The first two bytes are the length of the JSON, the rest is cut into
/// vanilla proofs of equal length.
#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "filecoin/post_bincode.hpp"
#include "filecoin/post_inputs.hpp"
#include "filecoin/post_statement_file.hpp"
#include "filecoin/post_vanilla_verify.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace proofline;
  std::span<const std::uint8_t> rest(data, size);
  if (rest.size() < 2) return 0;
  const std::size_t length = rest[0] | std::size_t{rest[1]} << 8;
  rest = rest.subspan(2);
  if (rest.size() < length) return 0;
  try {
    const filecoin::PostStatement statement = filecoin::parse_post_statement(rest.first(length), "fuzz.json");
    rest = rest.subspan(length);
    const std::size_t sectors = filecoin::partition_sectors(statement, 0).size();
    if (statement.shape.circuit_sectors <= 66) filecoin::post_public_inputs(statement, 0);
    std::vector<filecoin::PostSectorProof> proofs;
    const std::size_t each = rest.size() / sectors;
    for (std::size_t i = 0; i < sectors; ++i) {
      proofs.push_back(filecoin::parse_post_proof(rest.subspan(i * each, each), statement.shape, "fuzz.bin"));
    }
    filecoin::verify_post_partition(statement, 0, proofs, "fuzz", Executor(1));
  } catch (const InputError&) {
  }
  return 0;
}
