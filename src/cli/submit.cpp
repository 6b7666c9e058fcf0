// proofline submit: a job for a daemon.
#include <fmt/format.h>

#include <algorithm>

#include "base/file.hpp"
#include "cli/client_command.hpp"
#include "cli/post_files.hpp"
#include "cli/update_folder.hpp"
#include "filecoin/c1_reader.hpp"
#include "filecoin/circuit_id.hpp"
#include "filecoin/registered_proof.hpp"
#include "filecoin/update_bincode.hpp"

namespace proofline::cli {
namespace {

namespace fs = std::filesystem;

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

engine::Bytes bytes_of(const fs::path& path) {
  const MappedFile file(path);
  return {file.bytes().begin(), file.bytes().end()};
}

engine::ProofRequest porep_request(const Options& options) {
  const filecoin::C1Reader c1(options.input);
  const filecoin::SealProofInfo& info = filecoin::seal_proof_info(c1.header().registered_proof);
  engine::ProofRequest out;
  out.kind = filecoin::CircuitKind::kPorep;
  out.sector_size = info.sector_size;
  out.registered_proof = static_cast<std::uint64_t>(info.proof);
  out.c1 = bytes_of(options.input);
  return out;
}

engine::ProofRequest post_request(const Options& options) {
  const PostSource source =
      post_source({options.input}, "", {.kind = options.kind, .size = {}, .randomness = {}, .version = {}});
  const filecoin::PostStatement& statement = source.statement;
  const filecoin::PostShape& shape = statement.shape;
  engine::ProofRequest out;
  out.kind = filecoin::circuit_kind(shape.kind);
  out.sector_size = shape.sector->sector_size;
  const auto proofs = filecoin::post_proofs();
  const auto info = std::ranges::find_if(proofs, [&](const filecoin::PoStProofInfo& one) {
    return one.kind == shape.kind && one.sector_size == out.sector_size && one.api_version == statement.version;
  });
  if (info == proofs.end()) throw InputError(source.name + ": the chain has no such proof of spacetime");
  out.registered_proof = static_cast<std::uint64_t>(info->proof);
  out.randomness = statement.randomness;
  const std::size_t partitions = filecoin::post_partitions(shape, statement.sectors.size());
  if (options.partition >= partitions) {
    throw InputError(fmt::format("--partition: {}; there are {}, the first is 0", options.partition, partitions));
  }
  out.partition_index = statement.partitions_before + options.partition;
  const std::size_t each = shape.sectors_per_partition();
  const std::size_t begin = options.partition * each;
  for (std::size_t i = begin; i < std::min(begin + each, source.files.size()); ++i)
    out.vanilla.push_back(bytes_of(source.files[i]));
  return out;
}

engine::ProofRequest update_request(const Options& options) {
  const filecoin::UpdateStatement about = read_update_folder(options.input).statement;
  const filecoin::UpdateProofInfo* info = filecoin::find_update_proof(about.sector_size);
  if (info == nullptr) throw InputError(options.input + ": the chain has no update proof of this sector size");
  engine::ProofRequest out;
  out.kind = filecoin::CircuitKind::kUpdate;
  out.sector_size = about.sector_size;
  out.registered_proof = static_cast<std::uint64_t>(info->proof);
  out.comm_r_old = about.comm_r_old.to_bytes();
  out.comm_r_new = about.comm_r_new.to_bytes();
  out.comm_d_new = about.comm_d_new.to_bytes();
  for (unsigned k = 0; k < about.shape().partitions; ++k)
    out.vanilla.push_back(bytes_of(filecoin::update_partition_file(options.input, k)));
  return out;
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
           porep_request);
  for (const std::string kind : {"window-post", "winning-post"}) {
    add_kind(submit, action, kind, "Submit a folder of `post vanilla` or `post synthesize`", "Folder with post.json",
             "proofline submit " + kind + " my-post -o my.proof", post_request);
  }
  add_kind(submit, action, "update",
           "Submit a folder of `update vanilla` or `update synthesize`: the proof of a sector update (SnapDeals)",
           "Folder with update.json", "proofline submit update my-update -o my.proof", update_request);
}

}  // namespace proofline::cli
