#include "filecoin/vanilla_json.hpp"

#include "filecoin/c1_reader.hpp"

namespace proofline::filecoin {
namespace {

C1 read_all(const C1Reader& reader) {
  C1 out{{reader.header(), {}}, reader.sector_number()};
  for (std::size_t k = 0; k < reader.partitions(); ++k) out.proof.partitions.push_back(reader.read_partition(k));
  return out;
}

}  // namespace

C1 parse_c1(std::span<const std::uint8_t> text, std::string_view name) {
  return read_all(C1Reader(JsonText::borrowed(text), name));
}

C1 read_c1_file(const std::filesystem::path& path) {
  return read_all(C1Reader(path));
}

}  // namespace proofline::filecoin
