#pragma once
/// What the subcommands of `verify` share: a proof file, a verifying key, and the answer.
#include <functional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "math/fr.hpp"

namespace proofline::cli {

struct ProofToVerify {
  std::string file;
  std::string params;  ///< one of this and `key`: where the verifying key is
  std::string key;
};

/// The argument PROOF, and the options --params and --vk, of which one must be given.
void add_proof_to_verify(CLI::App& app, ProofToVerify& proof);

/// The value of an option that is a field element in hex. Throws InputError naming the flag.
math::Fr field_option(const std::string& text, std::string_view flag);

/// What is proved: the number of partitions, and the public inputs (without ONE) of each.
struct ProvedStatement {
  std::size_t partitions = 0;
  std::function<std::vector<math::Fr>(std::size_t partition)> public_inputs;
};

/// Verifies and prints the answer: kDone, or kAnswerIsNo with the reason. Reading the statement, by `statement`, is
/// part of the time that is told.
int verify_command(const Common& common, const ProofToVerify& proof, const std::function<ProvedStatement()>& statement);

}  // namespace proofline::cli
