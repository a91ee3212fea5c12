// The house: arrows between folders, one wall around each library (DESIGN sections 1 and 6).
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "tests/base/source_tree.h"

namespace residue {
namespace {

using Names = std::set<std::string>;

// Who may include whom. A folder may always include itself.
const std::map<std::string, Names>& arrows() {
  static const std::map<std::string, Names> table = {
      {"base", {}},
      {"text", {"base"}},
      {"storage", {"base"}},
      {"index", {"base", "text", "storage"}},
      {"model", {"base", "text", "storage"}},
      {"ingest", {"base", "text", "storage", "model"}},
      {"query", {"base", "text", "storage", "index", "model"}},
      {"cli", {"base", "text", "storage", "index", "model", "ingest", "query"}},
  };
  return table;
}

// A library's headers (by prefix), and the files that may include them: whole paths, or prefixes that end in '*'.
struct Wall {
  const char* header;
  std::vector<std::string> files;
};

const std::vector<Wall>& walls() {
  static const std::vector<Wall> table = {
      {"sqlite3.h",
       {"src/storage/sqlite.cc", "src/storage/packed_scores_table.cc", "src/query/sql_shell*",
        "src/query/sql_child.cc"}},
      {"lmdb.h", {"src/storage/facts_txn.h"}},
      {"zstd.h", {"src/storage/frame.cc", "src/storage/dictionary.cc", "src/ingest/byte_source.cc"}},
      {"zdict.h", {"src/storage/dictionary.cc"}},
      {"zlib.h", {"src/ingest/byte_source.cc"}},
      {"xapian.h",
       {"src/index/bm25_weight.h", "src/index/bm25_index.h", "src/index/xapian_db.cc", "src/index/segment.cc"}},
      {"simdjson.h", {"src/ingest/json_parser.cc"}},
      {"xxhash.h", {"src/base/hash.cc"}},
      {"openssl/", {"src/storage/address.cc", "src/storage/files.cc"}},
      {"unicode/", {"src/text/*", "src/query/lexical_judge.cc"}},
      {"nlohmann/", {"src/model/*", "src/ingest/*", "src/query/*", "src/cli/*"}},
      {"CLI/", {"src/cli/*"}},
      {"tbb/", {"src/index/*", "src/query/*"}},
      {"oneapi/tbb/", {"src/base/parallel_ranges.h", "src/index/*", "src/query/*", "src/cli/verb_eval.cc"}},
      {"curl/", {"src/model/http_client.cc"}},
      {"microhttpd.h", {}},
      {"Eigen/", {"src/query/principal_components.cc", "src/query/lsa.cc"}},
      {"immintrin.h", {"src/index/*"}},
  };
  return table;
}

bool admits(const Wall& wall, const std::string& path) {
  return std::ranges::any_of(wall.files, [&](const std::string& file) {
    return file.ends_with('*') ? path.starts_with(file.substr(0, file.size() - 1)) : path == file;
  });
}

// residue_layer(NAME USES a b LIBS c): what the build links.
std::map<std::string, Names> layers_of_cmake(const std::string& content) {
  static const std::regex call(R"(residue_layer\(\s*(\w+)\s+USES([^)]*)\))");
  std::map<std::string, Names> found;
  for (std::sregex_iterator at(content.begin(), content.end(), call), end; at != end; ++at) {
    Names& uses = found[(*at)[1].str()];
    std::istringstream words((*at)[2].str());
    for (std::string word; words >> word && word != "LIBS";) uses.insert(word);
  }
  return found;
}

const SourceTree& sources() {
  static const SourceTree tree = read_tree({"src"});
  return tree;
}

TEST(Layers, AreReadFromTheRightPlace) { ASSERT_GT(sources().size(), 100U); }

TEST(Layers, EveryFolderIsDrawn) {
  for (const auto& [path, content] : sources()) {
    const std::string layer = layer_of(path);
    EXPECT_TRUE(layer.empty() || arrows().contains(layer)) << path << " is in a folder that has no row in arrows()";
  }
}

TEST(Layers, ArrowsOnlyPointWhereTheyAreDrawn) {
  for (const auto& [path, content] : sources()) {
    const std::string from = layer_of(path);
    if (from.empty() || !arrows().contains(from)) continue;  // main.cc sees the command line
    for (const Include& include : includes_of(content)) {
      if (!include.quoted) continue;
      const std::string to = include.name.substr(0, include.name.find('/'));
      EXPECT_TRUE(to == from || arrows().at(from).contains(to))
          << path << " includes \"" << include.name << "\": no arrow leads from " << from << " to " << to;
    }
  }
}

TEST(Layers, NoFolderReachesItself) {
  for (const auto& [from, uses] : arrows()) {
    for (const std::string& to : uses) EXPECT_FALSE(arrows().at(to).contains(from)) << from << " <-> " << to;
  }
  EXPECT_FALSE(arrows().at("ingest").contains("query"));
  EXPECT_FALSE(arrows().at("query").contains("ingest"));
}

TEST(Layers, IncludesAreRootRelativeAndExist) {
  for (const auto& [path, content] : sources()) {
    for (const Include& include : includes_of(content)) {
      if (include.quoted) {
        EXPECT_TRUE(sources().contains("src/" + include.name)) << path << " includes " << include.name;
      }
    }
  }
}

TEST(Layers, TheBuildLinksNothingThatIsNotDrawn) {
  const auto linked = layers_of_cmake(read_file("CMakeLists.txt"));
  for (const auto& [path, content] : sources()) {
    EXPECT_TRUE(layer_of(path).empty() || linked.contains(layer_of(path))) << path << " is not built";
  }
  for (const auto& [layer, uses] : linked) {
    ASSERT_TRUE(arrows().contains(layer)) << layer;
    for (const std::string& to : uses) {
      EXPECT_TRUE(arrows().at(layer).contains(to)) << "CMakeLists.txt: no arrow leads from " << layer << " to " << to;
    }
    // What is drawn and built is linked, so that the first such include does not fail in the linker.
    for (const std::string& to : arrows().at(layer)) {
      EXPECT_TRUE(!linked.contains(to) || uses.contains(to)) << "CMakeLists.txt: " << layer << " does not use " << to;
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
