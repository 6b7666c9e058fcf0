#include "groth16/toxic_waste.hpp"

#include <array>
#include <cstring>

#include "base/secret.hpp"
#include "base/sha256.hpp"

namespace proofline::groth16 {

using math::Fr;

ToxicWaste ToxicWaste::random() {
  const auto nonzero = [] {
    Secret<Fr> value(Fr::random());
    while ((*value).is_zero()) *value = Fr::random();
    return *value;
  };
  return {nonzero(), nonzero(), nonzero(), nonzero(), nonzero()};
}

ToxicWaste ToxicWaste::insecure_from_seed(std::uint64_t seed) {
  const auto derive = [&](std::uint8_t label) {
    std::array<std::uint8_t, 9> text;
    std::memcpy(text.data(), &seed, 8);
    text[8] = label;
    Sha256Digest digest = sha256(text);
    digest[31] &= 0x3f;
    return *Fr::from_bytes(digest);
  };
  return {derive(0), derive(1), derive(2), derive(3), derive(4)};
}

ToxicWaste::~ToxicWaste() {
  for (Fr* value : {&tau, &alpha, &beta, &gamma, &delta}) wipe(std::span(value, 1));
}

}  // namespace proofline::groth16
