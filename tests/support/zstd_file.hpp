#pragma once
/// Test data that is kept compressed.
#include <zstd.h>

#include "support/test_data.hpp"

namespace proofline::test {

inline std::vector<std::uint8_t> read_zstd(const std::filesystem::path& path) {
  const std::vector<std::uint8_t> packed = read_bytes(path);
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR) throw std::runtime_error("not zstd: " + path.string());
  ZSTD_DCtx* context = ZSTD_createDCtx();
  ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 27);
  std::vector<std::uint8_t> out;
  std::vector<std::uint8_t> block(1 << 20);
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  while (in.pos < in.size) {
    ZSTD_outBuffer chunk{block.data(), block.size(), 0};
    const std::size_t code = ZSTD_decompressStream(context, &chunk, &in);
    if (ZSTD_isError(code) != 0) {
      ZSTD_freeDCtx(context);
      throw std::runtime_error("zstd failed on " + path.string());
    }
    out.insert(out.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(chunk.pos));
  }
  ZSTD_freeDCtx(context);
  return out;
}

}  // namespace proofline::test
