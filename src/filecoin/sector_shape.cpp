#include "filecoin/sector_shape.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>

#include "base/error.hpp"

namespace proofline::filecoin {
namespace {

constexpr std::uint64_t kKiB = std::uint64_t{1} << 10;
constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

constexpr TreeShape kBase{8, 0, 0};
constexpr TreeShape kSub2{8, 2, 0};
constexpr TreeShape kSub8{8, 8, 0};
constexpr TreeShape kTop2{8, 8, 2};

// sector size, tree, layers, challenges per partition, partitions, non-interactive partitions, name
constexpr std::array<SectorShape, 10> kShapes{{
    {2 * kKiB, kBase, 2, 2, 1, 13, "2KiB"},
    {4 * kKiB, kSub2, 2, 2, 1, 13, "4KiB"},
    {16 * kKiB, kSub8, 2, 2, 1, 13, "16KiB"},
    {32 * kKiB, kTop2, 2, 2, 1, 13, "32KiB"},
    {8 * kMiB, kBase, 2, 2, 1, 13, "8MiB"},
    {16 * kMiB, kSub2, 2, 2, 1, 13, "16MiB"},
    {512 * kMiB, kBase, 2, 2, 1, 13, "512MiB"},
    {1 * kGiB, kSub2, 2, 2, 1, 13, "1GiB"},
    {32 * kGiB, kSub8, 11, 18, 10, 126, "32GiB"},
    {64 * kGiB, kTop2, 11, 18, 10, 126, "64GiB"},
}};

std::string known_sizes() {
  std::string out;
  for (const SectorShape& shape : kShapes) {
    if (!out.empty()) out += ", ";
    out += shape.name;
  }
  return out;
}

std::string normalised(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c != ' ' && c != '_') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

}  // namespace

std::span<const SectorShape> sector_shapes() {
  return kShapes;
}

const SectorShape& sector_shape(std::uint64_t sector_size) {
  const auto found = std::ranges::find(kShapes, sector_size, &SectorShape::sector_size);
  if (found == kShapes.end()) {
    throw InputError("sector size: no sector has " + std::to_string(sector_size) + " bytes; expected one of " +
                     known_sizes());
  }
  return *found;
}

const SectorShape& sector_shape(std::string_view name) {
  const std::string wanted = normalised(name);
  for (const SectorShape& shape : kShapes) {
    if (wanted == normalised(shape.name)) return shape;
  }
  std::uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), bytes);
  if (error == std::errc() && end == wanted.data() + wanted.size()) return sector_shape(bytes);
  throw InputError("sector size: \"" + std::string(name) + "\" is not known; expected one of " + known_sizes() +
                   ", or a number of bytes");
}

PathShape path_shape(const TreeShape& tree, std::uint64_t leaves) {
  const auto fail = [&] {
    return InputError("tree shape " + std::to_string(tree.base) + "-" + std::to_string(tree.sub) + "-" +
                      std::to_string(tree.top) + " does not fit " + std::to_string(leaves) + " leaves");
  };
  if (tree.base < 2 || (tree.top != 0 && tree.sub == 0) || leaves == 0) throw fail();
  std::uint64_t base_leaves = leaves;
  for (const unsigned arity : {tree.sub, tree.top}) {
    if (arity == 0) continue;
    if (base_leaves % arity != 0) throw fail();
    base_leaves /= arity;
  }
  PathShape out{0, tree};
  for (; base_leaves > 1; base_leaves /= tree.base) {
    if (base_leaves % tree.base != 0) throw fail();
    ++out.base_levels;
  }
  return out;
}

}  // namespace proofline::filecoin
