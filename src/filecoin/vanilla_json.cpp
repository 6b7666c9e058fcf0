#include "filecoin/vanilla_json.hpp"

#include <cstdint>

#include "base/base64.hpp"
#include "base/file.hpp"
#include "filecoin/json_cursor.hpp"
#include "filecoin/vanilla_counts.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;
using Value = JsonCursor::Value;

std::string_view without_spaces(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

/// Reads the parts of a vanilla proof; vanilla_json_write.cpp shows the shape of the document.
class VanillaReader {
 public:
  explicit VanillaReader(std::string_view name) : name_(name), json_(name) {}

  C1 document(Value root) {
    // Both forms are objects: the members tell which one this is.
    C1 out;
    std::string phase1;
    std::uint64_t sector_size = 0;
    bool envelope = false, bare = false;
    Members members(json_, {"registered_proof", "vanilla_proofs", "comm_r", "comm_d", "replica_id", "seed", "ticket"});
    Members wrapper(json_, {"SectorNum", "Phase1Out", "SectorSize"});
    std::string shape_name;
    json_.object(root, [&](std::string_view key, Value value) {
      if (wrapper.note(key)) {
        envelope = true;
        if (key == "SectorNum") out.sector_number = static_cast<std::int64_t>(json_.integer(value, INT64_MAX));
        if (key == "Phase1Out") phase1 = json_.string(value);
        if (key == "SectorSize") sector_size = json_.integer(value, UINT64_MAX);
      } else if (members.note(key)) {
        bare = true;
        member(key, value, out.proof, shape_name);
      }
    });
    if (envelope && !bare) {
      wrapper.require_all();
      open_envelope(phase1, sector_size, out);
      return out;
    }
    members.require_all();
    require_shape(out.proof, shape_name);
    return out;
  }

  /// A whole document.
  C1 parse(simdjson::padded_string_view text) {
    simdjson::ondemand::parser parser;
    simdjson::ondemand::document json_document;
    Value root;
    // Most files that are cut short are found here, before one of their numbers is taken for wrong.
    const std::string_view trimmed = without_spaces(text);
    if (trimmed.empty() || trimmed.front() != '{') json_.fail("a JSON object");
    if (trimmed.back() != '}') json_.fail("a JSON object, found text that is cut short");
    if (parser.iterate(text).get(json_document) != simdjson::SUCCESS ||
        json_document.get_value().get(root) != simdjson::SUCCESS) {
      json_.fail("a JSON object, found text that is cut short or damaged");
    }
    C1 out = document(root);
    const char* rest = nullptr;
    if (json_document.current_location().get(rest) == simdjson::SUCCESS) {
      json_.fail("nothing after the JSON object");
    }
    return out;
  }

 private:
  void member(std::string_view key, Value value, VanillaProof& out, std::string& shape_name) {
    if (key == "registered_proof") {
      const std::string proof_name = json_.string(value);
      try {
        out.registered_proof = seal_proof_info(proof_name).proof;
      } catch (const InputError& error) {
        json_.fail(std::string("the name of a registered seal proof: ") + error.what());
      }
    } else if (key == "vanilla_proofs") {
      vanilla_proofs(value, out, shape_name);
    } else if (key == "comm_r") {
      out.comm_r = element(value);
    } else if (key == "comm_d") {
      out.comm_d = element(value);
    } else if (key == "replica_id") {
      out.replica_id = element(value);
    } else if (key == "seed") {
      out.seed = json_.bytes32(value);
    } else {
      out.ticket = json_.bytes32(value);
    }
  }

  void open_envelope(const std::string& phase1, std::uint64_t sector_size, C1& out) {
    const std::string inner_name = name_ + ": Phase1Out";
    const std::vector<std::uint8_t> inner = from_base64(phase1, inner_name);
    const simdjson::padded_string padded(reinterpret_cast<const char*>(inner.data()), inner.size());
    C1 content = VanillaReader(inner_name).parse(padded);
    if (content.sector_number) {
      throw InputError(inner_name + ": expected a SealCommitPhase1Output, found another envelope");
    }
    out.proof = std::move(content.proof);
    const std::uint64_t expected = seal_proof_info(out.proof.registered_proof).sector_size;
    if (sector_size != expected) {
      throw InputError(name_ + ": SectorSize: expected " + std::to_string(expected) +
                       " as in the registered proof, got " + std::to_string(sector_size));
    }
  }

  void require_shape(const VanillaProof& proof, const std::string& shape_name) {
    const SealProofInfo& info = seal_proof_info(proof.registered_proof);
    if (shape_name != info.shape_name) {
      throw InputError(name_ + ": vanilla_proofs: expected " + std::string(info.shape_name) +
                       " for the registered proof " + std::string(info.json_name) + ", got " + shape_name);
    }
    check_counts(proof, name_);
  }

  Fr element(Value value) {
    const auto bytes = json_.bytes32(value);
    const auto out = Fr::from_bytes(bytes);
    if (!out) json_.fail("a field element: 32 bytes of a little-endian integer below the modulus");
    return *out;
  }

  std::vector<Fr> elements(Value value) {
    std::vector<Fr> out;
    json_.array(value, [&](std::size_t, Value item) { out.push_back(element(item)); });
    return out;
  }

  void vanilla_proofs(Value value, VanillaProof& out, std::string& shape_name) {
    json_.object(value, [&](std::string_view key, Value partitions) {
      if (!shape_name.empty()) json_.fail("one shape only, " + shape_name + " came before");
      shape_name = key;
      tree_ = tree_of(shape_name);
      json_.array(partitions, [&](std::size_t, Value challenges) {
        auto& partition = out.partitions.emplace_back();
        json_.array(challenges, [&](std::size_t, Value proof) { partition.push_back(challenge(proof)); });
      });
    });
    if (shape_name.empty()) json_.fail("the proofs of one shape");
  }

  /// The shapes are named as the first version's proofs.
  TreeShape tree_of(const std::string& shape_name) const {
    try {
      return seal_proof_info(shape_name).shape().tree;
    } catch (const InputError& error) {
      json_.fail(std::string("the name of a shape: ") + error.what());
    }
  }

  ChallengeProof challenge(Value value) {
    ChallengeProof out;
    Members members(
        json_, {"comm_d_proofs", "comm_r_last_proof", "replica_column_proofs", "labeling_proofs", "encoding_proof"});
    json_.object(value, [&](std::string_view key, Value item) {
      if (!members.note(key)) return;
      if (key == "comm_d_proofs") out.comm_d_proof = merkle_proof(item, {2, 0, 0});
      if (key == "comm_r_last_proof") out.comm_r_last_proof = merkle_proof(item, tree_);
      if (key == "replica_column_proofs") replica_columns(item, out);
      if (key == "labeling_proofs")
        json_.array(item, [&](std::size_t, Value proof) { out.labeling_proofs.push_back(labeling(proof)); });
      if (key == "encoding_proof") out.encoding_proof = labeling(item);
    });
    members.require_all();
    return out;
  }

  void replica_columns(Value value, ChallengeProof& out) {
    Members members(json_, {"c_x", "drg_parents", "exp_parents"});
    json_.object(value, [&](std::string_view key, Value item) {
      if (!members.note(key)) return;
      if (key == "c_x") {
        out.c_x = column(item);
        return;
      }
      auto& parents = key == "drg_parents" ? out.drg_parents : out.expander_parents;
      json_.array(item, [&](std::size_t, Value parent) { parents.push_back(column(parent)); });
    });
    members.require_all();
  }

  ColumnProof column(Value value) {
    ColumnProof out;
    Members members(json_, {"column", "inclusion_proof"});
    json_.object(value, [&](std::string_view key, Value item) {
      if (!members.note(key)) return;
      if (key == "inclusion_proof") {
        out.inclusion = merkle_proof(item, tree_);
        return;
      }
      Members inner(json_, {"index", "rows"});
      json_.object(item, [&](std::string_view name, Value part) {
        if (!inner.note(name)) return;
        if (name == "index") out.index = static_cast<std::uint32_t>(json_.integer(part, UINT32_MAX));
        if (name == "rows") out.rows = elements(part);
      });
      inner.require_all();
    });
    members.require_all();
    return out;
  }

  LabelingProof labeling(Value value) {
    LabelingProof out;
    Members members(json_, {"parents", "layer_index", "node"});
    json_.object(value, [&](std::string_view key, Value item) {
      if (!members.note(key)) return;
      if (key == "parents") out.parents = elements(item);
      if (key == "layer_index") out.layer_index = static_cast<std::uint32_t>(json_.integer(item, UINT32_MAX));
      if (key == "node") out.node = json_.integer(item, UINT64_MAX);
    });
    members.require_all();
    return out;
  }

  /// {"data": {"Single" | "Sub" | "Top": {...}}}, by the levels that the tree has.
  MerkleProof merkle_proof(Value value, const TreeShape& tree) {
    const std::string_view variant = tree.top != 0 ? "Top" : tree.sub != 0 ? "Sub" : "Single";
    MerkleProof out;
    Members members(json_, {"data"});
    json_.object(value, [&](std::string_view key, Value data) {
      if (!members.note(key)) return;
      Members variants(json_, {variant});
      json_.object(data, [&](std::string_view name, Value content) {
        if (!variants.note(name)) json_.fail("the variant \"" + std::string(variant) + "\" for this tree");
        merkle_levels(tree, content, out);
      });
      variants.require_all();
    });
    members.require_all();
    return out;
  }

  void merkle_levels(const TreeShape& tree, Value value, MerkleProof& out) {
    std::vector<std::string_view> names = {"root", "leaf"};
    if (tree.sub == 0) names.push_back("path");
    if (tree.sub != 0) names.insert(names.end(), {"base_proof", "sub_proof"});
    if (tree.top != 0) names.push_back("top_proof");
    Members members(json_, names);
    std::vector<PathElement> sub, top;
    json_.object(value, [&](std::string_view key, Value item) {
      if (!members.note(key)) return;
      if (key == "root" || key == "leaf") (key == "root" ? out.root : out.leaf) = element(item);
      if (key == "path" || key == "base_proof") out.path = path(item);
      if (key == "sub_proof") sub = one_level(item);
      if (key == "top_proof") top = one_level(item);
    });
    members.require_all();
    out.path.insert(out.path.end(), sub.begin(), sub.end());
    out.path.insert(out.path.end(), top.begin(), top.end());
  }

  std::vector<PathElement> one_level(Value value) {
    std::vector<PathElement> out = path(value);
    if (out.size() != 1) json_.fail("a path of 1 level, got " + std::to_string(out.size()));
    return out;
  }

  /// {"path": [{"hashes": [...], "index": n}, ...]}
  std::vector<PathElement> path(Value value) {
    std::vector<PathElement> out;
    Members members(json_, {"path"});
    json_.object(value, [&](std::string_view key, Value levels) {
      if (!members.note(key)) return;
      json_.array(levels, [&](std::size_t, Value level) {
        PathElement& element = out.emplace_back();
        Members inner(json_, {"hashes", "index"});
        json_.object(level, [&](std::string_view name, Value part) {
          if (!inner.note(name)) return;
          if (name == "hashes") element.siblings = elements(part);
          if (name == "index") element.index = static_cast<unsigned>(json_.integer(part, UINT32_MAX));
        });
        inner.require_all();
      });
    });
    members.require_all();
    return out;
  }

  std::string name_;
  JsonCursor json_;
  TreeShape tree_;
};

}  // namespace

C1 parse_c1(std::span<const std::uint8_t> text, std::string_view name) {
  const simdjson::padded_string padded(reinterpret_cast<const char*>(text.data()), text.size());
  return VanillaReader(name).parse(padded);
}

C1 read_c1_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  return parse_c1(file.bytes(), path.string());
}

}  // namespace proofline::filecoin
