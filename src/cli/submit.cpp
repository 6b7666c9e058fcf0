// proofline submit: a job for a daemon.
#include <fmt/format.h>

#include "cli/client_command.hpp"
#include "cli/request_files.hpp"

namespace proofline::cli {
namespace {

struct Options {
  Common common;
  ClientFlags client;
  std::string kind;
  std::string input;
  std::string request_id;
  std::string priority;
  std::string out;
  std::uint64_t partition = 0;
  std::uint64_t miner = 0;
  std::uint64_t sector = 0;
  bool wait = false;
};

engine::ProofRequest porep_of(const Options& options) {
  return porep_request(options.input);
}

engine::ProofRequest post_of(const Options& options) {
  const PostSource source =
      post_source({options.input}, "", {.kind = options.kind, .size = {}, .randomness = {}, .version = {}});
  const std::size_t partitions = post_partitions_of(source);
  if (options.partition >= partitions) {
    throw InputError(fmt::format("--partition: {}; there are {}, the first is 0", options.partition, partitions));
  }
  return post_request(source, options.partition);
}

engine::ProofRequest update_of(const Options& options) {
  return update_request(options.input);
}

std::optional<engine::Priority> priority_option(const std::string& name) {
  if (name.empty()) return std::nullopt;
  if (name == "critical") return engine::Priority::kCritical;
  if (name == "high") return engine::Priority::kHigh;
  if (name == "normal") return engine::Priority::kNormal;
  return engine::Priority::kLow;
}

using MakeRequest = engine::ProofRequest (*)(const Options&);

int run(const Options& options, MakeRequest make_request) {
  service::Submission submission;
  submission.request = make_request(options);
  submission.request.miner_id = options.miner;
  submission.request.sector_number = options.sector;
  submission.options.request_id = options.request_id;
  submission.options.priority = priority_option(options.priority);
  const auto client = make_client(options.client);
  if (options.wait || !options.out.empty())
    return report_result(client->prove(submission, service::milliseconds(0)), options.out, options.common.json);
  const service::SubmittedJob job = client->submit(submission);
  if (options.common.json) {
    print_json({{"job", job.job_id}, {"queue_position", job.queue_position}});
  } else {
    fmt::print("{}: accepted, {} before it\n", job.job_id, job.queue_position);
  }
  return kDone;
}

void add_kind(CLI::App& submit, Action& action, const std::string& name, const std::string& description,
              const std::string& input, const std::string& example, MakeRequest make_request) {
  auto options = std::make_shared<Options>();
  options->kind = name;
  CLI::App* app = submit.add_subcommand(name, description);
  app->add_option("INPUT", options->input, input)->required();
  app->add_option("--request-id", options->request_id,
                  "Idempotency key: a repeated submission joins its job (default: the daemon makes one)")
      ->type_name("ID");
  app->add_option("--priority", options->priority, "critical, high, normal or low (default: the kind's own)")
      ->check(CLI::IsMember({"critical", "high", "normal", "low"}).description(""));
  app->add_flag("--wait", options->wait, "Wait for the proof; when this command goes away, the job is cancelled");
  app->add_option("-o,--out", options->out, "Wait, and write the proof there")->type_name("FILE");
  app->add_option("--miner", options->miner, "For the daemon's log")->type_name("ID");
  app->add_option("--sector-number", options->sector, "For the daemon's log")->type_name("N");
  if (name == "window-post") {
    app->add_option("--partition", options->partition,
                    "Which partition of the folder's sectors (default: the first, 0)")
        ->type_name("K");
  }
  add_client_flags(*app, options->client);
  app->add_flag("--json", options->common.json, "Print the result as one JSON document");
  add_examples(*app, example);
  app->callback(
      [options, make_request, &action] { action = [options, make_request] { return run(*options, make_request); }; });
}

}  // namespace

void add_submit(CLI::App& root, Action& action) {
  CLI::App& submit = add_group(root, "submit", "Give a job to a daemon");
  add_kind(submit, action, "porep", "Submit a C1: the proof of replication of a sector", "C1 file",
           "proofline submit porep c1.json --request-id porep-1000-1\n"
           "proofline submit porep c1.json -o my.proof --address unix:///run/proofline/proofline.sock",
           porep_of);
  for (const std::string kind : {"window-post", "winning-post"}) {
    add_kind(submit, action, kind, "Submit a folder of `post vanilla` or `post synthesize`", "Folder with post.json",
             "proofline submit " + kind + " my-post -o my.proof", post_of);
  }
  add_kind(submit, action, "update",
           "Submit a folder of `update vanilla` or `update synthesize`: the proof of a sector update (SnapDeals)",
           "Folder with update.json", "proofline submit update my-update -o my.proof", update_of);
}

}  // namespace proofline::cli
