#include "cli/command.hpp"

#include <fmt/format.h>

#include "base/hex.hpp"

namespace proofline::cli {

void add_common(CLI::App& app, Common& common) {
  app.add_flag("--json", common.json, "Print the result as one JSON document");
  app.add_flag("-q,--quiet", common.quiet, "No progress on standard error");
  app.add_option("--threads", common.threads, "Threads to use (default: all that the process may use)")
      ->type_name("N")
      ->check(CLI::Range(1U, 4096U).description(""));
}

void add_examples(CLI::App& app, std::string_view lines) {
  std::string footer = "Examples:";
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    footer += fmt::format("\n  {}", lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  app.footer(footer + "\n");
}

std::array<std::uint8_t, 32> bytes32_option(const std::string& text, std::string_view flag) {
  return array_from_hex<32>(text, flag);
}

void print_json(const Json& document) {
  fmt::print("{}\n", document.dump(2));
}

CLI::App& add_group(CLI::App& parent, const std::string& name, const std::string& description) {
  CLI::App* group = parent.add_subcommand(name, description);
  group->require_subcommand(1);
  return *group;
}

}  // namespace proofline::cli
