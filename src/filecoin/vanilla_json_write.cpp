#include <string>

#include "base/base64.hpp"
#include "filecoin/vanilla_json.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;

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
         to_base64({reinterpret_cast<const std::uint8_t*>(inner.data()), inner.size()}) +
         "\",\"SectorSize\":" + std::to_string(seal_proof_info(proof.registered_proof).sector_size) + "}";
}

}  // namespace proofline::filecoin
