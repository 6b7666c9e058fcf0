#pragma once
/// Parameters between a file and device memory, block by block through pinned memory (64 MiB). Plain C++.
#include <filesystem>

#include "base/executor.hpp"
#include "base/progress.hpp"
#include "device/cuda/parameter_points.hpp"
#include "groth16/parameters.hpp"

namespace proofline::cuda {

/// The points of a parameter file.
ParameterCounts parameter_counts(const groth16::MappedParameters& parameters);

/// Decodes and checks (canonical, on the curve, not infinity) all points of the file on the host's threads and copies
/// them to `out`, which has parameter_counts() of points. Complete when it returns; the file's pages are let go.
/// Reports each list to the progress. Throws InputError when sizes differ or at a bad point, DeviceError when CUDA
/// refuses.
void load_parameters(const groth16::MappedParameters& parameters, ParameterPoints out, Stream stream,
                     const Executor& exec, Progress& progress);

/// Writes a parameter file from points on the device; the file is replaced only when complete. The stream's earlier
/// work is waited for. Throws IoError when the file cannot be written, DeviceError when CUDA refuses.
void write_parameters(const groth16::VerifyingKey& key, const ParameterPoints& points,
                      const std::filesystem::path& path, Stream stream, const Executor& exec, Progress& progress);

}  // namespace proofline::cuda
