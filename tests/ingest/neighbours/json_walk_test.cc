#include "ingest/neighbours/json_walk.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/ingest/read_rows.h"

namespace residue::ingest {
namespace {

// A source that gives one byte at a time: every place of a document is once the end of what is known.
class Dripping final : public ByteSource {
 public:
  explicit Dripping(std::string bytes) : bytes_(std::move(bytes)) {}
  std::size_t read(char* to, std::size_t size) override {
    if (at_ == bytes_.size() || size == 0) return 0;
    *to = bytes_[at_++];
    return 1;
  }
  [[nodiscard]] std::uint64_t bytes_read() const override { return at_; }
  [[nodiscard]] std::optional<std::uint64_t> bytes_total() const override { return bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

// Members of the object, "name=bytes"; those called x are passed over.
std::vector<std::string> members(const std::string& json, bool dripping, std::size_t most = 1000) {
  InputBuffer input(dripping ? std::unique_ptr<ByteSource>(std::make_unique<Dripping>(json)) : memory_bytes(json));
  JsonWalk walk(input, "f");
  std::vector<std::string> all;
  std::string name;
  walk.enter('{');
  while (walk.next_member(name)) {
    std::string bytes;
    if (name == "x") {
      walk.skip();
      all.emplace_back("x");
    } else {
      all.push_back(walk.take(bytes, most) ? name + "=" + bytes : name + " is long");
    }
  }
  walk.end();
  return all;
}

TEST(JsonWalk, TakesAndPassesOver) {
  const std::string json =
      "{\n \"a\": 1, \"x\":{\"y\":[\"}]\\\"\",{}]},\"b\":\"s\\\\\" , \"c\":[1,[2]], "
      "\"x\":null,\"d\\u0041\":true,\"e\":-1.5e3\n}\n";
  const std::vector<std::string> expected{"a=1", "x", "b=\"s\\\\\"", "c=[1,[2]]", "x", "dA=true", "e=-1.5e3"};
  EXPECT_EQ(members(json, false), expected);
  EXPECT_EQ(members(json, true), expected);
}

TEST(JsonWalk, PassesOverWhatIsTooLong) {
  EXPECT_EQ(members(R"({"a":"12345","b":"123"})", false, 5), (std::vector<std::string>{"a is long", "b=\"123\""}));
}

TEST(JsonWalk, KnowsTheLine) {
  InputBuffer input(memory_bytes("[\n\n1,\n\"a\",{\n\"b\":2}\n]"));
  JsonWalk walk(input, "f");
  std::vector<std::uint64_t> lines;
  walk.enter('[');
  while (walk.next_element()) {
    lines.push_back(walk.line());
    walk.skip();
  }
  EXPECT_EQ(lines, (std::vector<std::uint64_t>{3, 4, 4}));
  EXPECT_EQ(walk.line(), 6U);
}

TEST(JsonWalk, RefusesEveryDocumentThatIsCutOff) {
  const std::string json = R"({"a":[1,{"x":"y"}],"b":tr)";
  for (std::size_t size = 0; size <= json.size(); ++size) {
    SCOPED_TRACE(size);
    EXPECT_EQ(error_code([&] { members(json.substr(0, size), false); }), 6);
    EXPECT_EQ(error_code([&] { members(json.substr(0, size), true); }), 6);
  }
}

TEST(JsonWalk, RefusesWhatIsNoJson) {
  for (const char* json : {"[]", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1 \"b\":2}", "{\"a\":[}",
                           "{\"a\":1]", "{\"a\":1}{", "{\"a\":{]}}", "{a:1}", "{\"a\":1}}", "{\"a\"::1}"}) {
    SCOPED_TRACE(json);
    EXPECT_EQ(error_code([&] { members(json, false); }), 6);
  }
}

TEST(JsonWalk, MakesNullOfNumbersThatAreNone) {
  EXPECT_EQ(without_not_finite(R"({"a":NaN,"b":[-Infinity,Infinity],"c":"NaN \" Infinity"})"),
            R"({"a":null,"b":[null,null],"c":"NaN \" Infinity"})");
}

}  // namespace
}  // namespace residue::ingest
