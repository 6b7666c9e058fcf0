#include "filecoin/vanilla_json.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>

#include "base/error.hpp"
#include "filecoin/c1_text.hpp"
#include "filecoin/golden_sector.hpp"
#include "support/temp_folder.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;
using test::bytes_of;
using test::in_envelope;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;
using Json = nlohmann::ordered_json;

const std::string kShape = "StackedDrg2KiBV1";

std::string c1_text(const std::string& sector) {
  const auto bytes = test::GoldenSector(sector).file("c1.json");
  return {bytes.begin(), bytes.end()};
}

C1 parse(std::string_view text) {
  return parse_c1(bytes_of(text), "some.json");
}

/// The message of the InputError that parsing throws.
std::string rejection(std::string_view text) {
  try {
    parse(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(VanillaJson, WritingWhatWasReadGivesTheReferencesFile) {
  for (const std::string sector : {"2k-1", "2k-2", "2kv1-4", "8m-6-cc"}) {
    const std::string text = c1_text(sector);
    const C1 c1 = read_c1_file(test::GoldenSector(sector).folder / "c1.json");
    EXPECT_EQ(write_c1(c1.proof), text) << sector;
    EXPECT_EQ(c1.sector_number, std::nullopt);
  }
}

TEST(VanillaJson, FieldsAreThoseOfTheFile) {
  const test::GoldenSector sector("2k-2");
  const VanillaProof proof = parse(c1_text("2k-2")).proof;
  EXPECT_EQ(proof.comm_d.to_bytes(), sector.id("comm_d"));
  EXPECT_EQ(proof.comm_r.to_bytes(), sector.id("comm_r"));
  EXPECT_EQ(proof.replica_id.to_bytes(), sector.id("replica_id"));
  EXPECT_EQ(proof.seed, sector.id("seed"));
  EXPECT_EQ(proof.ticket, sector.id("ticket"));
  EXPECT_EQ(seal_proof_info(proof.registered_proof).json_name, sector.json["registered_proof"]);
  ASSERT_EQ(proof.partitions.size(), 1U);
  ASSERT_EQ(proof.partitions[0].size(), 2U);

  const auto json = nlohmann::json::parse(c1_text("2k-2"))["vanilla_proofs"][kShape][0][1];
  const ChallengeProof& challenge = proof.partitions[0][1];
  const auto is = [](const Fr& value, const nlohmann::json& bytes) {
    return nlohmann::json(value.to_bytes()) == bytes;
  };
  const auto same_path = [&](const MerkleProof& merkle, const nlohmann::json& data) {
    const auto& single = data["data"]["Single"];
    EXPECT_TRUE(is(merkle.root, single["root"]));
    EXPECT_TRUE(is(merkle.leaf, single["leaf"]));
    const auto& levels = single["path"]["path"];
    ASSERT_EQ(merkle.path.size(), levels.size());
    for (std::size_t i = 0; i < levels.size(); ++i) {
      EXPECT_EQ(merkle.path[i].index, levels[i]["index"]);
      ASSERT_EQ(merkle.path[i].siblings.size(), levels[i]["hashes"].size());
      for (std::size_t j = 0; j < merkle.path[i].siblings.size(); ++j)
        EXPECT_TRUE(is(merkle.path[i].siblings[j], levels[i]["hashes"][j]));
    }
  };
  same_path(challenge.comm_d_proof, json["comm_d_proofs"]);
  same_path(challenge.comm_r_last_proof, json["comm_r_last_proof"]);
  const auto& columns = json["replica_column_proofs"];
  same_path(challenge.c_x.inclusion, columns["c_x"]["inclusion_proof"]);
  for (std::size_t i = 0; i < 8; ++i) {
    const ColumnProof& parent = challenge.expander_parents[i];
    EXPECT_EQ(parent.index, columns["exp_parents"][i]["column"]["index"]);
    EXPECT_TRUE(is(parent.rows[1], columns["exp_parents"][i]["column"]["rows"][1]));
    same_path(parent.inclusion, columns["exp_parents"][i]["inclusion_proof"]);
  }
  EXPECT_EQ(challenge.drg_parents[5].index, columns["drg_parents"][5]["column"]["index"]);
  EXPECT_EQ(challenge.labeling_proofs[1].layer_index, 2U);
  EXPECT_EQ(challenge.labeling_proofs[1].node, json["labeling_proofs"][1]["node"]);
  EXPECT_TRUE(is(challenge.labeling_proofs[1].parents[36], json["labeling_proofs"][1]["parents"][36]));
  EXPECT_TRUE(is(challenge.encoding_proof.parents[3], json["encoding_proof"]["parents"][3]));
}

TEST(VanillaJson, OrderSpacesAndUnknownKeysDoNotMatter) {
  const std::string text = c1_text("2k-1");
  nlohmann::json sorted = nlohmann::json::parse(text);  // keys in alphabetic order
  sorted["unknown"] = {{"nested", {1, 2, 3}}};
  sorted["vanilla_proofs"][kShape][0][0]["unknown"] = "x";
  EXPECT_EQ(write_c1(parse(sorted.dump(2) + "\n").proof), text);
}

TEST(VanillaJson, Envelope) {
  const std::string text = c1_text("2k-1");
  const C1 c1 = parse(in_envelope(text));
  EXPECT_EQ(c1.sector_number, 17);
  EXPECT_EQ(write_c1(c1.proof), text);
  EXPECT_EQ(write_c1_envelope(c1.proof, 17), in_envelope(text));

  Json more = Json::parse(in_envelope(text));
  more["Version"] = Json{{"a", nullptr}};
  EXPECT_EQ(write_c1(parse(more.dump(1)).proof), text);
}

TEST(VanillaJson, EnvelopeDefects) {
  const std::string text = c1_text("2k-1");
  EXPECT_THAT(rejection(in_envelope(text, 8 << 20)),
              StartsWith("some.json: SectorSize: expected 2048 as in the registered proof, got 8388608"));
  EXPECT_THAT(rejection(in_envelope(text.substr(0, 5000))), StartsWith("some.json: Phase1Out: "));
  EXPECT_THAT(rejection(in_envelope(in_envelope(text))),
              StartsWith("some.json: Phase1Out: expected a SealCommitPhase1Output"));
  for (const char* key : {"SectorNum", "Phase1Out", "SectorSize"}) {
    Json json = Json::parse(in_envelope(text));
    json.erase(key);
    EXPECT_THAT(rejection(json.dump()), AllOf(StartsWith("some.json: "), HasSubstr(std::string("\"") + key)));
    json[key] = -1;
    EXPECT_THAT(rejection(json.dump()), StartsWith(std::string("some.json: ") + key + ": expected ")) << key;
  }
  Json json = Json::parse(in_envelope(text));
  json["Phase1Out"] = "not base64!";
  EXPECT_THAT(rejection(json.dump()), StartsWith("some.json: Phase1Out"));
}

/// A challenge's defect: where it is made, and what the message must say after "some.json: ".
struct Defect {
  std::string name;
  std::function<void(Json&)> make;
  std::string message;
};

class Defects : public testing::TestWithParam<Defect> {};

TEST_P(Defects, IsNamedWithItsField) {
  Json json = Json::parse(c1_text("2k-1"));
  GetParam().make(json);
  EXPECT_THAT(rejection(json.dump()), StartsWith("some.json: " + GetParam().message));
}

/// Changes the member of the second challenge at a JSON pointer.
std::function<void(Json&)> edit(const std::string& pointer, const std::function<void(Json&)>& change) {
  return [=](Json& json) { change(json["vanilla_proofs"][kShape][0][1].at(Json::json_pointer(pointer))); };
}
std::function<void(Json&)> set(const std::string& pointer, const Json& value) {
  return edit(pointer, [=](Json& at) { at = value; });
}
std::function<void(Json&)> shorten(const std::string& pointer) {
  return edit(pointer, [](Json& at) { at.erase(at.size() - 1); });
}
std::function<void(Json&)> repeat_last(const std::string& pointer) {
  return edit(pointer, [](Json& at) { at.push_back(at.back()); });
}

const Json kModulus = {1, 0,   0,   0, 255, 255, 255, 255, 254, 91,  254, 255, 2,  164, 189, 83,
                       5, 216, 161, 9, 8,   216, 57,  51,  72,  125, 157, 41,  83, 167, 237, 115};
const std::string kAt = "vanilla_proofs." + kShape + "[0][1]";
const std::string kPath = kAt + ".comm_d_proofs.data.Single.path.path";

INSTANTIATE_TEST_SUITE_P(
    VanillaJson, Defects,
    testing::Values(
        Defect{"UnknownProof", [](Json& j) { j["registered_proof"] = "StackedDrg3KiBV1"; },
               "registered_proof: expected the name of a registered seal proof"},
        Defect{"ProofOfOtherSize", [](Json& j) { j["registered_proof"] = "StackedDrg8MiBV1_1"; },
               "vanilla_proofs: expected StackedDrg8MiBV1 for the registered proof StackedDrg8MiBV1_1, got " + kShape},
        Defect{"ProofIsANumber", [](Json& j) { j["registered_proof"] = 5; }, "registered_proof: expected a string"},
        Defect{"ShapeUnknown",
               [](Json& j) {
                 j["vanilla_proofs"] = Json{{"StackedDrg3KiBV1", Json::array()}};
               },
               "vanilla_proofs.StackedDrg3KiBV1: expected the name of a shape"},
        Defect{"TwoShapes", [](Json& j) { j["vanilla_proofs"]["StackedDrg8MiBV1"] = Json::array(); },
               "vanilla_proofs.StackedDrg8MiBV1: expected one shape only"},
        Defect{"NoShape", [](Json& j) { j["vanilla_proofs"] = Json::object(); },
               "vanilla_proofs: expected the proofs of one shape"},
        Defect{"NoPartition", [](Json& j) { j["vanilla_proofs"][kShape].clear(); },
               "vanilla_proofs." + kShape + ": expected 1 partitions, got 0"},
        Defect{"TwoPartitions", [](Json& j) { j["vanilla_proofs"][kShape].push_back(j["vanilla_proofs"][kShape][0]); },
               "vanilla_proofs." + kShape + ": expected 1 partitions, got 2"},
        Defect{"OneChallenge", [](Json& j) { j["vanilla_proofs"][kShape][0].erase(1); },
               "vanilla_proofs." + kShape + "[0]: expected 2 challenges, got 1"},
        Defect{"CommRNotCanonical", [](Json& j) { j["comm_r"] = kModulus; }, "comm_r: expected a field element"},
        Defect{"CommDNotCanonical", [](Json& j) { j["comm_d"] = kModulus; }, "comm_d: expected a field element"},
        Defect{"ReplicaIdNotCanonical", [](Json& j) { j["replica_id"] = kModulus; },
               "replica_id: expected a field element"},
        Defect{"SeedTooShort", [](Json& j) { j["seed"].erase(31); }, "seed: expected an array of 32 bytes, got 31"},
        Defect{"TicketTooLong", [](Json& j) { j["ticket"].push_back(0); }, "ticket: expected an array of 32"},
        Defect{"NoSeed", [](Json& j) { j.erase("seed"); }, "document: expected a member \"seed\""},
        Defect{"SiblingNotCanonical", set("/comm_d_proofs/data/Single/path/path/3/hashes/0", kModulus),
               kPath + "[3].hashes[0]: expected a field element"},
        Defect{"ByteTooLarge", set("/comm_d_proofs/data/Single/path/path/3/hashes/0/7", 256),
               kPath + "[3].hashes[0]: expected an array of 32 integers from 0 to 255"},
        Defect{"ByteNegative", set("/comm_d_proofs/data/Single/root/0", -1),
               kAt + ".comm_d_proofs.data.Single.root: expected an array of 32 integers"},
        Defect{"ByteFractional", set("/comm_d_proofs/data/Single/leaf/0", 1.5),
               kAt + ".comm_d_proofs.data.Single.leaf: expected an array of 32 integers"},
        Defect{"RootIsText", set("/comm_d_proofs/data/Single/root", "00"),
               kAt + ".comm_d_proofs.data.Single.root: expected an array of 32 bytes"},
        Defect{"LevelMissing", shorten("/comm_d_proofs/data/Single/path/path"),
               kAt + ".comm_d_proofs: expected 6 path levels, got 5"},
        Defect{"LevelTooMany", repeat_last("/comm_r_last_proof/data/Single/path/path"),
               kAt + ".comm_r_last_proof: expected 2 path levels, got 3"},
        Defect{"SiblingMissing", shorten("/comm_r_last_proof/data/Single/path/path/1/hashes"),
               kAt + ".comm_r_last_proof, path level 1: expected 7 siblings, got 6"},
        Defect{"SiblingTooMany",
               repeat_last("/replica_column_proofs/c_x/inclusion_proof/data/Single/path/path/0/hashes"),
               kAt + ".replica_column_proofs.c_x.inclusion_proof, path level 0: expected 7 siblings, got 8"},
        Defect{"IndexOutOfRange", set("/comm_d_proofs/data/Single/path/path/0/index", 2),
               kAt + ".comm_d_proofs, path level 0: expected an index below 2, got 2"},
        Defect{"IndexHuge", set("/comm_d_proofs/data/Single/path/path/0/index", std::uint64_t{1} << 32),
               kPath + "[0].index: expected an integer from 0 to 4294967295"},
        Defect{"OtherVariant",
               edit("/comm_r_last_proof/data",
                    [](Json& at) {
                      at = Json{{"Sub", at["Single"]}};
                    }),
               kAt + ".comm_r_last_proof.data.Sub: expected the variant \"Single\""},
        Defect{"NoVariant", set("/comm_r_last_proof/data", Json::object()),
               kAt + ".comm_r_last_proof.data: expected a member \"Single\""},
        Defect{"DrgParentMissing", shorten("/replica_column_proofs/drg_parents"),
               kAt + ".replica_column_proofs.drg_parents: expected 6 parents, got 5"},
        Defect{"ExpanderParentTooMany", repeat_last("/replica_column_proofs/exp_parents"),
               kAt + ".replica_column_proofs.exp_parents: expected 8 parents, got 9"},
        Defect{"RowMissing", shorten("/replica_column_proofs/exp_parents/7/column/rows"),
               kAt + ".replica_column_proofs.exp_parents[7].column.rows: expected 2 labels (one a layer), got 1"},
        Defect{"LabelingProofMissing", shorten("/labeling_proofs"),
               kAt + ".labeling_proofs: expected 2 proofs (one a layer), got 1"},
        Defect{"LabelingParentMissing", shorten("/labeling_proofs/0/parents"),
               kAt + ".labeling_proofs[0]: expected 37 parents, got 36"},
        Defect{"LayerIndexWrong", set("/labeling_proofs/1/layer_index", 1),
               kAt + ".labeling_proofs[1].layer_index: expected 2, got 1"},
        Defect{"NodeOutOfRange", set("/encoding_proof/node", 64),
               kAt + ".encoding_proof.node: expected a node below 64, got 64"},
        Defect{"EncodingProofMissing", edit("", [](Json& at) { at.erase("encoding_proof"); }),
               kAt + ": expected a member \"encoding_proof\""},
        Defect{"PathIsNull", set("/comm_d_proofs/data/Single/path", nullptr),
               kAt + ".comm_d_proofs.data.Single.path: expected an object"}),
    [](const auto& instance) { return instance.param.name; });

TEST(VanillaJson, CutShortAnywhere) {
  const std::string text = c1_text("2k-1");
  const std::string wrapped = in_envelope(text);
  for (const std::string& whole : {text, wrapped}) {
    for (std::size_t length = 0; length < whole.size(); length += length < 2000 ? 13 : 997) {
      EXPECT_THAT(rejection(whole.substr(0, length)), StartsWith("some.json: ")) << length;
    }
    for (std::size_t missing = 1; missing <= 200; ++missing) {
      EXPECT_THAT(rejection(whole.substr(0, whole.size() - missing)), StartsWith("some.json: ")) << missing;
    }
  }
  EXPECT_THAT(rejection(text.substr(0, text.size() / 2)), HasSubstr("cut short"));
}

TEST(VanillaJson, NotAC1) {
  for (const std::string text :
       {"", " ", "null", "7", "\"text\"", "[]", "{}", "{", "\xff\xfe", "{\"comm_r\":1}", "{\"a\":tru"}) {
    EXPECT_THAT(rejection(text), StartsWith("some.json: ")) << text;
  }
  EXPECT_THAT(rejection(std::string(100'000, '[')), StartsWith("some.json: "));
  EXPECT_THAT(rejection(c1_text("2k-1") + "}"), StartsWith("some.json: "));
  EXPECT_THAT(rejection(c1_text("2k-1") + c1_text("2k-1")), StartsWith("some.json: "));
  std::string twice = c1_text("2k-1");
  twice.insert(1, "\"seed\":[0],");
  EXPECT_THAT(rejection(twice), HasSubstr("seed"));
}

TEST(VanillaJson, FilesAreNamed) {
  const test::TempFolder folder;
  EXPECT_THAT([&] { read_c1_file(folder / "none.json"); },
              ThrowsMessage<IoError>(HasSubstr((folder / "none.json").string())));
  const std::string text = c1_text("2k-1").substr(0, 1000);
  std::ofstream(folder / "half.json") << text;
  EXPECT_THAT([&] { read_c1_file(folder / "half.json"); },
              ThrowsMessage<InputError>(StartsWith((folder / "half.json").string() + ": ")));
  std::ofstream(folder / "empty.json").flush();
  EXPECT_THAT([&] { read_c1_file(folder / "empty.json"); },
              ThrowsMessage<InputError>(StartsWith((folder / "empty.json").string() + ": ")));
}

/// The JSON of the first path in tree_r_last.
Json first_replica_path(const std::string& text) {
  const std::string key = "\"comm_r_last_proof\":";
  const std::size_t begin = text.find(key) + key.size();
  return Json::parse(text.substr(begin, text.find(",\"replica_column_proofs\"", begin) - begin))["data"];
}

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> out;
  for (const auto& item : object.items()) out.push_back(item.key());
  return out;
}

TEST(VanillaJson, TreesWithOneUpperLevel) {
  const VanillaProof proof = test::placeholder_proof("StackedDrg32GiBV1_1");
  const std::string text = write_c1(proof);
  EXPECT_THAT(text,
              StartsWith("{\"registered_proof\":\"StackedDrg32GiBV1_1\",\"vanilla_proofs\":{\"StackedDrg32GiBV1\":"));
  const Json data = first_replica_path(text);
  ASSERT_EQ(keys(data), std::vector<std::string>{"Sub"});
  EXPECT_EQ(keys(data["Sub"]), (std::vector<std::string>{"base_proof", "sub_proof", "root", "leaf"}));
  EXPECT_EQ(data["Sub"]["base_proof"]["path"].size(), 9U);
  EXPECT_EQ(data["Sub"]["sub_proof"]["path"].size(), 1U);
  EXPECT_EQ(data["Sub"]["sub_proof"]["path"][0]["hashes"].size(), 7U);
  EXPECT_TRUE(write_c1(parse(text).proof) == text);

  std::string other = text;
  const std::string sub = "\"sub_proof\":{\"path\":[";
  other.replace(other.find(sub), sub.size(), "\"sub_proof\":{\"path\":[],\"was\":[");
  EXPECT_THAT(rejection(other),
              HasSubstr("[0][0].comm_r_last_proof.data.Sub.sub_proof: expected a path of 1 level, got 0"));
}

TEST(VanillaJson, TreesWithTwoUpperLevels) {
  const VanillaProof proof = test::placeholder_proof("StackedDrg64GiBV1");
  const std::string text = write_c1(proof);
  const Json data = first_replica_path(text);
  ASSERT_EQ(keys(data), std::vector<std::string>{"Top"});
  EXPECT_EQ(keys(data["Top"]), (std::vector<std::string>{"base_proof", "sub_proof", "top_proof", "root", "leaf"}));
  EXPECT_EQ(data["Top"]["base_proof"]["path"].size(), 9U);
  EXPECT_EQ(data["Top"]["sub_proof"]["path"].size(), 1U);
  EXPECT_EQ(data["Top"]["top_proof"]["path"][0]["hashes"].size(), 1U);
  EXPECT_TRUE(write_c1(parse(text).proof) == text);
}

}  // namespace
}  // namespace proofline::filecoin
