/// The C1 reader on any bytes: it may only ever throw InputError; what it accepts can be written and read
/// back, whole or partition by partition, and the verifier answers with InputError at worst.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "filecoin/c1_reader.hpp"
#include "filecoin/vanilla_json.hpp"
#include "filecoin/vanilla_verify.hpp"

namespace {

using namespace proofline;

filecoin::C1 read_back(const std::string& text) {
  return filecoin::parse_c1({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, "written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  filecoin::C1 c1;
  try {
    c1 = filecoin::parse_c1({data, size}, "fuzz");
  } catch (const InputError&) {
    return 0;
  }
  // The reader on its own, from memory of its own, the last partition first.
  const filecoin::C1Reader reader(filecoin::JsonText::owned({data, data + size}), "fuzz");
  filecoin::VanillaProof backwards{reader.header(), {}};
  backwards.partitions.resize(reader.partitions());
  for (std::size_t k = reader.partitions(); k-- > 0;) backwards.partitions[k] = reader.read_partition(k);
  const std::string text = filecoin::write_c1(c1.proof);
  if (filecoin::write_c1(backwards) != text) std::abort();
  if (filecoin::write_c1(read_back(text).proof) != text) std::abort();
  try {
    filecoin::verify_vanilla(c1.proof);
  } catch (const InputError&) {
  }
  return 0;
}
