#include "filecoin/fr32.hpp"

#include <gmock/gmock.h>

#include <random>

#include "base/error.hpp"
#include "filecoin/golden_sector.hpp"

namespace proofline::filecoin {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes random_bytes(std::size_t size, unsigned seed) {
  std::mt19937 generator(seed);
  Bytes out(size);
  for (auto& byte : out) byte = static_cast<std::uint8_t>(generator());
  return out;
}

Bytes padded(const Bytes& in, const Executor& exec) {
  Bytes out((in.size() + 126) / 127 * 128);
  fr32_pad(in, out, exec);
  return out;
}

bool bit(const Bytes& bytes, std::size_t i) {
  return (bytes[i / 8] >> (i % 8) & 1) != 0;
}

// The definition, bit by bit.
Bytes padded_by_bits(const Bytes& in) {
  Bytes out((in.size() + 126) / 127 * 128);
  for (std::size_t i = 0; i < in.size() * 8; ++i) {
    const std::size_t to = i / 254 * 256 + i % 254;
    if (bit(in, i)) out[to / 8] = static_cast<std::uint8_t>(out[to / 8] | 1U << (to % 8));
  }
  return out;
}

TEST(Fr32, StagedFilesOfTheReference) {
  const Executor exec(1);
  for (const auto& name : test::kSmallSectors) {
    const test::GoldenSector sector(name);
    EXPECT_EQ(padded(sector.file("data.bin"), exec), sector.file("staged"));
  }
}

TEST(Fr32, AgreesWithTheDefinitionAndInverts) {
  const Executor exec(2);
  for (std::size_t size = 0; size < 700; ++size) {
    const Bytes data = random_bytes(size, static_cast<unsigned>(size));
    const Bytes out = padded(data, exec);
    EXPECT_EQ(out, padded_by_bits(data)) << size;
    Bytes back(size);
    fr32_unpad(out, back, exec);
    EXPECT_EQ(back, data) << size;
  }
}

TEST(Fr32, LargeInputsInParallel) {
  const Bytes data = random_bytes(127 * 20000 + 5, 1);
  const Bytes out = padded(data, Executor(2));
  EXPECT_EQ(out, padded(data, Executor(1)));
  Bytes back(data.size());
  fr32_unpad(out, back, Executor(2));
  EXPECT_EQ(back, data);
}

TEST(Fr32, EveryElementIsBelow2To254) {
  const Bytes out = padded(Bytes(1270, 0xff), Executor(1));
  for (std::size_t i = 31; i < out.size(); i += 32) EXPECT_EQ(out[i], 0x3f);
}

TEST(Fr32, IgnoresPaddingBitsAndClearsTheRest) {
  const Bytes data = random_bytes(127, 3);
  Bytes out(256, 0xaa);
  fr32_pad(data, out, Executor(1));
  EXPECT_THAT(std::span(out).subspan(128), ::testing::Each(0));
  for (std::size_t i = 31; i < 128; i += 32) out[i] = static_cast<std::uint8_t>(out[i] | 0xc0);
  Bytes back(127);
  fr32_unpad(out, back, Executor(1));
  EXPECT_EQ(back, data);
}

TEST(Fr32, SizesAndTheirErrors) {
  EXPECT_EQ(fr32_padded_size(2032), 2048U);
  EXPECT_EQ(fr32_unpadded_size(std::uint64_t{1} << 35), (std::uint64_t{1} << 35) / 128 * 127);
  EXPECT_THROW(fr32_padded_size(2048), InputError);
  EXPECT_THROW(fr32_unpadded_size(2032), InputError);
  const Executor exec(1);
  Bytes data(128);
  Bytes out(128);
  EXPECT_THROW(fr32_pad(data, out, exec), InputError);
  EXPECT_THROW(fr32_pad(std::span(data).first(10), std::span(out).first(100), exec), InputError);
  EXPECT_THROW(fr32_unpad(out, data, exec), InputError);
}

}  // namespace
}  // namespace proofline::filecoin
