#include "filecoin/circuit_id.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/error.hpp"
#include "base/nearest_name.hpp"
#include "filecoin/update_shape.hpp"

namespace proofline::filecoin {
namespace {

constexpr std::array<std::string_view, 4> kPrefixes{"porep-", "winning-", "wpost-", "snap-"};  // by CircuitKind

/// Calls visit(kind, sector) for each circuit that there is.
template <class Visit>
void for_each_circuit(const Visit& visit) {
  for (std::size_t kind = 0; kind < kPrefixes.size(); ++kind) {
    for (const SectorShape& sector : sector_shapes()) {
      const bool has_circuit = static_cast<CircuitKind>(kind) != CircuitKind::kUpdate ||
                               std::ranges::any_of(update_shapes(), [&](const UpdateShape& update) {
                                 return update.sector_size == sector.sector_size;
                               });
      if (has_circuit) visit(static_cast<CircuitKind>(kind), sector);
    }
  }
}

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

CircuitName parse_circuit_id(std::string_view id) {
  CircuitName out;
  for_each_circuit([&](CircuitKind kind, const SectorShape& sector) {
    if (circuit_id(kind, sector) == id) out = {kind, &sector};
  });
  if (out.sector != nullptr) return out;
  constexpr std::size_t kShown = 64;
  const std::vector<std::string> ids = circuit_ids();
  const std::vector<std::string_view> names(ids.begin(), ids.end());
  throw InputError("circuit \"" + std::string(id.substr(0, kShown)) + "\" is not known; the nearest id is \"" +
                   std::string(nearest_name(id, names)) + "\"");
}

std::vector<std::string> circuit_ids() {
  std::vector<std::string> out;
  for_each_circuit([&](CircuitKind kind, const SectorShape& sector) { out.push_back(circuit_id(kind, sector)); });
  return out;
}

}  // namespace proofline::filecoin
