#pragma once
/// Names of the api versions in files and flags: V1, V1_1, V1_2.
#include <string_view>

#include "filecoin/registered_proof.hpp"

namespace proofline::filecoin {

std::string_view api_version_name(ApiVersion version);
/// Throws InputError beginning with `what` for any other name.
ApiVersion api_version(std::string_view name, std::string_view what);

}  // namespace proofline::filecoin
