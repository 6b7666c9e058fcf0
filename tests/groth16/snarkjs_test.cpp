/// An outside verifier's opinion: snarkjs on Node.
#include "groth16/snarkjs.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "groth16/prove.hpp"
#include "small_circuit.hpp"

namespace proofline::groth16 {
namespace {

TEST(Snarkjs, AgreesOnAProofAndOnABrokenOne) {
  if (!std::filesystem::exists(PROOFLINE_SNARKJS) || std::system("node --version > /dev/null 2>&1") != 0) {
    GTEST_SKIP() << "snarkjs or node is missing: run scripts/setup.sh";
  }
  const test::TempFolder folder;
  const Executor exec(2);
  generate_parameters(test::recorded_cubic(0), ToxicWaste::random(), folder / "p.params", exec, no_progress());
  const auto parameters = std::make_shared<MappedParameters>(folder / "p.params");
  const Proof proof = test::prove_circuit(test::cubic(3), parameters, Blinding::random(), exec);

  const auto write = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
  std::string last_output;
  const auto accepted = [&](const math::Fr& input) {
    write("key.json", snarkjs_verification_key(parameters->verifying_key()));
    write("proof.json", snarkjs_proof(proof));
    write("public.json", snarkjs_public(std::span(&input, 1)));
    const std::string command = "cd " + folder.path().string() +
                                " && node " PROOFLINE_SNARKJS
                                " groth16 verify key.json public.json proof.json > out.txt 2>&1";
    const int status = std::system(command.c_str());
    std::ifstream out(folder / "out.txt");
    const std::string text{std::istreambuf_iterator<char>(out), {}};
    EXPECT_EQ(status == 0, text.find("OK!") != std::string::npos) << text;
    last_output = text;
    return status == 0;
  };
  const math::Fr good = test::cubic_output(3);
  auto flipped = good.to_bytes();
  flipped[0] ^= 1;
  EXPECT_TRUE(accepted(good)) << last_output;
  EXPECT_FALSE(accepted(*math::Fr::from_bytes(flipped)));
}

}  // namespace
}  // namespace proofline::groth16
