#include "filecoin/challenge_json.hpp"

#include <cstdint>

#include "filecoin/json_cursor.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;
using Value = JsonCursor::Value;

/// Reads challenge proofs; vanilla_json_write.cpp shows their shape.
class ChallengeReader {
 public:
  ChallengeReader(const TreeShape& tree, JsonPath path) : json_(std::move(path)), tree_(tree) {}

  std::vector<ChallengeProof> partition(std::string& text) {
    std::vector<ChallengeProof> out;
    json_.document(text, [&](Value root) {
      json_.array(root, [&](std::size_t, Value proof) { out.push_back(challenge(proof)); });
    });
    return out;
  }

 private:
  Fr element(Value value) const { return json_.element(value); }

  std::vector<Fr> elements(Value value) {
    std::vector<Fr> out;
    json_.array(value, [&](std::size_t, Value item) { out.push_back(element(item)); });
    return out;
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

  JsonCursor json_;
  TreeShape tree_;
};

}  // namespace

std::vector<ChallengeProof> parse_challenges(std::string text, const TreeShape& tree, JsonPath path) {
  return ChallengeReader(tree, std::move(path)).partition(text);
}

}  // namespace proofline::filecoin
