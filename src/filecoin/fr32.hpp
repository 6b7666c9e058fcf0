#pragma once
/// fr32 padding: data cut into runs of 254 bits, each in 32 bytes with the top two bits zero, so that
/// every 32 bytes are a field element. Bits are counted from the low end of each byte. 127 bytes (4 * 254
/// bits) become 128, independently of their neighbours: any length is processed by whole blocks.
/// Source: Filecoin specification, piece padding.
#include <cstdint>
#include <span>

#include "base/executor.hpp"

namespace proofline::filecoin {

inline constexpr std::uint64_t kFr32Unpadded = 127;
inline constexpr std::uint64_t kFr32Padded = 128;

/// Bytes of whole blocks: 127 k <-> 128 k. Throws InputError when the argument is no such multiple.
std::uint64_t fr32_padded_size(std::uint64_t unpadded);
std::uint64_t fr32_unpadded_size(std::uint64_t padded);

/// Pads all of `in` (any length; the last block is filled with zeros) to the front of `out` and clears
/// the rest of `out`. `out` is a multiple of 128 bytes and holds at least ceil(in / 127) blocks, else
/// InputError. The spans do not overlap.
void fr32_pad(std::span<const std::uint8_t> in, std::span<std::uint8_t> out, const Executor& exec);

/// The inverse: the first out.size() bytes (any length) of the data padded in `in`. `in` is a multiple of
/// 128 bytes long and holds that much, else InputError; bits 254 and 255 of each 32 bytes are ignored.
void fr32_unpad(std::span<const std::uint8_t> in, std::span<std::uint8_t> out, const Executor& exec);

}  // namespace proofline::filecoin
