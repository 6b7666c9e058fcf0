#include "base/file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "base/error.hpp"

namespace proofline {
namespace {

namespace fs = std::filesystem;

IoError io_error(const fs::path& path, const std::string& action, int code) {
  return IoError(path.string() + ": " + action + ": " + std::generic_category().message(code));
}

void unmap(std::span<const std::uint8_t> bytes) {
  if (!bytes.empty()) ::munmap(const_cast<std::uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

MappedFile::MappedFile(const fs::path& path) : path_(path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw io_error(path, "cannot open", errno);
  struct stat status {};
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(file);
    throw IoError(path.string() + ": not a regular file");
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  void* memory = nullptr;
  int code = 0;
  if (size != 0) {
    memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) code = errno;
  }
  ::close(file);
  if (code != 0) throw io_error(path, "cannot map " + std::to_string(size) + " bytes", code);
  if (size != 0) bytes_ = {static_cast<const std::uint8_t*>(memory), size};
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)), bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this != &other) {
    unmap(bytes_);
    path_ = std::move(other.path_);
    bytes_ = std::exchange(other.bytes_, {});
  }
  return *this;
}

MappedFile::~MappedFile() {
  unmap(bytes_);
}

void MappedFile::drop(std::size_t begin, std::size_t end) const {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  begin = (begin + page - 1) / page * page;
  end = std::min(end, bytes_.size()) / page * page;
  if (begin < end) ::madvise(const_cast<std::uint8_t*>(bytes_.data()) + begin, end - begin, MADV_DONTNEED);
}

AtomicFile::AtomicFile(const fs::path& path) : final_(path) {
  fs::path name = "." + path.filename().string() + ".partial-" + std::to_string(::getpid());
  temporary_ = path.parent_path() / name;
  file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file_ < 0) throw io_error(path, "cannot create", errno);
}

AtomicFile::~AtomicFile() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t kMost = std::size_t{1} << 30;  // the system writes no more than 2 GiB at once
  while (!bytes.empty()) {
    const ::ssize_t written = ::write(file_, bytes.data(), std::min(bytes.size(), kMost));
    if (written < 0) {
      if (errno == EINTR) continue;
      throw io_error(final_, "cannot write", errno);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::write(std::string_view text) {
  write(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

void AtomicFile::commit() {
  if (::fsync(file_) != 0) throw io_error(final_, "cannot write", errno);
  const int closed = ::close(std::exchange(file_, -1));
  if (closed != 0) throw io_error(final_, "cannot write", errno);
  if (::rename(temporary_.c_str(), final_.c_str()) != 0) {
    throw io_error(final_, "cannot rename " + temporary_.string(), errno);
  }
  temporary_.clear();
}

}  // namespace proofline
