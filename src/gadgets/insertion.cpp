#include "gadgets/insertion.hpp"

#include "base/error.hpp"

namespace proofline::gadgets {
namespace {

std::vector<Number> insert_in_2(Builder& cs, const Number& x, std::span<const Boolean> bits,
                                std::span<const Number> o) {
  const Number first = pick(cs, bits[0], o[0], x);
  const Number second = pick(cs, bits[0], x, o[0]);
  return {first, second};
}

// In both tables the inner picks settle position i for the half of the indices that can put x there.
std::vector<Number> insert_in_4(Builder& cs, const Number& x, std::span<const Boolean> bits,
                                std::span<const Number> o) {
  const Boolean &b0 = bits[0], &b1 = bits[1];
  const Number p0_low = pick(cs, b0, o[0], x);
  const Number p0 = pick(cs, b1, o[0], p0_low);
  const Number p1_low = pick(cs, b0, x, o[0]);
  const Number p1 = pick(cs, b1, o[1], p1_low);
  const Number p2_high = pick(cs, b0, o[2], x);
  const Number p2 = pick(cs, b1, p2_high, o[1]);
  const Number p3_high = pick(cs, b0, x, o[2]);
  const Number p3 = pick(cs, b1, p3_high, o[2]);
  return {p0, p1, p2, p3};
}

std::vector<Number> insert_in_8(Builder& cs, const Number& x, std::span<const Boolean> bits,
                                std::span<const Number> o) {
  const Boolean &b0 = bits[0], &b1 = bits[1], &b2 = bits[2];
  const Boolean neither = logical_nor(cs, b0, b1);
  const Boolean both = logical_and(cs, b0, b1);

  const Number p0_low = pick(cs, neither, x, o[0]);
  const Number p0 = pick(cs, b2, o[0], p0_low);

  const Number p1_00 = pick(cs, b0, x, o[0]);
  const Number p1_low = pick(cs, b1, o[1], p1_00);
  const Number p1 = pick(cs, b2, o[1], p1_low);

  const Number p2_10 = pick(cs, b0, o[2], x);
  const Number p2_low = pick(cs, b1, p2_10, o[1]);
  const Number p2 = pick(cs, b2, o[2], p2_low);

  const Number p3_low = pick(cs, both, x, o[2]);
  const Number p3 = pick(cs, b2, o[3], p3_low);

  const Number p4_high = pick(cs, neither, x, o[4]);
  const Number p4 = pick(cs, b2, p4_high, o[3]);

  const Number p5_01 = pick(cs, b0, x, o[4]);
  const Number p5_high = pick(cs, b1, o[5], p5_01);
  const Number p5 = pick(cs, b2, p5_high, o[4]);

  const Number p6_11 = pick(cs, b0, o[6], x);
  const Number p6_high = pick(cs, b1, p6_11, o[5]);
  const Number p6 = pick(cs, b2, p6_high, o[5]);

  const Number p7_high = pick(cs, both, x, o[6]);
  const Number p7 = pick(cs, b2, p7_high, o[6]);
  return {p0, p1, p2, p3, p4, p5, p6, p7};
}

}  // namespace

std::vector<Number> insert(Builder& cs, const Number& element, std::span<const Boolean> index_bits,
                           std::span<const Number> others) {
  switch (others.size()) {
    case 1:
      return insert_in_2(cs, element, index_bits, others);
    case 3:
      return insert_in_4(cs, element, index_bits, others);
    case 7:
      return insert_in_8(cs, element, index_bits, others);
    default:
      throw InputError("Merkle path in a circuit: arity must be 2, 4 or 8, got " + std::to_string(others.size() + 1));
  }
}

}  // namespace proofline::gadgets
