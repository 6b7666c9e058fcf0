#include "service/config.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/nearest_name.hpp"
#include "service/config_keys.hpp"
#include "service/endpoint.hpp"
#include "service/environment.hpp"

namespace proofline::service {
namespace {

/// Refuses a name, with the nearest of `known`.
[[noreturn]] void unknown(const std::string& where, std::string_view what, std::string_view name,
                          const std::vector<std::string>& known) {
  const std::vector<std::string_view> names(known.begin(), known.end());
  throw InputError(
      fmt::format("{}: there is no {} \"{}\"; the nearest is \"{}\"", where, what, name, nearest_name(name, names)));
}

std::vector<std::string> section_names() {
  std::vector<std::string> out;
  for (const ConfigKey& key : config_keys()) {
    if (out.empty() || out.back() != key.section) out.emplace_back(key.section);
  }
  return out;
}

Setting setting_of(std::string where, const toml::node& node) {
  Setting out;
  out.where = std::move(where);
  if (const auto* flag = node.as_boolean()) {
    out.value = flag->get();
  } else if (const auto* number = node.as_integer()) {
    out.value = number->get();
  } else if (const auto* text = node.as_string()) {
    out.value = text->get();
  } else if (const auto* array = node.as_array()) {
    std::vector<std::string> list;
    for (const toml::node& element : *array) {
      if (const auto* item = element.as_string()) {
        list.push_back(item->get());
      } else if (const auto* integer = element.as_integer()) {
        list.push_back(std::to_string(integer->get()));
      } else {
        throw InputError(out.where + ": expected a list of texts or numbers");
      }
    }
    out.value = std::move(list);
  } else {
    throw InputError(out.where + ": expected text, a number, true or false, or a list");
  }
  return out;
}

class Loader {
 public:
  void apply(const ConfigKey& key, const Setting& setting) {
    if (key.set != nullptr) return key.set(out_.config, setting);
    out_.warnings.push_back(fmt::format("{} has no meaning here ({})", setting.where, key.instead));
  }

  void file(const std::string& name, const std::string& text) {
    toml::table table;
    try {
      table = toml::parse(text, name);
    } catch (const toml::parse_error& error) {
      throw InputError(fmt::format("{}:{}: {}", name, error.source().begin.line, error.description()));
    }
    for (const auto& [section, node] : table) {
      const std::string section_name(std::string_view{section});
      const std::string where = fmt::format("{}:{}", name, node.source().begin.line);
      const std::vector<std::string> sections = section_names();
      if (std::ranges::find(sections, section_name) == sections.end())
        unknown(where, "section", section_name, sections);
      const toml::table* keys = node.as_table();
      if (keys == nullptr)
        throw InputError(fmt::format("{}: {}: expected a section: [{}]", where, section_name, section_name));
      for (const auto& [key, value] : *keys) this->key(name, section_name, std::string(std::string_view{key}), value);
    }
  }

  void environment(const std::map<std::string, std::string>& variables) {
    const EnvironmentEffects effects = environment_effects(variables);
    for (const EnvironmentSetting& one : effects.settings)
      apply(*find_config_key(one.key), {one.variable + " (" + one.key + ")", one.value, true});
    if (effects.no_gpu) out_.config.gpus.use = false;
    out_.warnings.insert(out_.warnings.end(), effects.warnings.begin(), effects.warnings.end());
  }

  void override_key(const std::string& full_name, const std::string& value) {
    const ConfigKey* key = find_config_key(full_name);
    if (key == nullptr) unknown("--set", "key", full_name, config_key_names());
    apply(*key, {"--set " + full_name, value, true});
  }

  LoadedConfig result() {
    check();
    return std::move(out_);
  }

 private:
  void key(const std::string& file, const std::string& section, const std::string& name, const toml::node& node) {
    const std::string where = fmt::format("{}:{}", file, node.source().begin.line);
    const std::string full_name = section + "." + name;
    const ConfigKey* key = find_config_key(full_name);
    if (key == nullptr) unknown(where, "key", full_name, config_key_names());
    apply(*key, setting_of(where + ": " + full_name, node));
  }

