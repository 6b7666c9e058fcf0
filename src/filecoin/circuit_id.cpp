#include "filecoin/circuit_id.hpp"

#include <array>
#include <cctype>

namespace proofline::filecoin {
namespace {

constexpr std::array<std::string_view, 4> kPrefixes{"porep-", "winning-", "wpost-", "snap-"};  // by CircuitKind

}  // namespace

CircuitKind circuit_kind(PostKind kind) {
  return kind == PostKind::kWinning ? CircuitKind::kWinningPost : CircuitKind::kWindowPost;
}

std::string circuit_id(CircuitKind kind, const SectorShape& sector) {
  std::string out(kPrefixes[static_cast<std::size_t>(kind)]);
  const std::size_t unit = sector.name.find("iB") - 1;
  out += sector.name.substr(0, unit);
  out += static_cast<char>(std::tolower(static_cast<unsigned char>(sector.name[unit])));
  return out;
}

}  // namespace proofline::filecoin
