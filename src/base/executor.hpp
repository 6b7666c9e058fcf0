#pragma once
/// The threads that a heavy function may use. Passed down explicitly; there is no global pool setting.
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <cstddef>

namespace proofline {

/// A oneTBB arena with a fixed number of threads. Cheap to pass by reference; safe to share.
class Executor {
 public:
  /// `threads` = 0 takes one thread for each hardware thread that the process may use.
  explicit Executor(unsigned threads = 0);

  unsigned threads() const { return threads_; }

  /// Runs `body(begin, end)` over disjoint parts of [0, n), each at least `grain` long where n allows,
  /// and returns when all are done. The first exception thrown by a part is rethrown.
  template <class Body>
  void parallel_for(std::size_t n, std::size_t grain, const Body& body) const {
    if (n == 0) return;
    if (threads_ == 1 || n <= grain) {
      body(std::size_t{0}, n);
      return;
    }
    arena_.execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, grain),
                        [&](const tbb::blocked_range<std::size_t>& r) { body(r.begin(), r.end()); });
    });
  }

  /// Runs `work` inside the arena, so that oneTBB algorithms called by it use these threads.
  template <class Work>
  auto run(Work&& work) const {
    return arena_.execute(static_cast<Work&&>(work));
  }

 private:
  unsigned threads_;
  mutable tbb::task_arena arena_;
};

}  // namespace proofline
