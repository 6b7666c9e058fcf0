#include "engine/parameter_store.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.hpp"
#include "r1cs/circuit_file.hpp"
#include "support/temp_folder.hpp"
#include "support/test_data.hpp"

namespace proofline::engine {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::ThrowsMessage;

const std::string kId = "wpost-2k";
constexpr std::uint64_t kBudget = std::uint64_t{1} << 30;

/// The folder holds the reference's WindowPoSt parameters of 2KiB sectors.
struct Fixture {
  test::TempFolder folder;
  MemoryLedger ledger{{kBudget}};
  std::vector<std::string> warnings;
  ParameterStoreOptions options;

  Fixture() {
    options.parameter_folder = test::data_path("params");
    options.circuit_cache = folder / "circuits";
    options.warn = [this](const std::string& message) { warnings.push_back(message); };
  }

  fs::path params() const { return parameter_file_in(options.parameter_folder, filecoin::parse_circuit_id(kId)); }
  fs::path cached_circuit() const { return options.circuit_cache / (kId + ".circuit"); }
  std::uint64_t reserved(MemoryClass memory_class) const {
    return ledger.state(Pool::host()).by_class[static_cast<std::size_t>(memory_class)];
  }
};

std::optional<ProvingKit> acquire(ParameterStore& store, const std::string& id = kId) {
  return store.acquire(id, Priority::kNormal, {});
}

KitInfo info(const ParameterStore& store, const std::string& id = kId) {
  for (const KitInfo& one : store.list()) {
    if (one.circuit_id == id) return one;
  }
  throw std::runtime_error("not listed: " + id);
}

/// An environment variable for the length of a test.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name); old != nullptr) old_ = old;
    set(value);
  }
  ~Environment() { set(old_ ? old_->c_str() : nullptr); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  void set(const char* value) const {
    if (value == nullptr) {
      ::unsetenv(name_);
    } else {
      ::setenv(name_, value, 1);
    }
  }
  const char* name_;
  std::optional<std::string> old_;
};

TEST(ParameterStore, AKitIsWholeAndItsMemoryReserved) {
  Fixture f;
  ParameterStore store(f.ledger, f.options);
  EXPECT_EQ(info(store).state, KitState::kCold);
  EXPECT_EQ(info(store, "porep-32g").state, KitState::kMissing);
  {
    const auto kit = acquire(store);
    ASSERT_TRUE(kit.has_value());
    EXPECT_EQ(kit->circuit->num_inputs, kit->key->key.num_inputs());
    EXPECT_EQ(kit->parameters->path(), f.params());
    EXPECT_THAT(kit->uses, SizeIs(2));
    const KitInfo hot = info(store);
    EXPECT_EQ(hot.state, KitState::kHot);
    EXPECT_EQ(hot.circuit_bytes, kit->circuit->bytes().total());
    EXPECT_EQ(hot.parameter_bytes, fs::file_size(f.params()));
    EXPECT_EQ(hot.uses, 1U);
    EXPECT_EQ(f.reserved(MemoryClass::kCircuit), hot.circuit_bytes);
    EXPECT_EQ(f.reserved(MemoryClass::kParameters), ParameterStore::kParameterBytes);
    EXPECT_THAT([&] { store.evict(kId); }, ThrowsMessage<InputError>(HasSubstr("wpost-2k: is in use")));
  }
  EXPECT_EQ(info(store).state, KitState::kWarm);
  store.evict(kId);
  store.evict(kId);
  EXPECT_EQ(info(store).state, KitState::kCold);
  EXPECT_EQ(f.ledger.state(Pool::host()).reserved, 0U);
  EXPECT_TRUE(store.preload(kId));
  EXPECT_EQ(info(store).uses, 2U);
  EXPECT_THAT(f.warnings, IsEmpty());
}

TEST(ParameterStore, IdleKitsMakeRoomAndAreLoadedAgain) {
  Fixture f;
  ParameterStore store(f.ledger, f.options);
  {
    const auto kit = acquire(store);
    EXPECT_EQ(f.ledger.try_reserve({Pool::host(), MemoryClass::kWitness, kBudget, Priority::kNormal}), std::nullopt);
  }
  auto all = f.ledger.reserve({Pool::host(), MemoryClass::kWitness, kBudget, Priority::kNormal});
  EXPECT_EQ(info(store).state, KitState::kCold);
  std::optional<ProvingKit> kit;
  std::jthread waiter([&] { kit = acquire(store); });
  while (f.ledger.state(Pool::host()).waiting == 0) std::this_thread::yield();
  EXPECT_THAT([&] { store.evict(kId); }, ThrowsMessage<InputError>(HasSubstr("is being loaded")));
  all->release();
  waiter.join();
  ASSERT_TRUE(kit.has_value());
  EXPECT_EQ(f.ledger.state(Pool::host()).reserved, kit->circuit->bytes().total() + ParameterStore::kParameterBytes);
}

