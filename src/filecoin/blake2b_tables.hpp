#pragma once
/// Constants of BLAKE2b (RFC 7693) for hashing one 16-byte message to 64 bytes.
#include <array>
#include <cstddef>
#include <cstdint>

namespace proofline::filecoin {

inline constexpr std::size_t kBlake2bRounds = 12;

/// Order of the message words by round, repeating after 10.
inline constexpr std::uint8_t kBlake2bSigma[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

/// The working vector before the first round. Entries 0 to 7 are the chaining value (entry 0 with the
/// parameter block: sequential, no key, 64-byte digest), 12 holds the length 16, 14 the last-block flag.
inline constexpr std::array<std::uint64_t, 16> kBlake2bFeistelStart{0x6a09e667f3bcc908 ^ 0x01010040,
                                                                    0xbb67ae8584caa73b,
                                                                    0x3c6ef372fe94f82b,
                                                                    0xa54ff53a5f1d36f1,
                                                                    0x510e527fade682d1,
                                                                    0x9b05688c2b3e6c1f,
                                                                    0x1f83d9abfb41bd6b,
                                                                    0x5be0cd19137e2179,
                                                                    0x6a09e667f3bcc908,
                                                                    0xbb67ae8584caa73b,
                                                                    0x3c6ef372fe94f82b,
                                                                    0xa54ff53a5f1d36f1,
                                                                    0x510e527fade682d1 ^ 16,
                                                                    0x9b05688c2b3e6c1f,
                                                                    ~0x1f83d9abfb41bd6bULL,
                                                                    0x5be0cd19137e2179};

}  // namespace proofline::filecoin
