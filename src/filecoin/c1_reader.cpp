#include "filecoin/c1_reader.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.hpp"
#include "filecoin/challenge_json.hpp"
#include "filecoin/json_cursor.hpp"
#include "filecoin/json_scanner.hpp"
#include "filecoin/vanilla_counts.hpp"

namespace proofline::filecoin {
namespace {

using Value = JsonCursor::Value;

/// Of a C1 and of its envelope.
constexpr std::array<std::string_view, 8> kSmallMembers = {
    "registered_proof", "comm_r", "comm_d", "replica_id", "seed", "ticket", "SectorNum", "SectorSize"};

/// Where the large parts of a document lie, and a document of the others alone.
struct Outline {
  std::string fields = "{";  ///< the members that a C1 or its envelope has, the large ones null
  JsonScanner::String phase1;
  std::string shape_name;
  std::vector<TextSpan> partitions;  ///< no more than any proof has
  std::size_t num_partitions = 0;
};

unsigned most_partitions() {
  unsigned out = 0;
  for (const SealProofInfo& info : seal_proofs()) out = std::max(out, info.partitions());
  return out;
}

class OutlineScanner {
 public:
  OutlineScanner(const JsonText& text, std::string_view name) : text_(text), json_(text, name) {}

  Outline scan() {
    json_.object([&](const std::string& key) { member(key); });
    json_.end();
    outline_.fields += '}';
    return std::move(outline_);
  }

 private:
  void member(const std::string& key) {
    if (key == "vanilla_proofs") {
      json_.object([&](const std::string& shape_name) { partitions(shape_name); });
      note(key, "null");
    } else if (key == "Phase1Out") {
      outline_.phase1 = json_.string();
      note(key, "null");
    } else {
      const TextSpan value = json_.skip();
      if (std::ranges::find(kSmallMembers, key) != kSmallMembers.end()) note(key, text_.read(value));
    }
  }

  void note(const std::string& key, std::string_view value) {
    std::string& fields = outline_.fields;
    if (fields.size() != 1) fields += ',';
    fields.append(1, '"').append(key).append("\":").append(value);
  }

  void partitions(const std::string& shape_name) {
    if (!outline_.shape_name.empty()) json_.fail("one shape only, " + outline_.shape_name + " came before");
    try {
      seal_proof_info(shape_name);  // the shapes are named as the first version's proofs
    } catch (const InputError& error) {
      json_.fail(std::string("the name of a shape: ") + error.what());
    }
    outline_.shape_name = shape_name;
    outline_.num_partitions = json_.array([&](std::size_t k) {
      const TextSpan partition = json_.skip_array();
      if (k < most_) outline_.partitions.push_back(partition);
    });
  }

  const JsonText& text_;
  JsonScanner json_;
  Outline outline_;
  const unsigned most_ = most_partitions();
};

/// What Outline::fields says.
struct Fields {
  bool is_envelope = false;
  VanillaHeader header;            ///< unless it is one
  std::int64_t sector_number = 0;  ///< if it is
  std::uint64_t sector_size = 0;   ///< if it is
};

class FieldsReader {
 public:
  explicit FieldsReader(std::string_view name) : json_(JsonPath(name)) {}

  /// Both forms are objects: the members tell which one this is.
  Fields read(std::string text) {
    Members members(json_, {"registered_proof", "vanilla_proofs", "comm_r", "comm_d", "replica_id", "seed", "ticket"});
    Members wrapper(json_, {"SectorNum", "Phase1Out", "SectorSize"});
    bool bare = false, envelope = false;
    Fields out;
    json_.document(text, [&](Value root) {
      json_.object(root, [&](std::string_view key, Value value) {
        if (wrapper.note(key)) {
          envelope = true;
          if (key == "SectorNum") out.sector_number = static_cast<std::int64_t>(json_.integer(value, INT64_MAX));
          if (key == "SectorSize") out.sector_size = json_.integer(value, UINT64_MAX);
        } else if (members.note(key)) {
          bare = true;
          member(key, value, out.header);
        }
      });
    });
    out.is_envelope = envelope && !bare;
    (out.is_envelope ? wrapper : members).require_all();
    return out;
  }

