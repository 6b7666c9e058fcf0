#include "base/bincode.hpp"

#include "base/error.hpp"

namespace proofline {
namespace {

void append(std::vector<std::uint8_t>& out, std::uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

}  // namespace

std::span<const std::uint8_t> BincodeReader::bytes(std::size_t size, std::string_view what) {
  if (rest_.size() < size) {
    fail(std::string(what) + " cut off: " + std::to_string(size) + " bytes expected, " + std::to_string(rest_.size()) +
         " left");
  }
  const auto piece = rest_.first(size);
  rest_ = rest_.subspan(size);
  return piece;
}

std::uint64_t BincodeReader::integer(std::size_t size, std::string_view what) {
  std::uint64_t out = 0;
  const auto piece = bytes(size, what);
  for (std::size_t i = 0; i < size; ++i) out |= std::uint64_t{piece[i]} << (8 * i);
  return out;
}

std::size_t BincodeReader::length(std::size_t element_bytes, std::string_view what) {
  const std::uint64_t count = u64(what);
  if (count > rest_.size() / element_bytes) {
    fail(std::string(what) + ": length " + std::to_string(count) + ", but at most " +
         std::to_string(rest_.size() / element_bytes) + " can follow in the " + std::to_string(rest_.size()) +
         " bytes left");
  }
  return static_cast<std::size_t>(count);
}

void BincodeReader::finish() const {
  if (!rest_.empty()) fail("end expected, " + std::to_string(rest_.size()) + " bytes follow");
}

void BincodeReader::fail(const std::string& what) const {
  throw InputError(name_ + ": byte " + std::to_string(all_.size() - rest_.size()) + ": " + what);
}

void append_u32(std::vector<std::uint8_t>& out, std::uint32_t value) {
  append(out, value, 4);
}

void append_u64(std::vector<std::uint8_t>& out, std::uint64_t value) {
  append(out, value, 8);
}

}  // namespace proofline
