#include "filecoin/c1_reader.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <functional>
#include <optional>

#include "base/error.hpp"
#include "base/executor.hpp"
#include "base/stage_recorder.hpp"
#include "filecoin/c1_text.hpp"
#include "filecoin/golden_sector.hpp"
#include "support/temp_folder.hpp"

namespace proofline::filecoin {
namespace {

using test::bytes_of;
using test::in_envelope;
using test::many_partitions;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;
using Json = nlohmann::ordered_json;

const std::string kShape = "StackedDrg2KiBV1";

C1Reader reader_of(std::string_view text) {
  return {JsonText::owned({text.begin(), text.end()}), "some.json"};
}

/// A vanilla proof as a reader gives it, partition by partition, last one first.
VanillaProof read_backwards(const C1Reader& reader) {
  VanillaProof out{reader.header(), {}};
  out.partitions.resize(reader.partitions());
  for (std::size_t k = reader.partitions(); k-- > 0;) out.partitions[k] = reader.read_partition(k);
  return out;
}

/// The message of the InputError that reading the outline throws, or else reading a partition.
std::string rejection(std::string_view text) {
  try {
    const C1Reader reader = reader_of(text);
    for (std::size_t k = 0; k < reader.partitions(); ++k) {
      try {
        reader.read_partition(k);
      } catch (const InputError& error) {
        return "partition " + std::to_string(k) + ": " + error.what();
      }
    }
  } catch (const InputError& error) {
    return std::string("outline: ") + error.what();
  }
  return "accepted";
}

TEST(C1Reader, PartitionsAreThoseOfTheReferencesFile) {
  for (const std::string sector : {"2k-1", "2k-2", "2kv1-4", "8m-6-cc"}) {
    const test::GoldenSector golden(sector);
    const C1Reader reader(golden.folder / "c1.json");
    EXPECT_EQ(reader.partitions(), golden.info().partitions());
    EXPECT_EQ(reader.header().comm_r.to_bytes(), golden.id("comm_r"));
    EXPECT_EQ(reader.sector_number(), std::nullopt);
    const std::vector<std::uint8_t> bytes = golden.file("c1.json");
    EXPECT_EQ(write_c1(read_backwards(reader)), std::string(bytes.begin(), bytes.end())) << sector;
  }
}

TEST(C1Reader, ManyPartitionsInAnyForm) {
  const std::string text = write_c1(many_partitions());
  const std::string wrapped = in_envelope(text);
  const test::TempFolder folder;
  test::write_bytes(folder / "c1.json", bytes_of(text));
  test::write_bytes(folder / "envelope.json", bytes_of(wrapped));
  std::string escaped = wrapped;
  escaped.replace(escaped.find("\"eyJy"), 2, "\"\\u0065");

  EXPECT_EQ(write_c1(parse_c1(bytes_of(text), "c1").proof), text);
  EXPECT_EQ(write_c1(read_backwards({JsonText::borrowed(bytes_of(text)), "c1"})), text);
  EXPECT_EQ(write_c1(read_backwards(reader_of(text))), text);
  EXPECT_EQ(write_c1(read_backwards(C1Reader(folder / "c1.json"))), text);
  EXPECT_EQ(write_c1(read_backwards(C1Reader(folder / "envelope.json"))), text);
  for (const std::string& envelope : {wrapped, escaped}) {
    const C1Reader reader = reader_of(envelope);
    EXPECT_EQ(reader.partitions(), 13U);
    EXPECT_EQ(reader.sector_number(), 17);
    EXPECT_EQ(write_c1(read_backwards(reader)), text);
  }
}

TEST(C1Reader, OrderAndUnknownKeysDoNotMatter) {
  const std::string text = write_c1(many_partitions());
  nlohmann::json sorted = nlohmann::json::parse(text);  // keys in alphabetic order: vanilla_proofs last
  EXPECT_EQ(write_c1(read_backwards(reader_of(sorted.dump()))), text);
  Json first{{"Unknown", {{"vanilla_proofs", {"]", "\"}"}}}}};
  first["vanilla_proofs"] = Json::parse(text)["vanilla_proofs"];
  first.update(Json::parse(text));
  EXPECT_EQ(write_c1(read_backwards(reader_of(first.dump(1)))), text);
  std::string escaped = text;
  escaped.replace(escaped.find("\"seed\""), 6, "\"se\\u0065d\"");
  EXPECT_EQ(write_c1(read_backwards(reader_of(escaped))), text);
}

TEST(C1Reader, CopiesShareTheText) {
  const std::string text = write_c1(many_partitions());
  std::optional<C1Reader> first(reader_of(in_envelope(text)));
  const C1Reader second = *first;
  first.reset();
  EXPECT_EQ(write_c1(read_backwards(second)), text);
}

TEST(C1Reader, SeveralThreadsAtOnce) {
  const VanillaProof proof = many_partitions();
  const test::TempFolder folder;
  test::write_bytes(folder / "envelope.json", bytes_of(in_envelope(write_c1(proof))));
  const C1Reader reader(folder / "envelope.json");
  std::atomic<unsigned> right = 0;
  Executor(4).parallel_for(proof.partitions.size() * 4, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t k = i % proof.partitions.size();
      const ChallengeProof last = reader.read_partition(k).back();
      if (last.encoding_proof.parents == proof.partitions[k].back().encoding_proof.parents) ++right;
    }
  });
  EXPECT_EQ(right, proof.partitions.size() * 4);
}

