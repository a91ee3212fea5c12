// What a page for people must be, as far as a machine can see: short lines, small cells, links that lead somewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/base/source_tree.h"

namespace residue {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxCharacters = 120;  // code points of a line
constexpr std::size_t kMaxWords = 25;        // of a cell

// Path below the checkout -> content: every page in it.
const SourceTree& pages() {
  static const SourceTree all = [] {
    SourceTree tree = read_tree({"bench", "docs", "examples"});
    std::erase_if(tree, [](const auto& file) { return !file.first.ends_with(".md"); });
    for (const char* name : {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"}) tree[name] = read_file(name);
    return tree;
  }();
  return all;
}

bool for_users(const std::string& path) { return path == "README.md" || path.starts_with("docs/"); }

struct Line {
  std::string where;  // "docs/tour.md:12"
  std::string text;
  bool code = false;  // between ``` and ```, these lines included
};

std::vector<Line> lines_of(const std::string& path, const std::string& content) {
  std::vector<Line> lines;
  std::istringstream in(content);
  std::string text;
  for (bool code = false; std::getline(in, text);) {
    const bool fence =
        text.find_first_not_of(' ') != std::string::npos && text.compare(text.find_first_not_of(' '), 3, "```") == 0;
    lines.push_back({path + ":" + std::to_string(lines.size() + 1), text, code || fence});
    if (fence) code = !code;
  }
  return lines;
}

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// The cells of a table's row; \| is a sign in a cell.
std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells(1);
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (row[i] == '|' && row[i - 1] != '\\') {
      cells.emplace_back();
    } else {
      cells.back() += row[i];
    }
  }
  return cells;
}

std::size_t words_in(const std::string& text) {
  std::istringstream in(text);
  std::size_t count = 0;
  for (std::string word; in >> word;) ++count;
  return count;
}

// What GitHub makes of a heading: lower-case, spaces to hyphens, signs gone.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ') {
      anchor += '-';
    } else if (byte >= 0x80 || std::isalnum(byte) || c == '-' || c == '_') {
      anchor += static_cast<char>(std::tolower(byte));
    }
  }
  return anchor;
}

std::set<std::string> anchors_of(const std::string& path) {
  std::set<std::string> anchors;
  const auto page = pages().find(path);
  if (page == pages().end()) return anchors;
  for (const auto& line : lines_of(path, page->second)) {
    const auto text = line.text.find_first_not_of('#');
    if (line.code || text == 0 || text == std::string::npos || line.text[text] != ' ') continue;
    anchors.insert(anchor_of(line.text.substr(text + 1)));
  }
  return anchors;
}

struct Link {
  std::string where;
  std::string target;  // "" for an anchor of the same page; else a path below the checkout
  std::string anchor;
};

// The relative links of a page. `code` in the text of a paragraph is no link.
std::vector<Link> links_of(const std::string& path, const std::string& content) {
  static const std::regex code("`[^`]*`");
  static const std::regex link(R"(\]\(([^)\s]+)\))");
  std::vector<Link> links;
  for (const auto& line : lines_of(path, content)) {
    if (line.code) continue;
    const std::string text = std::regex_replace(line.text, code, "c");
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
      const std::string to = (*at)[1].str();
      if (to.find("://") != std::string::npos || to.starts_with("mailto:")) continue;
      const auto hash = to.find('#');
      const std::string file = to.substr(0, hash);
      links.push_back({line.where,
                       file.empty() ? path : (fs::path(path).parent_path() / file).lexically_normal().string(),
                       hash == std::string::npos ? "" : to.substr(hash + 1)});
    }
  }
  return links;
}

bool there(const fs::path& below_root) { return fs::exists(fs::path(RESIDUE_SOURCE_DIR) / below_root); }

TEST(Docs, ALineFitsOnAScreen) {
  for (const auto& [path, content] : pages()) {
    if (!for_users(path)) continue;
    for (const auto& line : lines_of(path, content)) {
      EXPECT_LE(characters(line.text), kMaxCharacters) << line.where << ": scripts/wrap-docs wraps prose";
    }
  }
}

