#include "ingest/read/line_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

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

}  // namespace
}  // namespace residue::ingest
