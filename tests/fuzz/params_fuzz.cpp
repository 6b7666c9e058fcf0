/// The parameter reader on any bytes: it may only ever throw InputError.
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "groth16/parameters.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto path =
      std::filesystem::temp_directory_path() / ("params-fuzz-" + std::to_string(::getpid()) + ".params");
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    const proofline::groth16::MappedParameters parameters(path);
    parameters.check_points(proofline::math::PointCheck::kSubgroup, proofline::Executor(1), proofline::no_progress());
  } catch (const proofline::InputError&) {
  }
  return 0;
}
