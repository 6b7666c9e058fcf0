#pragma once
/// What all subcommands share. Each has a file of its own with one function add_...(parent, action) that declares its
/// arguments; when they have been parsed, the subcommand's callback sets `action`, and main runs it.
#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/executor.hpp"

namespace proofline::cli {

/// Exit statuses. Errors (bad usage or input) are exceptions; main turns them into kBad.
inline constexpr int kDone = 0;
inline constexpr int kAnswerIsNo = 1;
inline constexpr int kBad = 2;

/// The work of the subcommand that was given; returns the exit status.
using Action = std::function<int()>;

using Json = nlohmann::ordered_json;

/// Options that every subcommand takes.
struct Common {
  bool json = false;
  bool quiet = false;
  unsigned threads = 0;

  Executor executor() const { return Executor(threads); }
};

void add_common(CLI::App& app, Common& common);

/// Examples below a subcommand's options, one line each.
void add_examples(CLI::App& app, std::string_view lines);

/// 32 bytes given in hex. Throws InputError naming the flag.
std::array<std::uint8_t, 32> bytes32_option(const std::string& text, std::string_view flag);

/// One JSON document on standard output, for --json.
void print_json(const Json& document);

/// A subcommand with subcommands of its own.
CLI::App& add_group(CLI::App& parent, const std::string& name, const std::string& description);

void add_sector_seal(CLI::App& sector, Action& action);
void add_sector_unseal(CLI::App& sector, Action& action);
void add_sector_c1(CLI::App& sector, Action& action);
void add_sector_synthesize(CLI::App& sector, Action& action);
void add_sector_update(CLI::App& sector, Action& action);
void add_update_decode(CLI::App& update, Action& action);
void add_update_remove(CLI::App& update, Action& action);
void add_update_synthesize(CLI::App& update, Action& action);
void add_update_vanilla(CLI::App& update, Action& action);
void add_params_generate(CLI::App& params, Action& action);
void add_params_info(CLI::App& params, Action& action);
void add_params_check(CLI::App& params, Action& action);
void add_prove_porep(CLI::App& prove, Action& action);
void add_prove_update(CLI::App& prove, Action& action);
void add_verify_porep(CLI::App& verify, Action& action);
void add_verify_update(CLI::App& verify, Action& action);
void add_prove_posts(CLI::App& prove, Action& action);
void add_verify_posts(CLI::App& verify, Action& action);
void add_post_challenges(CLI::App& post, Action& action);
void add_post_winning_sector(CLI::App& post, Action& action);
void add_post_vanilla(CLI::App& post, Action& action);
void add_post_synthesize(CLI::App& post, Action& action);
void add_circuit_save(CLI::App& circuit, Action& action);
void add_circuit_stats(CLI::App& circuit, Action& action);
void add_witness_stats(CLI::App& witness, Action& action);
void add_bench_gpu(CLI::App& bench, Action& action);
void add_bench_prove(CLI::App& bench, Action& action);
void add_simulate(CLI::App& root, Action& action);
void add_plan(CLI::App& root, Action& action);
void add_daemon(CLI::App& root, Action& action);
void add_config_check(CLI::App& config, Action& action);
void add_submit(CLI::App& root, Action& action);
void add_await(CLI::App& root, Action& action);
void add_cancel(CLI::App& root, Action& action);
void add_status(CLI::App& root, Action& action);
void add_demo(CLI::App& root, Action& action);

}  // namespace proofline::cli
