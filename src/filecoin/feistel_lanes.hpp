#pragma once
/// Eight Feistel networks side by side, for feistel.cpp. The same source is compiled for several
/// instruction sets; which one runs is decided at run time.
#include <cstdint>

namespace proofline::filecoin {

/// Parameters of the network: three round keys, bits of one half and their mask.
struct FeistelNetwork {
  std::uint64_t keys[3];
  unsigned half_bits;
  std::uint64_t mask;
};

inline constexpr std::size_t kFeistelLanes = 8;

/// Sends each of the 8 values once through the network, in place.
using FeistelLanesFunction = void (*)(const FeistelNetwork& network, std::uint64_t* values);

/// The fastest version that this processor runs.
FeistelLanesFunction feistel_lanes();
/// All versions that this processor runs, the portable one first (for tests).
struct FeistelVersions {
  FeistelLanesFunction functions[3];
  std::size_t count;
};
FeistelVersions feistel_versions();

}  // namespace proofline::filecoin
