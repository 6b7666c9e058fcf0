#pragma once
/// Bincode (version 1, default options), the encoding of vanilla proofs: integers little-endian at fixed width, a
/// vector as its u64 length and its elements, a variant as its u32 number and its content.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace proofline {

/// Takes values from the front of a byte string. Every error is an InputError with the input's name, the byte at which
/// the value begins and what was expected.
class BincodeReader {
 public:
  /// `bytes` is borrowed; `name` goes into messages.
  BincodeReader(std::span<const std::uint8_t> bytes, std::string_view name) : rest_(bytes), all_(bytes), name_(name) {}

  std::uint64_t u64(std::string_view what) { return integer(8, what); }
  std::uint32_t u32(std::string_view what) { return static_cast<std::uint32_t>(integer(4, what)); }
  /// The next `size` bytes, borrowed from the input.
  std::span<const std::uint8_t> bytes(std::size_t size, std::string_view what);
  /// The length of a vector whose elements take at least `element_bytes` each. Refused when that many elements cannot
  /// follow, so that a caller may reserve memory for it.
  std::size_t length(std::size_t element_bytes, std::string_view what);
  /// Requires that nothing is left.
  void finish() const;
  /// Throws InputError: "<name>: byte <position>: <what>".
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::uint64_t integer(std::size_t size, std::string_view what);

  std::span<const std::uint8_t> rest_, all_;
  std::string name_;
};

void append_u32(std::vector<std::uint8_t>& out, std::uint32_t value);
void append_u64(std::vector<std::uint8_t>& out, std::uint64_t value);

}  // namespace proofline
