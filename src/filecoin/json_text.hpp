#pragma once
/// The text of a JSON document that is too long to be held or indexed whole, and a stretch of which is read at a time.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.hpp"

namespace proofline::filecoin {

/// Where a part of a text lies, in bytes.
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Text as it is, or as the base64 of it inside another text, of which only what is asked for is decoded. Copies share
/// the bytes. Const functions may be called from several threads at once.
class JsonText {
 public:
  /// Borrows: `bytes` must outlive this object and its copies.
  static JsonText borrowed(std::span<const std::uint8_t> bytes);
  static JsonText owned(std::vector<std::uint8_t> bytes);
  /// Throws IoError when the file cannot be mapped. It must not be cut shorter meanwhile.
  static JsonText mapped(const std::filesystem::path& file);

  /// The text that `span` of this one (which must not be base64 itself) is the base64 of. Its functions throw
  /// InputError starting with `name` where they meet what is no base64; this one for an impossible length.
  JsonText from_base64(TextSpan span, std::string_view name) const;

  std::size_t size() const { return size_; }
  /// A stretch, as a string that simdjson needs not copy. Its pages of a mapped file may leave memory afterwards.
  std::string read(TextSpan span) const;
  /// The bytes from `begin` on, at least one and as many as are convenient, `begin` being below size(). They stay valid
  /// as long as this object does and `buffer` is not changed.
  std::span<const std::uint8_t> piece(std::size_t begin, std::vector<std::uint8_t>& buffer) const;
  /// Tells that a stretch is not needed soon: of a mapped file its pages leave memory.
  void release(TextSpan span) const;

 private:
  JsonText() = default;

  std::shared_ptr<const std::vector<std::uint8_t>> owned_;
  std::shared_ptr<const MappedFile> file_;
  std::span<const std::uint8_t> bytes_;
  std::size_t size_ = 0;
  bool base64_ = false;
  std::string name_;
};

}  // namespace proofline::filecoin
