#pragma once
/// Trusted setup with the points made on the device, into device memory: parameters of full size without a file.
/// Plain C++.
#include "base/executor.hpp"
#include "base/progress.hpp"
#include "device/cuda/parameter_points.hpp"
#include "groth16/setup.hpp"

namespace proofline::cuda {

/// The points of a circuit's parameters.
ParameterCounts parameter_counts(const r1cs::StructuredR1cs& circuit);

/// Device bytes that make_parameters() takes from its arena (1 GiB).
std::size_t setup_device_bytes();

/// Makes the parameters of the circuit that groth16::generate_parameters() would write: `out` has parameter_counts() of
/// points. Complete when it returns. The scalars are made on the host's threads while the device multiplies; host
/// memory beside the circuit: 6.5 GiB at a domain of 2^27, 256 MiB of it pinned; all that tells about the waste is
/// wiped, on the device too. Reports to the progress the points of all lists. Throws InputError when sizes or the arena
/// do not fit or an aux variable occurs in no row, DeviceError when CUDA refuses.
groth16::VerifyingKey make_parameters(const r1cs::StructuredR1cs& circuit, const groth16::ToxicWaste& waste,
                                      ParameterPoints out, Arena scratch, Stream stream, const Executor& exec,
                                      Progress& progress);

}  // namespace proofline::cuda
