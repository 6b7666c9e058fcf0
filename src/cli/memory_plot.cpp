#include "cli/memory_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace proofline::cli {
namespace {

constexpr double kMiB = 1024.0 * 1024;
constexpr std::size_t kPlotWidth = 300;
constexpr std::size_t kPlotHeight = 140;
constexpr std::size_t kLeft = 48, kRight = 40, kTop = 30, kBottom = 38;
constexpr std::size_t kPanelWidth = kLeft + kPlotWidth + kRight;
constexpr std::size_t kPanelHeight = kTop + kPlotHeight + kBottom;
constexpr std::size_t kLegendHeight = 28;

constexpr const char* kStyle =
    "<style>text{font:11px sans-serif;fill:#333}.title{font-weight:bold}.axis{stroke:#999;fill:none}"
    ".grid{stroke:#e4e4e4}.memory{fill:#9ec5e8;stroke:#2b6ca3}.waiting{fill:none;stroke:#d9730d;stroke-width:1.5}"
    ".resident{fill:none;stroke:#7a3b9a}"
    ".machine{stroke:#c0282d;stroke-dasharray:5 3}.budget{stroke:#2c8a4b;stroke-dasharray:5 3}</style>\n";

/// What the axes of all panels reach to.
struct Scales {
  double seconds = 1;
  double unit = kMiB;  ///< bytes
  double memory = 0;   ///< units
  double waiting = 5;