 private:
  void member(std::string_view key, Value value, VanillaHeader& out) const {
    if (key == "registered_proof") out.registered_proof = registered_proof(value);
    if (key == "comm_r") out.comm_r = json_.element(value);
    if (key == "comm_d") out.comm_d = json_.element(value);
    if (key == "replica_id") out.replica_id = json_.element(value);
    if (key == "seed") out.seed = json_.bytes32(value);
    if (key == "ticket") out.ticket = json_.bytes32(value);
  }

  RegisteredSealProof registered_proof(Value value) const {
    const std::string name = json_.string(value);
    try {
      return seal_proof_info(name).proof;
    } catch (const InputError& error) {
      json_.fail(std::string("the name of a registered seal proof: ") + error.what());
    }
  }

  JsonCursor json_;
};

/// The document inside an envelope. Base64 needs no escape sequences; where a writer used them (for '/') all of it is
/// copied without.
JsonText phase1_text(const JsonText& envelope, const Outline& outline, const std::string& name) {
  if (!outline.phase1.escaped) return envelope.from_base64(outline.phase1.span, name);
  const std::string base64 = JsonScanner(envelope, name).content(outline.phase1);
  const JsonText copy = JsonText::owned({base64.begin(), base64.end()});
  return copy.from_base64({0, copy.size()}, name);
}

}  // namespace

C1Reader::C1Reader(JsonText text, std::string_view name) : text_(std::move(text)), name_(name) {
  Outline outline = OutlineScanner(text_, name_).scan();
  Fields fields = FieldsReader(name_).read(outline.fields);
  if (fields.is_envelope) {
    sector_number_ = fields.sector_number;
    const std::uint64_t sector_size = fields.sector_size;
    name_ += ": Phase1Out";
    text_ = phase1_text(text_, outline, name_);
    outline = OutlineScanner(text_, name_).scan();
    fields = FieldsReader(name_).read(outline.fields);
    if (fields.is_envelope) {
      throw InputError(name_ + ": expected a SealCommitPhase1Output, found another envelope");
    }
    const std::uint64_t expected = seal_proof_info(fields.header.registered_proof).sector_size;
    if (sector_size != expected) {
      throw InputError(std::string(name) + ": SectorSize: expected " + std::to_string(expected) +
                       " as in the registered proof, got " + std::to_string(sector_size));
    }
  }
  header_ = fields.header;
  if (outline.shape_name.empty()) throw InputError(name_ + ": vanilla_proofs: expected the proofs of one shape");
  const SealProofInfo& info = seal_proof_info(header_.registered_proof);
  if (outline.shape_name != info.shape_name) {
    throw InputError(name_ + ": vanilla_proofs: expected " + std::string(info.shape_name) +
                     " for the registered proof " + std::string(info.json_name) + ", got " + outline.shape_name);
  }
  check_partition_count(header_.registered_proof, outline.num_partitions, name_);
  partitions_ = std::move(outline.partitions);
}

std::size_t C1Reader::largest_partition() const {
  std::size_t longest = 0;
  for (const TextSpan& partition : partitions_) longest = std::max(longest, partition.end - partition.begin);
  return longest;
}

std::vector<ChallengeProof> C1Reader::read_partition(std::size_t k) const {
  if (k >= partitions_.size()) {
    throw InputError(name_ + ": partition " + std::to_string(k) + " asked for, it has " +
                     std::to_string(partitions_.size()));
  }
  const SealProofInfo& info = seal_proof_info(header_.registered_proof);
  const std::string path = "vanilla_proofs." + std::string(info.shape_name) + "[" + std::to_string(k) + "]";
  std::vector<ChallengeProof> out =
      parse_challenges(text_.read(partitions_[k]), info.shape().tree, JsonPath(name_, path));
  check_counts(header_.registered_proof, k, out, name_);
  return out;
}

}  // namespace proofline::filecoin
