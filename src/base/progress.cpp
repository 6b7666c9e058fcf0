#include "base/progress.hpp"

namespace proofline {
namespace {

class NoProgress final : public Progress {
 public:
  void report(std::string_view, std::uint64_t, std::uint64_t) override {}
};

}  // namespace

Progress& no_progress() {
  static NoProgress instance;
  return instance;
}

}  // namespace proofline
