// The `proofline` command: parses, runs one subcommand, and turns errors into one line and an exit status.
#include <fmt/format.h>

#include <cstdio>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/error.hpp"
#include "cli/command.hpp"
#include "cli/top.hpp"

namespace {

using namespace proofline;

constexpr const char* kDescription =
    "Groth16 proofs for Filecoin sectors, bit-compatible with rust-fil-proofs.\n"
    "\n"
    "From a file to a verified proof of replication (PoRep):\n"
    "  sector seal      a file becomes a sealed test sector\n"
    "  sector c1        the sector answers its challenges (C1)\n"
    "  params generate  proving parameters for tests; production uses the published ones\n"
    "  prove porep      the answers become a Groth16 proof (C2)\n"
    "  verify porep     the proof is checked\n"
    "`proofline demo` does all of it at once. `proofline daemon` serves proofs to Curio and to `proofline submit`.";

constexpr const char* kFooter =
    "Exit status: 0 done; 1 the answer is no (a proof does not verify, parameters are not what they must be);\n"
    "2 bad usage or input, with one line that says what is wrong.\n"
    "`proofline SUBCOMMAND --help` shows a subcommand's options and examples.\n";

/// Vectors from a quarter of a megabyte on get pages of their own, which go back to the system when they are freed.
/// glibc raises its limit by and by to 32 MiB when it is not set, and keeps what is smaller: up to 70 MiB after a
/// proof.
void give_freed_memory_back() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 18);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}

void add_all(CLI::App& app, cli::Action& action) {
  CLI::App& sector = cli::add_group(app, "sector", "Seal and unseal test sectors; answer challenges (C1)");
  cli::add_sector_seal(sector, action);
  cli::add_sector_unseal(sector, action);
  cli::add_sector_c1(sector, action);
  cli::add_sector_synthesize(sector, action);
  cli::add_sector_update(sector, action);
  CLI::App& update = cli::add_group(app, "update", "Work with updated sectors (SnapDeals): proofs, decoding, removal");
  cli::add_update_vanilla(update, action);
  cli::add_update_decode(update, action);
  cli::add_update_remove(update, action);
  cli::add_update_synthesize(update, action);
  CLI::App& post = cli::add_group(app, "post", "Proofs of spacetime: challenges and vanilla proofs");
  cli::add_post_challenges(post, action);
  cli::add_post_winning_sector(post, action);
  cli::add_post_vanilla(post, action);
  cli::add_post_synthesize(post, action);
  CLI::App& params = cli::add_group(app, "params", "Make and look at proving parameters");
  cli::add_params_generate(params, action);
  cli::add_params_info(params, action);
  cli::add_params_check(params, action);
  CLI::App& prove = cli::add_group(app, "prove", "Make proofs");
  cli::add_prove_porep(prove, action);
  cli::add_prove_update(prove, action);
  cli::add_prove_posts(prove, action);
  CLI::App& verify = cli::add_group(app, "verify", "Verify proofs");
  cli::add_verify_porep(verify, action);
  cli::add_verify_update(verify, action);
  cli::add_verify_posts(verify, action);
  CLI::App& circuit = cli::add_group(app, "circuit", "Look at the proofs' circuits, and save them");
  cli::add_circuit_save(circuit, action);
  cli::add_circuit_stats(circuit, action);
  CLI::App& witness = cli::add_group(app, "witness", "Look at the circuits' witnesses");
  cli::add_witness_stats(witness, action);
  CLI::App& bench = cli::add_group(app, "bench", "Measure the engine under load");
  cli::add_bench_gpu(bench, action);
  cli::add_bench_prove(bench, action);
  cli::add_simulate(app, action);
  cli::add_plan(app, action);
  cli::add_daemon(app, action);
  CLI::App& config = cli::add_group(app, "config", "Look at a daemon's configuration");
  cli::add_config_check(config, action);
  cli::add_submit(app, action);
  cli::add_await(app, action);
  cli::add_cancel(app, action);
  cli::add_status(app, action);
  cli::add_top(app, action);
  cli::add_demo(app, action);
}

int fail(const std::string& message) {
  std::fflush(stdout);
  fmt::print(stderr, "proofline: error: {}\n", message);
  return cli::kBad;
}

/// The innermost subcommand that was named, as the user would type it.
std::string command_line(const CLI::App& app) {
  std::string text = "proofline";
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    text += " " + at->get_name();
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  give_freed_memory_back();
  CLI::App app(kDescription, "proofline");
  app.set_version_flag("--version", "proofline " PROOFLINE_VERSION);
  app.set_help_flag("-h,--help", "Show this help");
  app.footer(kFooter);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  cli::Action action;
  add_all(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> unknown = app.remaining(true);
    if (!unknown.empty()) {
      return fail(
          fmt::format("unknown subcommand or option \"{}\" (see {} --help)", unknown.front(), command_line(app)));
    }
    return fail(fmt::format("{} (see {} --help)", error.what(), command_line(app)));
  }
  try {
    const int status = action();
    // A full disk or a closed pipe behind standard output is an error, too.
    if (std::fflush(stdout) != 0) return fail("standard output cannot be written");
    return status;
  } catch (const std::bad_alloc&) {
    return fail("not enough memory");
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}
