#pragma once
/// Poseidon over Fr as Filecoin uses it (neptune): x^5 S-box, 8 full rounds, partial rounds by width,
/// 128-bit security, round constants from the Grain LFSR, Cauchy MDS matrix, element 0 the domain tag.
/// Source: Grassi et al. 2019/458; the Filecoin Poseidon specification.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "math/fr.hpp"

namespace proofline::math {

/// A square matrix, rows one after another.
struct Matrix {
  std::size_t size = 0;
  std::vector<Fr> entries;
  const Fr& at(std::size_t row, std::size_t column) const { return entries[row * size + column]; }
  Fr& at(std::size_t row, std::size_t column) { return entries[row * size + column]; }
};

/// A matrix of the optimised partial rounds: identity but for first row and first column.
struct SparseMatrix {
  std::vector<Fr> first_column;    ///< w_hat: column 0, width entries (entry [0][0] first)
  std::vector<Fr> first_row_rest;  ///< v_rest: row 0 without its first entry, width - 1 entries
};

/// Everything derived for one arity. width = arity + 1. The state is a row vector: a matrix product's
/// element j is the sum of state[i] * m.at(i, j).
struct PoseidonConstants {
  unsigned arity = 0;
  unsigned width = 0;
  unsigned full_rounds = 0;     ///< 8: half before, half after the partial rounds
  unsigned partial_rounds = 0;  ///< by width, 55 to 60
  Fr domain_tag;
  std::vector<Fr> round_constants;  ///< width * (full_rounds + partial_rounds), unoptimised
  /// For the optimised schedule, in order of use: width keys added before the first S-boxes; width behind
  /// the S-boxes of each of the first half's full rounds (the last of these holds what the partial rounds'
  /// keys leave); one behind each partial round's S-box on element 0; width behind the S-boxes of the
  /// second half's full rounds but the last. width * full_rounds + partial_rounds in all.
  std::vector<Fr> compressed_round_constants;
  Matrix mds;
  Matrix pre_sparse;                 ///< in place of mds in the last full round of the first half
  std::vector<SparseMatrix> sparse;  ///< one a partial round
  /// The same as poseidon_lanes.hpp wants it; empty where the processor lacks AVX-512 IFMA.
  std::vector<std::array<std::uint64_t, 5>> lane_factors;
};

/// Domain tag of a Merkle tree node of the arity: 2^arity - 1.
Fr merkle_tag(unsigned arity);
/// Domain tag i * 2^40 for neptune's HashType::Custom(CType::Arbitrary(i)).
Fr arbitrary_tag(std::uint64_t i);

/// Generates the constants from the published algorithm. Throws InputError for an arity without a
/// published number of rounds. Takes milliseconds (arity 2) to a second (36): keep the result.
PoseidonConstants make_poseidon_constants(unsigned arity, const Fr& domain_tag);
/// Constants with the Merkle tag, made at first use and kept for the process. Thread safe.
/// Arities 2, 4, 8, 11 and 36 are used by Filecoin.
const PoseidonConstants& poseidon_constants(unsigned arity);

/// The digest (state element 1) of constants.arity field elements.
Fr poseidon(const PoseidonConstants& constants, std::span<const Fr> preimage);

/// digests[i] = poseidon(preimages[i * arity, (i + 1) * arity)), several times as fast for eight and more.
/// Throws InputError unless preimages.size() == digests.size() * arity.
void poseidon_many(const PoseidonConstants& constants, std::span<const Fr> preimages, std::span<Fr> digests);

}  // namespace proofline::math
