#include "groth16/parameter_writer.hpp"

#include <algorithm>

#include "base/byte_reader.hpp"

namespace proofline::groth16 {

ParameterWriter::ParameterWriter(const std::filesystem::path& path, const Executor& exec, Progress& progress)
    : file_(path), exec_(exec), progress_(progress) {}

void ParameterWriter::key(const VerifyingKey& key) {
  file_.write(key.to_bytes());
}

void ParameterWriter::begin(const char* name, std::size_t count) {
  std::vector<std::uint8_t> header;
  append_count(header, count);
  file_.write(header);
  name_ = name;
  count_ = count;
  done_ = 0;
}

template <class Affine>
void ParameterWriter::append_encoded(std::span<const Affine> points) {
  bytes_.resize(points.size() * Affine::kUncompressed);
  exec_.parallel_for(points.size(), 1 << 10, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto encoded = points[i].to_uncompressed();
      std::copy(encoded.begin(), encoded.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(i * encoded.size()));
    }
  });
  file_.write(bytes_);
  done_ += points.size();
  progress_.report(name_, done_, count_);
}

void ParameterWriter::append(std::span<const math::G1Affine> points) {
  append_encoded(points);
}
void ParameterWriter::append(std::span<const math::G2Affine> points) {
  append_encoded(points);
}

void ParameterWriter::commit() {
  file_.commit();
}

}  // namespace proofline::groth16
