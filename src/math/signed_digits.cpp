#include "math/signed_digits.hpp"

namespace proofline::math {

bool is_negative(const Fr::Limbs& canonical) {
  // (r - 1) / 2
  constexpr Fr::Limbs kHalf = {0x7fffffff80000000ULL, 0xa9ded2017fff2dffULL, 0x199cec0404d0ec02ULL,
                               0x39f6d3a994cebea4ULL};
  for (std::size_t i = 4; i-- > 0;)
    if (canonical[i] != kHalf[i]) return canonical[i] > kHalf[i];
  return false;
}

}  // namespace proofline::math
