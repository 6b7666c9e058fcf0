#pragma once
/// Whether this build's kernels run on a device. Plain C++.

namespace proofline::cuda {

/// Throws DeviceError naming the card, its compute capability and what to configure when the build has no code that the
/// current device, whose index is given, or its driver takes.
void require_code_for_device(int index);

}  // namespace proofline::cuda
