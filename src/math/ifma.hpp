#pragma once
/// Whether, and how, AVX-512 IFMA code is built: functions carry their target, so that the rest of the
/// program runs on any x86-64, and a caller asks ifma_available() first.
#if defined(__x86_64__) && !defined(PROOFLINE_NO_LANES)
#include <immintrin.h>
#define PROOFLINE_HAVE_IFMA 1
#define PROOFLINE_IFMA __attribute__((target("avx512f,avx512dq,avx512vl,avx512ifma")))
#define PROOFLINE_IFMA_INLINE __attribute__((always_inline, target("avx512f,avx512dq,avx512vl,avx512ifma"))) inline
#else
#define PROOFLINE_HAVE_IFMA 0
#endif

namespace proofline::math {

/// The processor has AVX-512 F, DQ, VL and IFMA, and PROOFLINE_NO_IFMA is not in the environment.
bool ifma_available();

}  // namespace proofline::math
