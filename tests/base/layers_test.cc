// The house: the table of rooms in ARCHITECTURE.md is the only picture of it. Arrows between rooms and between floors,
// and one wall around each library.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/base/source_tree.h"

namespace residue {
namespace {

using Names = std::set<std::string>;

constexpr std::size_t kMostFiles = 25;  // of a room
constexpr std::ptrdiff_t kMostLines = 4000;

// The rows of ARCHITECTURE.md: | **floor** | purpose | floors it includes | and | `floor/room` | purpose | rooms of its
// floor that it includes |. A floor's own folder is `floor/`.
struct House {
  std::map<std::string, Names> floors;
  std::map<std::string, Names> rooms;
};

Names words_of(const std::string& cell) {
  std::istringstream words(cell);
  Names names;
  for (std::string word; words >> word;) names.insert(word);
  return names;
}

const House& house() {
  static const House drawn = [] {
    static const std::regex row(R"(^\| (\*\*|`)([a-z/_0-9]+)(\*\*|`) \|[^|\n]*\|([^|\n]*)\|$)", std::regex::multiline);
    const std::string page = read_file("ARCHITECTURE.md");
    House found;
    for (std::sregex_iterator at(page.begin(), page.end(), row), end; at != end; ++at) {
      ((*at)[1].str() == "`" ? found.rooms : found.floors)[(*at)[2].str()] = words_of((*at)[4].str());
    }
    return found;
  }();
  return drawn;
}

const SourceTree& sources() {
  static const SourceTree tree =
      read_tree({"base", "numbers", "text", "storage", "index", "model", "ingest", "query", "verbs", "page", "python", "cli"});
  return tree;
}

// Which rooms of its own floor, or which other floors, each includes, and by which file.
using Arrows = std::map<std::string, std::map<std::string, std::string>>;

Arrows arrows_between(const std::function<std::string(const std::string&)>& place_of) {
  Arrows found;
  for (const auto& [path, content] : sources()) {
    if (!is_code(path)) continue;
    for (const Include& include : includes_of(content)) {
      if (!include.quoted) continue;
      const std::string from = place_of(path), to = place_of(include.name);
      if (from != to) found[from][to] = path + " includes " + include.name;
    }
  }
  return found;
}

// A place that reaches itself; "" where there is none.
std::string circle_of(const std::map<std::string, Names>& arrows, const std::string& floor) {
  Names done, open;
  std::string found;
  const std::function<void(const std::string&)> visit = [&](const std::string& place) {
    if (open.contains(place)) found = place;
    if (!found.empty() || !done.insert(place).second) return;
    open.insert(place);
    if (const auto row = arrows.find(place); row != arrows.end()) {
      for (const std::string& to : row->second) visit(floor.empty() ? to : floor + "/" + (to == "." ? "" : to));
    }
    open.erase(place);
  };
  for (const auto& [place, uses] : arrows) {
    if (floor.empty() || floor_of(place) == floor) visit(place);
  }
  return found;
}

// A library's headers (by prefix), and the files that may include them: whole paths, or prefixes that end in '*'.
struct Wall {
  const char* header;
  std::vector<std::string> files;
};

const std::vector<Wall>& walls() {
  static const std::vector<Wall> table = {
      {"sqlite3ext.h", {"query/sql/extension/host_sqlite.h"}},
      {"sqlite3.h",
       {"storage/catalog/content.cc", "storage/catalog/sqlite.cc", "storage/catalog/packed_scores_table.cc",
        "storage/catalog/table_function.h", "storage/health/versions.cc", "storage/pages/page_vfs.cc",
        "storage/pages/page_image.cc", "storage/catalog/repair/row_inserter.cc", "query/sql/sql_shell*",
        "query/sql/sql_child.cc", "query/sql/views.cc", "query/sql/rows/*", "query/sql/advice/advice.cc",
        "query/sql/extension/constraints.cc", "query/sql/extension/extension.cc", "query/sql/extension/open_store.cc",
        "query/sql/extension/view_table.cc", "query/export/condition.cc", "query/export/snapshot_file.cc"}},
      {"lmdb.h", {"storage/facts/facts_txn.h", "storage/facts/environments.cc", "storage/health/versions.cc"}},
      {"zstd.h",
       {"storage/facts/frame.cc", "storage/facts/dictionary.cc", "storage/health/versions.cc",
        "ingest/read/byte_source.cc", "query/parquet/parquet_chunk.cc"}},
      {"zdict.h", {"storage/facts/dictionary.cc"}},
      {"zlib.h", {"ingest/neighbours/zip.cc", "ingest/read/byte_source.cc"}},
      {"xapian.h",
       {"index/bm25/bm25_weight.h", "index/bm25/bm25_index.h", "index/bm25/xapian_db.cc", "index/bm25/segment.cc"}},
      {"simdjson.h", {"ingest/read/json_parser.cc"}},
      {"xxhash.h", {"base/hash.cc"}},
      {"openssl/", {"base/digest.cc", "base/keyed_hash.cc"}},
      {"unicode/", {"text/*", "query/judge/lexical_judge.cc"}},
      {"nlohmann/", {"base/json.cc"}},
      {"CLI/", {"cli/arguments.cc"}},
      {"toml++/", {"cli/config.cc", "cli/flags/context_file.cc"}},
      {"tbb/", {"index/*", "numbers/*", "query/*"}},
      {"oneapi/tbb/", {"base/parallel_ranges.h", "index/*", "numbers/*", "query/*", "text/measures/rare_phrases.cc",
                        "verbs/eval.cc"}},
      {"curl/", {"model/server/libcurl.h"}},
      {"dlfcn.h", {"model/server/libcurl.cc"}},
      {"pybind11/", {"python/*"}},
      {"histedit.h", {"cli/shell/line_editor.cc"}},
      {"arpa/", {"page/serve/http_server.cc"}},
      {"microhttpd.h", {"page/serve/http_server.cc", "page/serve/connections.cc"}},
      {"Eigen/", {"numbers/learn/*"}},
      {"immintrin.h", {"index/*"}},
  };
  return table;
}

// Asks every library for its version (residue version --all).
constexpr const char* kVersions = "cli/keep/libraries.cc";

bool admits(const Wall& wall, const std::string& path) {
  return path == kVersions || std::ranges::any_of(wall.files, [&](const std::string& file) {
           return file.ends_with('*') ? path.starts_with(file.substr(0, file.size() - 1)) : path == file;
         });
}

TEST(House, IsReadFromTheRightPlace) {
  ASSERT_GT(sources().size(), 100U);
  ASSERT_GT(house().rooms.size(), 40U);
}

TEST(House, EveryRoomIsDrawnAndThere) {
  std::map<std::string, std::size_t> files;
  std::map<std::string, std::ptrdiff_t> lines;
  for (const auto& [path, content] : sources()) {
    if (!is_code(path)) continue;
    ++files[room_of(path)];
    lines[room_of(path)] += std::count(content.begin(), content.end(), '\n');
  }
  for (const auto& [room, count] : files) {
    EXPECT_TRUE(house().rooms.contains(room)) << room << " has no row in ARCHITECTURE.md";
    EXPECT_LE(count, kMostFiles) << room;
    EXPECT_LE(lines[room], kMostLines) << room;
  }
  for (const auto& [room, uses] : house().rooms) EXPECT_TRUE(files.contains(room)) << room << " is drawn and not there";
}

TEST(House, ArrowsBetweenRoomsAreThoseThatAreDrawn) {
  const Arrows found = arrows_between(room_of);
  for (const auto& [room, uses] : house().rooms) {
    Names seen;
    if (const auto at = found.find(room); at != found.end()) {
      for (const auto& [to, by] : at->second) {
        if (floor_of(to) != floor_of(room)) continue;
        const std::string name = to.substr(to.find('/') + 1);
        seen.insert(name.empty() ? "." : name);
        EXPECT_TRUE(uses.contains(name.empty() ? "." : name)) << by << ": no arrow leads from " << room << " to " << to;
      }
    }
    for (const std::string& to : uses) EXPECT_TRUE(seen.contains(to)) << room << " does not include " << to;
  }
}

TEST(House, ArrowsBetweenFloorsAreThoseThatAreDrawnAndBuilt) {
  static const std::regex call(R"(residue_floor\((\w+)(?: FAST)?(?: USES((?: [a-z]+)+))?)");
  for (const auto& [from, to] : arrows_between(floor_of)) {
    ASSERT_TRUE(house().floors.contains(from)) << from;
    for (const auto& [floor, by] : to) {
      EXPECT_TRUE(house().floors.at(from).contains(floor)) << by << ": no arrow leads from " << from << " to " << floor;
    }
  }
  for (const auto& [floor, uses] : house().floors) {
    const std::string build = read_file(floor + "/CMakeLists.txt");
    std::smatch match;
    ASSERT_TRUE(std::regex_search(build, match, call)) << floor;
    EXPECT_EQ(match[1].str(), floor);
    EXPECT_EQ(words_of(match[2].str()), uses) << floor << "/CMakeLists.txt and ARCHITECTURE.md differ";
  }
}

TEST(House, NoArrowLeadsBack) {
  EXPECT_EQ(circle_of(house().floors, ""), "");
  for (const auto& [floor, uses] : house().floors) EXPECT_EQ(circle_of(house().rooms, floor), "");
  EXPECT_FALSE(house().floors.at("ingest").contains("query"));
  EXPECT_FALSE(house().floors.at("query").contains("ingest"));
}

TEST(House, EveryRoomNamesItsSources) {
  for (const auto& [path, content] : sources()) {
    if (!path.ends_with(".cc") || path == "cli/main.cc") continue;
    const std::string room = room_of(path);
    const std::regex name("[ (]" + std::regex_replace(path.substr(path.rfind('/') + 1), std::regex("[.]"), "[.]") +
                          "[\\s)]");
    EXPECT_TRUE(std::regex_search(sources().at(room + (room.ends_with('/') ? "" : "/") + "CMakeLists.txt"), name))
        << path << " is not named in its room's CMakeLists.txt";
  }
}

TEST(House, FilesThatThePageNamesAreThere) {
  static const std::regex named("`([a-z_/]+/[a-z_]+[.](cc|h|sql|json|session))`");
  const std::string page = read_file("ARCHITECTURE.md"), recipes = read_file("CONTRIBUTING.md");
  std::size_t files = 0;
  for (const std::string* text : {&page, &recipes}) {
    for (std::sregex_iterator at(text->begin(), text->end(), named), end; at != end; ++at, ++files) {
      EXPECT_FALSE(read_file((*at)[1].str()).empty()) << "a page names " << (*at)[1].str();
    }
  }
  EXPECT_GT(files, 40U);
  EXPECT_LE(std::count(page.begin(), page.end(), '\n'), 200);
}

TEST(House, IncludesAreRootRelativeAndExist) {
  for (const auto& [path, content] : sources()) {
    for (const Include& include : includes_of(content)) {
      if (!include.quoted) continue;
      EXPECT_TRUE(sources().contains(include.name)) << path << " includes " << include.name;
    }
  }
}

TEST(Walls, LibrariesAreIncludedByNamedFilesOnly) {
  for (const auto& [path, content] : sources()) {
    for (const Include& include : includes_of(content)) {
      for (const Wall& wall : walls()) {
        if (!include.name.starts_with(wall.header)) continue;
        EXPECT_TRUE(admits(wall, path)) << path << " includes <" << include.name << ">, which is behind a wall";
      }
    }
  }
}

TEST(Walls, EveryLibraryHasOne) {
  // What is neither ours nor behind a wall: the language, the system, and fmt, which is everywhere.
  static const std::regex open(
      R"([a-z0-9_]+|fmt/.*|sys/.*|linux/.*|(errno|fcntl|poll|pwd|sched|signal|spawn|stdlib|stdio|termios|time|unistd)\.h)");
  for (const auto& [path, content] : sources()) {
    for (const Include& include : includes_of(content)) {
      if (include.quoted || std::regex_match(include.name, open)) continue;
      EXPECT_TRUE(std::ranges::any_of(walls(), [&](const Wall& wall) { return include.name.starts_with(wall.header); }))
          << path << " includes <" << include.name << ">, which has no row in walls()";
    }
  }
}

}  // namespace
}  // namespace residue