TEST(Docs, ACellOfATableIsRead) {
  std::size_t tables = 0;
  for (const auto& [path, content] : pages()) {
    if (!for_users(path)) continue;
    for (const auto& line : lines_of(path, content)) {
      if (line.code || !line.text.starts_with('|')) continue;
      ++tables;
      for (const auto& cell : cells_of(line.text)) {
        EXPECT_LE(words_in(cell), kMaxWords) << line.where << ": say it in a sentence below the table\n" << cell;
      }
    }
  }
  EXPECT_GT(tables, 100U);
}

TEST(Docs, ALinkLeadsToAFileAndToAHeading) {
  std::size_t anchors = 0;
  for (const auto& [path, content] : pages()) {
    for (const auto& link : links_of(path, content)) {
      EXPECT_TRUE(there(link.target)) << link.where << ": there is no " << link.target;
      if (link.anchor.empty()) continue;
      ++anchors;
      EXPECT_TRUE(anchors_of(link.target).contains(link.anchor))
          << link.where << ": no heading of " << link.target << " is #" << link.anchor;
    }
  }
  EXPECT_GT(anchors, 10U);
}

// They are installed without the sources, and rendered without them.
TEST(Docs, APageOfDocsLinksToPagesOfDocs) {
  for (const auto& [path, content] : pages()) {
    if (!path.starts_with("docs/")) continue;
    for (const auto& link : links_of(path, content)) {
      EXPECT_TRUE(link.target.starts_with("docs/"))
          << link.where << ": name the file as `code` instead of a link to " << link.target;
    }
  }
}

// "docs/judges.md", `query/judge/judge.h`: whoever reads a name looks for the file.
TEST(Docs, WhatAPageNamesIsInTheRepository) {
  static const std::regex page(R"([A-Za-z0-9_][A-Za-z0-9_./-]*\.md\b)");
  static const std::regex source(
      R"(`((base|bench|cli|cmake|examples|fuzz|index|ingest|model|numbers|query|scripts|storage|tests|text|verbs)/[a-z0-9_./-]+\.[a-z]+)`)");
  static const std::regex elsewhere(
      "\\b(MET"
      "RICS|DES"
      "IGN|STY"
      "LE)\\b");
  std::size_t named = 0;
  for (const auto& [path, content] : pages()) {
    for (const auto& line : lines_of(path, content)) {
      EXPECT_FALSE(std::regex_search(line.text, elsewhere)) << line.where << ": a document that is not here";
      if (line.code) continue;
      for (std::sregex_iterator at(line.text.begin(), line.text.end(), page), end; at != end; ++at) {
        ++named;
        const std::string name = at->str();
        EXPECT_TRUE(there(name) || there(fs::path(path).parent_path() / name) || there(fs::path("docs") / name))
            << line.where << ": there is no " << name;
      }
      for (std::sregex_iterator at(line.text.begin(), line.text.end(), source), end; at != end; ++at) {
        ++named;
        EXPECT_TRUE(there((*at)[1].str())) << line.where << ": there is no " << (*at)[1].str();
      }
    }
  }
  EXPECT_GT(named, 100U);
}

// A page that nothing leads to is not read.
TEST(Docs, TheIndexLeadsToEveryPage) {
  std::set<std::string> reached;
  std::vector<std::string> next = {"docs/index.md"};
  while (!next.empty()) {
    const std::string path = next.back();
    next.pop_back();
    const auto page = pages().find(path);
    if (page == pages().end() || !reached.insert(path).second) continue;
    for (const auto& link : links_of(path, page->second)) next.push_back(link.target);
  }
  for (const auto& [path, content] : pages()) {
    if (!path.starts_with("docs/")) continue;
    EXPECT_TRUE(reached.contains(path)) << path;
  }
}

}  // namespace
}  // namespace residue
