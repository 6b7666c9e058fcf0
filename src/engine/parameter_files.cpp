#include "engine/parameter_files.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/file.hpp"
#include "filecoin/parameter_name.hpp"
#include "groth16/parameters.hpp"

namespace proofline::engine {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// What a file is known by. Throws IoError.
nlohmann::ordered_json identity(const fs::path& file, const std::string& digest) {
  std::error_code error;
  const std::uint64_t size = fs::file_size(file, error);
  if (error) throw IoError(file.string() + ": " + error.message());
  const auto changed = fs::last_write_time(file, error).time_since_epoch().count();
  if (error) throw IoError(file.string() + ": " + error.message());
  return {{"path", fs::absolute(file).string()}, {"size", size}, {"changed", changed}, {"digest", digest}};
}

/// Whether the note holds exactly this. One that cannot be read counts as none.
bool has_note(const fs::path& note, const nlohmann::ordered_json& content) {
  if (!fs::exists(note)) return false;
  try {
    const MappedFile file(note);
    return nlohmann::ordered_json::parse(file.bytes().begin(), file.bytes().end()) == content;
  } catch (const IoError&) {
    return false;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

}  // namespace

fs::path parameter_cache_directory() {
  const std::string folder = environment("FIL_PROOFS_PARAMETER_CACHE");
  return folder.empty() ? "/var/tmp/filecoin-proof-parameters" : folder;
}

fs::path circuit_cache_directory() {
  if (const std::string cache = environment("XDG_CACHE_HOME"); !cache.empty()) return fs::path(cache) / "proofline";
  if (const std::string home = environment("HOME"); !home.empty()) return fs::path(home) / ".cache" / "proofline";
  return {};
}

fs::path parameter_file_in(const fs::path& folder, const filecoin::CircuitName& circuit) {
  return folder / (filecoin::parameter_stem(circuit.kind, *circuit.sector) + ".params");
}

std::string missing_parameters(std::string_view circuit_id, const filecoin::CircuitName& circuit,
                               const fs::path& file) {
  constexpr std::uint64_t kLeastMainnetSize = std::uint64_t{32} << 30;
  const std::string size(circuit.sector->name);
  const std::string how = circuit.sector->sector_size >= kLeastMainnetSize
                              ? "fetch them with `lotus fetch-params " + size + "` or `curio fetch-params " + size +
                                    "`, or set FIL_PROOFS_PARAMETER_CACHE to the folder where they are"
                              : "make some for tests with `proofline params generate --proof " +
                                    std::string(circuit_kind_name(circuit.kind)) + " --sector " + size + " -o " +
                                    file.string() + "`";
  return std::string(circuit_id) + ": no parameters at " + file.string() + "; " + how;
}

void require_published(const fs::path& file, const fs::path& published, const fs::path& state_folder,
                       Progress& progress) {
  const std::string name = file.filename().string();
  const std::string listed = groth16::published_digest(published, name);
  if (listed.empty()) {
    throw InputError(file.string() + ": " + published.string() + " does not list a file of this name");
  }
  const fs::path note = state_folder / (name + ".checked");
  const nlohmann::ordered_json content = identity(file, listed);
  if (!state_folder.empty() && has_note(note, content)) return;
  const std::string digest = groth16::parameter_digest(file, progress);
  if (digest != listed) {
    throw InputError(file.string() + ": digest is " + digest + ", " + published.string() + " lists " + listed +
                     "; fetch the file again");
  }
  if (state_folder.empty()) return;
  std::error_code error;
  fs::create_directories(state_folder, error);
  if (error) throw IoError(state_folder.string() + ": cannot make this folder: " + error.message());
  AtomicFile out(note);
  out.write(content.dump() + "\n");
  out.commit();
}

}  // namespace proofline::engine
