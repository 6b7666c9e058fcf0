#include "filecoin/update_randomness.hpp"

#include <array>

namespace proofline::filecoin {

using math::Fr;

const math::PoseidonConstants& update_poseidon() {
  static const math::PoseidonConstants constants = math::make_poseidon_constants(2, math::arbitrary_tag(1));
  return constants;
}

Fr update_phi(const Fr& comm_d_new, const Fr& comm_r_old) {
  return math::poseidon(update_poseidon(), std::array{comm_d_new, comm_r_old});
}

Fr update_rho(const Fr& phi, std::uint64_t high) {
  return math::poseidon(update_poseidon(), std::array{phi, Fr::from_u64(high)});
}

std::vector<Fr> update_rhos(const Fr& phi, unsigned h, const Executor& exec) {
  constexpr std::size_t kGrain = 64;
  std::vector<Fr> out(std::size_t{1} << h);
  exec.parallel_for(out.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t high = begin; high < end; ++high) out[high] = update_rho(phi, high);
  });
  return out;
}

}  // namespace proofline::filecoin
