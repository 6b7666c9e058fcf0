#include <array>
#include <bitset>
#include <memory>
#include <mutex>
#include <string>

#include "base/error.hpp"
#include "math/poseidon.hpp"
#include "math/poseidon_lanes.hpp"

namespace proofline::math {
namespace {

constexpr unsigned kFullRounds = 8;

/// Partial rounds for 128-bit security by width, as published for a 255-bit field (the Poseidon
/// paper's script with its security margin).
unsigned partial_rounds_for(unsigned arity) {
  const unsigned width = arity + 1;
  if (width == 2 || width == 3) return 55;
  if (width >= 4 && width <= 7) return 56;
  if (width >= 8 && width <= 15) return 57;
  if (width == 16 || width == 17 || width == 25) return 59;
  if (width == 37) return 60;
  if (width == 65) return 61;
  throw InputError("Poseidon arity " + std::to_string(arity) + ": no published number of rounds for this width");
}

/// The Grain LFSR in self-shrinking mode (Poseidon paper, appendix F).
class Grain {
 public:
  Grain(unsigned width, unsigned full_rounds, unsigned partial_rounds) {
    append(1, 2);  // a prime field
    append(1, 4);  // S-box x^alpha, as the deployed constants encode it
    append(Fr::kBits, 12);
    append(width, 12);
    append(full_rounds, 10);
    append(partial_rounds, 10);
    append((1U << 30) - 1, 30);
    for (int i = 0; i < 160; ++i) step();
  }

  /// The next integer below r: 255 bits, most significant first, resampled while too large.
  Fr next_element() {
    for (;;) {
      std::array<std::uint8_t, Fr::kBytes> bytes{};
      for (unsigned bit = Fr::kBits; bit-- > 0;)
        bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] | (next_bit() ? 1U << (bit % 8) : 0U));
      if (const auto value = Fr::from_bytes(bytes)) return *value;
    }
  }

 private:
  void append(std::uint32_t value, unsigned bits) {
    for (unsigned i = bits; i-- > 0;) state_[filled_++] = (value >> i) & 1;
  }
  bool at(unsigned index) const { return state_[(head_ + index) % 80]; }
  bool step() {
    const bool bit = at(62) ^ at(51) ^ at(38) ^ at(23) ^ at(13) ^ at(0);
    state_[head_] = bit;
    head_ = (head_ + 1) % 80;
    return bit;
  }
  /// Of each pair of bits, the second counts when the first is one.
  bool next_bit() {
    while (!step()) step();
    return step();
  }

  std::bitset<80> state_;
  unsigned head_ = 0;
  unsigned filled_ = 0;
};

Matrix identity(std::size_t size) {
  Matrix out{size, std::vector<Fr>(size * size)};
  for (std::size_t i = 0; i < size; ++i) out.at(i, i) = Fr::one();
  return out;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix out{a.size, std::vector<Fr>(a.size * a.size)};
  for (std::size_t i = 0; i < a.size; ++i)
    for (std::size_t k = 0; k < a.size; ++k)
      for (std::size_t j = 0; j < a.size; ++j) out.at(i, j) += a.at(i, k) * b.at(k, j);
  return out;
}

std::vector<Fr> product(const Matrix& m, std::span<const Fr> v) {
  std::vector<Fr> out(m.size);
  for (std::size_t i = 0; i < m.size; ++i)
    for (std::size_t j = 0; j < m.size; ++j) out[i] += m.at(i, j) * v[j];
  return out;
}

/// Gauss-Jordan. Every matrix that comes here is invertible, being a minor or factor of an MDS matrix.
Matrix inverse(Matrix m) {
  Matrix out = identity(m.size);
  for (std::size_t column = 0; column < m.size; ++column) {
    std::size_t pivot = column;
    while (m.at(pivot, column).is_zero()) ++pivot;
    for (std::size_t j = 0; j < m.size; ++j) {
      std::swap(m.at(pivot, j), m.at(column, j));
      std::swap(out.at(pivot, j), out.at(column, j));
    }
    const Fr scale = m.at(column, column).inverse();
    for (std::size_t j = 0; j < m.size; ++j) {
      m.at(column, j) *= scale;
      out.at(column, j) *= scale;
    }
    for (std::size_t i = 0; i < m.size; ++i) {
      const Fr factor = m.at(i, column);
      if (i == column || factor.is_zero()) continue;
      for (std::size_t j = 0; j < m.size; ++j) {
        m.at(i, j) -= factor * m.at(column, j);
        out.at(i, j) -= factor * out.at(column, j);
      }
    }
  }
  return out;
}

/// The Cauchy matrix 1 / (i + (width + j)); symmetric.
Matrix cauchy_mds(unsigned width) {
  Matrix out{width, std::vector<Fr>(std::size_t{width} * width)};
  for (unsigned i = 0; i < width; ++i)
    for (unsigned j = 0; j < width; ++j) out.at(i, j) = Fr::from_u64(i + width + j).inverse();
  return out;
}

