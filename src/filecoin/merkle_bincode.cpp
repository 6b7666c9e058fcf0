#include "filecoin/merkle_bincode.hpp"

#include <span>
#include <string>

namespace proofline::filecoin {
namespace {

using math::Fr;

enum Variant : std::uint32_t { kSingle = 0, kSub = 1, kTop = 2 };

Variant variant_of(const TreeShape& shape) {
  return shape.top != 0 ? kTop : shape.sub != 0 ? kSub : kSingle;
}

std::string place(std::string_view what, std::string_view part) {
  return std::string(what) + ": " + std::string(part);
}

/// `levels` levels of `arity` children each, appended to `path`.
void read_path(BincodeReader& in, unsigned levels, unsigned arity, std::string_view what,
               std::vector<PathElement>& path) {
  // An element is at least a length and an index.
  const std::size_t count = in.length(16, place(what, "levels of the path"));
  if (count != levels) {
    in.fail(place(what, "a path of ") + std::to_string(levels) + " levels of arity " + std::to_string(arity) +
            " expected, got " + std::to_string(count));
  }
  for (unsigned level = 0; level < levels; ++level) {
    PathElement& element = path.emplace_back();
    const std::size_t siblings = in.length(Fr::kBytes, place(what, "siblings"));
    if (siblings != arity - 1) {
      in.fail(place(what, std::to_string(arity - 1)) + " siblings expected, got " + std::to_string(siblings));
    }
    element.siblings.reserve(siblings);
    for (std::size_t i = 0; i < siblings; ++i) element.siblings.push_back(read_element(in, place(what, "a sibling")));
    const std::uint64_t index = in.u64(place(what, "an index"));
    if (index >= arity) {
      in.fail(place(what, "an index below ") + std::to_string(arity) + " expected, got " + std::to_string(index));
    }
    element.index = static_cast<unsigned>(index);
  }
}

void append_path(std::vector<std::uint8_t>& out, std::span<const PathElement> path) {
  append_u64(out, path.size());
  for (const PathElement& element : path) {
    append_u64(out, element.siblings.size());
    for (const Fr& sibling : element.siblings) append_element(out, sibling);
    append_u64(out, element.index);
  }
}

}  // namespace

Fr read_element(BincodeReader& in, std::string_view what) {
  const auto value = Fr::from_bytes(in.bytes(Fr::kBytes, what).first<Fr::kBytes>());
  if (!value) in.fail(std::string(what) + " is no field element: its 32 bytes are not below the modulus");
  return *value;
}

void append_element(std::vector<std::uint8_t>& out, const Fr& value) {
  const auto bytes = value.to_bytes();
  out.insert(out.end(), bytes.begin(), bytes.end());
}

MerkleProof read_merkle_proof(BincodeReader& in, const TreeShape& shape, std::uint64_t leaves, std::string_view what) {
  const std::uint32_t variant = in.u32(place(what, "variant"));
  if (variant != variant_of(shape)) {
    in.fail(place(what, "variant ") + std::to_string(variant_of(shape)) + " expected for this tree, got " +
            std::to_string(variant));
  }
  MerkleProof out;
  const auto read_ends = [&] {
    out.root = read_element(in, place(what, "root"));
    out.leaf = read_element(in, place(what, "leaf"));
  };
  if (variant == kSingle) read_ends();
  read_path(in, path_shape(shape, leaves).base_levels, shape.base, what, out.path);
  if (shape.sub != 0) read_path(in, 1, shape.sub, what, out.path);
  if (shape.top != 0) read_path(in, 1, shape.top, what, out.path);
  if (variant != kSingle) read_ends();
  return out;
}

void append_merkle_proof(std::vector<std::uint8_t>& out, const MerkleProof& proof, const TreeShape& shape) {
  const auto append_ends = [&] {
    append_element(out, proof.root);
    append_element(out, proof.leaf);
  };
  const Variant variant = variant_of(shape);
  append_u32(out, variant);
  if (variant == kSingle) append_ends();
  const std::span<const PathElement> path(proof.path);
  append_path(out, path.first(path.size() - variant));
  for (std::size_t level = path.size() - variant; level < path.size(); ++level)
    append_path(out, path.subspan(level, 1));
  if (variant != kSingle) append_ends();
}

}  // namespace proofline::filecoin
