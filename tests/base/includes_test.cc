// Every source includes what it uses: of the headers that are compiled once for all floors (cmake/Rooms.cmake), which
// would otherwise hide what is missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "tests/base/source_tree.h"

namespace residue {
namespace {

using Names = std::set<std::string>;

// Name behind std:: or std::ranges:: -> header. Where a name stands in several headers, any of them will do elsewhere.
const std::map<std::string, std::string>& headers() {
  static const std::map<std::string, std::string> table = [] {
    const std::map<std::string, std::string> words = {
        {"algorithm",
         "adjacent_find all_of any_of binary_search clamp copy_if copy_n count_if equal_range fill fill_n find find_if "
         "find_if_not for_each generate is_sorted lower_bound max max_element min min_element minmax mismatch none_of "
         "nth_element partial_sort partition partition_point reverse rotate set_difference set_intersection set_union "
         "sort stable_sort transform unique upper_bound"},
        {"array", "array to_array"},
        {"cstdint", "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t"},
        {"filesystem", "filesystem"},
        {"functional", "function hash less greater plus ref cref invoke identity"},
        {"map", "map multimap"},
        {"memory", "unique_ptr shared_ptr make_unique make_shared"},
        {"optional", "optional nullopt"},
        {"span", "span"},
        {"string", "string to_string"},
        {"string_view", "string_view"},
        {"unordered_map", "unordered_map"},
        {"utility", "move pair exchange swap forward as_const"},
        {"vector", "vector"},
    };
    std::map<std::string, std::string> found;
    for (const auto& [header, names] : words) {
      std::istringstream in(names);
      for (std::string name; in >> name;) found[name] = header;
    }
    return found;
  }();
  return table;
}

// The code alone: neither comments nor what stands between quotation marks.
std::string code_of(std::string_view content) {
  std::string code;
  for (std::size_t i = 0; i < content.size(); ++i) {
    if (content.substr(i, 2) == "//") {
      i = std::min(content.find('\n', i), content.size());
    } else if (content.substr(i, 3) == "R\"(") {
      i = std::min(content.find(")\"", i), content.size()) + 1;
    } else if (content[i] == '"') {
      for (++i; i < content.size() && content[i] != '"' && content[i] != '\n'; ++i) i += content[i] == '\\' ? 1 : 0;
    } else {
      code += content[i];
    }
  }
  return code;
}

Names needed(std::string_view code) {
  Names found;
  const auto name_at = [&](std::size_t at) {
    std::size_t end = at;
    while (end < code.size() && (std::isalnum(static_cast<unsigned char>(code[end])) || code[end] == '_')) ++end;
    return std::string(code.substr(at, end - at));
  };
  for (std::size_t at = code.find("std::"); at != std::string_view::npos; at = code.find("std::", at + 5)) {
    std::size_t begin = at + 5;
    if (code.substr(begin).starts_with("ranges::")) begin += 8;
    if (const auto header = headers().find(name_at(begin)); header != headers().end()) found.insert(header->second);
  }
  if (code.find("fmt::") != std::string_view::npos) found.insert("fmt/format.h");
  return found;
}

TEST(Includes, AreOfEverythingThatAFileUses) {
  const SourceTree tree =
      read_tree({"base", "numbers", "text", "storage", "index", "model", "ingest", "query", "verbs", "page", "python", "cli"});
  std::size_t files = 0;
  for (const auto& [path, content] : tree) {
    if (!is_code(path)) continue;
    ++files;
    Names have;
    const auto add = [&have](const std::string& source) {
      for (const Include& include : includes_of(source)) {
        if (!include.quoted) have.insert(include.name);
      }
    };
    add(content);
    if (const auto own = tree.find(path.substr(0, path.size() - 2) + "h"); path.ends_with(".cc") && own != tree.end()) {
      add(own->second);
    }
    for (const std::string& header : needed(code_of(content))) {
      EXPECT_TRUE(have.contains(header)) << path << " uses <" << header << "> and does not include it";
    }
  }
  EXPECT_GT(files, 500U);
}

}  // namespace
}  // namespace residue
