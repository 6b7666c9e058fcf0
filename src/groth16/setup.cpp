#include "groth16/setup.hpp"

#include <algorithm>
#include <vector>

#include "groth16/parameter_writer.hpp"
#include "groth16/setup_scalars.hpp"

namespace proofline::groth16 {

using math::Fr;
using math::G1;
using math::G1Affine;
using math::G2;
using math::G2Affine;

namespace {

/// Points a block between the multiplication and the file.
constexpr std::size_t kBlock = 1 << 16;

/// Multiplies a list's scalars with a generator into the file.
class ListWriter {
 public:
  ListWriter(const r1cs::StructuredR1cs& circuit, const SetupScalars& scalars, ParameterWriter& writer,
             const Executor& exec)
      : circuit_(circuit), scalars_(scalars), writer_(writer), exec_(exec) {}

  template <class Point>
  void write(const char* name, PointList list, const math::FixedBase<Point>& generator) const {
    const std::size_t count = count_points(circuit_, list);
    writer_.begin(name, count);
    std::vector<typename Point::Affine> points(std::min(count, kBlock));
    scalars_.make({list}, [&](PointList, std::size_t, std::span<const Fr> scalars) {
      for (std::size_t first = 0; first < scalars.size(); first += kBlock) {
        const std::size_t size = std::min(kBlock, scalars.size() - first);
        const auto block = std::span(points).first(size);
        generator.multiply(scalars.subspan(first, size), block, exec_);
        writer_.append(block);
      }
    });
  }

 private:
  const r1cs::StructuredR1cs& circuit_;
  const SetupScalars& scalars_;
  ParameterWriter& writer_;
  const Executor& exec_;
};

}  // namespace

VerifyingKey make_verifying_key(const ToxicWaste& waste, std::span<const Fr> ic, const math::FixedBaseG1& generator,
                                const Executor& exec) {
  VerifyingKey key;
  key.alpha_g1 = (G1::generator() * waste.alpha).to_affine();
  key.beta_g1 = (G1::generator() * waste.beta).to_affine();
  key.beta_g2 = (G2::generator() * waste.beta).to_affine();
  key.gamma_g2 = (G2::generator() * waste.gamma).to_affine();
  key.delta_g1 = (G1::generator() * waste.delta).to_affine();
  key.delta_g2 = (G2::generator() * waste.delta).to_affine();
  key.ic.resize(ic.size());
  generator.multiply(ic, key.ic, exec);
  return key;
}

VerifyingKey generate_parameters(const r1cs::StructuredR1cs& circuit, const ToxicWaste& waste,
                                 const std::filesystem::path& path, const Executor& exec, Progress& progress) {
  // First, so that a path that cannot be written ends this before the work.
  ParameterWriter writer(path, exec, progress);
  const SetupScalars scalars(circuit, waste, exec);
  const math::FixedBaseG1 g1(G1Affine::generator(), exec);
  const math::FixedBaseG2 g2(G2Affine::generator(), exec);
  VerifyingKey key;
  {
    SecretVector<Fr> ic(circuit.num_inputs);
    scalars.make({PointList::kIc}, [&](PointList, std::size_t first, std::span<const Fr> block) {
      std::copy(block.begin(), block.end(), ic.span().subspan(first).begin());
    });
    key = make_verifying_key(waste, ic.span(), g1, exec);
  }
  writer.key(key);
  const ListWriter lists(circuit, scalars, writer, exec);
  lists.write("h", PointList::kH, g1);
  lists.write("l", PointList::kL, g1);
  lists.write("a", PointList::kA, g1);
  lists.write("b_g1", PointList::kB, g1);
  lists.write("b_g2", PointList::kB, g2);
  writer.commit();
  return key;
}

}  // namespace proofline::groth16
