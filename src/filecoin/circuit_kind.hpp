#pragma once
/// The four circuits of a storage provider, by kind and sector size.

namespace proofline::filecoin {

enum class CircuitKind { kPorep, kWinningPost, kWindowPost, kUpdate };

}  // namespace proofline::filecoin