TEST(C1Reader, DamageInALatePartitionIsNamedThere) {
  const Json good = Json::parse(write_c1(many_partitions()));
  const std::string path = "some.json: vanilla_proofs." + kShape + "[12][1]";
  const auto damaged = [&](const std::function<void(Json&)>& damage) {
    Json json = good;
    damage(json["vanilla_proofs"][kShape][12]);
    return json.dump();
  };
  const std::string text = damaged([](Json& j) { j[1]["encoding_proof"]["parents"][36][0] = 256; });
  const std::string field = ".encoding_proof.parents[36]: expected an array of 32 integers from 0 to 255";
  EXPECT_EQ(rejection(text), "partition 12: " + path + field);
  EXPECT_THAT(rejection(in_envelope(text)),
              AllOf(StartsWith("partition 12: some.json: Phase1Out: vanilla_proofs."), HasSubstr("[12][1]" + field)));
  EXPECT_EQ(rejection(damaged([](Json& j) { j[1]["labeling_proofs"].erase(1); })),
            "partition 12: " + path + ".labeling_proofs: expected 2 proofs (one a layer), got 1");
  EXPECT_EQ(rejection(damaged([](Json& j) { j[1] = 5; })), "partition 12: " + path + ": expected an object");
  EXPECT_EQ(rejection(damaged([](Json& j) { j.erase(1); })),
            "partition 12: some.json: vanilla_proofs." + kShape + "[12]: expected 2 challenges, got 1");
  EXPECT_EQ(rejection(damaged([](Json& j) { j = Json::object(); })),
            "outline: some.json: vanilla_proofs." + kShape + "[12]: expected an array");
  EXPECT_EQ(rejection(damaged([](Json& j) { j = 7; })),
            "outline: some.json: vanilla_proofs." + kShape + "[12]: expected an array");

  // No JSON inside the partition, though its brackets match; all others can be read.
  std::string comma = good.dump();
  comma.insert(comma.rfind("{\"parents\":["), ",");
  EXPECT_THAT(rejection(comma), StartsWith("partition 12: " + path + ".encoding_proof: expected "));
}

TEST(C1Reader, WrongNumberOfPartitions) {
  Json json = Json::parse(write_c1(many_partitions()));
  Json& partitions = json["vanilla_proofs"][kShape];
  partitions.push_back(partitions[0]);
  const std::string expected = "outline: some.json: vanilla_proofs." + kShape + ": expected 13 partitions, got ";
  EXPECT_EQ(rejection(json.dump()), expected + "14");
  partitions.erase(12);
  partitions.erase(12);
  EXPECT_EQ(rejection(json.dump()), expected + "12");
  partitions = Json(100'000, Json::array());
  EXPECT_EQ(rejection(json.dump()), expected + "100000");
  EXPECT_THAT([&] { reader_of(write_c1(many_partitions())).read_partition(13); },
              ThrowsMessage<InputError>("some.json: partition 13 asked for, it has 13"));
}

TEST(C1Reader, CutShortIsSeenBeforeAnyPartitionIsRead) {
  const std::string text = write_c1(many_partitions());
  const std::string inner = "outline: some.json: ";
  for (std::size_t length = 0; length < text.size(); length += 99'991) {
    EXPECT_THAT(rejection(text.substr(0, length)), AllOf(StartsWith(inner), HasSubstr("cut short or damaged")));
    EXPECT_THAT(rejection(in_envelope(text.substr(0, length))),
                AllOf(StartsWith(inner + "Phase1Out: "), HasSubstr("cut short or damaged")));
  }
  EXPECT_THAT(rejection(text.substr(0, text.rfind("]]}"))),
              HasSubstr("vanilla_proofs." + kShape + "[12]: expected well"));
}

TEST(C1Reader, DamagedBase64IsSeenBeforeAnyPartitionIsRead) {
  std::string text = in_envelope(write_c1(many_partitions()));
  text[text.size() - 100] = '!';
  EXPECT_THAT(rejection(text), StartsWith("outline: some.json: Phase1Out: not a base64 character at position "));
}

TEST(C1Reader, MemoryDoesNotGrowWithTheText) {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  const test::TempFolder folder;
  {
    std::string text = write_c1(many_partitions());
    text.insert(1, "\"unknown\":[\"" + std::string(48 * kMiB, 'x') + "\"],");
    test::write_bytes(folder / "envelope.json", bytes_of(in_envelope(text)));
  }
  StageRecorder recorder;
  recorder.done("before");
  if (!recorder.separate_peaks()) GTEST_SKIP() << "the kernel does not tell the peak of a part of a process's life";
  const C1Reader reader(folder / "envelope.json");
  for (std::size_t k = 0; k < reader.partitions(); ++k) reader.read_partition(k);
  recorder.done("read");
  EXPECT_LT(recorder.stages()[1].peak_rss, recorder.stages()[0].peak_rss + 16 * kMiB);
}

}  // namespace
}  // namespace proofline::filecoin