TEST(ParameterStore, WhatIsLargerThanTheBudgetIsRefused) {
  Fixture f;
  MemoryLedger small({ParameterStore::kParameterBytes});
  ParameterStore store(small, f.options);
  EXPECT_THROW(acquire(store), ImpossibleReservation);
  EXPECT_THROW(acquire(store), ImpossibleReservation) << "the failed loading has ended";
}

TEST(ParameterStore, AStopEndsTheWaiting) {
  Fixture f;
  ParameterStore store(f.ledger, f.options);
  std::stop_source stop;
  const auto all = f.ledger.reserve({Pool::host(), MemoryClass::kWitness, kBudget, Priority::kNormal});
  std::optional<ProvingKit> loader, waiter;
  std::jthread first([&] { loader = store.acquire(kId, Priority::kNormal, stop.get_token()); });
  while (f.ledger.state(Pool::host()).waiting == 0) std::this_thread::yield();
  std::jthread second([&] { waiter = store.acquire(kId, Priority::kNormal, stop.get_token()); });
  stop.request_stop();
  first.join();
  second.join();
  EXPECT_FALSE(loader.has_value());
  EXPECT_FALSE(waiter.has_value());
  EXPECT_FALSE(store.preload(kId, stop.get_token()));
  EXPECT_EQ(f.reserved(MemoryClass::kCircuit), 0U);
}

TEST(ParameterStore, ThreadsThatAskForOneCircuitLoadItOnce) {
  Fixture f;
  ParameterStore store(f.ledger, f.options);
  std::vector<std::optional<ProvingKit>> kits(8);
  {
    std::vector<std::jthread> threads;
    for (auto& kit : kits) threads.emplace_back([&] { kit = acquire(store); });
  }
  for (const auto& kit : kits) {
    ASSERT_TRUE(kit.has_value());
    EXPECT_EQ(kit->circuit, kits[0]->circuit);
    EXPECT_EQ(kit->parameters, kits[0]->parameters);
  }
  EXPECT_EQ(info(store).uses, 8U);
  EXPECT_EQ(f.reserved(MemoryClass::kParameters), ParameterStore::kParameterBytes);
}

TEST(ParameterStore, MissingParameters) {
  Fixture f;
  f.options.parameter_folder = f.folder / "none";
  ParameterStore store(f.ledger, f.options);
  EXPECT_THAT([&] { acquire(store, "winning-2k"); },
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("winning-2k: no parameters at " + f.options.parameter_folder.string() + "/v28-"),
                        HasSubstr("proofline params generate --proof winning-post --sector 2KiB -o "))));
  EXPECT_THAT([&] { acquire(store, "porep-32g"); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("porep-32g: no parameters at "),
                                              HasSubstr("lotus fetch-params 32GiB"), HasSubstr("curio fetch-params"))));
  for (const char* unknown : {"wpost-2g", ""}) {
    EXPECT_THAT([&] { acquire(store, unknown); }, ThrowsMessage<InputError>(HasSubstr("nearest id")));
    EXPECT_THROW(store.evict(unknown), InputError);
  }
}

TEST(ParameterStore, WrongFiles) {
  Fixture f;
  f.options.parameter_files["winning-2k"] = f.params();
  const fs::path cut = f.folder / "cut.params";
  const auto whole = test::read_bytes(f.params());
  test::write_bytes(cut, std::span(whole).first(5000));
  f.options.parameter_files[kId] = cut;
  ParameterStore store(f.ledger, f.options);
  EXPECT_THAT([&] { acquire(store, "winning-2k"); }, ThrowsMessage<InputError>(HasSubstr("of another circuit")));
  EXPECT_THAT([&] { acquire(store); }, ThrowsMessage<InputError>(HasSubstr(cut.string())));
  EXPECT_EQ(f.ledger.state(Pool::host()).reserved, 0U);
  f.options.parameter_files = {{"wpost-2kk", cut}};
  EXPECT_THROW(ParameterStore(f.ledger, f.options), InputError);
}

TEST(ParameterStore, RecordedCircuitsAreKeptForTheNextStart) {
  Fixture f;
  { ParameterStore(f.ledger, f.options).preload(kId); }
  const auto good = test::read_bytes(f.cached_circuit());
  const auto written = fs::last_write_time(f.cached_circuit());
  { EXPECT_TRUE(ParameterStore(f.ledger, f.options).preload(kId)); }
  EXPECT_EQ(fs::last_write_time(f.cached_circuit()), written);

  auto damaged = good;
  damaged[damaged.size() / 2] ^= 1;
  test::write_bytes(f.cached_circuit(), damaged);
  { EXPECT_TRUE(ParameterStore(f.ledger, f.options).preload(kId)); }
  EXPECT_THAT(f.warnings, testing::ElementsAre(HasSubstr("recorded anew")));
  EXPECT_EQ(test::read_bytes(f.cached_circuit()), good);

  // A sound file of another circuit is recorded anew, too.
  f.warnings.clear();
  r1cs::save_circuit(
      filecoin::record_circuit(filecoin::CircuitKind::kWindowPost, filecoin::sector_shape("8MiB"), no_progress()),
      f.cached_circuit());
  { EXPECT_TRUE(ParameterStore(f.ledger, f.options).preload(kId)); }
  EXPECT_THAT(f.warnings, SizeIs(1));
  EXPECT_EQ(test::read_bytes(f.cached_circuit()), good);
}

