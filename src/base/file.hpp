#pragma once
/// Reading whole files through memory, and files that appear whole or not at all.
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace proofline {

/// A file mapped for reading. The mapping stays valid when the file is renamed or unlinked; the file must
/// not be cut shorter meanwhile.
class MappedFile {
 public:
  /// Throws IoError naming the file when it cannot be opened or is not a regular file.
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  const std::filesystem::path& path() const { return path_; }
  std::span<const std::uint8_t> bytes() const { return bytes_; }
  /// Tells the system that bytes [begin, end) are not needed soon: their whole pages leave this process's
  /// memory and are read again when touched.
  void drop(std::size_t begin, std::size_t end) const;

 private:
  std::filesystem::path path_;
  std::span<const std::uint8_t> bytes_;
};

/// A file written under a temporary name beside its final one; commit() gives it its name (replacing an
/// older file), and without commit() it is removed.
class AtomicFile {
 public:
  /// Throws IoError when the file cannot be made.
  explicit AtomicFile(const std::filesystem::path& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  /// Appends. Throws IoError naming the file, for example when the disk is full.
  void write(std::span<const std::uint8_t> bytes);
  void write(std::string_view text);
  /// Flushes to the disk and renames. Throws IoError.
  void commit();

 private:
  std::filesystem::path final_;
  std::filesystem::path temporary_;
  int file_ = -1;
};

}  // namespace proofline
