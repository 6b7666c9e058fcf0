#pragma once
/// Where a subcommand's circuit comes from: recorded from its code, or read from a file that `circuit save` wrote.
#include <CLI/CLI.hpp>
#include <string>

#include "base/progress.hpp"
#include "filecoin/circuit_kind.hpp"
#include "r1cs/structured.hpp"

namespace proofline::cli {

/// The circuit of one partition. With a file, the circuit must have the kind's count of inputs (InputError naming the
/// file otherwise); whoever uses it with a witness or parameters finds any other difference.
r1cs::StructuredR1cs circuit_from(filecoin::CircuitKind kind, const filecoin::SectorShape& sector,
                                  const std::string& file, Progress& progress);

/// The option --proof, porep by default.
void add_circuit_kind(CLI::App& app, std::string& name);

}  // namespace proofline::cli
