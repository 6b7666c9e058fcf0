#pragma once
/// Rows as CSV.
#include <span>

#include "cli/command.hpp"

namespace proofline::cli {

/// Prints a line of the members' names, then one for each row. Rows are objects with the same members, none of them
/// needing quotes; null is empty. There is at least one.
void print_csv(std::span<const Json> rows);

}  // namespace proofline::cli