struct Factors {
  Matrix dense;  ///< identity in row and column 0
  SparseMatrix sparse;
};

/// m = dense * sparse: the lower right block moves into `dense`, first row and column stay sparse.
Factors factor(const Matrix& m) {
  const std::size_t n = m.size;
  Matrix block{n - 1, std::vector<Fr>((n - 1) * (n - 1))};
  std::vector<Fr> column(n - 1);
  Factors out{identity(n), {}};
  for (std::size_t i = 1; i < n; ++i) {
    column[i - 1] = m.at(i, 0);
    for (std::size_t j = 1; j < n; ++j) out.dense.at(i, j) = block.at(i - 1, j - 1) = m.at(i, j);
  }
  column = product(inverse(std::move(block)), column);
  out.sparse.first_column.push_back(m.at(0, 0));
  out.sparse.first_column.insert(out.sparse.first_column.end(), column.begin(), column.end());
  for (std::size_t j = 1; j < n; ++j) out.sparse.first_row_rest.push_back(m.at(0, j));
  return out;
}

/// Factors the matrices of the partial rounds from the last one back; what remains of the first is the
/// matrix before them.
void make_sparse_matrices(PoseidonConstants& out) {
  Matrix current = out.mds;
  out.sparse.resize(out.partial_rounds);
  for (std::size_t round = out.partial_rounds; round-- > 0;) {
    Factors factors = factor(current);
    out.sparse[round] = std::move(factors.sparse);
    current = product(out.mds, factors.dense);
  }
  out.pre_sparse = std::move(current);
}

/// Moves every key behind the S-boxes of the round before it (through the inverse of the linear layer),
/// and in partial rounds all but element 0 further back, to where the partial rounds begin.
void compress_round_constants(PoseidonConstants& out) {
  const std::size_t width = out.width;
  const std::size_t half = out.full_rounds / 2;
  const Matrix inverse_mds = inverse(out.mds);
  const auto keys = [&](std::size_t round) { return std::span(out.round_constants).subspan(round * width, width); };
  std::vector<Fr>& result = out.compressed_round_constants;
  const auto append = [&](std::span<const Fr> values) { result.insert(result.end(), values.begin(), values.end()); };

  append(keys(0));
  for (std::size_t round = 1; round < half; ++round) append(product(inverse_mds, keys(round)));

  std::vector<Fr> partial_keys(out.partial_rounds);
  const auto last = keys(half + out.partial_rounds);
  std::vector<Fr> carried(last.begin(), last.end());
  for (std::size_t i = out.partial_rounds; i-- > 0;) {
    std::vector<Fr> moved = product(inverse_mds, carried);
    partial_keys[i] = moved[0];
    moved[0] = Fr::zero();
    const auto own = keys(half + i);
    for (std::size_t j = 0; j < width; ++j) carried[j] = own[j] + moved[j];
  }
  append(product(inverse_mds, carried));
  append(partial_keys);
  for (std::size_t round = 1; round < half; ++round)
    append(product(inverse_mds, keys(half + out.partial_rounds + round)));
}

}  // namespace

Fr merkle_tag(unsigned arity) {
  return Fr::power_of_two(arity) - Fr::one();
}

Fr arbitrary_tag(std::uint64_t i) {
  return Fr::from_u64(i) * Fr::power_of_two(40);
}

PoseidonConstants make_poseidon_constants(unsigned arity, const Fr& domain_tag) {
  PoseidonConstants out;
  out.arity = arity;
  out.width = arity + 1;
  out.full_rounds = kFullRounds;
  out.partial_rounds = partial_rounds_for(arity);
  out.domain_tag = domain_tag;
  Grain grain(out.width, out.full_rounds, out.partial_rounds);
  out.round_constants.resize(std::size_t{out.width} * (out.full_rounds + out.partial_rounds));
  for (Fr& constant : out.round_constants) constant = grain.next_element();
  out.mds = cauchy_mds(out.width);
  make_sparse_matrices(out);
  compress_round_constants(out);
#if PROOFLINE_HAVE_IFMA
  if (ifma_available()) out.lane_factors = poseidon_lane_factors(out);
#endif
  return out;
}

const PoseidonConstants& poseidon_constants(unsigned arity) {
  constexpr unsigned kLargestArity = 64;
  struct Entry {
    std::once_flag made;
    std::unique_ptr<const PoseidonConstants> constants;
  };
  static std::array<Entry, kLargestArity + 1> table;
  if (arity > kLargestArity) partial_rounds_for(arity);
  Entry& entry = table[arity];
  std::call_once(entry.made, [&] {
    entry.constants = std::make_unique<const PoseidonConstants>(make_poseidon_constants(arity, merkle_tag(arity)));
  });
  return *entry.constants;
}

}  // namespace proofline::math
