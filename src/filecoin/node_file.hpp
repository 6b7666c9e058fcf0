#pragma once
/// A sector's files of nodes, mapped.
#include <filesystem>
#include <span>
#include <string>

#include "base/error.hpp"
#include "base/file.hpp"
#include "filecoin/node_hash.hpp"

namespace proofline::filecoin {

/// A mapped file of nodes, of known length.
class NodeFile {
 public:
  /// Throws IoError when the file cannot be read, InputError when it does not hold exactly `nodes` nodes.
  NodeFile(const std::filesystem::path& path, std::uint64_t nodes) : file_(path) {
    if (file_.bytes().size() != nodes * kNodeBytes) {
      throw InputError(path.string() + ": " + std::to_string(file_.bytes().size()) + " bytes; expected " +
                       std::to_string(nodes * kNodeBytes));
    }
  }

  std::span<const Node> nodes() const { return as_nodes(file_.bytes()); }
  /// Throws InputError naming the file when the node is no field element.
  math::Fr at(std::uint64_t index) const {
    return node_to_fr(nodes()[index], file_.path().string() + ": node " + std::to_string(index));
  }

 private:
  MappedFile file_;
};

/// Runs `work`, naming `files` in what it throws about their content.
template <class Work>
auto about(const std::string& files, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw InputError(files + ": " + error.what());
  }
}

}  // namespace proofline::filecoin
