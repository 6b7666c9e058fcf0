#include "engine/proof_request.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "base/bincode.hpp"
#include "base/error.hpp"
#include "base/sha256.hpp"

namespace proofline::engine {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::size_t kRegisteredProofAt = 4 + 4 + 8;
constexpr std::size_t kC1LengthAt = kRegisteredProofAt + 4;  // of a request without registered proof

filecoin::Bytes32 filled(std::uint8_t value) {
  filecoin::Bytes32 out;
  out.fill(value);
  return out;
}

ProofRequest full_request() {
  return {.kind = filecoin::CircuitKind::kUpdate,
          .sector_size = std::uint64_t{32} << 30,
          .registered_proof = 8,
          .c1 = {1, 2, 3},
          .vanilla = {{4}, {}, {5, 6}},
          .randomness = filled(7),
          .partition_index = 9,
          .comm_r_old = filled(10),
          .comm_r_new = filled(11),
          .comm_d_new = filled(12),
          .miner_id = 1000,
          .sector_number = ~std::uint64_t{0}};
}

/// A copy whose u64 at that place is another.
Bytes with_u64(Bytes bytes, std::size_t at, std::uint64_t value) {
  Bytes encoded;
  append_u64(encoded, value);
  std::ranges::copy(encoded, bytes.begin() + static_cast<std::ptrdiff_t>(at));
  return bytes;
}

auto refused_with(const std::string& text) {
  return ThrowsMessage<InputError>(testing::AllOf(HasSubstr("stored proof request: byte"), HasSubstr(text)));
}

TEST(ProofRequest, EveryFieldComesBack) {
  EXPECT_EQ(proof_request_from_bytes(to_bytes(full_request())), full_request());
  EXPECT_EQ(proof_request_from_bytes(to_bytes({})), ProofRequest{});
}

TEST(ProofRequest, EveryFieldIsInTheDigest) {
  std::vector<ProofRequest> requests(15, full_request());
  requests[1].kind = filecoin::CircuitKind::kPorep;
  requests[2].sector_size = 0;
  requests[3].registered_proof = std::nullopt;
  requests[4].registered_proof = 0;
  requests[5].c1 = {};
  requests[6].vanilla = {{4}, {5}, {6}};
  requests[7].vanilla = {{4}, {5, 6}, {}};
  requests[8].randomness = {};
  requests[9].partition_index = 0;
  requests[10].comm_r_old = {};
  requests[11].comm_r_new = {};
  requests[12].comm_d_new = {};
  requests[13].miner_id = 0;
  requests[14].sector_number = 0;
  std::vector<filecoin::Bytes32> digests;
  for (const ProofRequest& request : requests) digests.push_back(request_digest(request));
  EXPECT_EQ(digests[0], sha256(to_bytes(full_request())));
  std::ranges::sort(digests);
  EXPECT_EQ(std::ranges::adjacent_find(digests), digests.end());
}

TEST(ProofRequest, ThePayloadIsTheC1AndTheVanillaProofs) {
  EXPECT_EQ(full_request().bytes(), 6U);
  EXPECT_EQ(ProofRequest{}.bytes(), 0U);
}

TEST(ProofRequest, TheFormOfVersionOneStays) {
  const Bytes bytes = to_bytes(full_request());
  EXPECT_EQ(bytes.size(), 4U + 4 + 8 + 12 + (8 + 3) + 8 + (8 + 1) + 8 + (8 + 2) + 32 + 8 + 3 * 32 + 2 * 8);
  EXPECT_THAT(std::vector(bytes.begin(), bytes.begin() + 20),
              testing::ElementsAre(1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0));
}

TEST(ProofRequest, BytesCutOffOrFollowedByOthersAreRefused) {
  Bytes bytes = to_bytes(full_request());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(proof_request_from_bytes(std::span(bytes).first(size)), InputError) << size;
  }
  bytes.push_back(0);
  EXPECT_THAT([&] { proof_request_from_bytes(bytes); }, refused_with("1 bytes follow"));
}

TEST(ProofRequest, WhatCannotBeIsRefusedByName) {
  const Bytes bytes = to_bytes({});
  Bytes version = bytes, kind = bytes, registered = bytes;
  version[0] = 2;
  kind[4] = 4;
  registered[kRegisteredProofAt] = 2;
  EXPECT_THAT([&] { proof_request_from_bytes(version); }, refused_with("version 2; this program reads version 1"));
  EXPECT_THAT([&] { proof_request_from_bytes(kind); }, refused_with("kind 4 is not known"));
  EXPECT_THAT([&] { proof_request_from_bytes(registered); }, refused_with("registered proof: 0 (absent) or 1"));
}

TEST(ProofRequest, HostileLengthsAreRefusedBeforeMemoryIsTaken) {
  const Bytes bytes = to_bytes({});
  for (const std::uint64_t length : {std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    EXPECT_THAT([&] { proof_request_from_bytes(with_u64(bytes, kC1LengthAt, length)); }, refused_with("C1: length"));
    EXPECT_THAT([&] { proof_request_from_bytes(with_u64(bytes, kC1LengthAt + 8, length)); },
                refused_with("vanilla proofs: length"));
  }
  EXPECT_THAT([&] { proof_request_from_bytes(with_u64(bytes, kC1LengthAt + 8, 2)); }, refused_with("cut off"));
}

RC_GTEST_PROP(ProofRequestBytes, ComeBack, ()) {
  ProofRequest request = full_request();
  request.kind = static_cast<filecoin::CircuitKind>(*rc::gen::inRange(0, 4));
  request.sector_size = *rc::gen::arbitrary<std::uint64_t>();
  request.registered_proof = std::nullopt;
  if (*rc::gen::arbitrary<bool>()) request.registered_proof = *rc::gen::arbitrary<std::uint64_t>();
  request.c1 = *rc::gen::arbitrary<Bytes>();
  request.vanilla = *rc::gen::arbitrary<std::vector<Bytes>>();
  request.randomness = *rc::gen::arbitrary<filecoin::Bytes32>();
  request.partition_index = *rc::gen::arbitrary<std::uint64_t>();
  request.comm_r_old = *rc::gen::arbitrary<filecoin::Bytes32>();
  const Bytes bytes = to_bytes(request);
  RC_ASSERT(proof_request_from_bytes(bytes) == request);
}

/// Whatever is accepted is what its bytes would be made of: no two forms of one request.
RC_GTEST_PROP(ProofRequestBytes, AreRefusedOrCanonical, ()) {
  Bytes bytes = to_bytes(full_request());
  const auto changes = *rc::gen::inRange(1, 4);
  for (int i = 0; i < changes; ++i)
    bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = *rc::gen::arbitrary<std::uint8_t>();
  try {
    RC_ASSERT(to_bytes(proof_request_from_bytes(bytes)) == bytes);
  } catch (const InputError&) {
    RC_TAG("refused");
  }
}

}  // namespace
}  // namespace proofline::engine