  double in_units(std::uint64_t bytes) const { return static_cast<double>(bytes) / unit; }
};

/// 1, 2 or 5 times a power of ten, so that up to five steps reach `reach`.
double tick_step(double reach) {
  const double power = std::pow(10, std::floor(std::log10(reach / 5)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (power * factor * 5 >= reach) return power * factor;
  }
  return power * 10;
}

Scales scales_of(std::span<const PlotPanel> panels) {
  Scales scales;
  std::uint64_t bytes = 1;
  for (const PlotPanel& panel : panels) {
    scales.seconds = std::max(scales.seconds, panel.total_seconds);
    for (const PlotSample& sample : panel.samples) {
      bytes = std::max({bytes, sample.reserved, sample.resident});
      scales.waiting = std::max(scales.waiting, static_cast<double>(sample.waiting));
    }
  }
  if (static_cast<double>(bytes) > 2 * 1024 * kMiB) scales.unit = 1024 * kMiB;
  scales.memory = scales.in_units(bytes) * 1.1;
  scales.waiting *= 1.1;
  return scales;
}

/// The largest value of each pixel's time, as heights of the plot, up to the run's end.
template <typename Value>
std::vector<double> pixel_heights(const PlotPanel& panel, double seconds, double reach, const Value& value) {
  const auto pixel = [&](double time) {
    return std::min(static_cast<std::size_t>(time / seconds * kPlotWidth), kPlotWidth - 1);
  };
  std::vector<double> heights(pixel(panel.total_seconds) + 1, 0);
  for (std::size_t i = 0; i < panel.samples.size(); ++i) {
    const bool last = i + 1 == panel.samples.size();
    const std::size_t end =
        last ? heights.size() - 1 : std::min(pixel(panel.samples[i + 1].seconds), heights.size() - 1);
    const double height = value(panel.samples[i]) / reach * kPlotHeight;
    for (std::size_t x = pixel(panel.samples[i].seconds); x <= end; ++x) heights[x] = std::max(heights[x], height);
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

std::string level(const char* kind, std::optional<std::uint64_t> bytes, const Scales& scales) {
  if (!bytes || scales.in_units(*bytes) > scales.memory) return "";
  const double y = kPlotHeight * (1 - scales.in_units(*bytes) / scales.memory);
  return fmt::format("<line class=\"{}\" x1=\"0\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind, kPlotWidth, y, y);
}

std::string axes(const Scales& scales) {
  std::string svg;
  const auto each_tick = [](double reach, const auto& draw) {
    const double step = tick_step(reach);
    for (int i = 0; i * step <= reach; ++i) draw(i * step, i * step / reach);
  };
  each_tick(scales.memory, [&](double value, double share) {
    const double y = kPlotHeight * (1 - share);
    svg += fmt::format("<line class=\"grid\" x1=\"0\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", kPlotWidth, y, y);
    svg += fmt::format("<text x=\"-5\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n", y + 4, value);
  });
  each_tick(scales.waiting, [&](double value, double share) {
    svg +=
        fmt::format("<text x=\"{}\" y=\"{:.1f}\">{:g}</text>\n", kPlotWidth + 5, kPlotHeight * (1 - share) + 4, value);
  });
  each_tick(scales.seconds, [&](double value, double share) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:g}</text>\n", kPlotWidth * share,
                       kPlotHeight + 15, value);
  });
  return svg;
}

std::string panel_svg(const PlotPanel& panel, const Scales& scales, const std::string& time_name) {
  std::string svg = axes(scales);
  const auto curve = [&](const char* kind, double reach, bool closed, const auto& value) {
    const std::vector<double> heights = pixel_heights(panel, scales.seconds, reach, value);
    svg += fmt::format("<path class=\"{}\" d=\"{}\"/>\n", kind, path_of(heights, closed));
  };
  curve("memory", scales.memory, true, [&](const PlotSample& sample) { return scales.in_units(sample.reserved); });
  if (std::ranges::any_of(panel.samples, [](const PlotSample& sample) { return sample.resident > 0; })) {
    curve("resident", scales.memory, false, [&](const PlotSample& sample) { return scales.in_units(sample.resident); });
  }
  curve("waiting", scales.waiting, false, [](const PlotSample& sample) { return static_cast<double>(sample.waiting); });
  svg += level("machine", panel.machine_bytes, scales);
  svg += level("budget", panel.budget_bytes, scales);
  svg += fmt::format("<path class=\"axis\" d=\"M0 0V{}H{}V0\"/>\n", kPlotHeight, kPlotWidth);
  svg += fmt::format("<text class=\"title\" x=\"0\" y=\"-9\">{}</text>\n", panel.title);
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", kPlotWidth / 2, kPlotHeight + 30,
                     time_name);
  return svg;
}

/// What the curves are, side by side as far as there is room.
std::string legend(const Scales& scales, std::span<const PlotPanel> panels) {
  std::string svg;
  std::size_t x = kLeft;
  const auto entry = [&](const char* mark, const std::string& text, std::size_t width) {
    svg += fmt::format("<g transform=\"translate({} 12)\">{}<text x=\"24\" y=\"8\">{}</text></g>\n", x, mark, text);
    x += width;
  };
  const auto any = [&](const auto& has) { return std::ranges::any_of(panels, has); };
  entry("<rect class=\"memory\" width=\"18\" height=\"8\"/>",
        fmt::format("host memory, {} (left)", scales.unit == kMiB ? "MiB" : "GiB"), 170);
  if (any([](const PlotPanel& panel) { return panel.samples.back().resident > 0; })) {
    entry("<path class=\"resident\" d=\"M0 4H18\"/>", "resident", 90);
  }
  entry("<path class=\"waiting\" d=\"M0 4H18\"/>", "partitions waiting for the device (right)", 250);
  if (any([](const PlotPanel& panel) { return panel.machine_bytes.has_value(); })) {
    entry("<line class=\"machine\" x2=\"18\" y1=\"4\" y2=\"4\"/>", "the machine's memory", 150);
  }
  if (any([](const PlotPanel& panel) { return panel.budget_bytes.has_value(); })) {
    entry("<line class=\"budget\" x2=\"18\" y1=\"4\" y2=\"4\"/>", "the ledger's budget", 150);
  }
  return svg;
}

}  // namespace

std::string memory_svg(std::span<const PlotPanel> panels, std::size_t columns, const std::string& time_name) {
  const std::size_t rows = (panels.size() + columns - 1) / columns;
  const std::size_t width = std::max<std::size_t>(columns * kPanelWidth, 780);
  const std::size_t height = kLegendHeight + rows * kPanelHeight;
  const Scales scales = scales_of(panels);
  std::string svg =
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n",
                  width, height);
  svg += kStyle;
  svg += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" + legend(scales, panels);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    svg += fmt::format("<g transform=\"translate({} {})\">\n{}</g>\n", i % columns * kPanelWidth + kLeft,
                       kLegendHeight + i / columns * kPanelHeight + kTop, panel_svg(panels[i], scales, time_name));
  }
  return svg + "</svg>\n";
}

}  // namespace proofline::cli
