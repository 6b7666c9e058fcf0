#include "cli/csv.hpp"

#include <fmt/format.h>

#include <string>

namespace proofline::cli {

void print_csv(std::span<const Json> rows) {
  std::string header;
  for (const auto& [name, value] : rows.front().items()) header += (header.empty() ? "" : ",") + name;
  fmt::print("{}\n", header);
  for (const Json& row : rows) {
    std::string line;
    for (const auto& [name, value] : row.items()) {
      if (!line.empty()) line += ',';
      if (value.is_string()) {
        line += value.get<std::string>();
      } else if (!value.is_null()) {
        line += value.dump();
      }
    }
    fmt::print("{}\n", line);
  }
}

}  // namespace proofline::cli
