// The one-block interface of OpenSSL: the EVP one allocates, which costs as much as hashing a node.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/sha256.hpp"

#include <openssl/sha.h>

#include <new>

namespace proofline {
namespace {

SHA256_CTX* context(std::array<std::byte, 112>& bytes) {
  return std::launder(reinterpret_cast<SHA256_CTX*>(bytes.data()));
}

}  // namespace

Sha256::Sha256() {
  static_assert(sizeof(SHA256_CTX) == sizeof(context_) && alignof(SHA256_CTX) <= 8);
  SHA256_Init(new (context_.data()) SHA256_CTX);
}

Sha256& Sha256::update(std::span<const std::uint8_t> bytes) {
  SHA256_Update(context(context_), bytes.data(), bytes.size());
  return *this;
}

Sha256Digest Sha256::finish() {
  Sha256Digest out;
  SHA256_Final(out.data(), context(context_));
  return out;
}

Sha256Digest sha256(std::span<const std::uint8_t> bytes) {
  return Sha256().update(bytes).finish();
}

}  // namespace proofline