TEST(ParameterStore, ACacheThatCannotBeWrittenOnlyWarns) {
  Fixture f;
  test::write_bytes(f.folder / "file", {});
  f.options.circuit_cache = f.folder / "file";
  EXPECT_TRUE(ParameterStore(f.ledger, f.options).preload(kId));
  EXPECT_THAT(f.warnings, SizeIs(1));
  f.options.circuit_cache.clear();
  EXPECT_TRUE(ParameterStore(f.ledger, f.options).preload(kId));
  EXPECT_THAT(f.warnings, SizeIs(1));
}

TEST(ParameterStore, ACircuitFileThatIsGivenMustBeRight) {
  Fixture f;
  { ParameterStore(f.ledger, f.options).preload(kId); }
  f.options.circuit_files[kId] = f.folder / "mine.circuit";
  fs::rename(f.cached_circuit(), f.options.circuit_files[kId]);
  EXPECT_TRUE(ParameterStore(f.ledger, f.options).preload(kId));
  EXPECT_FALSE(fs::exists(f.cached_circuit()));
  test::write_bytes(f.options.circuit_files[kId], {});
  EXPECT_THAT([&] { ParameterStore(f.ledger, f.options).preload(kId); },
              ThrowsMessage<InputError>(HasSubstr("mine.circuit")));
}

TEST(ParameterStore, DigestsAreCheckedOnceAgainstAPublishedList) {
  Fixture f;
  const std::string name = f.params().filename().string();
  const fs::path params = f.folder / name;
  fs::copy_file(f.params(), params);
  const std::string digest = groth16::parameter_digest(params, no_progress());
  f.options.parameter_folder = f.folder.path();
  f.options.state_folder = f.folder / "state";
  f.options.published = f.folder / "list.json";
  const auto publish = [&](const std::string& listed_name, const std::string& listed) {
    const std::string text = nlohmann::json{{listed_name, {{"digest", listed}}}}.dump();
    test::write_bytes(f.options.published, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  };
  const auto load = [&] { return ParameterStore(f.ledger, f.options).preload(kId); };
  const std::string wrong(digest.size(), '0');

  publish("other.params", digest);
  EXPECT_THAT(load, ThrowsMessage<InputError>(HasSubstr("does not list a file of this name")));
  publish(name, wrong);
  EXPECT_THAT(load, ThrowsMessage<InputError>(AllOf(HasSubstr(digest), HasSubstr(wrong))));
  EXPECT_FALSE(fs::exists(f.options.state_folder / (name + ".checked")));
  publish(name, digest);
  EXPECT_TRUE(load());
  EXPECT_TRUE(fs::exists(f.options.state_folder / (name + ".checked")));

  // Remembered: a change that keeps size and time is not seen, one of the time is.
  const auto changed = fs::last_write_time(params);
  auto bytes = test::read_bytes(params);
  bytes.back() ^= 1;
  test::write_bytes(params, bytes);
  fs::last_write_time(params, changed);
  EXPECT_TRUE(load());
  fs::last_write_time(params, changed + std::chrono::seconds(1));
  EXPECT_THAT(load, ThrowsMessage<InputError>(HasSubstr("fetch the file again")));
}

TEST(ParameterFiles, DefaultFoldersComeFromTheEnvironment) {
  {
    const Environment unset("FIL_PROOFS_PARAMETER_CACHE", nullptr);
    EXPECT_EQ(parameter_cache_directory(), "/var/tmp/filecoin-proof-parameters");
  }
  const Environment params("FIL_PROOFS_PARAMETER_CACHE", "/some/params");
  EXPECT_EQ(parameter_cache_directory(), "/some/params");
  const Environment home("HOME", "/home/me");
  {
    const Environment cache("XDG_CACHE_HOME", "/cache");
    EXPECT_EQ(circuit_cache_directory(), "/cache/proofline");
  }
  const Environment cache("XDG_CACHE_HOME", nullptr);
  EXPECT_EQ(circuit_cache_directory(), "/home/me/.cache/proofline");
  const Environment nowhere("HOME", nullptr);
  EXPECT_EQ(circuit_cache_directory(), "");
}

TEST(CircuitIds, AreParsed) {
  const std::vector<std::string> ids = filecoin::circuit_ids();
  EXPECT_THAT(ids, SizeIs(39));
  for (const std::string& id : ids) {
    const filecoin::CircuitName name = filecoin::parse_circuit_id(id);
    EXPECT_EQ(filecoin::circuit_id(name.kind, *name.sector), id);
  }
  EXPECT_THAT([] { filecoin::parse_circuit_id("porep-32gb"); },
              ThrowsMessage<InputError>(HasSubstr("\"porep-32gb\" is not known; the nearest id is \"porep-32g\"")));
  EXPECT_THROW(filecoin::parse_circuit_id("snap-1g"), InputError);
}

}  // namespace
}  // namespace proofline::engine
