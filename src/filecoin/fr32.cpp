#include "filecoin/fr32.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "base/error.hpp"

namespace proofline::filecoin {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t kTopMask = (std::uint64_t{1} << 62) - 1;
constexpr std::size_t kGrain = 4096;  // blocks a task

using Words = std::array<std::uint64_t, 16>;

// Element i of a block starts 2 i bits before its place in the padded block.
void pad_block(const std::uint8_t* in, std::uint8_t* out) {
  Words w{};
  std::memcpy(w.data(), in, kFr32Unpadded);
  Words p;
  for (std::size_t i = 0; i < 16; ++i) {
    const unsigned shift = static_cast<unsigned>(i / 4 * 2);
    p[i] = shift == 0 ? w[i] : w[i] << shift | w[i - 1] >> (64 - shift);
    if (i % 4 == 3) p[i] &= kTopMask;
  }
  std::memcpy(out, p.data(), kFr32Padded);
}

void unpad_block(const std::uint8_t* in, std::uint8_t* out) {
  Words p;
  std::memcpy(p.data(), in, kFr32Padded);
  for (std::size_t i = 3; i < 16; i += 4) p[i] &= kTopMask;
  Words w;
  for (std::size_t i = 0; i < 16; ++i) {
    const unsigned shift = static_cast<unsigned>(i / 4 * 2);
    w[i] = p[i] >> shift;
    if (i + 1 < 16) {
      // The next word continues this one; over an element's border it comes two bits earlier.
      const unsigned next_shift = static_cast<unsigned>((i + 1) / 4 * 2);
      if (next_shift != 0) w[i] |= p[i + 1] << (64 - next_shift);
    }
  }
  std::memcpy(out, w.data(), kFr32Unpadded);
}

void check_blocks(std::size_t unpadded, std::size_t padded) {
  if (padded % kFr32Padded != 0) {
    throw InputError("fr32: " + std::to_string(padded) + " padded bytes are not a multiple of 128");
  }
  if (unpadded > padded / kFr32Padded * kFr32Unpadded) {
    throw InputError("fr32: " + std::to_string(unpadded) + " bytes do not fit " + std::to_string(padded) +
                     " padded bytes");
  }
}

}  // namespace

std::uint64_t fr32_padded_size(std::uint64_t unpadded) {
  if (unpadded % kFr32Unpadded != 0) {
    throw InputError("fr32: " + std::to_string(unpadded) + " bytes are not a multiple of 127");
  }
  return unpadded / kFr32Unpadded * kFr32Padded;
}

std::uint64_t fr32_unpadded_size(std::uint64_t padded) {
  if (padded % kFr32Padded != 0) {
    throw InputError("fr32: " + std::to_string(padded) + " padded bytes are not a multiple of 128");
  }
  return padded / kFr32Padded * kFr32Unpadded;
}

void fr32_pad(std::span<const std::uint8_t> in, std::span<std::uint8_t> out, const Executor& exec) {
  check_blocks(in.size(), out.size());
  const std::size_t whole = in.size() / kFr32Unpadded;
  exec.parallel_for(whole, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) pad_block(&in[i * kFr32Unpadded], &out[i * kFr32Padded]);
  });
  std::size_t done = whole * kFr32Padded;
  if (const std::size_t rest = in.size() % kFr32Unpadded; rest != 0) {
    std::array<std::uint8_t, kFr32Unpadded> last{};
    std::copy_n(&in[whole * kFr32Unpadded], rest, last.begin());
    pad_block(last.data(), &out[done]);
    done += kFr32Padded;
  }
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(done), out.end(), std::uint8_t{0});
}

void fr32_unpad(std::span<const std::uint8_t> in, std::span<std::uint8_t> out, const Executor& exec) {
  check_blocks(out.size(), in.size());
  const std::size_t whole = out.size() / kFr32Unpadded;
  exec.parallel_for(whole, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) unpad_block(&in[i * kFr32Padded], &out[i * kFr32Unpadded]);
  });
  if (const std::size_t rest = out.size() % kFr32Unpadded; rest != 0) {
    std::array<std::uint8_t, kFr32Unpadded> last;
    unpad_block(&in[whole * kFr32Padded], last.data());
    std::copy_n(last.begin(), rest, out.begin() + static_cast<std::ptrdiff_t>(whole * kFr32Unpadded));
  }
}

}  // namespace proofline::filecoin
