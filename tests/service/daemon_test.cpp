// The command `proofline daemon` as a process: kills, signals, systemd's readiness, client commands.
#include <gmock/gmock.h>
#include <pty.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <chrono>
#include <set>
#include <thread>

#include "cli/run_command.hpp"
#include "engine/journal.hpp"
#include "service/client.hpp"
#include "service/last_resort.hpp"
#include "service/malformed.hpp"
#include "service/raw_http.hpp"

namespace proofline::service {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::run_proofline;
using testing::HasSubstr;

/// A daemon of 2 KiB WindowPoSts in a folder.
class Daemon {
 public:
  explicit Daemon(const fs::path& folder, std::vector<std::string> more = {}, std::string token = {})
      : folder_(folder), token_(std::move(token)) {
    if (!fs::exists(folder / "params")) {
      fs::create_directory(folder / "params");
      for (const fs::directory_entry& entry : fs::directory_iterator(test::data_path("params")))
        fs::copy_file(entry.path(), folder / "params" / entry.path().filename());
    }
    std::vector<std::string> arguments = {PROOFLINE_BINARY, "daemon",
                                          "--listen",       address(),
                                          "--set",          "daemon.state_dir=" + (folder / "state").string(),
                                          "--set",          "srs.param_cache=" + (folder / "params").string(),
                                          "--set",          "daemon.drain_timeout=20s"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const std::string log = log_file().string();
    process_ = ::fork();
    if (process_ == 0) {
      if (std::freopen(log.c_str(), "a", stderr) == nullptr) std::_Exit(126);
      ::execv(PROOFLINE_BINARY, argv.data());
      std::_Exit(127);
    }
    for (int i = 0; i < 600; ++i) {
      try {
        // A new client each time: one that has failed waits before it tries again.
        client().status();
        return;
      } catch (const CallError&) {
        std::this_thread::sleep_for(50ms);
      }
    }
    ADD_FAILURE() << "the daemon does not answer:\n" << log_text();
  }
  ~Daemon() {
    if (process_ > 0) end(SIGKILL);
  }
  /// Its exit status, or minus the signal that ended it.
  int end(int signal) {
    ::kill(process_, signal);
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  void send(int signal) const { ::kill(process_, signal); }
  std::string address() const { return "unix://" + (folder_ / "socket").string(); }
  fs::path log_file() const { return folder_ / "log"; }
  std::string log_text() const { return test::text_of(test::read_bytes(log_file())); }
  Client client() const { return client(token_); }
  Client client(const std::string& token) const { return Client({.address = address(), .token = token, .tls_ca = {}}); }

 private:
  fs::path folder_;
  std::string token_;
  pid_t process_ = 0;
};

Submission window(const std::string& id) {
  cuzk::v1::SubmitProofRequest message = test::golden_window_request();
  message.set_request_id(id);
  return take_submission(message);
}

bool becomes(const std::function<bool()>& condition) {
  for (int i = 0; i < 1000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

TEST(Daemon, KilledAgainAndAgainItKeepsEveryJobOnce) {
  const test::TempFolder folder;
  std::set<std::string> ids;
  for (int round = 0; round < 3; ++round) {
    Daemon daemon(folder.path());
    Client client = daemon.client();
    for (int i = 0; i < 4; ++i) {
      const std::string id = "wdpost-1000-" + std::to_string(round) + "-" + std::to_string(i);
      client.submit(window(id));
      ids.insert(id);
    }
    // In the middle of a proof, at another place each time.
    std::this_thread::sleep_for(150ms * (round + 1));
    daemon.end(SIGKILL);
  }
  Daemon daemon(folder.path());
  Client client = daemon.client();
  std::map<std::string, engine::Bytes> proofs;
  for (const std::string& id : ids) {
    client.submit(window(id));
    const JobResult result = client.prove(window(id), 0ms);
    EXPECT_EQ(result.outcome, JobOutcome::kDone) << result.error;
    EXPECT_EQ(result.proof.size(), 192U);
    proofs[id] = result.proof;
  }
  for (const std::string& id : ids) EXPECT_EQ(client.await(id, 0ms).proof, proofs[id]);
  EXPECT_EQ(daemon.end(SIGTERM), 0);
  const engine::Journal journal(folder / "state" / "journal.sqlite");
  EXPECT_TRUE(journal.unfinished().empty());
  EXPECT_EQ(journal.finished(100).size(), ids.size());
}

TEST(Daemon, SigtermLetsProofsInProgressEndAndKeepsTheOthers) {
  const test::TempFolder folder;
  Daemon daemon(folder.path(), {"--set", "synthesis.witness_workers=1", "--set", "scheduler.proofs_in_flight=1"});
  Client client = daemon.client();
  for (int i = 0; i < 5; ++i) client.submit(window("job-" + std::to_string(i)));
  JobResult in_progress;
  std::thread waiting([&] { in_progress = client.await("job-0", 0ms); });
  ASSERT_TRUE(becomes([&] { return client.status().queues[2].in_progress > 0; }));
  EXPECT_EQ(daemon.end(SIGTERM), 0) << daemon.log_text();
  waiting.join();
  EXPECT_EQ(in_progress.outcome, JobOutcome::kDone) << in_progress.error;
  EXPECT_THAT(daemon.log_text(), HasSubstr("jobs in progress have ended"));
  Daemon next(folder.path());
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(next.client().await("job-" + std::to_string(i), 0ms).outcome, JobOutcome::kDone);
  EXPECT_EQ(next.end(SIGINT), 0);
}

TEST(Daemon, SighupTakesOverWhatCanBe) {
  const test::TempFolder folder;
  const fs::path file = folder / "p.toml";
  const auto write = [&](const std::string& text) {
    test::write_bytes(file, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  };
  write("[daemon]\nmax_jobs_per_client = 1\n");
  Daemon daemon(folder.path(), {"--config", file.string()});
  const auto reloaded = [&](const std::string& text) {
    daemon.send(SIGHUP);
    return becomes([&] { return daemon.log_text().find(text) != std::string::npos; });
  };
  write("[daemon]\nmax_jobs_per_client = 7\nmax_calls = 5\n[logging]\nlevel = \"debug\"\n");
  EXPECT_TRUE(reloaded("configuration reloaded")) << daemon.log_text();
  EXPECT_THAT(daemon.log_text(), HasSubstr("change takes effect at the next start key=daemon.max_calls"));
  write("[daemon]\nmax_job_per_client = 7\n");
  EXPECT_TRUE(reloaded("configuration not reloaded")) << daemon.log_text();
  EXPECT_THAT(daemon.log_text(), HasSubstr("there is no key"));
  EXPECT_EQ(daemon.client().status().done, 0U) << "it goes on";
  EXPECT_EQ(daemon.end(SIGTERM), 0);
}

unsigned http_port(const Daemon& daemon) {
  const std::string log = daemon.log_text(), before = "http://127.0.0.1:";
  const std::size_t at = log.find(before);
  if (at == std::string::npos) throw InputError("no HTTP:\n" + log);
  return static_cast<unsigned>(std::stoul(log.substr(at + before.size())));
}

TEST(Daemon, SighupChangesTheTokensOfBothProtocols) {
  const test::TempFolder folder;
  const fs::path tokens = folder / "tokens";
  const auto write = [&](const std::string& text) {
    fs::remove(tokens);
    test::write_bytes(tokens, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    fs::permissions(tokens, fs::perms::owner_read | fs::perms::owner_write);
  };
  const std::string first = "the-first-token-of-all", second = "the-second-token-of-all";
  write(first + "\n");
  Daemon daemon(folder.path(), {"--set", "daemon.token_file=" + tokens.string(), "--status-listen", "127.0.0.1:0"},
                first);
  const auto http = [&, port = http_port(daemon)](const std::string& token) {
    test::RawConnection connection(port);
    connection.send("GET /status HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + "\r\n\r\n");
    return connection.receive().status;
  };
  const auto expect_token = [&](const std::string& good, const std::string& bad) {
    EXPECT_EQ(daemon.client(good).status().done, 0U);
    EXPECT_THROW(daemon.client(bad).status(), CallError);
    EXPECT_EQ(http(good), 200U);
    EXPECT_EQ(http(bad), 401U);
  };
  expect_token(first, second);
  write(second + "\n");
  expect_token(first, second);
  daemon.send(SIGHUP);
  EXPECT_TRUE(becomes([&] { return http(second) == 200; })) << daemon.log_text();
  expect_token(second, first);
  // What cannot be read changes nothing.
  write("short\n");
  daemon.send(SIGHUP);
  EXPECT_TRUE(becomes([&] { return daemon.log_text().find("configuration not reloaded") != std::string::npos; }));
  expect_token(second, first);
  EXPECT_EQ(daemon.end(SIGTERM), 0);
}

TEST(LastResort, EndsAProcessThatHangs) {
  const Log log({.level = "off", .format = LogFormat::kText});
  EXPECT_EXIT(
      {
        const LastResort last_resort(50ms, log);
        std::this_thread::sleep_for(60s);
      },
      testing::ExitedWithCode(0), "");
  const auto begin = std::chrono::steady_clock::now();
  { const LastResort not_needed(60s, log); }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
}

TEST(Daemon, SystemdIsToldOfReadinessAndEnd) {
  const test::TempFolder folder;
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = (folder / "notify").string();
  std::copy(path.begin(), path.end(), address.sun_path);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  const timeval timeout{.tv_sec = 20, .tv_usec = 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
  const auto next = [&] {
    char text[256];
    const ssize_t size = ::recv(socket, text, sizeof(text), 0);
    return std::string(text, size < 0 ? 0 : static_cast<std::size_t>(size));
  };
  ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
  Daemon daemon(folder.path());
  ::unsetenv("NOTIFY_SOCKET");
  EXPECT_THAT(next(), testing::StartsWith("READY=1\nSTATUS=Serving unix:"));
  daemon.send(SIGHUP);
  EXPECT_THAT(next(), testing::StartsWith("RELOADING=1\nMONOTONIC_USEC="));
  EXPECT_EQ(next(), "READY=1");
  EXPECT_EQ(daemon.end(SIGTERM), 0);
  EXPECT_EQ(next(), "STOPPING=1");
  ::close(socket);
}

TEST(Daemon, ClientCommandsSubmitAwaitCancelAndShow) {
  const test::TempFolder folder;
  const Daemon daemon(folder.path());
  const fs::path post = folder / "post";
  fs::create_directory(post);
  const fs::path golden = test::data_path("posts/window-2k-1");
  fs::copy_file(golden / "inputs.json", post / "post.json");
  for (const char* name : {"vanilla-0.bin", "vanilla-1.bin"}) fs::copy_file(golden / name, post / name);
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--address", daemon.address()});
    return run_proofline(arguments);
  };
  const std::string proof = (folder / "proof").string();
  const auto made = run({"submit", "window-post", post.string(), "-o", proof, "--request-id", "a [1 2]", "--json"});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(made.json().at("outcome"), "done");
  EXPECT_EQ(test::read_bytes(proof).size(), 192U);
  EXPECT_EQ(run({"submit", "window-post", post.string(), "--request-id", "b", "--json"}).json().at("job"), "b");
  EXPECT_EQ(run({"await", "b", "--timeout", "1m", "--json"}).json().at("outcome"), "done");
  EXPECT_EQ(run({"cancel", "b", "--json"}).json().at("was_running"), false);
  EXPECT_EQ(run({"cancel", "b"}).status, 1);
  const auto status = run({"status", "--json"}).json();
  EXPECT_EQ(status.at("done"), 2);
  EXPECT_EQ(status.at("queues").size(), 4U);
  EXPECT_THAT(run({"status"}).out, HasSubstr("2 proofs done"));
  const auto unknown = run({"await", "nobody"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("NOT_FOUND: job_id: there is no job \"nobody\""));
  const auto nowhere = run_proofline({"status", "--address", "unix://" + (folder / "none").string()});
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("UNAVAILABLE"));
}

TEST(Daemon, TopPrintsOnceAndIsLiveUntilCtrlC) {
  const test::TempFolder folder;
  {
    Daemon daemon(folder.path());
    Client client = daemon.client();
    EXPECT_EQ(client.prove(window("<top>"), 0ms).outcome, JobOutcome::kDone);
    const auto once = run_proofline({"top", "--once", "--address", daemon.address()});
    ASSERT_EQ(once.status, 0) << once.err;
    EXPECT_THAT(once.out, testing::AllOf(HasSubstr(": serving, up "), HasSubstr("jobs: 0 running, 0 waiting; 1 done"),
                                         HasSubstr("<top>"), HasSubstr("wpost-2k")));
    EXPECT_THAT(once.out, testing::Not(HasSubstr("\x1b")));

    const std::string address = daemon.address();
    int terminal = -1;
    winsize size{.ws_row = 20, .ws_col = 60, .ws_xpixel = 0, .ws_ypixel = 0};
    const pid_t top = ::forkpty(&terminal, nullptr, nullptr, &size);
    if (top == 0) {
      ::execl(PROOFLINE_BINARY, PROOFLINE_BINARY, "top", "--address", address.c_str(), nullptr);
      std::_Exit(127);
    }
    std::string seen;
    const auto read_until = [&](std::string_view wanted) {
      char part[4096];
      while (seen.find(wanted) == std::string::npos) {
        const ssize_t got = ::read(terminal, part, sizeof(part));
        if (got <= 0) break;
        seen.append(part, static_cast<std::size_t>(got));
      }
    };
    read_until("serving");
    EXPECT_THAT(seen, testing::StartsWith("\x1b[?1049h\x1b[?25l"));
    daemon.end(SIGKILL);
    read_until("trying again each second");
    ASSERT_EQ(::write(terminal, "\x03", 1), 1);
    read_until("\x1b[?1049l");
    EXPECT_THAT(seen, testing::EndsWith("\x1b[?25h\x1b[?1049l")) << "the terminal is as it was";
    int status = 0;
    ::waitpid(top, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    ::close(terminal);
  }
  EXPECT_EQ(run_proofline({"top", "--once", "--address", "unix://" + (folder / "none").string()}).status, 2);
}

TEST(Daemon, TellsOverHttpFromItsStartToItsEnd) {
  const test::TempFolder folder;
  Daemon daemon(folder.path(), {"--status-listen", "127.0.0.1:0"});
  const auto get = [&, port = http_port(daemon)](const std::string& path) {
    test::RawConnection connection(port);
    connection.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return connection.receive();
  };
  EXPECT_EQ(get("/readyz").status, 200);
  EXPECT_THAT(get("/metrics").body, HasSubstr("proofline_circuit_state{circuit=\"wpost-2k\",state=\"cold\"} 1\n"));
  Client client = daemon.client();
  for (int i = 0; i < 6; ++i) client.submit(window("job-" + std::to_string(i)));
  EXPECT_TRUE(becomes([&] { return get("/metrics").body.find("state=\"hot\"} 1\n") != std::string::npos; }));
  daemon.send(SIGTERM);
  // Until the last job has ended, it says that it drains.
  EXPECT_TRUE(becomes([&] { return get("/readyz").body == "draining\n"; }));
  EXPECT_EQ(daemon.end(0), 0);
  EXPECT_THROW(get("/healthz"), IoError);
}

TEST(Daemon, ConfigurationsAreChecked) {
  const test::TempFolder folder;
  const auto check = [&](const std::string& text) {
    const fs::path file = folder / "p.toml";
    test::write_bytes(file, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    return run_proofline({"config", "check", file.string()});
  };
  const auto good = check("[daemon]\nlisten = \"127.0.0.1:7\"\n[pipeline]\nenabled = true\n");
  EXPECT_EQ(good.status, 0) << good.err;
  EXPECT_THAT(good.out, testing::AllOf(HasSubstr("p.toml:4: pipeline.enabled has no meaning here"),
                                       HasSubstr("good; the daemon would listen on 127.0.0.1:7")));
  const auto bad = check("[daemon]\nlisten = \"0.0.0.0:7\"\n");
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.err, HasSubstr("daemon.insecure = true"));
  EXPECT_EQ(run_proofline({"daemon", "--config", (folder / "p.toml").string()}).status, 2);
}

}  // namespace
}  // namespace proofline::service
