#pragma once
/// `proofline top`: what a daemon does, live in the terminal.
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace proofline::cli {

struct TopView {
  std::size_t columns = 100;  ///< longer lines are cut
  std::size_t rows = 0;       ///< further lines are left out; 0: any number
  bool colour = false;
};

/// Lines to print of a daemon's status (docs/monitor.md). What clients have named is shown with anything that is not a
/// printable ASCII character replaced, so that it cannot steer the terminal. Throws InputError when the document is not
/// as expected.
std::vector<std::string> top_lines(const Json& status, const TopView& view);

void add_top(CLI::App& root, Action& action);

}  // namespace proofline::cli
