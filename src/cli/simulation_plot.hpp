#pragma once
/// Simulated memory and queue lengths over time as an SVG picture.
#include <span>
#include <string>

#include "engine/simulation.hpp"

namespace proofline::cli {

/// One simulation, with what it was told.
struct SimulationRun {
  engine::SimulationConfig config;
  engine::SimulationResult result;
};

/// An SVG document with a panel for each run, `columns` beside each other. All panels have the same scales: host
/// memory in GiB (area, left axis), synthesised partitions that wait (line, right axis), simulated time below; dashed
/// lines are the machine's memory and, under the ledger, the budget. A point shows the largest value of its pixel.
/// `runs` and `columns` must not be empty.
std::string simulation_svg(std::span<const SimulationRun> runs, std::size_t columns);

}  // namespace proofline::cli
