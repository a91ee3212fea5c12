#include "ingest/read/line_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/read/json_items.h"
#include "ingest/read/row_reader.h"
#include "tests/ingest/read_rows.h"

namespace residue::ingest {
namespace {

TEST(LineReader, CountsLinesAndSkipsBlankOnes) {
  InputBuffer input(memory_bytes("a\r\n\n \t\r\nb\n\nc"));
  LineReader lines(input);
  std::string_view line;
  std::string seen;
  while (lines.next(line) == LineReader::Result::kLine)
    seen += std::to_string(lines.number()) + std::string(line) + ";";
  EXPECT_EQ(seen, "1a;4b;6c;");
}

TEST(LineReader, TakesALineOfExactlyTheLimitWhateverEndsIt) {
  for (const char* end : {"\n", "\r\n", ""}) {
    SCOPED_TRACE(testing::PrintToString(end));
    for (const std::size_t size : {std::size_t{8}, std::size_t{9}}) {
      const std::string bytes = std::string(size, 'x') + end;
      InputBuffer input(memory_bytes(bytes));
      LineReader lines(input, 8);
      std::string_view line;
      EXPECT_EQ(lines.next(line), size == 8 ? LineReader::Result::kLine : LineReader::Result::kTooLong);
      EXPECT_EQ(lines.next(line), LineReader::Result::kEnd);
    }
  }
}

TEST(LineReader, GoesOnBehindALineOver16MiB) {
  const std::string good = "{\"id\":1,\"text\":\"a\"}\n";
  const auto read = read_records(good + "{\"id\":2,\"text\":\"" + std::string(20U << 20U, 'a') + "\"}\n" + good);
  ASSERT_EQ(read.bad.size(), 1U);
  EXPECT_EQ(read.bad[0].line, 2U);
  ASSERT_EQ(read.rows.size(), 2U);
  EXPECT_EQ(read.rows[1].line, 3U);
}

// Gives `head`, then one byte for ever.
class Endless final : public ByteSource {
 public:
  Endless(std::string head, char rest) : head_(std::move(head)), rest_(rest) {}
  std::size_t read(char* to, std::size_t size) override {
    read_ += size;
    if (read_ > (64U << 20U)) throw std::runtime_error("read on and on");
    const std::size_t got = head_.copy(to, size, at_);
    at_ += got;
    std::fill(to + got, to + size, rest_);
    return size;
  }
  [[nodiscard]] std::uint64_t bytes_read() const override { return read_; }
  [[nodiscard]] std::optional<std::uint64_t> bytes_total() const override { return std::nullopt; }

 private:
  std::string head_;
  char rest_;
  std::size_t at_ = 0;
  std::uint64_t read_ = 0;
};

TEST(LineReader, RefusesAnEndlessRowWithoutWaitingForItsEnd) {
  const struct {
    const char* name;
    std::string head;
    char rest;
    std::uint64_t line;
  } cases[] = {{"x.jsonl", "{\"id\":1}\n{\"id\":2,\"text\":\"", 'a', 2},
               {"x.jsonl", "{\"id\":1}\n", '{', 2},
               {"x.json", "[{\"id\":1},\n{\"text\":\"", 'a', 2},
               {"x.csv", "id,text\n1,a\n2,", 'a', 3},
               {"x.csv", "id,text\n1,a\n2,\"", '\n', 3},
               {"x.csv", "id,text\n1,a\n2,a\"", 'a', 3}};
  for (const auto& one : cases) {
    SCOPED_TRACE(one.head + one.rest);
    const auto rows = open_rows(std::make_unique<Endless>(one.head, one.rest), one.name);
    InputRow row;
    ASSERT_TRUE(rows->next(row));
    EXPECT_THROW(rows->next(row), Refusal);
    EXPECT_EQ(row.line, one.line);
  }
}

TEST(LineReader, GoesOnBehindRowsOver16MiBOfEveryFormat) {
  const std::string big(20U << 20U, 'a');
  const struct {
    const char* name;
    std::string bytes;
  } cases[] = {{"x.json", "[{\"id\":1},{\"t\":[\"" + big + "\\\"\"]},\n{\"id\":3}]"},
               {"x.csv", "id,t\n1,a\n2," + big + "\n3,c\n"}};
  for (const auto& one : cases) {
    SCOPED_TRACE(one.name);
    const auto rows = open_rows(memory_bytes(one.bytes), one.name);
    InputRow row;
    ASSERT_TRUE(rows->next(row));
    EXPECT_THROW(rows->next(row), Refusal);
    ASSERT_TRUE(rows->next(row));
    EXPECT_EQ(row.line, one.name == std::string_view("x.csv") ? 4U : 2U);
    EXPECT_FALSE(rows->next(row));
  }
}

// A few bytes at a time, so that whatever is looked at ends anywhere.
class Crumbs final : public ByteSource {
 public:
  explicit Crumbs(std::string bytes) : bytes_(std::move(bytes)) {}
  std::size_t read(char* to, std::size_t size) override {
    const std::size_t got = bytes_.copy(to, std::min<std::size_t>(size, 1 + at_ % 5), at_);
    at_ += got;
    return got;
  }
  [[nodiscard]] std::uint64_t bytes_read() const override { return at_; }
  [[nodiscard]] std::optional<std::uint64_t> bytes_total() const override { return bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

// Elements and lines of all sizes around a small limit: those below it come, those above are refused, in their order.
TEST(LineReader, RefusesExactlyWhatIsTooLongWhereverReadsEnd) {
  std::mt19937 random(7);
  constexpr std::size_t kMost = 24;
  constexpr std::string_view kSigns = R"(a"\,[]{}: )";
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> elements;
    for (std::size_t i = 0; i < 6; ++i) {
      std::string inside;
      for (std::size_t j = random() % 30; j > 0; --j) {
        const char sign = kSigns[random() % kSigns.size()];
        if (sign == '"' || sign == '\\') inside += '\\';
        inside += sign;
      }
      elements.push_back(random() % 2 == 0 ? "\"" + inside + "\"" : "{\"k\":[\"" + inside + "\",{}]}");
    }
    std::string array;
    std::string lines;
    std::string wanted;
    for (const std::string& element : elements) {
      array += (array.empty() ? "[" : ",\n") + element;
      lines += element + "\n";
      wanted += (element.size() > kMost ? "refused" : element) + "\n";
    }
    SCOPED_TRACE(array);
    InputBuffer in_array(std::make_unique<Crumbs>(array + "]\n"));
    JsonItems items(in_array, JsonItems::Of::kArray, kMost);
    std::string seen;
    for (bool more = true; more;) {
      std::string_view element;
      try {
        more = items.next(element);
        if (more) seen += std::string(element) + "\n";
      } catch (const Refusal&) {
        seen += "refused\n";
      }
    }
    EXPECT_EQ(seen, wanted);
    InputBuffer in_lines(std::make_unique<Crumbs>(lines));
    LineReader reader(in_lines, kMost);
    seen.clear();
    std::string_view line;
    for (auto got = reader.next(line); got != LineReader::Result::kEnd; got = reader.next(line)) {
      seen += (got == LineReader::Result::kTooLong ? "refused" : std::string(line)) + "\n";
      EXPECT_EQ(reader.number(), static_cast<std::uint64_t>(std::count(seen.begin(), seen.end(), '\n')));
    }
    EXPECT_EQ(seen, wanted);
  }
}

}  // namespace
}  // namespace residue::ingest
