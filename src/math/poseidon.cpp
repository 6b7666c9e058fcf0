#include "math/poseidon.hpp"

#include <array>
#include <string>

#include "base/error.hpp"
#include "math/poseidon_lanes.hpp"

namespace proofline::math {
namespace {

constexpr std::size_t kMaxWidth = 65;

Fr fifth_power(const Fr& x) {
  return x.square().square() * x;
}

class State {
 public:
  State(const PoseidonConstants& constants, std::span<const Fr> preimage)
      : constants_(constants), key_(constants.compressed_round_constants.data()), width_(constants.width) {
    elements_[0] = constants.domain_tag;
    for (std::size_t i = 0; i < preimage.size(); ++i) elements_[i + 1] = preimage[i];
  }

  Fr digest() {
    const unsigned half = constants_.full_rounds / 2;
    for (std::size_t i = 0; i < width_; ++i) elements_[i] += *key_++;
    for (unsigned round = 0; round < half; ++round) {
      s_boxes();
      multiply(round + 1 == half ? constants_.pre_sparse : constants_.mds);
    }
    for (const SparseMatrix& matrix : constants_.sparse) {
      elements_[0] = fifth_power(elements_[0]) + *key_++;
      multiply(matrix);
    }
    for (unsigned round = 0; round + 1 < half; ++round) {
      s_boxes();
      multiply(constants_.mds);
    }
    // Of the last round only element 1 of the product is needed.
    Fr out;
    for (std::size_t i = 0; i < width_; ++i) out += fifth_power(elements_[i]) * constants_.mds.at(i, 1);
    return out;
  }

 private:
  void s_boxes() {
    for (std::size_t i = 0; i < width_; ++i) elements_[i] = fifth_power(elements_[i]) + *key_++;
  }

  void multiply(const Matrix& matrix) {
    std::array<Fr, kMaxWidth> next;
    for (std::size_t i = 0; i < width_; ++i)
      for (std::size_t j = 0; j < width_; ++j) next[j] += elements_[i] * matrix.at(i, j);
    elements_ = next;
  }

  void multiply(const SparseMatrix& matrix) {
    const Fr head = elements_[0];
    Fr sum = head * matrix.first_column[0];
    for (std::size_t j = 1; j < width_; ++j) {
      sum += elements_[j] * matrix.first_column[j];
      elements_[j] += head * matrix.first_row_rest[j - 1];
    }
    elements_[0] = sum;
  }

  const PoseidonConstants& constants_;
  const Fr* key_;
  std::size_t width_;
  std::array<Fr, kMaxWidth> elements_;
};

}  // namespace

Fr poseidon(const PoseidonConstants& constants, std::span<const Fr> preimage) {
  if (preimage.size() != constants.arity) {
    throw InputError("Poseidon preimage has " + std::to_string(preimage.size()) + " elements, expected " +
                     std::to_string(constants.arity));
  }
  return State(constants, preimage).digest();
}

void poseidon_many(const PoseidonConstants& constants, std::span<const Fr> preimages, std::span<Fr> digests) {
  const std::size_t arity = constants.arity;
  if (preimages.size() != digests.size() * arity) {
    throw InputError("Poseidon preimages have " + std::to_string(preimages.size()) + " elements, expected " +
                     std::to_string(digests.size() * arity));
  }
  std::size_t done = 0;
#if PROOFLINE_HAVE_IFMA
  if (!constants.lane_factors.empty()) {
    for (; done + kPoseidonLanes <= digests.size(); done += kPoseidonLanes)
      poseidon_lanes(constants, preimages.data() + done * arity, digests.data() + done);
  }
#endif
  for (; done < digests.size(); ++done) digests[done] = poseidon(constants, preimages.subspan(done * arity, arity));
}

}  // namespace proofline::math
