#include "groth16/snarkjs.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace proofline::groth16 {

using math::Fr;
using math::G1Affine;
using math::G2Affine;
using nlohmann::json;

namespace {

/// A big-endian integer in decimal.
std::string decimal(std::span<const std::uint8_t> big_endian) {
  std::string digits = "0";  // least significant first
  for (const std::uint8_t byte : big_endian) {
    unsigned carry = byte;
    for (char& digit : digits) {
      const unsigned value = static_cast<unsigned>(digit - '0') * 256 + carry;
      digit = static_cast<char>('0' + value % 10);
      carry = value / 10;
    }
    for (; carry != 0; carry /= 10) digits += static_cast<char>('0' + carry % 10);
  }
  std::reverse(digits.begin(), digits.end());
  return digits;
}

/// Coordinate `index` of an uncompressed encoding, 48 bytes each.
std::string coordinate(std::span<const std::uint8_t> encoded, std::size_t index) {
  return decimal(encoded.subspan(48 * index, 48));
}

json point(const G1Affine& p) {
  const auto encoded = p.to_uncompressed();
  return json::array({coordinate(encoded, 0), coordinate(encoded, 1), "1"});
}

/// The encoding holds c1 before c0; snarkjs wants c0 first.
json point(const G2Affine& p) {
  const auto encoded = p.to_uncompressed();
  return json::array({json::array({coordinate(encoded, 1), coordinate(encoded, 0)}),
                      json::array({coordinate(encoded, 3), coordinate(encoded, 2)}), json::array({"1", "0"})});
}

}  // namespace

std::string snarkjs_verification_key(const VerifyingKey& key) {
  json out = {{"protocol", "groth16"},
              {"curve", "bls12381"},
              {"nPublic", key.num_inputs() - 1},
              {"vk_alpha_1", point(key.alpha_g1)},
              {"vk_beta_2", point(key.beta_g2)},
              {"vk_gamma_2", point(key.gamma_g2)},
              {"vk_delta_2", point(key.delta_g2)},
              {"IC", json::array()}};
  for (const G1Affine& p : key.ic) out["IC"].push_back(point(p));
  return out.dump(1);
}

std::string snarkjs_proof(const Proof& proof) {
  return json{{"protocol", "groth16"},
              {"curve", "bls12381"},
              {"pi_a", point(proof.a)},
              {"pi_b", point(proof.b)},
              {"pi_c", point(proof.c)}}
      .dump(1);
}

std::string snarkjs_public(std::span<const Fr> inputs) {
  json out = json::array();
  for (const Fr& input : inputs) {
    auto bytes = input.to_bytes();
    std::reverse(bytes.begin(), bytes.end());
    out.push_back(decimal(bytes));
  }
  return out.dump(1);
}

}  // namespace proofline::groth16
