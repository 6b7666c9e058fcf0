#pragma once
/// The known name that somebody probably meant, for error messages.
#include <span>
#include <string_view>

namespace proofline {

/// The name with the smallest edit distance (insertions, deletions, replacements), the first of equals; of a `wanted`
/// of more than 64 bytes only the first 64 are compared. Empty when there are no names.
std::string_view nearest_name(std::string_view wanted, std::span<const std::string_view> names);

}  // namespace proofline
