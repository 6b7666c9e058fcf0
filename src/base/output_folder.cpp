#include "base/output_folder.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

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

void unmap(std::span<std::uint8_t> bytes) {
  if (!bytes.empty()) ::munmap(bytes.data(), bytes.size());
}

}  // namespace

MappedOutput::MappedOutput(const fs::path& path, std::uint64_t bytes) : path_(path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) throw io_error(path, "cannot create", errno);
  void* memory = nullptr;
  int code = bytes == 0 ? 0 : ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
  if (code == 0 && bytes != 0) {
    memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) code = errno;
  }
  ::close(file);
  if (code != 0) {
    ::unlink(path.c_str());
    throw io_error(path, "cannot reserve " + std::to_string(bytes) + " bytes", code);
  }
  if (bytes != 0) bytes_ = {static_cast<std::uint8_t*>(memory), bytes};
}

MappedOutput::MappedOutput(MappedOutput&& other) noexcept
    : path_(std::move(other.path_)), bytes_(std::exchange(other.bytes_, {})) {}

MappedOutput& MappedOutput::operator=(MappedOutput&& other) noexcept {
  if (this != &other) {
    unmap(bytes_);
    path_ = std::move(other.path_);
    bytes_ = std::exchange(other.bytes_, {});
  }
  return *this;
}

MappedOutput::~MappedOutput() {
  unmap(bytes_);
}

void MappedOutput::sync() const {
  if (!bytes_.empty() && ::msync(bytes_.data(), bytes_.size(), MS_SYNC) != 0) {
    throw io_error(path_, "cannot write", errno);
  }
}

OutputFolder::OutputFolder(const fs::path& path) : final_(path.has_filename() ? path : path.parent_path()) {
  std::error_code error;
  const fs::path parent = final_.has_parent_path() ? final_.parent_path() : fs::path(".");
  if (!fs::is_directory(parent, error)) throw IoError(parent.string() + ": this folder does not exist");
  if (fs::exists(final_, error) && !(fs::is_directory(final_, error) && fs::is_empty(final_, error))) {
    throw IoError(final_.string() + ": exists already; name a new or an empty folder");
  }
  temporary_ = parent / ("." + final_.filename().string() + ".partial-" + std::to_string(::getpid()));
  if (!fs::create_directory(temporary_, error)) {
    throw io_error(temporary_, "cannot create the folder", error ? error.value() : EEXIST);
  }
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

void OutputFolder::make_folder(const fs::path& name) const {
  std::error_code error;
  fs::create_directory(temporary_ / name, error);
  if (error) throw io_error(temporary_ / name, "cannot create the folder", error.value());
}

void OutputFolder::commit() {
  std::error_code error;
  fs::rename(temporary_, final_, error);
  if (error) throw io_error(final_, "cannot rename " + temporary_.string(), error.value());
  temporary_.clear();
}

}  // namespace proofline
