// proofline top: a daemon's status, live.
#include "cli/top.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cli/client_command.hpp"

namespace proofline::cli {
namespace {

struct Options {
  ClientFlags client;
  bool once = false;
};

/// Another screen of the terminal, without cursor, while it lives.
class OtherScreen {
 public:
  OtherScreen() { put("\x1b[?1049h\x1b[?25l"); }
  OtherScreen(const OtherScreen&) = delete;
  OtherScreen& operator=(const OtherScreen&) = delete;
  ~OtherScreen() { put("\x1b[?25h\x1b[?1049l"); }

  static void show(const std::vector<std::string>& lines) {
    // Overwritten line by line, so that nothing flickers.
    std::string out = "\x1b[H";
    for (std::size_t i = 0; i < lines.size(); ++i) out += (i == 0 ? "" : "\r\n") + lines[i] + "\x1b[K";
    put(out + "\x1b[J");
  }

 private:
  static void put(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }
};

/// What ends the command, taken in turn instead of interrupting: the terminal is always restored.
class EndSignals {
 public:
  EndSignals() {
    ::sigemptyset(&set_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&set_, signal);
    ::pthread_sigmask(SIG_BLOCK, &set_, nullptr);
  }
  /// Whether one came within a second.
  bool wait() const {
    const timespec second{.tv_sec = 1, .tv_nsec = 0};
    return ::sigtimedwait(&set_, nullptr, &second) > 0;
  }

 private:
  sigset_t set_{};
};

TopView terminal_view() {
  TopView out;
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  out.colour = (no_colour == nullptr || *no_colour == 0) && terminal != nullptr && std::string_view(terminal) != "dumb";
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    out.columns = size.ws_col;
    out.rows = size.ws_row;
  }
  return out;
}

std::vector<std::string> asked(service::Client& client, const TopView& view) {
  const std::string text = client.status_json();
  if (text.empty()) throw InputError("this daemon tells no details; `proofline status` shows what it does tell");
  const Json status = Json::parse(text, nullptr, false);
  if (status.is_discarded()) throw InputError("the daemon's status is no JSON");
  return top_lines(status, view);
}

void print(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) fmt::print("{}\n", line);
  std::fflush(stdout);
}

int run(const Options& options) {
  // Before the client's threads are there, which inherit it.
  std::optional<EndSignals> signals;
  if (!options.once) signals.emplace();
  const std::unique_ptr<service::Client> client = make_client(options.client);
  constexpr TopView kPlain{.columns = 200, .rows = 0, .colour = false};
  if (options.once) {
    print(asked(*client, kPlain));
    return kDone;
  }
  std::optional<OtherScreen> screen;
  if (::isatty(STDOUT_FILENO) == 1) screen.emplace();
  do {
    const TopView view = screen ? terminal_view() : kPlain;
    std::vector<std::string> lines;
    try {
      lines = asked(*client, view);
    } catch (const service::CallError& error) {
      lines = {error.what(), "trying again each second"};
      for (std::string& line : lines) line.resize(std::min(line.size(), view.columns));
    }
    if (screen) {
      OtherScreen::show(lines);
    } else {
      print(lines);
    }
  } while (!signals->wait());
  return kDone;
}

}  // namespace

void add_top(CLI::App& root, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand(
      "top", "Watch a daemon: jobs, partitions, memory, devices, refreshed each second, until Ctrl-C");
  add_client_flags(*app, options->client);
  app->add_flag("--once", options->once, "Print it once, as plain text");
  add_examples(*app,
               "proofline top\n"
               "proofline top --once --address unix:///run/proofline/proofline.sock");
  app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace proofline::cli
