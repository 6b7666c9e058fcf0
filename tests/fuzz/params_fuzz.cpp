/// The parameter reader on any bytes: it may only ever throw InputError.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "groth16/parameters.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A file in memory, reached by its descriptor's path: nothing is left behind.
  const int file = ::memfd_create("params", MFD_CLOEXEC);
  if (file < 0 || ::write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
  try {
    const proofline::groth16::MappedParameters parameters("/proc/self/fd/" + std::to_string(file));
    parameters.check_points(proofline::math::PointCheck::kSubgroup, proofline::Executor(1), proofline::no_progress());
  } catch (const proofline::InputError&) {
  }
  ::close(file);
  return 0;
}
