#pragma once
/// The daemon's configuration: a TOML file, over which go PROOFLINE_* variables, over which go flags. Every key is
/// described in docs/proofline.example.toml. Sections and names are those of cuzk's file where it has them.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "filecoin/circuit_kind.hpp"

namespace proofline::service {

using std::chrono::milliseconds;

struct DaemonConfig {
  std::string listen = "127.0.0.1:9820";  ///< HOST:PORT or unix:///PATH
  std::string status_listen;              ///< HTTP; empty: none
  unsigned socket_mode = 0660;            ///< permissions of the Unix socket
  std::filesystem::path state_dir = "/var/lib/proofline";
  bool insecure = false;
  std::filesystem::path token_file, tls_certificate, tls_key, tls_client_ca;  ///< empty: none
  std::uint64_t max_message_size = std::uint64_t{256} << 20;
  unsigned max_uploads = 4;                 ///< requests being read and checked at a time
  milliseconds upload_timeout{300'000};     ///< for reading one of them
  unsigned max_calls = 1024;                ///< that wait for a job
  unsigned max_jobs_per_client = 512;       ///< that have not ended; 0: any number
  unsigned max_requests_per_second = 1000;  ///< of a client; 0: any number
  milliseconds drain_timeout{60'000};
  milliseconds keep_results{7 * 24 * 3600'000LL};
};

struct SrsConfig {
  std::filesystem::path param_cache;  ///< empty: FIL_PROOFS_PARAMETER_CACHE, or the reference's folder
  std::filesystem::path circuit_cache, published;
  std::vector<std::string> circuits;  ///< that are served; empty: all
  std::vector<std::string> preload;
};

struct MemoryConfig {
  std::optional<std::uint64_t> total_budget;   ///< nothing: what is free, less the margin
  std::optional<std::uint64_t> safety_margin;  ///< nothing: engine::default_host_budget's
  std::uint64_t pinned_budget = 0;             ///< for parameters that do not fit on a device; beside the others
};

struct GpuConfig {
  std::vector<unsigned> devices;                                    ///< empty: all
  bool use = true;                                                  ///< false: BELLMAN_NO_GPU
  std::optional<std::uint64_t> memory;                              ///< of each, at most; nothing: what is free
  bool cpu_fallback = true;                                         ///< the CPU takes what the devices fail at
  std::map<unsigned, std::vector<filecoin::CircuitKind>> only_for;  ///< by device; those not named take all kinds
};

struct SchedulerConfig {
  unsigned proofs_in_flight = 0;
  unsigned max_queue = 1024;    ///< jobs that have not ended
  milliseconds job_timeout{0};  ///< 0: none
  milliseconds step_timeout{0};
  std::vector<std::string> critical_circuits;
};

struct SynthesisConfig {
  unsigned threads = 0;
  unsigned witness_workers = 0;
};

enum class LogFormat { kText, kJson };

struct LoggingConfig {
  std::string level = "info";
  LogFormat format = LogFormat::kText;
};

struct Config {
  DaemonConfig daemon;
  SrsConfig srs;
  MemoryConfig memory;
  GpuConfig gpus;
  SchedulerConfig scheduler;
  SynthesisConfig synthesis;
  LoggingConfig logging;
};

/// Where the configuration comes from. Later ones go over earlier ones.
struct ConfigSources {
  std::string file_name;                                       ///< for messages; empty: there is no file
  std::string file_text;                                       ///< TOML
  std::map<std::string, std::string> environment;              ///< see environment.hpp
  std::vector<std::pair<std::string, std::string>> overrides;  ///< "daemon.listen" and its value, from flags
};

struct LoadedConfig {
  Config config;
  std::vector<std::string> warnings;  ///< of keys and variables without effect
};

/// Throws InputError naming file, line and key for TOML that is none, a key that does not exist (with the nearest that
/// does), a value of the wrong type or out of range, and for settings that contradict each other.
LoadedConfig load_config(const ConfigSources& sources);

/// Whether clients that have shown nothing can reach the daemon from other machines: TCP beyond loopback, without TLS
/// and without token. load_config() refuses it unless `insecure` is set.
bool is_open_to_the_network(const DaemonConfig& daemon);

/// The same of HTTP, which is without TLS: beyond loopback and without token.
bool is_status_open_to_the_network(const DaemonConfig& daemon);

/// "500ms", "30s", "5m", "2h", "7d", or a number of seconds. Throws InputError starting with `what`.
milliseconds parse_duration(std::string_view text, std::string_view what);

/// The keys, as "section.name", in the order of the example file.
std::vector<std::string> config_key_names();

/// Keys whose values differ and that take effect at the next start only.
std::vector<std::string> keys_that_need_a_restart(const Config& before, const Config& after);

}  // namespace proofline::service
