#pragma once
/// Base64 with the standard alphabet and padding (RFC 4648, section 4), as Go writes byte slices into JSON.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace proofline {

/// Padded, without line breaks.
std::string to_base64(std::span<const std::uint8_t> bytes);

/// Strict: one text for each byte string. Throws InputError starting with `what` (the name of the field) for a
/// character outside the alphabet (line breaks too), a length that is no multiple of four, misplaced padding, or bits
/// that are set after the last byte.
std::vector<std::uint8_t> from_base64(std::string_view text, std::string_view what);

}  // namespace proofline
