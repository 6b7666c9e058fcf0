#pragma once
/// Proving parameters in bellperson's file layout, mapped: the verifying key, then the lists h, l, a,
/// b_g1 (G1) and b_g2 (G2), each a u32 BE count and its uncompressed points.
///   h    tau^i * t(tau) / delta, one fewer than the evaluation domain has elements
///   l    one point an aux variable
///   a    one point an input, then one an aux variable that occurs in an A row
///   b    one point a variable that occurs in a B row, inputs first; in G1 and in G2
/// Points are decoded where they are used, block by block, so a file of any size needs little memory.
#include <cstdint>
#include <filesystem>
#include <string>

#include "base/executor.hpp"
#include "base/file.hpp"
#include "base/progress.hpp"
#include "groth16/verifying_key.hpp"
#include "math/msm.hpp"

namespace proofline::groth16 {

/// One list of points inside the file.
struct QueryLocation {
  const char* name = "";
  std::size_t offset = 0;  ///< of the first point
  std::size_t count = 0;
};

class MappedParameters {
 public:
  /// Maps and checks the layout and the whole verifying key. Throws InputError when the file is cut
  /// short, too long, or counts disagree with each other.
  explicit MappedParameters(const std::filesystem::path& path);

  const VerifyingKey& verifying_key() const { return key_; }
  const std::filesystem::path& path() const { return file_.path(); }
  std::span<const std::uint8_t> bytes() const { return file_.bytes(); }
  const QueryLocation& h() const { return h_; }
  const QueryLocation& l() const { return l_; }
  const QueryLocation& a() const { return a_; }
  const QueryLocation& b_g1() const { return b_g1_; }
  const QueryLocation& b_g2() const { return b_g2_; }
  /// Elements of the evaluation domain: h's count and one.
  std::size_t domain_size() const { return h_.count + 1; }

  /// Readers of points [first, ...) of a list; every point read is checked to be canonical, on the curve
  /// and not infinity (InputError naming file, list and index). They borrow *this.
  math::PointReader<math::G1Affine> read_g1(const QueryLocation& query, std::size_t first = 0) const;
  math::PointReader<math::G2Affine> read_g2(const QueryLocation& query, std::size_t first = 0) const;

  /// Lets go of the list's pages.
  void release(const QueryLocation& query) const;

  /// Checks every point of every list; with kSubgroup also that it is in the prime-order subgroup
  /// (about 20 us a point). Throws InputError at the first bad one.
  void check_points(math::PointCheck check, const Executor& exec, Progress& progress) const;

 private:
  MappedFile file_;
  VerifyingKey key_;
  QueryLocation h_, l_, a_, b_g1_, b_g2_;
};

/// First 16 bytes of the file's BLAKE2b-512, in hex: the digest that the published parameter list gives.
std::string parameter_digest(const std::filesystem::path& path, Progress& progress);

/// Looks the file's name up in a published list (JSON: name -> {"digest": hex, ...}). Returns the listed
/// digest, empty when the list does not have the name. Throws InputError for a list that is not one.
std::string published_digest(const std::filesystem::path& list, const std::string& file_name);

}  // namespace proofline::groth16
