#pragma once
/// The secret scalars of a trusted setup: each point of a parameter file is a generator times one of them. They come in
/// blocks of whole ranges of variables, and their memory is wiped.
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <span>

#include "base/executor.hpp"
#include "base/secret.hpp"
#include "groth16/toxic_waste.hpp"
#include "r1cs/structured.hpp"

namespace proofline::groth16 {

/// Lists of points: ic of the verifying key and those of the file. kB is both b_g1 and b_g2.
enum class PointList { kIc, kH, kL, kA, kB };

/// How many points a circuit's parameters have in a list.
std::size_t count_points(const r1cs::StructuredR1cs& circuit, PointList list);

class SetupScalars {
 public:
  /// Variables a range: small, for a processor that is busy with the points anyway.
  static constexpr std::size_t kVariables = std::size_t{1} << 22;

  /// Evaluates the domain's Lagrange polynomials at tau. Borrows everything. Memory: a field element for each element
  /// of the domain (at first half as many more) and, in make(), up to four for each of `range` variables. Gadgets that
  /// touch several ranges are evaluated for each: fewer ranges are faster. Throws InputError when an aux variable
  /// occurs in no row.
  SetupScalars(const r1cs::StructuredR1cs& circuit, const ToxicWaste& waste, const Executor& exec,
               std::size_t range = kVariables);

  /// Takes the scalars of points [first, first + scalars.size()) of a list. They are gone when it returns.
  using Use = std::function<void(PointList list, std::size_t first, std::span<const math::Fr> scalars)>;
  /// Makes all scalars of these lists, each list's from the first to the last. Lists that are asked for together share
  /// the work on a range of variables, and their blocks alternate.
  void make(std::initializer_list<PointList> lists, const Use& use) const;

 private:
  struct Range;
  void make_h(const Use& use) const;
  void combine(const Range& range, std::span<math::Fr> out) const;

  const r1cs::StructuredR1cs& circuit_;
  const ToxicWaste& waste_;
  const Executor& exec_;
  std::size_t range_;
  SecretArray<math::Fr> lagrange_;
  Secret<math::Fr> gamma_inverse_, delta_inverse_;
};

}  // namespace proofline::groth16
