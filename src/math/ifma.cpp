#include "math/ifma.hpp"

#include <cstdlib>

namespace proofline::math {

bool ifma_available() {
#if PROOFLINE_HAVE_IFMA
  static const bool available = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                                __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512ifma") &&
                                std::getenv("PROOFLINE_NO_IFMA") == nullptr;
  return available;
#else
  return false;
#endif
}

}  // namespace proofline::math
