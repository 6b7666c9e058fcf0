#pragma once
/// The backend that needs no device.
#include <memory>

#include "base/executor.hpp"
#include "device/backend.hpp"

namespace proofline::device {

/// Works on `exec`'s threads; start() and finish() of different partitions share them. `exec` must outlive the backend
/// and its pending proofs.
std::unique_ptr<Backend> make_cpu_backend(const Executor& exec);

}  // namespace proofline::device
