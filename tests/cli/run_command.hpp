#pragma once
/// Running the built command and looking at what it prints and returns.
#include <sys/wait.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/temp_folder.hpp"
#include "support/test_data.hpp"

namespace proofline::test {

struct CommandResult {
  int status = -1;
  std::string out, err;

  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

inline std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// `proofline ARGUMENTS...`, with `redirect` (shell syntax) after it where standard output goes elsewhere.
inline CommandResult run_proofline(const std::vector<std::string>& arguments, const std::string& redirect = "") {
  const TempFolder folder;
  const std::string out = (folder / "out").string();
  const std::string err = (folder / "err").string();
  std::string line = shell_quoted(PROOFLINE_BINARY);
  for (const std::string& argument : arguments) line += " " + shell_quoted(argument);
  line += " >" + shell_quoted(out) + " 2>" + shell_quoted(err) + " " + redirect;
  const int status = std::system(line.c_str());
  const auto text = [](const std::string& path) {
    const auto bytes = read_bytes(path);
    return std::string(bytes.begin(), bytes.end());
  };
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text(out), text(err)};
}

}  // namespace proofline::test