  void check_status(const DaemonConfig& daemon) {
    if (daemon.status_listen.empty()) return;
    if (!parse_endpoint(daemon.status_listen, "daemon.status_listen").socket.empty())
      throw InputError(
          fmt::format("daemon.status_listen: \"{}\" is a Unix socket; expected HOST:PORT, for example "
                      "127.0.0.1:9821",
                      daemon.status_listen));
    if (!is_status_open_to_the_network(daemon)) return;
    if (!daemon.insecure) {
      throw InputError(fmt::format(
          "daemon.status_listen: {} can be reached from other machines, and there is no token (daemon.token_file); "
          "listen on 127.0.0.1, set one, or set daemon.insecure = true if the network is trusted",
          daemon.status_listen));
    }
    out_.warnings.push_back(
        fmt::format("daemon.insecure: whoever can reach {} can see status and metrics", daemon.status_listen));
  }

  void check() {
    const Config& config = out_.config;
    const DaemonConfig& daemon = config.daemon;
    parse_endpoint(daemon.listen, "daemon.listen");
    check_status(daemon);
    if (daemon.tls_certificate.empty() != daemon.tls_key.empty())
      throw InputError("daemon.tls_certificate and daemon.tls_key: one without the other; TLS needs both");
    if (!daemon.tls_client_ca.empty() && daemon.tls_key.empty())
      throw InputError("daemon.tls_client_ca: needs daemon.tls_certificate and daemon.tls_key");
    if (daemon.max_message_size < 1024 || daemon.max_message_size > INT32_MAX)
      throw InputError("daemon.max_message_size: expected 1KiB to 2GiB - 1");
    if (is_open_to_the_network(daemon)) {
      if (!daemon.insecure) {
        throw InputError(fmt::format(
            "daemon.listen: {} can be reached from other machines, and there is neither TLS (daemon.tls_certificate, "
            "daemon.tls_key) nor a token (daemon.token_file); listen on 127.0.0.1 or a Unix socket, set one of them, "
            "or "
            "set daemon.insecure = true if the network is trusted",
            daemon.listen));
      }
      out_.warnings.push_back(
          fmt::format("daemon.insecure: whoever can reach {} can submit and cancel jobs, without TLS and without token",
                      daemon.listen));
    }
    for (const std::vector<std::string>* list : {&config.srs.preload, &config.scheduler.critical_circuits}) {
      for (const std::string& id : *list) {
        if (!config.srs.circuits.empty() && std::ranges::find(config.srs.circuits, id) == config.srs.circuits.end())
          throw InputError("srs.circuits: lacks " + id + ", which srs.preload or scheduler.critical_circuits names");
      }
    }
  }

  LoadedConfig out_;
};

}  // namespace

LoadedConfig load_config(const ConfigSources& sources) {
  Loader loader;
  if (!sources.file_name.empty()) loader.file(sources.file_name, sources.file_text);
  loader.environment(sources.environment);
  for (const auto& [key, value] : sources.overrides) loader.override_key(key, value);
  return loader.result();
}

bool is_open_to_the_network(const DaemonConfig& daemon) {
  return !is_local(parse_endpoint(daemon.listen, "daemon.listen")) && daemon.token_file.empty() &&
         daemon.tls_key.empty();
}

bool is_status_open_to_the_network(const DaemonConfig& daemon) {
  return !daemon.status_listen.empty() && !is_local(parse_endpoint(daemon.status_listen, "daemon.status_listen")) &&
         daemon.token_file.empty();
}

std::vector<std::string> config_key_names() {
  std::vector<std::string> out;
  for (const ConfigKey& key : config_keys()) out.push_back(key.full_name());
  return out;
}

std::vector<std::string> keys_that_need_a_restart(const Config& before, const Config& after) {
  std::vector<std::string> out;
  for (const ConfigKey& key : config_keys()) {
    if (key.same != nullptr && !key.same(before, after)) out.push_back(key.full_name());
  }
  return out;
}

}  // namespace proofline::service
