#include "service/config.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "base/error.hpp"
#include "service/config_keys.hpp"
#include "service/environment.hpp"

namespace proofline::service {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::ThrowsMessage;

LoadedConfig load(const std::string& text, std::map<std::string, std::string> environment = {},
                  std::vector<std::pair<std::string, std::string>> overrides = {}) {
  return load_config({"f.toml", text, std::move(environment), std::move(overrides)});
}

auto refused(const std::string& text) {
  return ThrowsMessage<InputError>(HasSubstr(text));
}

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

const std::string kExample = text_of(PROOFLINE_EXAMPLE);

/// The example with its keys that are off turned on.
std::string whole_example() {
  return std::regex_replace(kExample, std::regex("# ([a-z_]+ = [\"\\[0-9tf])"), "$1");
}

TEST(Config, TheExampleHasTheDefaults) {
  const LoadedConfig example = load(kExample);
  EXPECT_THAT(example.warnings, IsEmpty());
  EXPECT_THAT(keys_that_need_a_restart(Config{}, example.config), IsEmpty());
  EXPECT_EQ(example.config.daemon.max_jobs_per_client, DaemonConfig{}.max_jobs_per_client);
  EXPECT_EQ(example.config.daemon.drain_timeout, DaemonConfig{}.drain_timeout);
  EXPECT_EQ(example.config.daemon.keep_results, DaemonConfig{}.keep_results);
  EXPECT_EQ(example.config.scheduler.max_queue, SchedulerConfig{}.max_queue);
}

TEST(Config, TheExampleHasEveryKeyAndDescribesIt) {
  const std::string whole = whole_example();
  EXPECT_NO_THROW(load(whole));
  for (const ConfigKey& key : config_keys()) {
    if (key.set == nullptr) continue;
    const std::size_t section = whole.find("[" + std::string(key.section) + "]\n");
    ASSERT_NE(section, std::string::npos) << key.full_name();
    const std::size_t at = whole.find("\n" + std::string(key.name) + " = ", section);
    ASSERT_NE(at, std::string::npos) << key.full_name();
    EXPECT_EQ(whole.substr(section + 1, at - section - 1).find("\n["), std::string::npos)
        << key.full_name() << " is in another section";
  }
}

TEST(Config, TypesAreRead) {
  const Config config = load(R"(
[daemon]
listen = "unix:///run/p.sock"
socket_mode = "0600"
insecure = true
max_message_size = "1MiB"
drain_timeout = "2h"
keep_results = 30
[srs]
circuits = ["porep-32g", "wpost-2k"]
preload = ["wpost-2k"]
[memory]
total_budget = "256GiB"
[gpus]
devices = [0, 3]
cpu_fallback = false
only_for = ["3: winning-post window-post"]
[synthesis]
threads = 7
[logging]
level = "debug"
format = "json"
)")
                            .config;
  EXPECT_EQ(config.daemon.listen, "unix:///run/p.sock");
  EXPECT_EQ(config.daemon.socket_mode, 0600U);
  EXPECT_TRUE(config.daemon.insecure);
  EXPECT_EQ(config.daemon.max_message_size, 1U << 20);
  EXPECT_EQ(config.daemon.drain_timeout, std::chrono::hours(2));
  EXPECT_EQ(config.daemon.keep_results, std::chrono::seconds(30));
  EXPECT_THAT(config.srs.circuits, ElementsAre("porep-32g", "wpost-2k"));
  EXPECT_EQ(config.memory.total_budget, std::uint64_t{256} << 30);
  EXPECT_THAT(config.gpus.devices, ElementsAre(0U, 3U));
  EXPECT_FALSE(config.gpus.cpu_fallback);
  using filecoin::CircuitKind;
  EXPECT_THAT(config.gpus.only_for,
              ElementsAre(Pair(3U, ElementsAre(CircuitKind::kWinningPost, CircuitKind::kWindowPost))));
  EXPECT_EQ(config.synthesis.threads, 7U);
  EXPECT_EQ(config.logging.format, LogFormat::kJson);
}

TEST(Config, MistakesAreNamedWithLineAndNearestName) {
  EXPECT_THAT([] { load("[daemon]\nlisten_on = \"x\"\n"); },
              refused("f.toml:2: there is no key \"daemon.listen_on\"; the nearest is \"daemon.listen\""));
  EXPECT_THAT([] { load("\n[demon]\n"); },
              refused("f.toml:2: there is no section \"demon\"; the nearest is \"daemon\""));
  EXPECT_THAT([] { load("listen = 1\n"); }, refused("there is no section \"listen\""));
  EXPECT_THAT([] { load("daemon = 1\n"); }, refused("daemon: expected a section"));
  EXPECT_THAT([] { load("[daemon\n"); }, refused("f.toml:1: "));
  EXPECT_THAT([] { load("[daemon]\nlisten = 9820\n"); }, refused("f.toml:2: daemon.listen: expected text"));
  EXPECT_THAT([] { load("[daemon]\nlisten = \"9820\"\n"); }, refused("daemon.listen: \"9820\" has no port"));
  EXPECT_THAT([] { load("[daemon]\nlisten = \"unix:\"\n"); }, refused("names no socket"));
  EXPECT_THAT([] { load("[daemon]\nmax_calls = 0\n"); }, refused("expected a number from 1 to 10000"));
  EXPECT_THAT([] { load("[daemon]\nsocket_mode = \"0999\"\n"); }, refused("octal"));
  EXPECT_THAT([] { load("[daemon]\ndrain_timeout = \"5 minutes\"\n"); }, refused("is not a time"));
  EXPECT_THAT([] { load("[daemon]\ninsecure = \"true\"\n"); }, refused("expected true or false"));
  EXPECT_THAT([] { load("[daemon]\nmax_message_size = \"4GiB\"\n"); }, refused("daemon.max_message_size"));
  EXPECT_THAT([] { load("[srs]\npreload = [\"porep-32\"]\n"); },
              refused("f.toml:2: srs.preload: circuit \"porep-32\" is not known; the nearest id is \"porep-32"));
  EXPECT_THAT([] { load("[srs]\ncircuits = [\"porep-32g\"]\npreload = [\"snap-32g\"]\n"); }, refused("lacks snap-32g"));
  EXPECT_THAT([] { load("[logging]\nlevel = \"inf\"\n"); }, refused("the nearest is \"info\""));
  EXPECT_THAT([] { load("[gpus]\ndevices = [-1]\n"); }, refused("gpus.devices: expected numbers"));
  EXPECT_THAT([] { load("[gpus]\ndevices = [1, 0, 1]\n"); }, refused("expected each device once"));
  EXPECT_THAT([] { load("[gpus]\ndevices = [[1]]\n"); }, refused("expected a list"));
  EXPECT_THAT([] { load("[gpus]\nonly_for = [\"porep\"]\n"); },
              refused("gpus.only_for: expected devices and their kinds"));
  EXPECT_THAT([] { load("[gpus]\nonly_for = [\"1:\"]\n"); }, refused("expected devices and their kinds"));
  EXPECT_THAT([] { load("[gpus]\nonly_for = [\"1: winning\"]\n"); }, refused("gpus.only_for: "));
  EXPECT_THAT([] { load("[synthesis]\nthreads = 1.5\n"); }, refused("synthesis.threads"));
}

TEST(Config, TcpBeyondThisMachineMustBeGuarded) {
  const auto at = [](const std::string& listen, const std::string& more) {
    return load("[daemon]\nlisten = \"" + listen + "\"\n" + more);
  };
  for (const std::string listen : {"127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "localhost:1", "unix:///x", "unix:/x"})
    EXPECT_THAT(at(listen, "").warnings, IsEmpty()) << listen;
  for (const std::string listen : {"0.0.0.0:1", "10.0.0.7:1", "[::]:1", "prover.example:1", "128.0.0.1:1"}) {
    EXPECT_THAT([&] { at(listen, ""); }, refused("can be reached from other machines")) << listen;
    EXPECT_THAT(at(listen, "insecure = true\n").warnings, ElementsAre(HasSubstr("without TLS and without token")));
    EXPECT_THAT(at(listen, "token_file = \"t\"\n").warnings, IsEmpty());
    EXPECT_THAT(at(listen, "tls_certificate = \"c\"\ntls_key = \"k\"\n").warnings, IsEmpty());
  }
  EXPECT_THAT([&] { at("10.0.0.7:1", "tls_key = \"k\"\n"); }, refused("TLS needs both"));
  EXPECT_THAT([&] { at("127.0.0.1:1", "tls_client_ca = \"k\"\n"); }, refused("daemon.tls_client_ca: needs"));
}

TEST(Config, VariablesGoOverTheFileAndFlagsOverBoth) {
  const std::string file = "[daemon]\nlisten = \"127.0.0.1:1\"\nmax_calls = 1\n[logging]\nlevel = \"error\"\n";
  EXPECT_EQ(load(file).config.daemon.listen, "127.0.0.1:1");
  const std::map<std::string, std::string> environment = {{"PROOFLINE_DAEMON_LISTEN", "127.0.0.1:2"},
                                                          {"PROOFLINE_DAEMON_MAX_CALLS", "22"},
                                                          {"PROOFLINE_DAEMON_INSECURE", "true"},
                                                          {"PROOFLINE_GPUS_DEVICES", "0,2"},
                                                          {"PROOFLINE_MEMORY_TOTAL_BUDGET", "auto"},
                                                          {"RUST_LOG", "h2=off,DEBUG"},
                                                          {"PATH", "/bin"}};
  const LoadedConfig over = load(file, environment);
  EXPECT_THAT(over.warnings, IsEmpty());
  EXPECT_EQ(over.config.daemon.listen, "127.0.0.1:2");
  EXPECT_EQ(over.config.daemon.max_calls, 22U);
  EXPECT_TRUE(over.config.daemon.insecure);
  EXPECT_THAT(over.config.gpus.devices, ElementsAre(0U, 2U));
  EXPECT_EQ(over.config.logging.level, "debug");
  const LoadedConfig flags = load(file, environment, {{"daemon.listen", "127.0.0.1:3"}, {"logging.level", "warn"}});
  EXPECT_EQ(flags.config.daemon.listen, "127.0.0.1:3");
  EXPECT_EQ(flags.config.logging.level, "warn");
  EXPECT_THAT([&] { load(file, {}, {{"daemon.lisen", "x"}}); }, refused("the nearest is \"daemon.listen\""));
  EXPECT_THAT(
      [&] {
        load(file, {{"PROOFLINE_DAEMON_MAX_CALLS", "many"}});
      },
      refused("PROOFLINE_DAEMON_MAX_CALLS (daemon.max_calls): expected a number"));
}

TEST(Config, NamesOfOtherProversGetOneWarningEach) {
  EXPECT_THAT(load("", {{"FIL_PROOFS_PARAMETER_CACHE", "/p"}, {"BELLMAN_NO_GPU", "0"}, {"RUST_LOG", "hyper"}}).warnings,
              IsEmpty());
  EXPECT_THAT(load("", {{"FIL_PROOFS_PARAMETER_CASH", "/p"}}).warnings,
              ElementsAre("FIL_PROOFS_PARAMETER_CASH is not known; the nearest name is FIL_PROOFS_PARAMETER_CACHE"));
  EXPECT_THAT(load("", {{"BELLMAN_NOGPU", "1"}}).warnings, ElementsAre(HasSubstr("nearest name is BELLMAN_NO_GPU")));
  EXPECT_THAT(load("", {{"PROOFLINE_DAEMON_LISTENS", "1"}}).warnings,
              ElementsAre(HasSubstr("nearest name is PROOFLINE_DAEMON_LISTEN")));
  EXPECT_THAT(load("", {{"FIL_PROOFS_USE_GPU_TREE_BUILDER", "1"}}).warnings,
              ElementsAre(HasSubstr("has no effect here")));
}

TEST(Config, DevicesAreTurnedOffByValue) {
  for (const std::string on : {"1", "true", "YES", "on"})
    EXPECT_FALSE(load("", {{"BELLMAN_NO_GPU", on}}).config.gpus.use) << on;
  for (const std::string off : {"0", "false", "", "no"})
    EXPECT_TRUE(load("", {{"BELLMAN_NO_GPU", off}}).config.gpus.use) << off;
  EXPECT_FALSE(load("", {{"CUDA_VISIBLE_DEVICES", ""}}).config.gpus.use);
  EXPECT_TRUE(load("", {{"CUDA_VISIBLE_DEVICES", "1"}}).config.gpus.use);
}

/// All keys of cuzk's example (filecoin-project/curio, extern/cuzk/cuzk.example.toml) and configuration (config.rs).
TEST(Config, AFileOfCuzkLoadsWithWarningsForWhatHasNoMeaning) {
  const LoadedConfig loaded = load(R"(
[daemon]
listen = "0.0.0.0:9820"
status_listen = "0.0.0.0:9821"
insecure = true
[srs]
param_cache = "/data/zk/params"
preload = ["porep-32g"]
[memory]
total_budget = "auto"
safety_margin = "5GiB"
eviction_min_idle = "5m"
pinned_budget = "50GiB"
working_memory_budget = "80GiB"
[gpus]
devices = []
gpu_threads = 32
gpu_workers_per_device = 2
[scheduler]
max_batch_size = 1
max_batch_wait_ms = 10000
sort_by_type = true
[synthesis]
threads = 0
partition_workers = 12
[pipeline]
enabled = true
synthesis_lookahead = 1
synthesis_concurrency = 1
max_parallel_synthesis = 18
slot_size = 0
max_gpu_queue_depth = 0
[logging]
level = "info"
format = "json"
)");
  std::vector<std::string> warned;
  for (const std::string& warning : loaded.warnings) {
    if (!warning.starts_with("f.toml:")) continue;
    const std::size_t begin = warning.find(": ") + 2;
    EXPECT_THAT(warning, HasSubstr("has no meaning here"));
    warned.push_back(warning.substr(begin, warning.find(' ', begin) - begin));
  }
  EXPECT_EQ(loaded.warnings.size(), warned.size() + 2) << "and one for each open port";
  EXPECT_THAT(warned, testing::UnorderedElementsAre(
                          "memory.eviction_min_idle", "memory.working_memory_budget", "gpus.gpu_threads",
                          "gpus.gpu_workers_per_device", "scheduler.max_batch_size", "scheduler.max_batch_wait_ms",
                          "scheduler.sort_by_type", "synthesis.partition_workers", "pipeline.enabled",
                          "pipeline.synthesis_lookahead", "pipeline.synthesis_concurrency",
                          "pipeline.max_parallel_synthesis", "pipeline.slot_size", "pipeline.max_gpu_queue_depth"));
  EXPECT_EQ(loaded.config.memory.safety_margin, std::uint64_t{5} << 30);
  EXPECT_EQ(loaded.config.memory.pinned_budget, std::uint64_t{50} << 30);
  EXPECT_EQ(loaded.config.srs.param_cache, "/data/zk/params");
}

TEST(Config, StatusBeyondThisMachineIsGuarded) {
  const auto at = [](const std::string& listen, const std::string& more = "") {
    return load("[daemon]\nstatus_listen = \"" + listen + "\"\n" + more);
  };
  for (const char* local : {"127.0.0.1:9821", "localhost:0", "[::1]:9821"}) EXPECT_TRUE(at(local).warnings.empty());
  for (const char* open : {"0.0.0.0:9821", "10.0.0.7:9821", "[::]:9821"}) {
    EXPECT_THAT([&] { at(open); }, refused("daemon.status_listen: "));
    // TLS is gRPC's, not HTTP's.
    EXPECT_THAT([&] { at(open, "tls_certificate = \"c\"\ntls_key = \"k\"\n"); }, refused("there is no token"));
    EXPECT_TRUE(at(open, "token_file = \"t\"\n").warnings.empty());
    EXPECT_THAT(at(open, "insecure = true\n").warnings, ElementsAre(HasSubstr("can see status and metrics")));
  }
  EXPECT_THAT([&] { at("unix:///run/s"); }, refused("expected HOST:PORT"));
}

TEST(Config, WhatNeedsARestartIsTold) {
  Config after;
  after.daemon.listen = "127.0.0.1:1";
  after.daemon.max_jobs_per_client = 1;
  after.logging.level = "debug";
  after.synthesis.threads = 3;
  EXPECT_THAT(keys_that_need_a_restart(Config{}, after), ElementsAre("daemon.listen", "synthesis.threads"));
}

TEST(Durations, AreParsed) {
  EXPECT_EQ(parse_duration("500ms", "t").count(), 500);
  EXPECT_EQ(parse_duration("7d", "t"), std::chrono::hours(7 * 24));
  EXPECT_EQ(parse_duration("90", "t"), std::chrono::seconds(90));
  for (const char* bad : {"", "ms", "-1s", "1.5s", "5x", "99999999999s", "5m "})
    EXPECT_THROW(parse_duration(bad, "t"), InputError) << bad;
}

}  // namespace
}  // namespace proofline::service
