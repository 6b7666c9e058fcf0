#include "filecoin/json_text.hpp"

#include <simdjson.h>

#include <algorithm>
#include <utility>

#include "base/base64.hpp"

namespace proofline::filecoin {
namespace {

constexpr std::size_t kPiece = std::size_t{3} << 16;
constexpr std::size_t kPage = 1 << 16;  ///< the largest pages that systems have

std::string_view characters(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

JsonText JsonText::borrowed(std::span<const std::uint8_t> bytes) {
  JsonText out;
  out.bytes_ = bytes;
  out.size_ = bytes.size();
  return out;
}

JsonText JsonText::owned(std::vector<std::uint8_t> bytes) {
  const auto shared = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
  JsonText out = borrowed(*shared);
  out.owned_ = shared;
  return out;
}

JsonText JsonText::mapped(const std::filesystem::path& file) {
  const auto shared = std::make_shared<const MappedFile>(file);
  JsonText out = borrowed(shared->bytes());
  out.file_ = shared;
  return out;
}

JsonText JsonText::from_base64(TextSpan span, std::string_view name) const {
  JsonText out = *this;
  out.bytes_ = bytes_.subspan(span.begin, span.end - span.begin);
  out.size_ = base64_decoded_size(characters(out.bytes_), name);
  out.base64_ = true;
  out.name_ = name;
  return out;
}

std::string JsonText::read(TextSpan span) const {
  const std::size_t size = span.end - span.begin;
  std::string out;
  out.reserve(size + simdjson::SIMDJSON_PADDING);
  if (base64_) {
    out.resize(size);
    proofline::from_base64(characters(bytes_), span.begin, {reinterpret_cast<std::uint8_t*>(out.data()), size}, name_);
  } else {
    out = characters(bytes_.subspan(span.begin, size));
  }
  release(span);
  return out;
}

std::span<const std::uint8_t> JsonText::piece(std::size_t begin, std::vector<std::uint8_t>& buffer) const {
  const std::size_t size = std::min(kPiece, size_ - begin);
  if (!base64_) return bytes_.subspan(begin, size);
  buffer.resize(size);
  proofline::from_base64(characters(bytes_), begin, buffer, name_);
  return buffer;
}

void JsonText::release(TextSpan span) const {
  if (!file_) return;
  const auto offset = static_cast<std::size_t>(bytes_.data() - file_->bytes().data());
  const auto at = [&](std::size_t position) { return offset + (base64_ ? position / 3 * 4 : position); };
  const std::size_t begin = at(span.begin);
  file_->drop(begin - std::min(begin, kPage), at(span.end));  // with the page that the stretch before shared with it
}

}  // namespace proofline::filecoin
