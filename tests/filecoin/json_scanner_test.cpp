#include "filecoin/json_scanner.hpp"

#include <gmock/gmock.h>

#include <string>

#include "base/base64.hpp"
#include "filecoin/c1_text.hpp"

namespace proofline::filecoin {
namespace {

using test::bytes_of;
using testing::ElementsAre;
using testing::StartsWith;

/// The members of an object, those that are arrays entered: "key: value", "key[0]: value".
std::vector<std::string> outline(const JsonText& text) {
  JsonScanner scanner(text, "doc");
  std::vector<std::string> out;
  const auto value = [&](const std::string& name) { out.push_back(name + ": " + text.read(scanner.skip())); };
  scanner.object([&](const std::string& key) {
    if (key != "list") return value(key);
    scanner.array([&](std::size_t i) { value("list[" + std::to_string(i) + "]"); });
  });
  scanner.end();
  return out;
}

std::vector<std::string> outline(std::string_view text) {
  return outline(JsonText::borrowed(bytes_of(text)));
}

std::string rejection(std::string_view text) {
  try {
    outline(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(JsonScanner, ValuesAreWhereTheyAre) {
  EXPECT_THAT(outline("{}"), ElementsAre());
  EXPECT_THAT(outline(" { } \n"), ElementsAre());
  EXPECT_THAT(outline(R"({"a":1,"b":[2,{"c":[]}],"d":"e","list":[],"f":null})"),
              ElementsAre("a: 1", R"(b: [2,{"c":[]}])", R"(d: "e")", "f: null"));
  EXPECT_THAT(outline("\t{ \"a\" : -1.5e3 ,\r\n\"list\": [ [1 , 2], {\"x\" : 3} , true ] }\n"),
              ElementsAre("a: -1.5e3", "list[0]: [1 , 2]", "list[1]: {\"x\" : 3}", "list[2]: true"));
}

TEST(JsonScanner, BracketsAndQuotesInsideStringsAreNone) {
  EXPECT_THAT(outline(R"({"a":["]","\"]","\\"],"list":[{"}":"{"},"\\\""]})"),
              ElementsAre(R"(a: ["]","\"]","\\"])", R"(list[0]: {"}":"{"})", R"(list[1]: "\\\"")"));
}

TEST(JsonScanner, KeysAreUnescaped) {
  EXPECT_THAT(outline(R"({"\u006cist":[7],"a\"b":8,"é":9})"), ElementsAre("list[0]: 7", "a\"b: 8", "é: 9"));
}

TEST(JsonScanner, WhatIsDamagedIsNamedWithItsPath) {
  const std::string damaged = "expected well-formed JSON, found text that is cut short or damaged";
  for (const char* text : {"", " ", "{", "{\"a\"", "{\"a", "{\"a\\", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}",
                           "{a:1}", "{\"a\" 1}", "{\"a\":1 2}", "{\"a\\x\":1}", "{\"\xff\":1}"}) {
    EXPECT_EQ(rejection(text), "doc: document: " + damaged) << text;
  }
  for (const char* text : {"{\"a\":", "{\"a\":}", "{\"a\":[", "{\"a\":[1", "{\"a\":[}]}", "{\"a\":{]}", "{\"a\":\"",
                           "{\"a\":\"\\", "{\"a\":\"\\\"", "{\"a\":,"}) {
    EXPECT_EQ(rejection(text), "doc: a: " + damaged) << text;
  }
  EXPECT_EQ(rejection("{\"list\":[1,2"), "doc: list: " + damaged);
  EXPECT_EQ(rejection("{\"list\":[1,[2"), "doc: list[1]: " + damaged);
  EXPECT_EQ(rejection("{\"list\":[1,]}"), "doc: list[1]: " + damaged);
  EXPECT_EQ(rejection("{\"list\":{}}"), "doc: list: expected an array");
  EXPECT_EQ(rejection("[]"), "doc: document: expected an object");
  EXPECT_EQ(rejection("{} {}"), "doc: document: expected nothing after the JSON object");
  EXPECT_EQ(rejection({"{}\0", 3}), "doc: document: expected nothing after the JSON object");
}

TEST(JsonScanner, NestingHasALimit) {
  const auto nested = [](std::size_t levels) {
    return "{\"a\":" + std::string(levels, '[') + std::string(levels, ']') + "}";
  };
  EXPECT_EQ(rejection(nested(1024)), "accepted");
  EXPECT_EQ(rejection(nested(1025)), "doc: a: expected at most 1024 levels of brackets");
  EXPECT_THAT(rejection("{\"a\":" + std::string(10'000'000, '[')), StartsWith("doc: a: expected at most"));
}

// A text is looked at in pieces: every kind of token lies across the end of one for some length of the filling.
TEST(JsonScanner, PiecesDoNotShow) {
  constexpr std::size_t kPiece = std::size_t{3} << 16;
  const std::string rest = R"( "a\\" : "x\"y" , "list" : [ [1,"]\"",{"b":2}] , 34 ] } )";
  for (std::size_t back = 0; back < rest.size() + 8; ++back) {
    const std::string text = "{\"f\":\"" + std::string(kPiece - back, 'f') + "\"," + rest;
    const auto expected = [&](const std::vector<std::string>& found) {
      ASSERT_EQ(found.size(), 4U) << back;
      EXPECT_EQ(found[1], R"(a\: "x\"y")") << back;
      EXPECT_EQ(found[2], R"(list[0]: [1,"]\"",{"b":2}])") << back;
      EXPECT_EQ(found[3], "list[1]: 34") << back;
    };
    expected(outline(text));
    const std::string base64 = "{" + to_base64(bytes_of(text));
    expected(outline(JsonText::borrowed(bytes_of(base64)).from_base64({1, base64.size()}, "inner")));
  }
}

}  // namespace
}  // namespace proofline::filecoin
