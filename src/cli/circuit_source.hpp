#pragma once
/// Where a subcommand's circuit comes from: recorded from its code, or read from a file that `circuit save` wrote.
#include <string>

#include "base/progress.hpp"
#include "filecoin/sector_shape.hpp"
#include "r1cs/structured.hpp"

namespace proofline::cli {

/// The porep circuit of one partition. With a file, the circuit must have the sector's counts of inputs (InputError
/// naming the file otherwise); whoever uses it with a witness or parameters finds any other difference.
r1cs::StructuredR1cs porep_structure(const filecoin::SectorShape& sector, const std::string& file, Progress& progress);

}  // namespace proofline::cli
