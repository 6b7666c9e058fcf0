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

/// Reads the parts of a vanilla proof; see write_* below for the shape of the document.
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
    if (parser.iterate(text).get(json_document) != simdjson::SUCCESS || json_document.get_value().get(root) != simdjson::SUCCESS) {
      throw InputError(name_ + ": not a JSON object (empty, cut short, or not JSON)");
    }
    C1 out = document(root);
    const char* rest = nullptr;
    if (json_document.current_location().get(rest) == simdjson::SUCCESS) throw InputError(name_ + ": text follows the JSON document");
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
    std::vector<std::uint8_t> inner;
    try {
      inner = from_base64(phase1, "Phase1Out");
    } catch (const InputError& error) {
      json_.fail(std::string("base64 in Phase1Out: ") + error.what());
    }
    const std::string inner_name = name_ + ": Phase1Out";
    const simdjson::padded_string padded(reinterpret_cast<const char*>(inner.data()), inner.size());
    C1 content = VanillaReader(inner_name).parse(padded);
    if (content.sector_number) json_.fail("SealCommitPhase1Output inside Phase1Out, found another envelope");
    out.proof = std::move(content.proof);
    const std::uint64_t expected = seal_proof_info(out.proof.registered_proof).sector_size;
    if (sector_size != expected) {
      json_.fail("SectorSize " + std::to_string(expected) + " as in the registered proof, got " +
                 std::to_string(sector_size));
    }
  }

  void require_shape(const VanillaProof& proof, const std::string& shape_name) {
    const SealProofInfo& info = seal_proof_info(proof.registered_proof);
    if (shape_name != info.shape_name) {
      json_.fail("vanilla_proofs of " + std::string(info.shape_name) + " for the registered proof " +
                 std::string(info.json_name) + ", got those of " + shape_name);
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
      json_.array(partitions, [&](std::size_t, Value challenges) {
        auto& partition = out.partitions.emplace_back();
        json_.array(challenges, [&](std::size_t, Value proof) { partition.push_back(challenge(proof)); });
      });
    });
    if (shape_name.empty()) json_.fail("the proofs of one shape");
  }

  ChallengeProof challenge(Value value) {
    ChallengeProof out;
    Members members(json_, {"comm_d_proofs", "comm_r_last_proof", "replica_column_proofs", "labeling_proofs",
                            "encoding_proof"});
    json_.object(value, [&](std::string_view key, Value item) {
      if (!members.note(key)) return;
      if (key == "comm_d_proofs") out.comm_d_proof = merkle_proof(item);
      if (key == "comm_r_last_proof") out.comm_r_last_proof = merkle_proof(item);
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
        out.inclusion = merkle_proof(item);
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

  /// {"data": {"Single" | "Sub" | "Top": {...}}}
  MerkleProof merkle_proof(Value value) {
    MerkleProof out;
    Members members(json_, {"data"});
    json_.object(value, [&](std::string_view key, Value data) {
      if (!members.note(key)) return;
      std::size_t variants = 0;
      json_.object(data, [&](std::string_view variant, Value content) {
        if (++variants > 1 || (variant != "Single" && variant != "Sub" && variant != "Top")) {
          json_.fail("one of Single, Sub and Top");
        }
        merkle_levels(variant, content, out);
      });
      if (variants == 0) json_.fail("one of Single, Sub and Top");
    });
    members.require_all();
    return out;
  }

  void merkle_levels(std::string_view variant, Value value, MerkleProof& out) {
    Members members(json_, {"root", "leaf"});
    std::vector<PathElement> base, sub, top;
    Members paths = variant == "Single" ? Members(json_, {"path"})
                    : variant == "Sub"  ? Members(json_, {"base_proof", "sub_proof"})
                                        : Members(json_, {"base_proof", "sub_proof", "top_proof"});
    json_.object(value, [&](std::string_view key, Value item) {
      if (members.note(key)) {
        (key == "root" ? out.root : out.leaf) = element(item);
      } else if (paths.note(key)) {
        (key == "sub_proof" ? sub : key == "top_proof" ? top : base) = path(item);
      }
    });
    members.require_all();
    paths.require_all();
    out.path = std::move(base);
    out.path.insert(out.path.end(), sub.begin(), sub.end());
    out.path.insert(out.path.end(), top.begin(), top.end());
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
};

/// Appends JSON text as serde_json does: no spaces, members in declaration order.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  void text(std::string_view piece) { out_ += piece; }
  void integer(std::uint64_t value) { out_ += std::to_string(value); }

  void bytes(std::span<const std::uint8_t> values) {
    list(values, [&](std::uint8_t byte) { integer(byte); });
  }
  void element(const Fr& value) { bytes(value.to_bytes()); }
  void elements(std::span<const Fr> values) {
    list(values, [&](const Fr& value) { element(value); });
  }

  template <class Values, class Each>
  void list(const Values& values, const Each& each) {
    out_ += '[';
    bool first = true;
    for (const auto& value : values) {
      if (!first) out_ += ',';
      first = false;
      each(value);
    }
    out_ += ']';
  }

  void path(std::span<const PathElement> levels) {
    text("{\"path\":");
    list(levels, [&](const PathElement& level) {
      text("{\"hashes\":");
      elements(level.siblings);
      text(",\"index\":");
      integer(level.index);
      text("}");
    });
    text("}");
  }

  void merkle_proof(const MerkleProof& proof, const TreeShape& shape) {
    const std::span<const PathElement> levels(proof.path);
    const std::size_t upper = (shape.sub != 0 ? 1U : 0U) + (shape.top != 0 ? 1U : 0U);
    const std::size_t base = levels.size() - upper;
    const auto ends = [&](const char* before_root) {
      text(before_root);
      element(proof.root);
      text(",\"leaf\":");
      element(proof.leaf);
    };
    if (upper == 0) {
      ends("{\"data\":{\"Single\":{\"root\":");
      text(",\"path\":");
      path(levels);
    } else {
      text(upper == 1 ? "{\"data\":{\"Sub\":{\"base_proof\":" : "{\"data\":{\"Top\":{\"base_proof\":");
      path(levels.first(base));
      text(",\"sub_proof\":");
      path(levels.subspan(base, 1));
      if (upper == 2) {
        text(",\"top_proof\":");
        path(levels.subspan(base + 1, 1));
      }
      ends(",\"root\":");
    }
    text("}}}");
  }

  void column(const ColumnProof& proof, const TreeShape& shape) {
    text("{\"column\":{\"index\":");
    integer(proof.index);
    text(",\"rows\":");
    elements(proof.rows);
    text(",\"_h\":null},\"inclusion_proof\":");
    merkle_proof(proof.inclusion, shape);
    text("}");
  }

  void labeling(const LabelingProof& proof) {
    text("{\"parents\":");
    elements(proof.parents);
    text(",\"layer_index\":");
    integer(proof.layer_index);
    text(",\"node\":");
    integer(proof.node);
    text("}");
  }

  void challenge(const ChallengeProof& proof, const TreeShape& shape) {
    text("{\"comm_d_proofs\":");
    merkle_proof(proof.comm_d_proof, TreeShape{2, 0, 0});
    text(",\"comm_r_last_proof\":");
    merkle_proof(proof.comm_r_last_proof, shape);
    text(",\"replica_column_proofs\":{\"c_x\":");
    column(proof.c_x, shape);
    const auto parents = [&](const std::vector<ColumnProof>& columns) {
      list(columns, [&](const ColumnProof& parent) { column(parent, shape); });
    };
    text(",\"drg_parents\":");
    parents(proof.drg_parents);
    text(",\"exp_parents\":");
    parents(proof.expander_parents);
    text("},\"labeling_proofs\":");
    list(proof.labeling_proofs, [&](const LabelingProof& label) { labeling(label); });
    text(",\"encoding_proof\":");
    labeling(proof.encoding_proof);
    text("}");
  }

 private:
  std::string& out_;
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

std::string write_c1(const VanillaProof& proof) {
  const SealProofInfo& info = seal_proof_info(proof.registered_proof);
  std::string out;
  Writer writer(out);
  writer.text("{\"registered_proof\":\"");
  writer.text(info.json_name);
  writer.text("\",\"vanilla_proofs\":{\"");
  writer.text(info.shape_name);
  writer.text("\":");
  writer.list(proof.partitions, [&](const std::vector<ChallengeProof>& partition) {
    writer.list(partition, [&](const ChallengeProof& challenge) { writer.challenge(challenge, info.shape().tree); });
  });
  writer.text("},\"comm_r\":");
  writer.element(proof.comm_r);
  writer.text(",\"comm_d\":");
  writer.element(proof.comm_d);
  writer.text(",\"replica_id\":");
  writer.element(proof.replica_id);
  writer.text(",\"seed\":");
  writer.bytes(proof.seed);
  writer.text(",\"ticket\":");
  writer.bytes(proof.ticket);
  writer.text("}");
  return out;
}

std::string write_c1_envelope(const VanillaProof& proof, std::int64_t sector_number) {
  const std::string inner = write_c1(proof);
  return "{\"SectorNum\":" + std::to_string(sector_number) + ",\"Phase1Out\":\"" +
         to_base64({reinterpret_cast<const std::uint8_t*>(inner.data()), inner.size()}) + "\",\"SectorSize\":" +
         std::to_string(seal_proof_info(proof.registered_proof).sector_size) + "}";
}

}  // namespace proofline::filecoin
