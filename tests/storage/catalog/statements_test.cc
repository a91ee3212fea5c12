// The catalog has an owner: every statement stands in the unit of its table, and means something to the schema.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "storage/store.h"

namespace residue::storage {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Name -> text of the statements in one header.
std::map<std::string, std::string> statements_in(const std::string& header) {
  static const std::regex constant(R"re(constexpr char (k\w+)\[\] =((?:\s*"(?:\\.|[^"\\])*")+);)re");
  static const std::regex piece(R"re("((?:\\.|[^"\\])*)")re");
  std::map<std::string, std::string> found;
  for (std::sregex_iterator at(header.begin(), header.end(), constant), end; at != end; ++at) {
    const std::string pieces = (*at)[2].str();
    std::string& sql = found[(*at)[1].str()];
    for (std::sregex_iterator one(pieces.begin(), pieces.end(), piece), none; one != none; ++one)
      sql += (*one)[1].str();
  }
  return found;
}

TEST(Statements, AreUnderstoodByTheSchema) {
  std::string dir = (fs::temp_directory_path() / "residue-statements-XXXXXX").string();
  ASSERT_NE(::mkdtemp(dir.data()), nullptr);
  Store::create(dir);
  auto store = std::make_unique<Store>(fs::path(dir) / ".residue");
  std::size_t count = 0;
  for (const char* room : {"sources", "answers", "results"}) {
    for (const auto& entry : fs::directory_iterator(fs::path(RESIDUE_SOURCE_DIR) / "storage/catalog" / room)) {
      for (const auto& [name, sql] : statements_in(content_of(entry.path()))) {
        ++count;
        EXPECT_NO_THROW((void)store->db().prepare(sql)) << entry.path().filename() << ": " << name;
        EXPECT_NE(sql.find(entry.path().stem().string()), std::string::npos)
            << name << " does not name the table " << entry.path().stem();
      }
    }
  }
  EXPECT_GT(count, 400U);
  store.reset();
  fs::remove_all(dir);
}

// What asks the engine about itself is no statement on a table, and a table of one connection is none of the schema.
// The shell and exports ask the public views, as a user does, and fill files of their own. What stands behind the views
// (query/sql/rows) reads tables as views.sql beside it does.
TEST(Statements, StandNowhereElse) {
  static const std::regex statement(
      R"re("(SELECT [^"]* FROM|INSERT [^"]*INTO|UPDATE \w+ SET|DELETE FROM|WITH \w+ AS) ?(?!sqlite_|pragma_|\{))re");
  static const std::regex engine(R"re(FROM ((main\.)?(sqlite_|pragma_|\{)|temp\.)|INTO temp\.)re");
  for (const char* floor :
       {"base", "numbers", "text", "storage", "index", "model", "ingest", "query", "verbs", "python", "cli"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(RESIDUE_SOURCE_DIR) / floor)) {
      const fs::path& path = entry.path();
      if (path.extension() != ".cc" && path.extension() != ".h") continue;
      if (path.string().find("storage/catalog/") != std::string::npos) continue;
      if (path.string().ends_with("cli/look/sql.cc")) continue;  // examples of what users ask the views
      if (path.string().find("cli/shell/") != std::string::npos) continue;
      if (path.string().find("query/export/") != std::string::npos) continue;
      if (path.string().find("query/sql/rows/") != std::string::npos) continue;
      const std::string content = content_of(path);
      for (std::sregex_iterator at(content.begin(), content.end(), statement), end; at != end; ++at) {
        const std::string line = content.substr(static_cast<std::size_t>(at->position()), 200);
        EXPECT_TRUE(std::regex_search(line, engine)) << path << ": " << line.substr(0, 60);
      }
    }
  }
}

}  // namespace
}  // namespace residue::storage
