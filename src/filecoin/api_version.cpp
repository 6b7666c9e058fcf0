#include "filecoin/api_version.hpp"

#include <array>
#include <string>

#include "base/error.hpp"

namespace proofline::filecoin {
namespace {

constexpr std::array<std::string_view, 3> kNames{"V1", "V1_1", "V1_2"};  // by ApiVersion

}  // namespace

std::string_view api_version_name(ApiVersion version) {
  return kNames[static_cast<std::size_t>(version)];
}

ApiVersion api_version(std::string_view name, std::string_view what) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (name == kNames[i]) return static_cast<ApiVersion>(i);
  }
  throw InputError(std::string(what) + ": \"" + std::string(name) + "\" is not known; expected V1, V1_1 or V1_2");
}

}  // namespace proofline::filecoin
