#include "filecoin/update_encode.hpp"

#include <string>

#include "base/error.hpp"
#include "filecoin/update_randomness.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;

constexpr std::size_t kGrain = 4096;

struct Input {
  const char* name;
  std::span<const Node> nodes;
};

template <class Combine>
void combine(const char* what, std::uint64_t first, const Input& a, const Input& b, const UpdateFactors& factors,
             std::span<Node> out, const Executor& exec, const Combine& combined) {
  for (const Input& input : {a, b}) {
    if (input.nodes.size() != out.size()) {
      throw InputError(std::string(what) + ": " + std::to_string(input.nodes.size()) + " nodes of the " + input.name +
                       "; expected " + std::to_string(out.size()));
    }
  }
  exec.parallel_for(out.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    const auto element = [&](const Input& input, std::size_t i) {
      const auto value = Fr::from_bytes(input.nodes[i]);
      if (value) return *value;
      throw InputError(std::string(what) + ": node " + std::to_string(first + i) + " of the " + input.name +
                       " is not below the field's modulus");
    };
    for (std::size_t i = begin; i < end; ++i) {
      out[i] = combined(element(a, i), element(b, i), factors.of(first + i)).to_bytes();
    }
  });
}

}  // namespace

UpdateFactors UpdateFactors::rho(const UpdateShape& shape, const Fr& phi, const Executor& exec) {
  return {shape.node_bits() - shape.h(), update_rhos(phi, shape.h(), exec)};
}

UpdateFactors UpdateFactors::inverse_rho(const UpdateShape& shape, const Fr& phi, const Executor& exec) {
  UpdateFactors out = rho(shape, phi, exec);
  for (Fr& factor : out.factors_) factor = factor.inverse();
  return out;
}

void encode_update(std::uint64_t first, std::span<const Node> sealed, std::span<const Node> data,
                   const UpdateFactors& rho, std::span<Node> replica, const Executor& exec) {
  combine("encode", first, {"sealed replica", sealed}, {"data", data}, rho, replica, exec,
          [](const Fr& key, const Fr& value, const Fr& factor) { return key + value * factor; });
}

void decode_update(std::uint64_t first, std::span<const Node> sealed, std::span<const Node> replica,
                   const UpdateFactors& inverse_rho, std::span<Node> data, const Executor& exec) {
  combine("decode", first, {"sealed replica", sealed}, {"updated replica", replica}, inverse_rho, data, exec,
          [](const Fr& key, const Fr& value, const Fr& factor) { return (value - key) * factor; });
}

void remove_update(std::uint64_t first, std::span<const Node> replica, std::span<const Node> data,
                   const UpdateFactors& rho, std::span<Node> sealed, const Executor& exec) {
  combine("remove", first, {"updated replica", replica}, {"data", data}, rho, sealed, exec,
          [](const Fr& value, const Fr& plain, const Fr& factor) { return value - plain * factor; });
}

}  // namespace proofline::filecoin
