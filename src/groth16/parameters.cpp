#include "groth16/parameters.hpp"

#include <openssl/evp.h>

#include <atomic>
#include <bit>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/byte_reader.hpp"
#include "math/point_decoding.hpp"

namespace proofline::groth16 {

using math::G1Affine;
using math::G2Affine;
using math::PointCheck;

namespace {

constexpr std::size_t kBlock = 1 << 12;

/// Reads a list's count and passes over its points.
QueryLocation take_query(std::span<const std::uint8_t>& rest, std::size_t file_size, std::size_t point_bytes,
                         const std::string& name, const char* list) {
  QueryLocation query{list, 0, take_count(rest, name, std::string("count of ") + list)};
  query.offset = file_size - rest.size();
  if (rest.size() / point_bytes < query.count) {
    throw InputError(name + ": truncated in " + list + " at byte " + std::to_string(query.offset) + ": " +
                     std::to_string(query.count) + " points of " + std::to_string(point_bytes) + " bytes expected, " +
                     std::to_string(rest.size()) + " bytes left");
  }
  rest = rest.subspan(query.count * point_bytes);
  return query;
}

[[noreturn]] void fail_at(const std::string& path, const QueryLocation& query, std::size_t index,
                          const std::string& what) {
  throw InputError(path + ": " + query.name + "[" + std::to_string(index) + "]" + what);
}

/// Decodes the points of a list with these indices, which count from `first`. Slower than decode_points, and names the
/// one that is wrong.
template <class Affine>
void decode_one_by_one(std::span<const std::uint8_t> list, const QueryLocation& query, const std::string& path,
                       std::size_t first, std::span<const std::uint32_t> indices, std::span<Affine> out,
                       PointCheck check) {
  for (std::size_t k = 0; k < out.size(); ++k) {
    const std::size_t index = first + indices[k];
    const auto bytes = list.subspan(index * Affine::kUncompressed).template first<Affine::kUncompressed>();
    try {
      out[k] = Affine::from_uncompressed(bytes, check, "");
    } catch (const InputError& error) {
      fail_at(path, query, index, error.what());
    }
    if (out[k].is_infinity()) fail_at(path, query, index, ": the point at infinity is not allowed here");
  }
}

template <class Affine>
void decode(std::span<const std::uint8_t> file, const QueryLocation& query, const std::string& path, std::size_t first,
            std::span<const std::uint32_t> indices, std::span<Affine> out, PointCheck check) {
  const auto list = file.subspan(query.offset, query.count * Affine::kUncompressed);
  if (check == PointCheck::kCurve && math::decode_points(list.subspan(first * Affine::kUncompressed), indices, out)) {
    return;
  }
  decode_one_by_one(list, query, path, first, indices, out, check);
}

/// Lets the pages go that a reader has passed. Its threads go through the list about in step; giving pages back costs
/// all of them, so it is done in large steps, and some way behind.
class PassedPages {
 public:
  explicit PassedPages(std::size_t begin) : dropped_to_(begin) {}
  void read_to(const MappedFile& file, std::size_t end) {
    std::size_t begin = dropped_to_.load(std::memory_order_relaxed);
    if (end < begin + 2 * kStep) return;
    const std::size_t to = end - kStep;
    if (dropped_to_.compare_exchange_strong(begin, to, std::memory_order_relaxed)) file.drop(begin, to);
  }

