#include "ingest/read/separator.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/error.h"
#include "ingest/read/byte_source.h"

namespace residue::ingest {
namespace {

char separator(std::string_view bytes, char usual = ',') {
  InputBuffer input(memory_bytes(bytes));
  const char found = separator_of(input, usual, "/data/notes.csv");
  EXPECT_EQ(input.view(), bytes.substr(0, input.view().size()));  // It stands where it stood.
  return found;
}

TEST(Separator, IsWhatStandsInTheHeaderLine) {
  struct Case {
    const char* bytes;
    char usual, separator;
  };
  const Case table[] = {
      {"id,text\n1;2;3", ',', ','},
      {"id;text\n1,2,3", ',', ';'},
      {"id\ttext\r\na", ',', '\t'},
      {"id|text", ',', '|'},
      {"text\na;b;c", ',', ','},
      {"", ',', ','},
      {"\n\nid;text\n", ',', ';'},
      {"\"id, or number\";text\n", ',', ';'},
      {"\"a\"\",b\";\"two\nlines, here\";c\n,", ',', ';'},
      {"id\ttext, or note\n", '\t', '\t'},
      {"id;text\n", '\t', ';'},
      {"text\n", '\t', '\t'},
  };
  for (const Case& one : table) {
    SCOPED_TRACE(one.bytes);
    EXPECT_EQ(separator(one.bytes, one.usual), one.separator);
  }
}

TEST(Separator, IsAskedForWhereSeveralStandThere) {
  for (const char* bytes : {"id;text, or note\n", "id|a;b\n", "a\tb,c"}) {
    SCOPED_TRACE(bytes);
    try {
      separator(bytes);
      ADD_FAILURE() << "decided";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kBadInput);
      EXPECT_EQ(std::string(error.what()).find("notes.csv: the header line has "), 0);
    }
  }
}

TEST(Separator, OfALongHeaderIsFoundToo) {
  std::string header = "id";
  for (int i = 0; i < 100'000; ++i) header += ";column_" + std::to_string(i);
  EXPECT_EQ(separator(header + "\n"), ';');
}

}  // namespace
}  // namespace residue::ingest
