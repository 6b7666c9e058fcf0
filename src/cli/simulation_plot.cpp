#include "cli/simulation_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace proofline::cli {
namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;
constexpr std::size_t kPlotWidth = 300;
constexpr std::size_t kPlotHeight = 140;
constexpr std::size_t kLeft = 48, kRight = 40, kTop = 30, kBottom = 38;
constexpr std::size_t kPanelWidth = kLeft + kPlotWidth + kRight;
constexpr std::size_t kPanelHeight = kTop + kPlotHeight + kBottom;
constexpr std::size_t kLegendHeight = 28;

constexpr const char* kStyle =
    "<style>text{font:11px sans-serif;fill:#333}.title{font-weight:bold}.axis{stroke:#999;fill:none}"
    ".grid{stroke:#e4e4e4}.memory{fill:#9ec5e8;stroke:#2b6ca3}.queued{fill:none;stroke:#d9730d;stroke-width:1.5}"
    ".machine{stroke:#c0282d;stroke-dasharray:5 3}.budget{stroke:#2c8a4b;stroke-dasharray:5 3}</style>\n";

/// What the axes of all panels reach to.
struct Scales {
  double seconds = 0;
  double gib = 0;
  double queued = 0;
};

double gib(std::uint64_t bytes) {
  return static_cast<double>(bytes) / kGiB;
}

/// 1, 2 or 5 times a power of ten, so that up to five steps reach `reach`.
double tick_step(double reach) {
  const double power = std::pow(10, std::floor(std::log10(reach / 5)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (power * factor * 5 >= reach) return power * factor;
  }
  return power * 10;
}

Scales scales_of(std::span<const SimulationRun> runs) {
  Scales scales{1, 0.001, 5};
  for (const auto& [config, result] : runs) {
    scales.seconds = std::max(scales.seconds, result.total_seconds);
    scales.gib = std::max(scales.gib, gib(result.peak_host_bytes));
    scales.queued = std::max(scales.queued, static_cast<double>(result.peak_queued));
  }
  scales.gib *= 1.1;
  scales.queued *= 1.1;
  return scales;
}

/// The largest value of each pixel's time, as heights of the plot, up to the run's end.
template <typename Value>
std::vector<double> pixel_heights(const engine::SimulationResult& result, double seconds, double reach,
                                  const Value& value) {
  const auto pixel = [&](double time) {
    return std::min(static_cast<std::size_t>(time / seconds * kPlotWidth), kPlotWidth - 1);
  };
  std::vector<double> heights(pixel(result.total_seconds) + 1, 0);
  for (std::size_t i = 0; i < result.samples.size(); ++i) {
    const bool last = i + 1 == result.samples.size();
    const std::size_t end = last ? heights.size() - 1 : pixel(result.samples[i + 1].seconds);
    const double height = value(result.samples[i]) / reach * kPlotHeight;
    for (std::size_t x = pixel(result.samples[i].seconds); x <= end; ++x) heights[x] = std::max(heights[x], height);
  }
  return heights;
}

std::string path_of(const std::vector<double>& heights, bool closed) {
  std::string path;
  for (std::size_t x = 0; x < heights.size(); ++x) {
    path += fmt::format("{}{} {:.1f}", x == 0 ? "M" : "L", x, static_cast<double>(kPlotHeight) - heights[x]);
  }
  if (closed) path += fmt::format("L{} {}L0 {}Z", heights.size() - 1, kPlotHeight, kPlotHeight);
  return path;
}

std::string level(const char* kind, std::uint64_t bytes, const Scales& scales) {
  if (gib(bytes) > scales.gib) return "";
  const double y = kPlotHeight * (1 - gib(bytes) / scales.gib);
  return fmt::format("<line class=\"{}\" x1=\"0\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind, kPlotWidth, y, y);
}

std::string axes(const Scales& scales) {
  std::string svg;
  const auto each_tick = [](double reach, const auto& draw) {
    const double step = tick_step(reach);
    for (int i = 0; i * step <= reach; ++i) draw(i * step, i * step / reach);
  };
  each_tick(scales.gib, [&](double value, double share) {
    const double y = kPlotHeight * (1 - share);
    svg += fmt::format("<line class=\"grid\" x1=\"0\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", kPlotWidth, y, y);
    svg += fmt::format("<text x=\"-5\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n", y + 4, value);
  });
  each_tick(scales.queued, [&](double value, double share) {
    svg +=
        fmt::format("<text x=\"{}\" y=\"{:.1f}\">{:g}</text>\n", kPlotWidth + 5, kPlotHeight * (1 - share) + 4, value);
  });
  each_tick(scales.seconds, [&](double value, double share) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:g}</text>\n", kPlotWidth * share,
                       kPlotHeight + 15, value);
  });
  return svg;
}

