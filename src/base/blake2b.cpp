#include "base/blake2b.hpp"

#include <openssl/evp.h>

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

}  // namespace proofline
