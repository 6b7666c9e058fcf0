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

/// How many bytes the text stands for, by its length and padding alone. Throws InputError for a length that is no
/// multiple of four.
std::size_t base64_decoded_size(std::string_view text, std::string_view what);

/// Bytes [begin, begin + out.size()) of those that the text stands for; only the characters that they need are looked
/// at, and refused as above. The bytes must exist.
void from_base64(std::string_view text, std::size_t begin, std::span<std::uint8_t> out, std::string_view what);

}  // namespace proofline
