#include "cli/post_files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "filecoin/api_version.hpp"
#include "filecoin/post_bincode.hpp"
#include "filecoin/post_inputs.hpp"
#include "filecoin/post_statement_file.hpp"

namespace proofline::cli {
namespace {

using filecoin::PostKind;
using filecoin::PostSector;
using filecoin::PostStatement;

constexpr const char* kStatementFile = "post.json";

struct SectorFile {
  PostSector sector;
  std::filesystem::path file;
};

/// The vanilla files of a folder by sector.
std::vector<SectorFile> folder_files(const std::filesystem::path& folder) {
  std::vector<SectorFile> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".bin" || !entry.is_regular_file()) continue;
    out.push_back({filecoin::read_post_sector(entry.path()), entry.path()});
  }
  if (out.empty()) throw InputError(folder.string() + ": no vanilla proof (*.bin) in this folder");
  std::ranges::sort(out, [](const SectorFile& a, const SectorFile& b) {
    return a.sector.id != b.sector.id ? a.sector.id < b.sector.id : a.file < b.file;
  });
  return out;
}

std::vector<SectorFile> listed_files(const std::vector<std::string>& files) {
  std::vector<SectorFile> out;
  for (const std::string& file : files) out.push_back({filecoin::read_post_sector(file), file});
  return out;
}

PostStatement statement_of(const std::vector<SectorFile>& files, const std::string& statement_file,
                           const PostFlags& flags, const std::string& name) {
  if (statement_file.empty()) {
    PostStatement out = post_statement_option(flags);
    for (const SectorFile& file : files) out.sectors.push_back(file.sector);
    filecoin::check_statement(out);
    return out;
  }
  PostStatement out = filecoin::read_post_statement(statement_file);
  check_kind(out, flags, statement_file);
  for (std::size_t i = 0; i < std::min(files.size(), out.sectors.size()); ++i) {
    const PostSector& got = files[i].sector;
    if (got.id != out.sectors[i].id) {
      throw InputError(fmt::format("{}: the vanilla proof of sector {} expected at place {}, got that of sector {}",
                                   files[i].file.string(), out.sectors[i].id, i, got.id));
    }
    if (!(got == out.sectors[i])) {
      throw InputError(
          fmt::format("{}: sector {} has another comm_r in {}", files[i].file.string(), got.id, statement_file));
    }
  }
  if (files.size() != out.sectors.size()) {
    throw InputError(fmt::format("{}: vanilla proofs of {} sectors expected ({}), got {}", name, out.sectors.size(),
                                 statement_file, files.size()));
  }
  return out;
}

}  // namespace

filecoin::PostKind post_kind_option(const PostFlags& flags) {
  return filecoin::post_kind(flags.kind.ends_with("-post") ? flags.kind : flags.kind + "-post");
}

filecoin::PostShape post_shape_option(const PostFlags& flags) {
  return filecoin::post_shape(post_kind_option(flags), filecoin::sector_shape(flags.size));
}

filecoin::ApiVersion api_version_option(const PostFlags& flags) {
  if (!flags.version.empty()) return filecoin::api_version(flags.version, "--api-version");
  return post_kind_option(flags) == PostKind::kWindow ? filecoin::ApiVersion::kV1_2 : filecoin::ApiVersion::kV1_0;
}

void check_kind(const PostStatement& statement, const PostFlags& flags, const std::string& name) {
  const PostKind wanted = post_kind_option(flags);
  if (statement.shape.kind == wanted) return;
  throw InputError(
      fmt::format("{}: this is about a {}, not a {}", name, post_name(statement.shape.kind), post_name(wanted)));
}

PostStatement post_statement_option(const PostFlags& flags) {
  return {post_shape_option(flags), api_version_option(flags), bytes32_option(flags.randomness, "--randomness"), {}};
}

CLI::Option* add_post_kind(CLI::App& app, PostFlags& flags) {
  return app.add_option("--kind", flags.kind, "winning-post or window-post (short: winning, window)")
      ->required()
      ->type_name("KIND")
      ->check(CLI::IsMember({"winning-post", "window-post", "winning", "window"}).description(""));
}

CLI::Option* add_post_size(CLI::App& app, PostFlags& flags) {
  return app.add_option("--size", flags.size, "Sector size: 2KiB to 64GiB")->type_name("SIZE");
}

CLI::Option* add_post_randomness(CLI::App& app, PostFlags& flags) {
  return app.add_option("--randomness", flags.randomness, "Challenge randomness; its top two bits are zero")
      ->type_name("HEX");
}

CLI::Option* add_post_version(CLI::App& app, PostFlags& flags) {
  return app
      .add_option("--api-version", flags.version,
                  "How challenges derive: V1, V1_1, V1_2 (default, as on the network: V1_2 for window, V1 for winning)")
      ->type_name("VERSION");
}

void PostFolderWriter::write(const std::string& name, std::span<const std::uint8_t> content) {
  const MappedOutput file(folder_.path() / name, content.size());
  std::ranges::copy(content, file.bytes().begin());
  bytes_ += content.size();
}

void PostFolderWriter::add(const filecoin::PostSectorProof& proof, const filecoin::PostShape& shape) {
  write(fmt::format("vanilla-{}.bin", proof.sector.id), filecoin::write_post_proof(proof, shape));
}

void PostFolderWriter::commit(const PostStatement& statement) {
  const std::string text = filecoin::to_json(statement);
  write(kStatementFile, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  folder_.commit();
}

std::vector<filecoin::PostSectorProof> PostSource::partition(std::size_t index) const {
  const std::size_t begin = index * statement.shape.sectors_per_partition();
  const std::size_t count = filecoin::partition_sectors(statement, index).size();
  std::vector<filecoin::PostSectorProof> out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back(filecoin::read_post_proof(files[begin + i], statement.shape));
  }
  return out;
}

PostSource post_source(const std::vector<std::string>& inputs, const std::string& statement_file,
                       const PostFlags& flags) {
  const bool is_folder = inputs.size() == 1 && std::filesystem::is_directory(inputs[0]);
  std::string statement = statement_file;
  if (statement.empty() && flags.randomness.empty()) {
    if (!is_folder) throw InputError("vanilla files need --post, or --size and --randomness, to say what they prove");
    statement = (std::filesystem::path(inputs[0]) / kStatementFile).string();
  }
  if (statement.empty() && flags.size.empty()) throw InputError("--randomness needs --size");
  const std::vector<SectorFile> files = is_folder ? folder_files(inputs[0]) : listed_files(inputs);
  PostSource out;
  out.name = inputs[0];
  out.statement = statement_of(files, statement, flags, out.name);
  for (const SectorFile& file : files) out.files.push_back(file.file);
  return out;
}

}  // namespace proofline::cli
