#pragma once
/// Writing a parameter file (layout: parameters.hpp) block by block.
#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "base/executor.hpp"
#include "base/file.hpp"
#include "base/progress.hpp"
#include "groth16/verifying_key.hpp"

namespace proofline::groth16 {

/// Takes the key and then the lists h, l, a, b_g1 and b_g2 in that order. Everything throws IoError when the file
/// cannot be written; without commit() no file is left.
class ParameterWriter {
 public:
  /// Borrows the executor, which encodes the points, and the progress, to which each list's points are reported.
  ParameterWriter(const std::filesystem::path& path, const Executor& exec, Progress& progress);

  void key(const VerifyingKey& key);
  /// Begins a list of `count` points. `name` is for the progress and must live as long as the list is written.
  void begin(const char* name, std::size_t count);
  /// The list's next points. Memory beside them: their encoding.
  void append(std::span<const math::G1Affine> points);
  void append(std::span<const math::G2Affine> points);
  void commit();

 private:
  template <class Affine>
  void append_encoded(std::span<const Affine> points);

  AtomicFile file_;
  const Executor& exec_;
  Progress& progress_;
  std::vector<std::uint8_t> bytes_;
  const char* name_ = "";
  std::size_t count_ = 0, done_ = 0;
};

}  // namespace proofline::groth16
