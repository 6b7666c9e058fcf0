#include "math/poseidon.hpp"

#include <gmock/gmock.h>

#include <thread>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "support/test_data.hpp"

namespace proofline::math {
namespace {

using test::hex;
using test::read_json;

std::vector<Fr> counting(unsigned count) {
  std::vector<Fr> out;
  for (unsigned i = 0; i < count; ++i) out.push_back(Fr::from_u64(i));
  return out;
}

std::vector<Fr> random_elements(std::size_t count) {
  std::vector<Fr> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(Fr::random());
  return out;
}

std::string digest_hex(const PoseidonConstants& constants, std::span<const Fr> preimage) {
  return hex(poseidon(constants, preimage).to_bytes());
}

/// The permutation as published: every round adds its keys, applies S-boxes, multiplies by the MDS matrix.
Fr plain_poseidon(const PoseidonConstants& constants, std::span<const Fr> preimage) {
  std::vector<Fr> state = {constants.domain_tag};
  state.insert(state.end(), preimage.begin(), preimage.end());
  const unsigned half = constants.full_rounds / 2;
  for (unsigned round = 0; round < constants.full_rounds + constants.partial_rounds; ++round) {
    const bool full = round < half || round >= half + constants.partial_rounds;
    for (std::size_t i = 0; i < state.size(); ++i) {
      state[i] += constants.round_constants[round * state.size() + i];
      if (full || i == 0) state[i] = state[i].pow(5);
    }
    std::vector<Fr> next(state.size());
    for (std::size_t i = 0; i < state.size(); ++i)
      for (std::size_t j = 0; j < state.size(); ++j) next[i] += constants.mds.at(i, j) * state[j];
    state = next;
  }
  return state[1];
}

TEST(Poseidon, NeptunesPublishedDigests) {
  unsigned checked = 0;
  for (const auto& vector : read_json(test::data_path("poseidon/neptune.json"))) {
    const auto arity = vector["arity"].get<unsigned>();
    if (vector["strength"] != "standard") continue;
    if (vector["mode"] == "merkle") {
      EXPECT_EQ(digest_hex(poseidon_constants(arity), counting(arity)), vector["digest_repr_le_hex"]) << arity;
    } else {
      // Four elements at once, filled with zeros; smaller arities would absorb them in two parts.
      if (arity < 4) continue;
      ASSERT_EQ(vector["mode"], "constant_length_4");
      const Fr tag = Fr::from_u64(4) * Fr::power_of_two(64);
      std::vector<Fr> preimage = counting(4);
      preimage.resize(arity);
      EXPECT_EQ(digest_hex(make_poseidon_constants(arity, tag), preimage), vector["digest_repr_le_hex"]) << arity;
    }
    ++checked;
  }
  EXPECT_EQ(checked, 7U + 6U);
}

TEST(Poseidon, DigestsOfTheReferenceForFilecoinsArities) {
  const auto vectors = read_json(test::data_path("poseidon/filecoin.json"));
  ASSERT_EQ(vectors.size(), 4U);
  for (const auto& vector : vectors) {
    const auto arity = vector["arity"].get<unsigned>();
    const PoseidonConstants& constants = poseidon_constants(arity);
    EXPECT_EQ(constants.full_rounds, vector["full_rounds"]);
    EXPECT_EQ(constants.partial_rounds, vector["partial_rounds"]);
    EXPECT_EQ(digest_hex(constants, counting(arity)), vector["preimage 0..n"]) << arity;
    std::vector<Fr> large;
    for (unsigned i = 0; i < arity; ++i) large.push_back(-Fr::from_u64(i * i + 1));
    EXPECT_EQ(digest_hex(constants, large), vector["preimage -(i*i+1)"]) << arity;
  }
}

TEST(Poseidon, RoundConstantsOfThePublishedScript) {
  // create_rcs_grain.sage 1 1 255 9 8 57: first, second, last of 585, and a digest over all.
  const PoseidonConstants& constants = poseidon_constants(8);
  ASSERT_EQ(constants.round_constants.size(), 585U);
  const auto big_endian = [](const Fr& value) {
    const auto bytes = value.to_bytes();
    return hex(std::vector<std::uint8_t>(bytes.rbegin(), bytes.rend()));
  };
  EXPECT_EQ(big_endian(constants.round_constants[0]),
            "6ce90d12c4045fe08c3caddb776dd84ac52b4ae7e48cd49443984154f2f4c2f9");
  EXPECT_EQ(big_endian(constants.round_constants[1]),
            "0ccd9b480c84022b25a75b52c8e89d80b4fa6378d32e58f3a175504940bcec39");
  EXPECT_EQ(big_endian(constants.round_constants[584]),
            "3b3a75eb91b0f723bcc4ab7e449e4a011b8960063efe74670c05e545519d9a8c");
  Sha256 all;
  for (const Fr& constant : constants.round_constants) all.update(constant.to_bytes());
  EXPECT_EQ(hex(all.finish()), "9a4a743575f0eaf285c93d73f8adaf4e7ef4042c2445b42bddaf1a64e5face72");
}

TEST(Poseidon, TheOptimisedScheduleComputesThePlainPermutation) {
  for (const unsigned arity : {1U, 2U, 3U, 4U, 7U, 8U, 11U, 15U, 36U}) {
    const PoseidonConstants& constants = poseidon_constants(arity);
    EXPECT_EQ(constants.compressed_round_constants.size(),
              constants.full_rounds * constants.width + constants.partial_rounds);
    EXPECT_EQ(constants.sparse.size(), constants.partial_rounds);
    for (int repetition = 0; repetition < 3; ++repetition) {
      const std::vector<Fr> preimage = random_elements(arity);
      EXPECT_EQ(poseidon(constants, preimage), plain_poseidon(constants, preimage)) << arity;
    }
    const std::vector<Fr> largest(arity, Fr::minus_one());
    EXPECT_EQ(poseidon(constants, largest), plain_poseidon(constants, largest)) << arity;
  }
}

TEST(Poseidon, ManyAtOnceAreTheSame) {
  for (const unsigned arity : {1U, 2U, 4U, 8U, 11U, 36U, 64U}) {
    const PoseidonConstants& constants = poseidon_constants(arity);
    for (const std::size_t count : {0U, 1U, 7U, 8U, 19U, 64U}) {
      std::vector<Fr> preimages = random_elements(count * arity);
      // Extremes in some places of some lanes.
      for (std::size_t i = 0; i < preimages.size(); i += 5) preimages[i] = Fr::minus_one();
      for (std::size_t i = 3; i < preimages.size(); i += 7) preimages[i] = Fr::zero();
      std::vector<Fr> digests(count);
      poseidon_many(constants, preimages, digests);
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(digests[i], poseidon(constants, std::span(preimages).subspan(i * arity, arity)))
            << arity << ": " << i << " of " << count;
      }
    }
    const std::vector<Fr> largest(arity * 8, Fr::minus_one());
    std::vector<Fr> digests(8);
    poseidon_many(constants, largest, digests);
    EXPECT_THAT(digests, testing::Each(poseidon(constants, std::span(largest).first(arity))));
  }
  std::vector<Fr> digests(2);
  EXPECT_THROW(poseidon_many(poseidon_constants(8), random_elements(15), digests), InputError);
}

TEST(Poseidon, DomainTags) {
  EXPECT_EQ(merkle_tag(2), Fr::from_u64(3));
  EXPECT_EQ(merkle_tag(8), Fr::from_u64(0xff));
  EXPECT_EQ(merkle_tag(36), Fr::from_u64((std::uint64_t{1} << 36) - 1));
  EXPECT_EQ(arbitrary_tag(1), Fr::from_u64(std::uint64_t{1} << 40));
  EXPECT_EQ(arbitrary_tag(256), Fr::from_u64(std::uint64_t{1} << 48));
  const std::vector<Fr> preimage = counting(2);
  EXPECT_NE(digest_hex(make_poseidon_constants(2, arbitrary_tag(1)), preimage),
            digest_hex(poseidon_constants(2), preimage));
}

TEST(Poseidon, EveryElementAndItsPlaceCount) {
  const PoseidonConstants& constants = poseidon_constants(8);
  const std::vector<Fr> preimage = random_elements(8);
  const Fr digest = poseidon(constants, preimage);
  for (std::size_t i = 0; i < preimage.size(); ++i) {
    std::vector<Fr> other = preimage;
    other[i] += Fr::one();
    EXPECT_FALSE(poseidon(constants, other) == digest) << i;
    std::swap(other[i] = preimage[i], other[(i + 1) % 8]);
    EXPECT_FALSE(poseidon(constants, other) == digest) << i;
  }
}

TEST(Poseidon, ConstantsAreMadeOnceWhoeverAsksFirst) {
  std::vector<const PoseidonConstants*> seen(8);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < seen.size(); ++i) threads.emplace_back([&, i] { seen[i] = &poseidon_constants(5); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(seen, testing::Each(&poseidon_constants(5)));
  EXPECT_EQ(seen[0]->arity, 5U);
}

TEST(Poseidon, RefusesWidthsWithoutPublishedRoundsAndWrongPreimages) {
  for (const unsigned arity : {0U, 17U, 37U, 65U, 1000U}) {
    EXPECT_THAT([&] { poseidon_constants(arity); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr("arity " + std::to_string(arity) + ":")));
    EXPECT_THROW(make_poseidon_constants(arity, Fr::one()), InputError);
  }
  EXPECT_THAT([] { poseidon(poseidon_constants(2), counting(3)); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("3 elements, expected 2")));
  EXPECT_THROW(poseidon(poseidon_constants(2), counting(1)), InputError);
}

}  // namespace
}  // namespace proofline::math
