#include "filecoin/update_shape.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace proofline::filecoin {
namespace {

constexpr std::uint64_t kKiB = std::uint64_t{1} << 10;
constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

constexpr UpdateShape make_shape(std::uint64_t size, const TreeShape& tree, std::string_view name) {
  UpdateShape out;
  out.sector_size = size;
  out.tree = tree;
  out.partitions = size <= 8 * kKiB ? 1 : size <= 32 * kKiB ? 2 : size <= 16 * kMiB ? 4 : 16;
  out.challenges_per_partition = size <= 16 * kMiB ? 10 : 86;
  out.apex_leaves = size <= 8 * kKiB ? 8 : 128;
  for (unsigned i = 0; i < kUpdateHValues; ++i) out.h_values[i] = size <= 32 * kKiB ? 1 : 7 + i;
  out.name = name;
  return out;
}

constexpr TreeShape kBase{8, 0, 0};
constexpr TreeShape kSub2{8, 2, 0};
constexpr TreeShape kSub4{8, 4, 0};
constexpr TreeShape kSub8{8, 8, 0};
constexpr TreeShape kTop2{8, 8, 2};

constexpr std::array<UpdateShape, 11> kShapes{{
    make_shape(1 * kKiB, kSub4, "1KiB"),
    make_shape(2 * kKiB, kBase, "2KiB"),
    make_shape(4 * kKiB, kSub2, "4KiB"),
    make_shape(8 * kKiB, kSub4, "8KiB"),
    make_shape(16 * kKiB, kSub8, "16KiB"),
    make_shape(32 * kKiB, kTop2, "32KiB"),
    make_shape(8 * kMiB, kBase, "8MiB"),
    make_shape(16 * kMiB, kSub2, "16MiB"),
    make_shape(512 * kMiB, kBase, "512MiB"),
    make_shape(32 * kGiB, kSub8, "32GiB"),
    make_shape(64 * kGiB, kTop2, "64GiB"),
}};

std::string known_sizes() {
  std::string out;
  for (const UpdateShape& shape : kShapes) {
    if (!out.empty()) out += ", ";
    out += shape.name;
  }
  return out;
}

}  // namespace

std::span<const UpdateShape> update_shapes() {
  return kShapes;
}

const UpdateShape& update_shape(std::uint64_t sector_size) {
  const auto found = std::ranges::find(kShapes, sector_size, &UpdateShape::sector_size);
  if (found == kShapes.end()) {
    throw InputError("sector update: no circuit for sectors of " + std::to_string(sector_size) +
                     " bytes; expected one of " + known_sizes());
  }
  return *found;
}

std::uint64_t h_select(const UpdateShape& shape, unsigned h) {
  const auto found = std::ranges::find(shape.h_values, h);
  if (found == shape.h_values.end()) {
    throw InputError("sector update: h " + std::to_string(h) + " is none of a " + std::string(shape.name) +
                     " sector; expected " + std::to_string(shape.h_values.front()) + " to " +
                     std::to_string(shape.h_values.back()));
  }
  return std::uint64_t{1} << (found - shape.h_values.begin());
}

}  // namespace proofline::filecoin
