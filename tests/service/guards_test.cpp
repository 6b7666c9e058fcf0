// Tokens, limits and claims.
#include <gmock/gmock.h>

#include <thread>

#include "base/error.hpp"
#include "service/client_limits.hpp"
#include "service/job_claims.hpp"
#include "service/log.hpp"
#include "service/tokens.hpp"
#include "support/temp_folder.hpp"

namespace proofline::service {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

void write(const fs::path& file, const std::string& text, fs::perms mode = fs::perms::owner_read) {
  fs::remove(file);
  test::write_bytes(file, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  fs::permissions(file, mode);
}

TEST(Tokens, OnlyThoseOfTheFileAreAccepted) {
  const test::TempFolder folder;
  Tokens tokens;
  tokens.load({});
  EXPECT_TRUE(tokens.accept("")) << "none is asked for";
  write(folder / "t", "# two\n\nfirst-token-of-two\r\n  second-token-of-2\n");
  tokens.load(folder / "t");
  EXPECT_TRUE(tokens.accept("Bearer first-token-of-two"));
  EXPECT_TRUE(tokens.accept("bearer second-token-of-2"));
  for (const char* bad : {"", "Bearer ", "Bearer", "first-token-of-two", "Basic first-token-of-two", "Bearer # two",
                          "Bearer first-token-of-tw", "Bearer first-token-of-two ", "Bearer First-token-of-two"})
    EXPECT_FALSE(tokens.accept(bad)) << bad;
}

TEST(Tokens, BadFilesAreRefusedWithoutTellingTheToken) {
  const test::TempFolder folder;
  const fs::path file = folder / "t";
  Tokens tokens;
  write(file, "the-token-that-is-good\n");
  tokens.load(file);
  const auto load = [&] { tokens.load(file); };
  write(file, "secret\n");
  EXPECT_THAT(load, ThrowsMessage<InputError>(AllOf(HasSubstr("t:1: expected a token"), Not(HasSubstr("secret")))));
  write(file, "secret with two spaces in it\n");
  EXPECT_THAT(load, ThrowsMessage<InputError>(AllOf(HasSubstr("without spaces"), Not(HasSubstr("secret")))));
  write(file, "# nothing\n");
  EXPECT_THAT(load, ThrowsMessage<InputError>(HasSubstr("has no token")));
  write(file, "the-token-that-is-new\n", fs::perms::owner_read | fs::perms::others_read);
  EXPECT_THAT(load, ThrowsMessage<InputError>(HasSubstr("every user can read it")));
  fs::remove(file);
  EXPECT_THROW(load(), IoError);
  EXPECT_TRUE(tokens.accept("Bearer the-token-that-is-good")) << "what was known stays";
  EXPECT_FALSE(tokens.accept("Bearer the-token-that-is-new"));
}

TEST(ClientLimits, ClientsAreKnownWithoutTheirPort) {
  EXPECT_EQ(client_of_peer("ipv4:10.0.0.7:4711"), "ipv4:10.0.0.7");
  EXPECT_EQ(client_of_peer("ipv6:%5Bfd00::1%5D:4711"), "ipv6:%5Bfd00::1%5D");
  EXPECT_EQ(client_of_peer("unix:"), "unix:");
  EXPECT_EQ(client_of_peer("unix:/tmp/x"), "unix:");
}

TEST(ClientLimits, TheRateIsEachClientsOwn) {
  ClientLimits limits;
  limits.set_rate(10);
  const auto now = ClientLimits::Clock::now();
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(limits.take_request("a", now)) << i;
  EXPECT_FALSE(limits.take_request("a", now));
  EXPECT_TRUE(limits.take_request("b", now));
  EXPECT_TRUE(limits.take_request("a", now + 100ms));
  EXPECT_FALSE(limits.take_request("a", now + 100ms));
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(limits.take_request("a", now + 1h));
  EXPECT_FALSE(limits.take_request("a", now + 1h)) << "no more than two seconds' worth is saved up";
  limits.set_rate(0);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(limits.take_request("a", now));
}

TEST(ClientLimits, JobsCountUntilTheyHaveEnded) {
  ClientLimits limits;
  limits.set_jobs(2);
  std::set<engine::JobId> live = {1, 2};
  const auto is_live = [&] { return live; };
  limits.take_place("a", is_live)->became(1);
  {
    const auto being_submitted = limits.take_place("a", is_live);
    EXPECT_TRUE(being_submitted.has_value());
    EXPECT_FALSE(limits.take_place("a", is_live).has_value());
  }
  limits.take_place("a", is_live)->became(2);
  EXPECT_FALSE(limits.take_place("a", is_live).has_value());
  EXPECT_TRUE(limits.take_place("b", is_live).has_value());
  live = {2};
  EXPECT_TRUE(limits.take_place("a", is_live).has_value());
  limits.set_jobs(0);
  EXPECT_TRUE(limits.take_place("a", is_live).has_value());
}

TEST(JobClaims, TheLastCallerDecides) {
  JobClaims claims;
  int asked = 0;
  bool is_kept = true;
  const auto cancel = [&] {
    ++asked;
    return !is_kept;
  };
  {
    JobClaims::Claim first(claims, "job"), second(claims, "job"), of_another(claims, "other");
    EXPECT_FALSE(first.abandon(cancel)) << "another waits";
    EXPECT_EQ(asked, 0);
  }
  JobClaims::Claim last(claims, "job");
  EXPECT_FALSE(last.abandon(cancel)) << "the job is kept";
  is_kept = false;
  EXPECT_TRUE(last.abandon(cancel));
  EXPECT_EQ(asked, 2);
}

TEST(LogLines, ValuesCannotForgeOthers) {
  EXPECT_EQ(text_line("job done", {{"job", "porep-1000-1"}}), "job done job=porep-1000-1");
  EXPECT_EQ(text_line("job done", {{"job", "a b=\"c\"\nfake"}}), "job done job=\"a b=\\\"c\\\"\\nfake\"");
  EXPECT_EQ(text_line("e", {{"job", ""}}), "e job=\"\"");
  EXPECT_EQ(json_members("e", {{"job", "a\"b\n\xff"}}), "\"event\":\"e\",\"job\":\"a\\\"b\\n\xef\xbf\xbd\"");
}

}  // namespace
}  // namespace proofline::service
