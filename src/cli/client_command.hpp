#pragma once
/// What the commands that call a daemon share.
#include <memory>
#include <string>

#include "cli/command.hpp"
#include "service/client.hpp"

namespace proofline::cli {

struct ClientFlags {
  std::string address;
  std::string token_file;
  std::string tls_ca;
};

/// --address, --token-file, --tls-ca
void add_client_flags(CLI::App& app, ClientFlags& flags);

/// The daemon of the flags. Without --address PROOFLINE_ADDRESS, or 127.0.0.1:9820; without --token-file
/// PROOFLINE_TOKEN.
std::unique_ptr<service::Client> make_client(const ClientFlags& flags);

/// Prints a job's result and writes its proof to `out`, if that is not empty. kDone, or kAnswerIsNo when the job ended
/// in another way.
int report_result(const service::JobResult& result, const std::string& out, bool json);

}  // namespace proofline::cli
