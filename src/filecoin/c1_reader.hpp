#pragma once
/// Reading a C1 file one partition at a time, so that the memory it takes does not grow with their number.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "filecoin/json_text.hpp"
#include "filecoin/vanilla_proof.hpp"

namespace proofline::filecoin {

/// A C1 (vanilla_json.hpp says in which forms) whose outline has been read and found sound: header, number of
/// partitions, and where each begins and ends. A partition itself is parsed when it is asked for. Held are the text, be
/// it mapped, in memory or the caller's, and the outline; of base64 no more than a partition is decoded at a time.
/// Copies share the text.
class C1Reader {
 public:
  /// Reads through the whole text once. Throws InputError with `name`, the path of the field and what was expected
  /// there.
  C1Reader(JsonText text, std::string_view name);
  /// Of a file, which the messages name. Throws IoError when it cannot be mapped.
  explicit C1Reader(const std::filesystem::path& file) : C1Reader(JsonText::mapped(file), file.string()) {}

  const VanillaHeader& header() const { return header_; }
  std::optional<std::int64_t> sector_number() const { return sector_number_; }  ///< from the envelope
  /// As many as the registered proof has.
  std::size_t partitions() const { return partitions_.size(); }
  /// Bytes of the longest partition's text.
  std::size_t largest_partition() const;
  /// Parses partition k: all counts are those of the shape, all elements canonical, all indices in range. Throws
  /// InputError as the constructor does, and when there is no such partition. May be called from several threads at
  /// once.
  std::vector<ChallengeProof> read_partition(std::size_t k) const;

 private:
  JsonText text_;
  std::string name_;
  VanillaHeader header_;
  std::optional<std::int64_t> sector_number_;
  std::vector<TextSpan> partitions_;
};

}  // namespace proofline::filecoin
