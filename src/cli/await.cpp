// proofline await and cancel: what a daemon does with a job.
#include <fmt/format.h>

#include "cli/client_command.hpp"

namespace proofline::cli {
namespace {

struct Options {
  ClientFlags client;
  std::string job;
  std::string out;
  std::string timeout = "0";
  bool json = false;
};

int await(const Options& options) {
  const service::milliseconds timeout = service::parse_duration(options.timeout, "--timeout");
  return report_result(make_client(options.client)->await(options.job, timeout), options.out, options.json);
}

int cancel(const Options& options) {
  const bool was_running = make_client(options.client)->cancel(options.job);
  if (options.json) {
    print_json({{"job", options.job}, {"was_running", was_running}});
  } else {
    fmt::print("{}: {}\n", options.job, was_running ? "cancelled" : "had ended already");
  }
  return was_running ? kDone : kAnswerIsNo;
}

std::shared_ptr<Options> add_job_command(CLI::App* app) {
  auto options = std::make_shared<Options>();
  app->add_option("JOB", options->job, "The job's id, which is its request id")->required();
  add_client_flags(*app, options->client);
  app->add_flag("--json", options->json, "Print the result as one JSON document");
  return options;
}

}  // namespace

void add_await(CLI::App& root, Action& action) {
  CLI::App* app = root.add_subcommand("await", "Wait for a daemon's job");
  const auto options = add_job_command(app);
  app->add_option("-o,--out", options->out, "Where the proof goes")->type_name("FILE");
  app->add_option("--timeout", options->timeout, "How long to wait, as 500ms, 30s, 5m or 2h (default: until it ends)")
      ->type_name("TIME");
  add_examples(*app, "proofline await porep-1000-1 -o my.proof --timeout 30m");
  app->callback([options, &action] { action = [options] { return await(*options); }; });
}

void add_cancel(CLI::App& root, Action& action) {
  CLI::App* app = root.add_subcommand("cancel", "End a daemon's job");
  const auto options = add_job_command(app);
  add_examples(*app, "proofline cancel porep-1000-1");
  app->callback([options, &action] { action = [options] { return cancel(*options); }; });
}

}  // namespace proofline::cli
