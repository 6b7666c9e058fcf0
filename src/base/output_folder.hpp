#pragma once
/// Files written through memory, and folders that appear whole or not at all.
#include <cstdint>
#include <filesystem>
#include <span>

namespace proofline {

/// A new file of fixed size, mapped for reading and writing. Its space is reserved when it is made, so that
/// a full disk is an error here and not a signal during a later store.
class MappedOutput {
 public:
  /// Throws IoError naming the file when it exists already, cannot be made or does not fit the disk.
  MappedOutput(const std::filesystem::path& path, std::uint64_t bytes);
  MappedOutput(MappedOutput&& other) noexcept;
  MappedOutput& operator=(MappedOutput&& other) noexcept;
  ~MappedOutput();

  /// The file's bytes, zero at first. Valid while the object lives.
  std::span<std::uint8_t> bytes() const { return bytes_; }
  /// Writes changed pages to the disk and waits. Throws IoError when the disk refuses.
  void sync() const;

 private:
  std::filesystem::path path_;
  std::span<std::uint8_t> bytes_;
};

/// A folder in the making, under a temporary name beside its final one. Removed with all its content unless
/// commit() was called.
class OutputFolder {
 public:
  /// Throws IoError when `path` exists (but for an empty folder), or its parent folder does not.
  explicit OutputFolder(const std::filesystem::path& path);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();

  /// Where to write before commit().
  const std::filesystem::path& path() const { return temporary_; }
  /// Makes a folder inside. Throws IoError.
  void make_folder(const std::filesystem::path& name) const;
  /// Gives the folder its final name. Throws IoError.
  void commit();

 private:
  std::filesystem::path final_;
  std::filesystem::path temporary_;
};

}  // namespace proofline
