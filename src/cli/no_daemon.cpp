// The daemon's subcommands in a build without it (cmake/daemon.cmake): they say what is missing.
#include "base/error.hpp"
#include "cli/command.hpp"
#include "cli/top.hpp"

namespace proofline::cli {
namespace {

void add_absent(CLI::App& parent, const char* name, Action& action) {
  CLI::App* app = parent.add_subcommand(name, "Not in this build, which is without the daemon");
  app->prefix_command();
  app->callback([&action] {
    action = []() -> int {
      throw Error(
          "this build is without the daemon and its clients, for want of " PROOFLINE_DAEMON_MISSING
          " when it was configured; install them and configure with -DPROOFLINE_DAEMON=ON (Debian 12, Ubuntu 24.04 and "
          "later have all)");
    };
  });
}

}  // namespace

void add_daemon(CLI::App& root, Action& action) {
  add_absent(root, "daemon", action);
}

void add_config_check(CLI::App& config, Action& action) {
  add_absent(config, "check", action);
}

void add_submit(CLI::App& root, Action& action) {
  add_absent(root, "submit", action);
}

void add_await(CLI::App& root, Action& action) {
  add_absent(root, "await", action);
}

void add_cancel(CLI::App& root, Action& action) {
  add_absent(root, "cancel", action);
}

void add_status(CLI::App& root, Action& action) {
  add_absent(root, "status", action);
}

void add_top(CLI::App& root, Action& action) {
  add_absent(root, "top", action);
}

}  // namespace proofline::cli
