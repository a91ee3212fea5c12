// The files of this checkout, read once, for the tests of its shape.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace residue {

// Path below the checkout ("text/words/porter.h") -> content, in the order of paths. Folders that are absent are empty.
using SourceTree = std::map<std::string, std::string>;

inline std::string read_file(const std::filesystem::path& below_root) {
  std::ifstream in(std::filesystem::path(RESIDUE_SOURCE_DIR) / below_root, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline SourceTree read_tree(std::initializer_list<const char*> folders) {
  const std::filesystem::path root = RESIDUE_SOURCE_DIR;
  SourceTree tree;
  for (const char* folder : folders) {
    if (!std::filesystem::is_directory(root / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file() || entry.path().extension() == ".pyc") continue;  // of Python tests that run beside
      const auto below = entry.path().lexically_relative(root);
      tree[below.string()] = read_file(below);
    }
  }
  return tree;
}

struct Include {
  std::string name;  // "text/rouge.h", "sqlite3.h"
  bool quoted = false;
};

inline std::vector<Include> includes_of(const std::string& content) {
  static const std::regex pattern(R"(^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"])", std::regex::multiline);
  std::vector<Include> found;
  for (std::sregex_iterator at(content.begin(), content.end(), pattern), end; at != end; ++at) {
    found.push_back({(*at)[2].str(), (*at)[1].str() == "\""});
  }
  return found;
}

// "text/words/porter.h" -> "text"; "" for a file at the top.
inline std::string floor_of(std::string_view path) {
  const auto slash = path.find('/');
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash));
}

// "text/words/porter.h" -> "text/words"; "index/linker.h" -> "index/": the floor's own room.
inline std::string room_of(std::string_view path) {
  const auto slash = path.rfind('/');
  if (slash == std::string_view::npos) return "";
  return std::string(path.substr(0, path.find('/') == slash ? slash + 1 : slash));
}

inline bool is_code(std::string_view path) { return path.ends_with(".cc") || path.ends_with(".h"); }

}  // namespace residue
