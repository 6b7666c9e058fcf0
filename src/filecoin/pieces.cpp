#include "filecoin/pieces.hpp"

#include <bit>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "filecoin/fr32.hpp"
#include "filecoin/tree.hpp"

namespace proofline::filecoin {
namespace {

void check_piece_size(std::uint64_t padded_size) {
  if (padded_size < kFr32Padded || !std::has_single_bit(padded_size)) {
    throw InputError("piece: " + std::to_string(padded_size) +
                     " padded bytes; expected a power of two of at least 128");
  }
}

// Pieces of descending size whose end is aligned: neighbours of equal size are joined at once.
class PieceStack {
 public:
  void push(const Piece& piece) {
    stack_.push_back(piece);
    filled_ += piece.padded_size;
    while (stack_.size() > 1 && stack_.back().padded_size == stack_[stack_.size() - 2].padded_size) {
      const Piece right = stack_.back();
      stack_.pop_back();
      Piece& left = stack_.back();
      left = {left.padded_size * 2, sha256_parent(left.commitment, right.commitment)};
    }
  }
  void push_zeros(std::uint64_t padded_size) { push({padded_size, zero_commitment(padded_size)}); }
  /// Zeros up to the next multiple of `alignment`, a power of two.
  void align(std::uint64_t alignment) {
    while (filled_ % alignment != 0) push_zeros(stack_.back().padded_size);
  }
  std::uint64_t filled() const { return filled_; }
  const Piece& front() const { return stack_.front(); }

 private:
  std::vector<Piece> stack_;
  std::uint64_t filled_ = 0;
};

}  // namespace

std::uint64_t piece_size_for(std::uint64_t data_bytes) {
  if (data_bytes > (std::uint64_t{1} << 62)) {
    throw InputError("piece: " + std::to_string(data_bytes) + " bytes are more than any sector holds");
  }
  std::uint64_t padded = kFr32Padded;
  while (fr32_unpadded_size(padded) < data_bytes) padded *= 2;
  return padded;
}

Node piece_commitment(std::span<const std::uint8_t> padded, const Executor& exec) {
  check_piece_size(padded.size());
  return tree_root(TreeHash::kSha256, {2, 0, 0}, as_nodes(padded), exec);
}

Node zero_commitment(std::uint64_t padded_size) {
  check_piece_size(padded_size);
  Node node{};
  for (std::uint64_t size = kNodeBytes; size < padded_size; size *= 2) node = sha256_parent(node, node);
  return node;
}

Node comm_d_from_pieces(std::span<const Piece> pieces, std::uint64_t sector_size) {
  check_piece_size(sector_size);
  PieceStack stack;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    check_piece_size(pieces[i].padded_size);
    const std::uint64_t size = pieces[i].padded_size;
    const std::uint64_t aligned = (stack.filled() + size - 1) / size * size;
    if (size > sector_size || aligned > sector_size - size) {
      throw InputError("pieces: piece " + std::to_string(i) + " of " + std::to_string(size) +
                       " padded bytes does not fit a sector of " + std::to_string(sector_size) + " after " +
                       std::to_string(stack.filled()) + " bytes");
    }
    stack.align(size);
    stack.push(pieces[i]);
  }
  if (pieces.empty()) return zero_commitment(sector_size);
  stack.align(sector_size);
  return stack.front().commitment;
}

}  // namespace proofline::filecoin
