#include "base/blake2b.hpp"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <memory>

#include "base/error.hpp"

namespace proofline {

Blake2b512Digest blake2b512(std::span<const std::uint8_t> bytes) {
  Blake2b512Digest out;
  unsigned length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), out.data(), &length, EVP_blake2b512(), nullptr) != 1 ||
      length != out.size()) {
    throw Error("BLAKE2b-512: the crypto library does not provide it");
  }
  return out;
}

std::array<std::uint8_t, 32> blake2b256_keyed(std::span<const std::uint8_t> key, std::span<const std::uint8_t> bytes) {
  std::array<std::uint8_t, 32> out;
  std::size_t size = out.size();
  const std::array<OSSL_PARAM, 2> parameters{OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size),
                                             OSSL_PARAM_construct_end()};
  const std::unique_ptr<EVP_MAC, decltype(&EVP_MAC_free)> mac(EVP_MAC_fetch(nullptr, "BLAKE2BMAC", nullptr),
                                                              EVP_MAC_free);
  const std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)> context(EVP_MAC_CTX_new(mac.get()), EVP_MAC_CTX_free);
  std::size_t written = 0;
  if (!context || EVP_MAC_init(context.get(), key.data(), key.size(), parameters.data()) != 1 ||
      EVP_MAC_update(context.get(), bytes.data(), bytes.size()) != 1 ||
      EVP_MAC_final(context.get(), out.data(), &written, out.size()) != 1 || written != out.size()) {
    throw Error("BLAKE2b-256 with a key: the crypto library refuses");
  }
  return out;
}

}  // namespace proofline