std::string panel(const SimulationRun& run, const Scales& scales) {
  const auto& [config, result] = run;
  std::string svg = axes(scales);
  const auto memory = pixel_heights(result, scales.seconds, scales.gib,
                                    [](const engine::SimulationSample& sample) { return gib(sample.host_bytes); });
  const auto queued = pixel_heights(result, scales.seconds, scales.queued, [](const engine::SimulationSample& sample) {
    return static_cast<double>(sample.queued);
  });
  svg += fmt::format("<path class=\"memory\" d=\"{}\"/>\n", path_of(memory, true));
  svg += fmt::format("<path class=\"queued\" d=\"{}\"/>\n", path_of(queued, false));
  svg += level("machine", config.machine_bytes, scales);
  if (config.policy == engine::FlowControl::kLedger) svg += level("budget", config.budget_bytes, scales);
  svg += fmt::format("<path class=\"axis\" d=\"M0 0V{}H{}V0\"/>\n", kPlotHeight, kPlotWidth);
  svg += fmt::format("<text class=\"title\" x=\"0\" y=\"-9\">{}, {} workers: {:.0f} GiB, {} queued</text>\n",
                     engine::flow_control_name(config.policy), config.workers, gib(result.peak_host_bytes),
                     result.peak_queued);
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">simulated seconds</text>\n", kPlotWidth / 2,
                     kPlotHeight + 30);
  return svg;
}

std::string legend() {
  std::string svg;
  std::size_t x = kLeft;
  const auto entry = [&](const char* mark, const char* text, std::size_t width) {
    svg += fmt::format("<g transform=\"translate({} 12)\">{}<text x=\"24\" y=\"8\">{}</text></g>\n", x, mark, text);
    x += width;
  };
  entry("<rect class=\"memory\" width=\"18\" height=\"8\"/>", "host memory, GiB (left)", 170);
  entry("<path class=\"queued\" d=\"M0 4H18\"/>", "partitions waiting for the device (right)", 250);
  entry("<line class=\"machine\" x2=\"18\" y1=\"4\" y2=\"4\"/>", "the machine's memory", 150);
  entry("<line class=\"budget\" x2=\"18\" y1=\"4\" y2=\"4\"/>", "the ledger's budget", 150);
  return svg;
}

}  // namespace

std::string simulation_svg(std::span<const SimulationRun> runs, std::size_t columns) {
  const std::size_t rows = (runs.size() + columns - 1) / columns;
  const std::size_t width = std::max<std::size_t>(columns * kPanelWidth, 780);
  const std::size_t height = kLegendHeight + rows * kPanelHeight;
  const Scales scales = scales_of(runs);
  std::string svg =
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n",
                  width, height);
  svg += kStyle;
  svg += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" + legend();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    svg += fmt::format("<g transform=\"translate({} {})\">\n{}</g>\n", i % columns * kPanelWidth + kLeft,
                       kLegendHeight + i / columns * kPanelHeight + kTop, panel(runs[i], scales));
  }
  return svg + "</svg>\n";
}

}  // namespace proofline::cli
