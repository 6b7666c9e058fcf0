#include "filecoin/merkle_bincode.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "filecoin/golden_sector.hpp"
#include "filecoin/merkle_path.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr TreeShape kShapes[] = {{8, 0, 0}, {8, 2, 0}, {8, 8, 2}, {2, 0, 0}};

std::uint64_t leaves_of(const TreeShape& shape) {
  return std::uint64_t{shape.base} * shape.base * std::max(1U, shape.sub) * std::max(1U, shape.top);
}

/// A proof with the levels of `shape` over leaves_of(shape) leaves; every element is different.
MerkleProof some_proof(const TreeShape& shape) {
  std::uint64_t next = 1;
  MerkleProof out{Fr::from_u64(next++), Fr::from_u64(next++), {}};
  for (const unsigned arity : {shape.base, shape.base, shape.sub, shape.top}) {
    if (arity == 0) continue;
    PathElement& element = out.path.emplace_back();
    for (unsigned i = 1; i < arity; ++i) element.siblings.push_back(Fr::from_u64(next++));
    element.index = static_cast<unsigned>(next % arity);
  }
  return out;
}

bool same(const MerkleProof& a, const MerkleProof& b) {
  return a.root == b.root && a.leaf == b.leaf &&
         std::ranges::equal(a.path, b.path, [](const PathElement& x, const PathElement& y) {
           return x.siblings == y.siblings && x.index == y.index;
         });
}

std::vector<std::uint8_t> encode(const MerkleProof& proof, const TreeShape& shape) {
  std::vector<std::uint8_t> out;
  append_merkle_proof(out, proof, shape);
  return out;
}

MerkleProof decode(std::span<const std::uint8_t> bytes, const TreeShape& shape) {
  BincodeReader in(bytes, "proof.bin");
  MerkleProof out = read_merkle_proof(in, shape, leaves_of(shape), "comm_r_last");
  in.finish();
  return out;
}

TEST(MerkleBincode, TheReferencesProofLeadsToItsRootAndIsWrittenAsItWas) {
  const MappedFile mapped(test::data_path("posts/winning-2k-1/vanilla-0.bin"));
  const auto file = mapped.bytes();
  // sector id, comm_r, one sector, 66 proofs
  constexpr std::size_t kBefore = 8 + 32 + 8 + 8;
  const TreeShape shape{8, 0, 0};
  const auto rest = file.subspan(kBefore);
  BincodeReader in(rest, "winning");
  std::vector<std::uint8_t> written;
  for (int i = 0; i < 66; ++i) {
    const MerkleProof proof = read_merkle_proof(in, shape, 64, "inclusion proof");
    EXPECT_EQ(path_root(TreeHash::kPoseidon, proof.leaf, proof.path), proof.root);
    append_merkle_proof(written, proof, shape);
  }
  EXPECT_TRUE(std::ranges::equal(written, rest.first(written.size())));
}

TEST(MerkleBincode, EveryVariantComesBack) {
  for (const TreeShape& shape : kShapes) {
    const MerkleProof proof = some_proof(shape);
    EXPECT_TRUE(same(decode(encode(proof, shape), shape), proof)) << shape.base << '-' << shape.sub << '-' << shape.top;
  }
}

TEST(MerkleBincode, AProofOfAnotherTreeIsRefused) {
  const auto expect = [](const TreeShape& of_proof, const TreeShape& of_tree, const char* message) {
    EXPECT_THAT([&] { decode(encode(some_proof(of_proof), of_proof), of_tree); },
                ThrowsMessage<InputError>(HasSubstr(message)));
  };
  expect({8, 0, 0}, {8, 2, 0}, "variant 1 expected for this tree, got 0");
  expect({8, 8, 2}, {8, 0, 0}, "variant 0 expected for this tree, got 2");
  expect({2, 0, 0}, {8, 0, 0}, "7 siblings expected, got 1");
  expect({8, 4, 0}, {8, 2, 0}, "1 siblings expected, got 3");
}

TEST(MerkleBincode, DamageIsNamed) {
  const TreeShape shape{8, 0, 0};
  const auto good = encode(some_proof(shape), shape);
  const auto expect = [&](std::size_t at, std::vector<std::uint8_t> with, const char* message) {
    auto bad = good;
    std::ranges::copy(with, bad.begin() + static_cast<std::ptrdiff_t>(at));
    EXPECT_THAT([&] { decode(bad, shape); }, ThrowsMessage<InputError>(HasSubstr(message)));
  };
  expect(4, std::vector<std::uint8_t>(32, 0xff), "byte 36: comm_r_last: root is no field element");
  expect(68, {1}, "a path of 2 levels of arity 8 expected, got 1");
  expect(68 + 7, {0x10}, "levels of the path: length 1152921504606846978");
  expect(76 + 8 + 7 * 32, {8}, "an index below 8 expected, got 8");
  expect(76 + 8 + 7 * 32 + 4, {1}, "an index below 8 expected, got");
}

TEST(MerkleBincode, NoPrefixIsAProof) {
  for (const TreeShape& shape : kShapes) {
    const auto whole = encode(some_proof(shape), shape);
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_THROW(decode(std::span(whole).first(size), shape), InputError) << size;
  }
}

}  // namespace
}  // namespace proofline::filecoin
