#pragma once
/// How long work tells how far it is.
#include <cstdint>
#include <string_view>

namespace proofline {

class Progress {
 public:
  virtual ~Progress() = default;
  /// `done` of `total` units of the named stage are done. Called from one thread, often; must be cheap.
  virtual void report(std::string_view stage, std::uint64_t done, std::uint64_t total) = 0;
};

/// A Progress that ignores its reports.
Progress& no_progress();

}  // namespace proofline
