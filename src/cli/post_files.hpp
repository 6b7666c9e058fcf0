#pragma once
/// Proofs of spacetime on the command line: what is proved, and folders of vanilla proofs.
/// A post folder holds post.json (filecoin/post_statement_file.hpp) and one file of bincode a sector.
#include <filesystem>
#include <string>
#include <vector>

#include "base/output_folder.hpp"
#include "cli/command.hpp"
#include "filecoin/post_proof.hpp"

namespace proofline::cli {

/// Flags that say what is proved, without its sectors.
struct PostFlags {
  std::string kind;
  std::string size;
  std::string randomness;
  std::string version;
};

/// The pieces of PostFlags. Kinds may lack "-post". Empty version: V1_2 for WindowPoSt, V1 for WinningPoSt, as on the
/// network.
filecoin::PostKind post_kind_option(const PostFlags& flags);
filecoin::PostShape post_shape_option(const PostFlags& flags);
filecoin::ApiVersion api_version_option(const PostFlags& flags);
/// A statement that lacks its sectors.
filecoin::PostStatement post_statement_option(const PostFlags& flags);

/// Throws InputError naming `name`, where the statement is from, when it is about another kind of proof than the flags.
void check_kind(const filecoin::PostStatement& statement, const PostFlags& flags, const std::string& name);

CLI::Option* add_post_kind(CLI::App& app, PostFlags& flags);
CLI::Option* add_post_size(CLI::App& app, PostFlags& flags);
CLI::Option* add_post_randomness(CLI::App& app, PostFlags& flags);
CLI::Option* add_post_version(CLI::App& app, PostFlags& flags);

/// A post folder in the making; appears whole or not at all.
class PostFolderWriter {
 public:
  explicit PostFolderWriter(const std::filesystem::path& folder) : folder_(folder) {}
  void add(const filecoin::PostSectorProof& proof, const filecoin::PostShape& shape);
  /// Writes post.json and gives the folder its name.
  void commit(const filecoin::PostStatement& statement);
  std::uint64_t bytes() const { return bytes_; }

 private:
  void write(const std::string& name, std::span<const std::uint8_t> content);

  OutputFolder folder_;
  std::uint64_t bytes_ = 0;
};

/// Vanilla proofs on disk and what they prove.
struct PostSource {
  filecoin::PostStatement statement;
  std::vector<std::filesystem::path> files;  ///< one a sector, in the statement's order
  std::string name;                          ///< for messages

  /// Reads the vanilla proofs of one partition.
  std::vector<filecoin::PostSectorProof> partition(std::size_t index) const;
};

/// `inputs` is one post folder, or the vanilla files in the order of their sectors. The statement is that of
/// `statement_file`, or where this is empty post.json of the folder, or where `flags` has randomness what flags and
/// files say. Of each file only the head is read. Throws InputError when statement and files do not fit: a sector
/// without a file, a file of no sector of the statement, two of one, files out of order, another comm_r, another kind
/// of proof.
PostSource post_source(const std::vector<std::string>& inputs, const std::string& statement_file,
                       const PostFlags& flags);

}  // namespace proofline::cli
