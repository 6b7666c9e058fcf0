#include "base/chacha20.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <memory>

#include "base/error.hpp"

namespace proofline {

void chacha20_key_stream(const std::array<std::uint8_t, 32>& key, const std::array<std::uint8_t, 12>& nonce,
                         std::uint64_t offset, std::span<std::uint8_t> out) {
  constexpr std::size_t kBlock = 64;
  std::array<std::uint8_t, 16> iv{};  // block counter, then nonce
  for (std::size_t i = 0; i < 4; ++i) iv[i] = static_cast<std::uint8_t>(offset / kBlock >> (8 * i));
  std::ranges::copy(nonce, iv.begin() + 4);
  const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context(EVP_CIPHER_CTX_new(),
                                                                                EVP_CIPHER_CTX_free);
  const auto refuse = [] { return Error("ChaCha20: the crypto library refuses"); };
  if (!context || EVP_EncryptInit_ex(context.get(), EVP_chacha20(), nullptr, key.data(), iv.data()) != 1) {
    throw refuse();
  }
  const auto encrypt = [&](std::span<std::uint8_t> bytes) {
    std::ranges::fill(bytes, std::uint8_t{0});
    int written = 0;
    if (EVP_EncryptUpdate(context.get(), bytes.data(), &written, bytes.data(), static_cast<int>(bytes.size())) != 1) {
      throw refuse();
    }
  };
  std::array<std::uint8_t, kBlock> skipped;
  encrypt(std::span(skipped).first(offset % kBlock));
  constexpr std::size_t kPiece = std::size_t{1} << 30;
  for (std::size_t begin = 0; begin < out.size(); begin += kPiece) {
    encrypt(out.subspan(begin, std::min(kPiece, out.size() - begin)));
  }
}

}  // namespace proofline
