#include "cli/client_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/file.hpp"
#include "base/units.hpp"

namespace proofline::cli {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string first_token(const std::string& path) {
  const MappedFile file(path);
  std::string_view rest(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (!line.empty() && line.front() != '#') return std::string(line);
  }
  throw InputError("--token-file: " + path + ": has no token");
}

double seconds(std::uint64_t ms) {
  return static_cast<double>(ms) / 1000;
}

}  // namespace

void add_client_flags(CLI::App& app, ClientFlags& flags) {
  app.add_option("--address", flags.address,
                 "The daemon: HOST:PORT or unix:///PATH (default: PROOFLINE_ADDRESS, or 127.0.0.1:9820)")
      ->type_name("ADDRESS");
  app.add_option("--token-file", flags.token_file,
                 "File whose first token is shown to the daemon (default: "
                 "PROOFLINE_TOKEN, or none)")
      ->type_name("FILE");
  app.add_option("--tls-ca", flags.tls_ca, "Talk TLS; the daemon's certificate must be signed by one of these (PEM)")
      ->type_name("FILE");
}

std::unique_ptr<service::Client> make_client(const ClientFlags& flags) {
  service::ClientOptions options;
  options.address = flags.address.empty() ? environment("PROOFLINE_ADDRESS") : flags.address;
  if (options.address.empty()) options.address = "127.0.0.1:9820";
  options.token = flags.token_file.empty() ? environment("PROOFLINE_TOKEN") : first_token(flags.token_file);
  options.tls_ca = flags.tls_ca;
  return std::make_unique<service::Client>(std::move(options));
}

int report_result(const service::JobResult& result, const std::string& out, bool json) {
  const bool is_done = result.outcome == service::JobOutcome::kDone;
  if (is_done && !out.empty()) {
    AtomicFile file(out);
    file.write(result.proof);
    file.commit();
  }
  if (json) {
    print_json({{"job", result.job_id},
                {"outcome", service::outcome_name(result.outcome)},
                {"error", result.error},
                {"file", out},
                {"bytes", result.proof.size()},
                {"queue_seconds", seconds(result.queue_wait_ms)},
                {"witness_seconds", seconds(result.synthesis_ms)},
                {"device_seconds", seconds(result.gpu_compute_ms)},
                {"seconds", seconds(result.total_ms)}});
  } else if (is_done) {
    fmt::print("{}: done in {}, {} bytes{}\n", result.job_id, format_seconds(seconds(result.total_ms)),
               result.proof.size(), out.empty() ? "" : ": " + out);
  } else {
    fmt::print("{}: {}{}\n", result.job_id, service::outcome_name(result.outcome),
               result.error.empty() ? "" : ": " + result.error);
  }
  return is_done ? kDone : kAnswerIsNo;
}

}  // namespace proofline::cli
