#include "r1cs/row_digest.hpp"

#include <bit>
#include <cstring>

namespace proofline::r1cs {
namespace {

using math::Fr;

constexpr std::size_t kFlushBytes = 1 << 16;

void store_terms(Terms terms, std::uint8_t*& at) {
  static_assert(std::endian::native == std::endian::little);
  const auto count = static_cast<std::uint32_t>(terms.size());
  std::memcpy(at, &count, 4);
  at += 4;
  for (const Term& term : terms) {
    const std::uint64_t id = term.variable.index() | (term.variable.is_aux() ? std::uint64_t{1} << 32 : 0);
    std::memcpy(at, &id, 8);
    if (term.coefficient == Fr::one()) {
      std::memset(at + 8, 0, Fr::kBytes);
      at[8] = 1;
    } else {
      const Fr::Limbs limbs = term.coefficient.to_canonical();
      std::memcpy(at + 8, limbs.data(), Fr::kBytes);
    }
    at += 8 + Fr::kBytes;
  }
}

}  // namespace

void append_row_bytes(const Row& row, std::vector<std::uint8_t>& out) {
  const std::size_t start = out.size();
  out.resize(start + 12 + (row.a.size() + row.b.size() + row.c.size()) * (8 + Fr::kBytes));
  std::uint8_t* at = out.data() + start;
  store_terms(row.a, at);
  store_terms(row.b, at);
  store_terms(row.c, at);
}

void RowDigest::add(const Row& row) {
  append_row_bytes(row, buffer_);
  if (buffer_.size() >= kFlushBytes) {
    hash_.update(buffer_);
    buffer_.clear();
  }
}

std::array<std::uint8_t, 32> RowDigest::finish() {
  hash_.update(buffer_);
  buffer_.clear();
  return hash_.finish();
}

}  // namespace proofline::r1cs
