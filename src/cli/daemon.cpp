// proofline daemon, and proofline config check.
#include "service/daemon.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/command.hpp"
#include "service/environment.hpp"

namespace proofline::cli {
namespace {

struct Options {
  std::string config;
  std::string listen;
  std::string status_listen;
  std::string log_level;
  std::vector<std::string> settings;
  bool json = false;
};

service::LoadedConfig load(const Options& options) {
  service::ConfigSources sources;
  if (!options.config.empty()) {
    const MappedFile file(options.config);
    sources.file_name = options.config;
    sources.file_text.assign(file.bytes().begin(), file.bytes().end());
  }
  sources.environment = service::process_environment();
  for (const std::string& setting : options.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) throw InputError("--set: \"" + setting + "\": expected SECTION.KEY=VALUE");
    sources.overrides.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
  }
  if (!options.listen.empty()) sources.overrides.emplace_back("daemon.listen", options.listen);
  if (!options.status_listen.empty()) sources.overrides.emplace_back("daemon.status_listen", options.status_listen);
  if (!options.log_level.empty()) sources.overrides.emplace_back("logging.level", options.log_level);
  return service::load_config(sources);
}

int check(const Options& options) {
  const service::LoadedConfig loaded = load(options);
  if (options.json) {
    print_json({{"file", options.config}, {"warnings", loaded.warnings}});
    return kDone;
  }
  for (const std::string& warning : loaded.warnings) fmt::print("warning: {}\n", warning);
  fmt::print("{}: good; the daemon would listen on {}\n", options.config, loaded.config.daemon.listen);
  return kDone;
}

}  // namespace

void add_daemon(CLI::App& root, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand("daemon",
                                      "Serve proofs over gRPC to Curio and to proofline submit, until SIGTERM. Flags "
                                      "go over PROOFLINE_* variables, these "
                                      "over the file; docs/proofline.example.toml describes every key.");
  app->add_option("-c,--config", options->config, "Configuration, TOML (default: none, every key has a default)")
      ->type_name("FILE");
  app->add_option("-l,--listen", options->listen, "daemon.listen: HOST:PORT or unix:///PATH")->type_name("ADDRESS");
  app->add_option("--status-listen", options->status_listen,
                  "daemon.status_listen: HOST:PORT of the dashboard, status and metrics")
      ->type_name("ADDRESS");
  app->add_option("--log-level", options->log_level, "logging.level")->type_name("LEVEL");
  app->add_option("--set", options->settings, "Any other key; may be given several times")
      ->type_name("SECTION.KEY=VALUE")
      ->allow_extra_args(false);
  add_examples(*app,
               "proofline daemon --config /etc/proofline.toml\n"
               "proofline daemon --listen unix:///run/proofline/proofline.sock --set daemon.state_dir=/tmp/state");
  app->callback([options, &action] {
    action = [options] {
      service::run_daemon([options] { return load(*options); });
      return kDone;
    };
  });
}

void add_config_check(CLI::App& config, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* app = config.add_subcommand(
      "check", "Read a daemon's configuration, with this environment's variables, and say what is wrong with it.");
  app->add_option("FILE", options->config, "Configuration, TOML")->required();
  app->add_flag("--json", options->json, "Print the result as one JSON document");
  add_examples(*app, "proofline config check /etc/proofline.toml");
  app->callback([options, &action] { action = [options] { return check(*options); }; });
}

}  // namespace proofline::cli
