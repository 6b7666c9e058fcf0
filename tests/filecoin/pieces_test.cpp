#include "filecoin/pieces.hpp"

#include <gmock/gmock.h>

#include <map>

#include "base/error.hpp"
#include "filecoin/golden_sector.hpp"
#include "filecoin/replica_id.hpp"

namespace proofline::filecoin {
namespace {

using test::GoldenSector;

TEST(ReplicaId, SectorsOfTheReference) {
  for (const std::string name : {"2k-1", "2k-2", "2kv1-4", "8m-6-cc"}) {
    const GoldenSector sector(name);
    EXPECT_EQ(replica_id(sector.id("prover_id"), sector.json["sector_id"].get<std::uint64_t>(), sector.id("ticket"),
                         sector.id("comm_d"), sector.info().porep_id),
              sector.id("replica_id"));
    EXPECT_EQ(prover_id(1000), sector.id("prover_id"));
  }
}

TEST(ProverId, IsLeb128) {
  EXPECT_EQ(test::hex(prover_id(0)).substr(0, 4), "0000");
  EXPECT_EQ(test::hex(prover_id(127)).substr(0, 4), "7f00");
  EXPECT_EQ(test::hex(prover_id(128)).substr(0, 6), "800100");
  EXPECT_EQ(test::hex(prover_id(UINT64_MAX)).substr(0, 22), "ffffffffffffffffff0100");
}

TEST(Piece, CommitmentsOfTheReference) {
  const Executor exec(1);
  for (const auto& name : test::kSmallSectors) {
    const GoldenSector sector(name);
    EXPECT_EQ(piece_commitment(sector.file("staged"), exec), sector.id("piece_commitment"));
    const std::array<Piece, 1> pieces{Piece{2048, sector.id("piece_commitment")}};
    EXPECT_EQ(comm_d_from_pieces(pieces, 2048), sector.id("comm_d"));
  }
}

TEST(Piece, ZeroCommitmentsOfTheReference) {
  EXPECT_EQ(test::hex(zero_commitment(2048)), "fc7e928296e516faade986b28f92d44a4f24b935485223376a799027bc18f833");
  EXPECT_EQ(test::hex(zero_commitment(128)), "3731bb99ac689f66eef5973e4a94da188f4ddcae580724fc6f3fd60dfd488333");
  EXPECT_EQ(zero_commitment(1U << 23), GoldenSector("8m-6-cc").id("comm_d"));
  EXPECT_EQ(comm_d_from_pieces({}, 2048), zero_commitment(2048));
  EXPECT_EQ(piece_commitment(std::vector<std::uint8_t>(512), Executor(1)), zero_commitment(512));
}

TEST(Piece, SizeForData) {
  const std::map<std::uint64_t, std::uint64_t> cases{{0, 128},     {1, 128},    {127, 128},   {128, 256},
                                                     {254, 256},   {255, 512},  {2032, 2048}, {2033, 4096},
                                                     {1016, 1024}, {1017, 2048}};
  for (const auto& [data, size] : cases) EXPECT_EQ(piece_size_for(data), size) << data;
  EXPECT_THROW(piece_size_for(UINT64_MAX), InputError);
}

// comm_d over pieces is the root of the tree over the bytes at the aligned places.
TEST(CommD, EqualsTheTreeOverThePlacedBytes) {
  const Executor exec(1);
  for (const std::vector<std::uint64_t>& sizes : std::vector<std::vector<std::uint64_t>>{{128},
                                                                                         {128, 128},
                                                                                         {128, 256},
                                                                                         {512, 128, 256},
                                                                                         {128, 1024},
                                                                                         {256, 128, 512, 1024},
                                                                                         {1024, 512, 128},
                                                                                         {2048}}) {
    std::vector<std::uint8_t> sector(2048);
    std::vector<Piece> pieces;
    std::size_t at = 0;
    for (const std::uint64_t size : sizes) {
      at = (at + size - 1) / size * size;
      const auto bytes = std::span(sector).subspan(at, size);
      for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>((at + i) * 7 + size) & 0x3f;
      pieces.push_back({size, piece_commitment(bytes, exec)});
      at += size;
    }
    EXPECT_EQ(comm_d_from_pieces(pieces, 2048), piece_commitment(sector, exec)) << ::testing::PrintToString(sizes);
  }
}

TEST(CommD, RejectsWhatDoesNotFit) {
  const Node node = zero_commitment(128);
  using Pieces = std::vector<Piece>;
  EXPECT_THROW(comm_d_from_pieces(Pieces{{4096, node}}, 2048), InputError);
  EXPECT_THROW(comm_d_from_pieces(Pieces{{1024, node}, {2048, node}}, 2048), InputError);
  EXPECT_THAT(
      [&] {
        comm_d_from_pieces(Pieces{{128, node}, {1024, node}, {128, node}}, 2048);
      },
      ::testing::ThrowsMessage<InputError>(::testing::HasSubstr("piece 2")));
  EXPECT_THROW(comm_d_from_pieces(Pieces{{127, node}}, 2048), InputError);
  EXPECT_THROW(comm_d_from_pieces(Pieces{{64, node}}, 2048), InputError);
  EXPECT_THROW(piece_commitment(std::vector<std::uint8_t>(384), Executor(1)), InputError);
}

}  // namespace
}  // namespace proofline::filecoin
