#pragma once
/// 32-bit additions and multiply-adds with the carry flag, one PTX instruction each. A chain is a sequence of these in
/// program order; the flag is lost by anything else that writes it.
#include <cstdint>

namespace proofline::cuda {

#define PROOFLINE_CARRY_BINARY(name, instruction)                                   \
  __device__ __forceinline__ std::uint32_t name(std::uint32_t a, std::uint32_t b) { \
    std::uint32_t out;                                                              \
    asm volatile(instruction " %0, %1, %2;" : "=r"(out) : "r"(a), "r"(b));          \
    return out;                                                                     \
  }
#define PROOFLINE_CARRY_TERNARY(name, instruction)                                                   \
  __device__ __forceinline__ std::uint32_t name(std::uint32_t a, std::uint32_t b, std::uint32_t c) { \
    std::uint32_t out;                                                                               \
    asm volatile(instruction " %0, %1, %2, %3;" : "=r"(out) : "r"(a), "r"(b), "r"(c));               \
    return out;                                                                                      \
  }

PROOFLINE_CARRY_BINARY(add_cc, "add.cc.u32")
PROOFLINE_CARRY_BINARY(addc_cc, "addc.cc.u32")
PROOFLINE_CARRY_BINARY(addc, "addc.u32")
PROOFLINE_CARRY_BINARY(sub_cc, "sub.cc.u32")
PROOFLINE_CARRY_BINARY(subc_cc, "subc.cc.u32")
PROOFLINE_CARRY_BINARY(subc, "subc.u32")
PROOFLINE_CARRY_TERNARY(mad_lo_cc, "mad.lo.cc.u32")
PROOFLINE_CARRY_TERNARY(madc_lo_cc, "madc.lo.cc.u32")
PROOFLINE_CARRY_TERNARY(madc_hi_cc, "madc.hi.cc.u32")
PROOFLINE_CARRY_TERNARY(madc_hi, "madc.hi.u32")

#undef PROOFLINE_CARRY_BINARY
#undef PROOFLINE_CARRY_TERNARY

}  // namespace proofline::cuda
