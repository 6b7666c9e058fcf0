// Parameters made on the device, byte for byte those of the host, and their way to a file and back.
#include "device/cuda/setup.hpp"

#include "device/cuda/device.hpp"
#include "device/cuda/memory.hpp"
#include "device/cuda/parameter_transfer.hpp"
#include "filecoin/post_circuit.hpp"
#include "groth16/small_circuit.hpp"
#include "support/test_data.hpp"

namespace proofline::cuda {
namespace {

using groth16::ToxicWaste;

/// Room for parameters on the device, which looks like nothing at first.
class Room {
 public:
  explicit Room(const ParameterCounts& counts) : memory_(counts.bytes()) {
    Arena arena(memory_.span());
    points = counts.take(arena);
  }
  ParameterPoints points;

 private:
  test::DeviceArray<std::byte> memory_;
};

void expect_like_host(const r1cs::StructuredR1cs& circuit) {
  const test::TempFolder folder;
  const Executor exec;
  const OwnedStream stream;
  const ToxicWaste waste = ToxicWaste::insecure_from_seed(8);
  const groth16::VerifyingKey expected =
      groth16::generate_parameters(circuit, waste, folder / "host.params", exec, no_progress());
  const auto host = test::read_bytes(folder / "host.params");

  const Room made(parameter_counts(circuit));
  {
    test::DeviceArray<std::byte> scratch(setup_device_bytes());
    const groth16::VerifyingKey key =
        make_parameters(circuit, waste, made.points, Arena(scratch.span()), stream.get(), exec, no_progress());
    EXPECT_TRUE(key == expected);
  }
  write_parameters(expected, made.points, folder / "made.params", stream.get(), exec, no_progress());
  EXPECT_TRUE(test::read_bytes(folder / "made.params") == host);

  const groth16::MappedParameters file(folder / "host.params");
  const Room loaded(parameter_counts(file));
  load_parameters(file, loaded.points, stream.get(), exec, no_progress());
  write_parameters(file.verifying_key(), loaded.points, folder / "loaded.params", stream.get(), exec, no_progress());
  EXPECT_TRUE(test::read_bytes(folder / "loaded.params") == host);
}

TEST(DeviceSetup, MakesTheHostsParametersOfASmallCircuit) {
  PROOFLINE_NEEDS_DEVICE();
  expect_like_host(test::recorded_cubic(3, 20));
}

TEST(DeviceSetup, MakesTheHostsParametersOfAWinningPost) {
  PROOFLINE_NEEDS_DEVICE();
  expect_like_host(
      filecoin::record_post(filecoin::post_shape(filecoin::PostKind::kWinning, filecoin::sector_shape("2KiB"))));
}

TEST(DeviceSetup, SizesAreChecked) {
  const r1cs::StructuredR1cs circuit = test::recorded_cubic(3);
  EXPECT_THROW(
      make_parameters(circuit, ToxicWaste::insecure_from_seed(1), {}, Arena({}), nullptr, Executor(1), no_progress()),
      InputError);
}

TEST(DeviceSetup, CountsAreThoseOfTheFile) {
  const test::TempFolder folder;
  const r1cs::StructuredR1cs circuit = test::recorded_cubic(3);
  groth16::generate_parameters(circuit, ToxicWaste::insecure_from_seed(1), folder / "p.params", Executor(1),
                               no_progress());
  const groth16::MappedParameters file(folder / "p.params");
  const ParameterCounts made = parameter_counts(circuit), read = parameter_counts(file);
  EXPECT_EQ(made.h, read.h);
  EXPECT_EQ(made.l, read.l);
  EXPECT_EQ(made.a, read.a);
  EXPECT_EQ(made.b, read.b);
  EXPECT_THROW(load_parameters(file, {}, nullptr, Executor(1), no_progress()), InputError);
}

TEST(LoadingParameters, ABadPointIsNamed) {
  PROOFLINE_NEEDS_DEVICE();
  const test::TempFolder folder;
  groth16::generate_parameters(test::recorded_cubic(3), ToxicWaste::insecure_from_seed(1), folder / "p.params",
                               Executor(1), no_progress());
  auto bytes = test::read_bytes(folder / "p.params");
  {
    const groth16::MappedParameters file(folder / "p.params");
    bytes[file.b_g2().offset + 192 + 100] ^= 1;
  }
  test::write_bytes(folder / "bad.params", bytes);
  const groth16::MappedParameters bad(folder / "bad.params");
  const Room room(parameter_counts(bad));
  const OwnedStream stream;
  try {
    load_parameters(bad, room.points, stream.get(), Executor(1), no_progress());
    FAIL() << "a bad point was taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("b_g2[1]"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace proofline::cuda
