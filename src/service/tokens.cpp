#include "service/tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "base/error.hpp"
#include "base/secret.hpp"

namespace proofline::service {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLeastLength = 16;

Sha256Digest digest_of(std::string_view text) {
  return sha256({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

/// Without a branch on the bytes.
bool same(const Sha256Digest& a, const Sha256Digest& b) {
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned>(a[i] ^ b[i]);
  return difference == 0;
}

std::string_view trimmed(std::string_view line) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t')) line.remove_suffix(1);
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  return line;
}

std::vector<Sha256Digest> read(const fs::path& file) {
  std::error_code error;
  const fs::perms mode = fs::status(file, error).permissions();
  if (error || !fs::is_regular_file(file, error))
    throw IoError(fmt::format("daemon.token_file: {}: {}", file.string(), error ? error.message() : "is no file"));
  if ((mode & fs::perms::others_all) != fs::perms::none)
    throw InputError(fmt::format("daemon.token_file: {}: every user can read it; chmod 640 or 600", file.string()));
  constexpr std::uintmax_t kMost = 64 * 1024;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error || size > kMost)
    throw InputError(fmt::format("daemon.token_file: {}: expected at most {} bytes", file.string(), kMost));
  SecretVector<char> text(static_cast<std::size_t>(size));
  std::ifstream in(file, std::ios::binary);
  in.rdbuf()->pubsetbuf(nullptr, 0);
  if (!in.read(text.span().data(), static_cast<std::streamsize>(text.size())) && size > 0)
    throw IoError(fmt::format("daemon.token_file: {}: cannot be read", file.string()));

  std::vector<Sha256Digest> out;
  std::string_view rest(text.span().data(), text.size());
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty() || line.starts_with('#')) continue;
    if (line.size() < kLeastLength || line.find(' ') != std::string_view::npos) {
      throw InputError(
          fmt::format("daemon.token_file: {}:{}: expected a token of at least {} characters without spaces",
                      file.string(), number, kLeastLength));
    }
    out.push_back(digest_of(line));
  }
  if (out.empty()) throw InputError(fmt::format("daemon.token_file: {}: has no token", file.string()));
  return out;
}

}  // namespace

void Tokens::load(const fs::path& file) {
  std::vector<Sha256Digest> digests;
  if (!file.empty()) digests = read(file);
  const std::lock_guard lock(mutex_);
  asked_ = !file.empty();
  digests_ = std::move(digests);
}

bool Tokens::accept(std::string_view authorization) const {
  const std::lock_guard lock(mutex_);
  if (!asked_) return true;
  constexpr std::string_view kScheme = "bearer ";
  if (authorization.size() < kScheme.size()) return false;
  for (std::size_t i = 0; i < kScheme.size(); ++i) {
    const char c = authorization[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c) != kScheme[i]) return false;
  }
  const Sha256Digest digest = digest_of(authorization.substr(kScheme.size()));
  bool good = false;
  for (const Sha256Digest& known : digests_) good |= same(known, digest);
  return good;
}

}  // namespace proofline::service
