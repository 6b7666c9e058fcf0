#pragma once
/// The backend that needs no device.
#include <memory>

#include "base/executor.hpp"
#include "device/backend.hpp"

namespace proofline::device {

/// start() works on the threads of `exec`, finish() on those of `finish_exec`: as long as they are different, neither
/// waits for a thread of the other's, and the system shares the processors out. Both must outlive the backend and its
/// pending proofs.
std::unique_ptr<Backend> make_cpu_backend(const Executor& exec, const Executor& finish_exec);

}  // namespace proofline::device
