#include "base/json.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace residue {
namespace {

using Oracle = nlohmann::ordered_json;

// The same random value in both.
void grow(Json& ours, Oracle& theirs, int depth) {
  const int kind = *rc::gen::inRange(0, depth > 3 ? 6 : 8);
  const auto set = [&](const auto& value) {
    ours = value;
    theirs = value;
  };
  if (kind == 0) set(nullptr);
  if (kind == 1) set(*rc::gen::arbitrary<bool>());
  if (kind == 2) set(*rc::gen::arbitrary<std::int64_t>());
  if (kind == 3) set(*rc::gen::arbitrary<std::uint64_t>());
  if (kind == 4) set(*rc::gen::arbitrary<double>());
  if (kind == 5) set(*rc::gen::arbitrary<std::string>());
  const int size = kind > 5 ? *rc::gen::inRange(0, 5) : 0;
  if (kind == 6) {
    ours = Json::array();
    theirs = Oracle::array();
    for (int i = 0; i < size; ++i) grow(ours.emplace_back(), theirs.emplace_back(), depth + 1);
  }
  if (kind == 7) {
    ours = Json::object();
    theirs = Oracle::object();
    for (int i = 0; i < size; ++i) {
      const auto key = *rc::gen::container<std::string>(rc::gen::element('a', 'b', '"', '\n'));
      grow(ours[key], theirs[key], depth + 1);
    }
  }
}

std::string printed(const Oracle& json, int indent = -1) {
  return json.dump(indent, ' ', false, Oracle::error_handler_t::replace);
}

RC_GTEST_PROP(Json, IsPrintedAndReadAsTheLibraryDoes, ()) {
  Json ours;
  Oracle theirs;
  grow(ours, theirs, 0);
  RC_ASSERT(ours.dump() == printed(theirs));
  RC_ASSERT(ours.dump(2) == printed(theirs, 2));
  RC_ASSERT(ours.sorted().dump() == nlohmann::json::parse(printed(theirs)).dump());
  const auto read = Json::parse(ours.dump());
  RC_ASSERT(read.has_value());
  RC_ASSERT(read->dump() == ours.dump());
}

TEST(Json, IsMadeWhereItStands) {
  const std::vector<std::string> words = {"p", "q"};
  const std::map<std::string, int> counts = {{"z", 1}};
  const Json json = {{"a", 1}, {"list", {1, 2.5, "x"}}, {"words", words}, {"counts", counts}, {"none", nullptr}};
  EXPECT_EQ(json.dump(), R"({"a":1,"list":[1,2.5,"x"],"words":["p","q"],"counts":{"z":1},"none":null})");
  EXPECT_EQ(Json({"a", "b"}).dump(), R"(["a","b"])");
  EXPECT_EQ(Json::array({{"a", "b"}}).dump(), R"([["a","b"]])");
}

TEST(Json, RefusesWhatIsNotOneValue) {
  for (const char* text : {"", "{", "[1,]", "{} {}", "nul", "\"\xff\"", "01", "{\"a\":1,}", "1e999"}) {
    EXPECT_FALSE(Json::parse(text).has_value()) << text;
    EXPECT_FALSE(nlohmann::json::accept(text)) << text;
  }
  EXPECT_TRUE(Json::parse(std::string(1000, '[') + std::string(1000, ']')).has_value());
  EXPECT_FALSE(Json::parse(std::string(1001, '[') + std::string(1001, ']')).has_value());
  EXPECT_FALSE(Json::parse(std::string(1'000'000, '[')).has_value());
}

TEST(Json, TakesTheLastOfEqualKeys) {
  EXPECT_EQ(Json::parse(R"({"a":1,"b":2,"a":[3]})")->dump(), R"({"a":[3],"b":2})");
}

TEST(Json, SaysThatAKeyIsThereTwice) {
  const auto repeats = [](std::string_view text) {
    bool repeated = false;
    (void)Json::parse(text, repeated);
    return repeated;
  };
  EXPECT_TRUE(repeats(R"([{"a":1,"b":{},"a":2}])"));
  EXPECT_TRUE(repeats(R"({"a":1,"a":)"));
  EXPECT_FALSE(repeats(R"({"a":{"a":1},"b":[{"a":1},{"a":2}]})"));
}

TEST(Json, GivesTheMembersOfATemporary) {
  std::string keys;
  for (const auto& [key, value] : Json({{"b", 1}, {"a", 2}}).sorted().items()) keys += key;
  EXPECT_EQ(keys, "ab");
}

TEST(Json, SaysWhatItIsNot) {
  Json json = {{"n", 3}, {"s", "x"}};
  EXPECT_THROW((void)json.at("m"), JsonError);
  EXPECT_THROW((void)json.at("s").get<int>(), JsonError);
  EXPECT_THROW((void)json.at("n").string(), JsonError);
  EXPECT_THROW(json.push_back(1), JsonError);
  EXPECT_THROW((void)Json({1, 2}).at(2), JsonError);
  EXPECT_EQ(json.find("m"), nullptr);
  EXPECT_EQ(Json(1).find("m"), nullptr);
  EXPECT_EQ(json.value("m", 7), 7);
  EXPECT_EQ(json.value("s", "y"), "x");
}

TEST(Json, EqualsByValue) {
  EXPECT_EQ(Json(3), Json(3U));
  EXPECT_EQ(Json(3), Json(3.0));
  EXPECT_NE(Json(-1), Json(std::numeric_limits<std::uint64_t>::max()));
  EXPECT_EQ(Json({{"a", 1}, {"b", 2}}), Json({{"b", 2}, {"a", 1}}));
  EXPECT_NE(Json({1, 2}), Json({2, 1}));
  EXPECT_NE(Json(true), Json(1));
}

TEST(Json, IsNullWhereAnOptionalHasNothing) {
  EXPECT_EQ(Json({{"a", std::optional<double>()}, {"b", std::optional(2)}}).dump(), R"({"a":null,"b":2})");
}

TEST(Json, TellsWhatATextHasWithoutBuildingIt) {
  struct Listener : JsonListener {
    std::string told;
    void text(std::string& value) override { told += "text " + value + "\n"; }
    void other() override { told += "other\n"; }
    void key(std::string& key) override { told += "key " + key + "\n"; }
    void open_object() override { told += "{\n"; }
    void open_array() override { told += "[\n"; }
    void close() override { told += "close\n"; }
    void invalid(std::size_t byte) override { told += "invalid at " + std::to_string(byte) + "\n"; }
  };
  Listener good, bad;
  read_json(R"({"a": ["x", 1, null], "b": 2.5})", good);
  EXPECT_EQ(good.told, "{\nkey a\n[\ntext x\nother\nother\nclose\nkey b\nother\nclose\n");
  read_json("[1,]", bad);
  EXPECT_EQ(bad.told, "[\nother\ninvalid at 4\n");
}

TEST(Json, IsChangedInPlace) {
  Json json;
  json["b"] = 1;
  json["a"].push_back("x");
  json.update({{"b", 2}, {"c", true}});
  EXPECT_TRUE(json.erase("a"));
  EXPECT_FALSE(json.erase("a"));
  EXPECT_EQ(json.dump(), R"({"b":2,"c":true})");
}

}  // namespace
}  // namespace residue
