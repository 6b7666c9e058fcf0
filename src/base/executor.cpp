#include "base/executor.hpp"

namespace proofline {

Executor::Executor(unsigned threads)
    : threads_(threads != 0 ? threads : static_cast<unsigned>(tbb::info::default_concurrency())),
      arena_(static_cast<int>(threads_)) {}

}  // namespace proofline
