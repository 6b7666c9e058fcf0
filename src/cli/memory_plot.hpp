#pragma once
/// Memory and queue lengths over time as an SVG picture.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace proofline::cli {

/// The state from this time until the next sample's.
struct PlotSample {
  double seconds = 0;
  std::uint64_t reserved = 0;  ///< host bytes, as a ledger or a model counts them
  std::uint64_t resident = 0;  ///< host bytes, as the system counts them; 0: not known
  std::size_t waiting = 0;     ///< partitions with a witness that wait for a device
};

struct PlotPanel {
  std::string title;
  std::vector<PlotSample> samples;  ///< by rising time; not empty
  double total_seconds = 0;
  std::optional<std::uint64_t> machine_bytes, budget_bytes;
};

/// An SVG document with a panel for each run, `columns` beside each other. All panels have the same scales: memory in
/// MiB or GiB (reserved as an area, resident as a line, left axis), waiting partitions (line, right axis), time below,
/// called `time_name`; dashed lines are the machine's memory and the budget. A point shows the largest value of its
/// pixel. `panels` and `columns` must not be empty.
std::string memory_svg(std::span<const PlotPanel> panels, std::size_t columns, const std::string& time_name);

}  // namespace proofline::cli