 private:
  static constexpr std::size_t kStep = std::size_t{8} << 20;
  std::atomic<std::size_t> dropped_to_;
};

template <class Affine>
math::PointReader<Affine> reader(const MappedFile& file, const QueryLocation& query, std::size_t first) {
  const std::size_t begin = query.offset + first * Affine::kUncompressed;
  return [&file, query, first, begin, passed = std::make_shared<PassedPages>(begin)](
             std::span<const std::uint32_t> indices, std::span<Affine> out) {
    decode<Affine>(file.bytes(), query, file.path().string(), first, indices, out, PointCheck::kCurve);
    if (!indices.empty()) passed->read_to(file, begin + indices.back() * Affine::kUncompressed);
  };
}

template <class Affine>
void check_query(const MappedParameters& parameters, const QueryLocation& query, PointCheck check, const Executor& exec,
                 Progress& progress) {
  // Reported from this thread between batches: Progress is not called concurrently.
  const std::size_t batch = kBlock * 4 * exec.threads();
  for (std::size_t done = 0; done < query.count; done += batch) {
    const std::size_t count = std::min(batch, query.count - done);
    exec.parallel_for(count, kBlock, [&](std::size_t begin, std::size_t end) {
      std::vector<Affine> points(end - begin);
      std::vector<std::uint32_t> indices(points.size());
      std::iota(indices.begin(), indices.end(), static_cast<std::uint32_t>(done + begin));
      decode<Affine>(parameters.bytes(), query, parameters.path().string(), 0, indices, points, check);
    });
    progress.report(query.name, done + count, query.count);
  }
  parameters.release(query);
}

}  // namespace

MappedParameters::MappedParameters(const std::filesystem::path& path) : file_(path) {
  const std::string name = path.string();
  std::span<const std::uint8_t> rest = file_.bytes();
  key_ = VerifyingKey::read(rest, name);
  const std::size_t size = file_.bytes().size();
  h_ = take_query(rest, size, G1Affine::kUncompressed, name, "h");
  l_ = take_query(rest, size, G1Affine::kUncompressed, name, "l");
  a_ = take_query(rest, size, G1Affine::kUncompressed, name, "a");
  b_g1_ = take_query(rest, size, G1Affine::kUncompressed, name, "b_g1");
  b_g2_ = take_query(rest, size, G2Affine::kUncompressed, name, "b_g2");
  if (!rest.empty()) {
    throw InputError(name + ": " + std::to_string(rest.size()) + " bytes follow the last list, b_g2, from byte " +
                     std::to_string(size - rest.size()));
  }
  const auto require = [&](bool holds, const std::string& what) {
    if (!holds) throw InputError(name + ": " + what);
  };
  require(std::has_single_bit(domain_size()),
          "h has " + std::to_string(h_.count) + " points, expected a power of two less one");
  require(b_g1_.count == b_g2_.count, "b_g1 has " + std::to_string(b_g1_.count) + " points and b_g2 " +
                                          std::to_string(b_g2_.count) + ", expected as many");
  require(a_.count >= key_.num_inputs() && a_.count <= key_.num_inputs() + l_.count,
          "a has " + std::to_string(a_.count) + " points, expected between " + std::to_string(key_.num_inputs()) +
              " (inputs) and " + std::to_string(key_.num_inputs() + l_.count) + " (inputs and aux)");
  require(b_g1_.count <= key_.num_inputs() + l_.count,
          "b_g1 has " + std::to_string(b_g1_.count) + " points, more than there are variables");
}

math::PointReader<G1Affine> MappedParameters::read_g1(const QueryLocation& query, std::size_t first) const {
  return reader<G1Affine>(file_, query, first);
}

math::PointReader<G2Affine> MappedParameters::read_g2(const QueryLocation& query, std::size_t first) const {
  return reader<G2Affine>(file_, query, first);
}

void MappedParameters::release(const QueryLocation& query) const {
  const std::size_t point_bytes = query.offset == b_g2_.offset ? G2Affine::kUncompressed : G1Affine::kUncompressed;
  file_.drop(query.offset, query.offset + query.count * point_bytes);
}

void MappedParameters::check_points(PointCheck check, const Executor& exec, Progress& progress) const {
  for (const QueryLocation* query : {&h_, &l_, &a_, &b_g1_})
    check_query<G1Affine>(*this, *query, check, exec, progress);
  check_query<G2Affine>(*this, b_g2_, check, exec, progress);
}

std::string parameter_digest(const std::filesystem::path& path, Progress& progress) {
  constexpr std::size_t kChunk = std::size_t{16} << 20;
  const MappedFile file(path);
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  std::array<std::uint8_t, 64> digest;
  bool good = context != nullptr && EVP_DigestInit_ex(context.get(), EVP_blake2b512(), nullptr) == 1;
  const auto bytes = file.bytes();
  for (std::size_t at = 0; good && at < bytes.size(); at += kChunk) {
    const auto chunk = bytes.subspan(at, std::min(kChunk, bytes.size() - at));
    good = EVP_DigestUpdate(context.get(), chunk.data(), chunk.size()) == 1;
    file.drop(at, at + chunk.size());
    progress.report("digest", at + chunk.size(), bytes.size());
  }
  if (!good || EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) != 1) {
    throw Error("BLAKE2b of " + path.string() + " failed in the crypto library");
  }
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (std::size_t i = 0; i < 16; ++i) {
    hex += kDigits[digest[i] >> 4];
    hex += kDigits[digest[i] & 15];
  }
  return hex;
}

std::string published_digest(const std::filesystem::path& list, const std::string& file_name) {
  const MappedFile file(list);
  const auto bytes = file.bytes();
  const auto json = nlohmann::json::parse(bytes.begin(), bytes.end(), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) {
    throw InputError(list.string() + ": not a parameter list: expected a JSON object of file names");
  }
  const auto entry = json.find(file_name);
  if (entry == json.end()) return {};
  if (!entry->is_object() || !entry->contains("digest") || !entry->at("digest").is_string()) {
    throw InputError(list.string() + ": " + file_name + ": expected a string \"digest\"");
  }
  return entry->at("digest").get<std::string>();
}

}  // namespace proofline::groth16
