#pragma once
/// The dashboard's files (web/), part of the binary; cmake/embed_files.cmake makes the definition.
#include <span>
#include <string_view>

namespace proofline::service {

struct WebFile {
  std::string_view path;  ///< "/index.html"
  std::string_view type;  ///< for Content-Type
  std::string_view content;
};

std::span<const WebFile> web_files();

}  // namespace proofline::service
