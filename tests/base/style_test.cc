// What STYLE demands of every file and a machine can see.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/base/source_tree.h"

namespace residue {
namespace {

constexpr std::ptrdiff_t kMaxLines = 600;

const SourceTree& everything() {
  static const SourceTree tree =
      read_tree({".ci", "base", "bench", "cli", "cmake", "docs", "examples", "fuzz", "index", "ingest", "model",
                 "numbers", "page", "python", "query", "scripts", "storage", "tests", "text", "verbs"});
  return tree;
}

bool ours_and_code(const std::string& path) { return is_code(path) && !path.starts_with("examples/"); }

// Names the lines of `content` that `pattern` is found in.
std::vector<std::ptrdiff_t> lines_with(const std::string& content, const std::regex& pattern) {
  std::vector<std::ptrdiff_t> lines;
  for (std::sregex_iterator at(content.begin(), content.end(), pattern), end; at != end; ++at) {
    lines.push_back(1 + std::count(content.begin(), content.begin() + at->position(), '\n'));
  }
  return lines;
}

// Built from pieces, so that this file does not contain what it forbids.
const std::regex& unfinished() {
  static const std::regex pattern(std::string("\\b(TO") + "DO|FIX" + "ME|X" + "XX)\\b");
  return pattern;
}
const std::regex& machine_path() {
  static const std::regex pattern(std::string("(^|[^A-Za-z0-9_./$}])/(ho") + "me|ro" + "ot|wo" + "rk|mn" +
                                  "t|Users)/[A-Za-z0-9._-]");
  return pattern;
}

TEST(Style, AHeaderSaysWhatItIsForAndIsReadOnce) {
  for (const auto& [path, content] : everything()) {
    if (!path.ends_with(".h")) continue;
    EXPECT_TRUE(content.starts_with("// ")) << path << ": the first line is no comment";
    EXPECT_EQ(lines_with(content, std::regex("^#pragma once$", std::regex::multiline)).size(), 1U) << path;
  }
}

TEST(Style, AFileFitsIntoAMind) {
  for (const auto& [path, content] : everything()) {
    if (!ours_and_code(path)) continue;
    EXPECT_LE(std::count(content.begin(), content.end(), '\n'), kMaxLines) << path;
  }
}

TEST(Style, LinesEndCleanly) {
  for (const auto& [path, content] : everything()) {
    if (!ours_and_code(path)) continue;
    EXPECT_TRUE(content.ends_with('\n') && !content.ends_with("\n\n")) << path;
    for (const auto line : lines_with(content, std::regex("[ \t\r]+\n"))) ADD_FAILURE() << path << ":" << line;
  }
}

TEST(Style, NothingIsLeftUnfinished) {
  for (const auto& [path, content] : everything()) {
    if (path.starts_with("examples/")) continue;
    for (const auto line : lines_with(content, unfinished())) ADD_FAILURE() << path << ":" << line;
  }
}

// A source may open a namespace of ours; a header none, because it would open it for everybody.
TEST(Style, NamespacesOfOthersStayClosed) {
  static const std::regex any("^\\s*using namespace ", std::regex::multiline);
  static const std::regex others(
      "^\\s*using namespace (::)?(?!(residue|atomizer_words|std::(string_view_)?literals)\\b)", std::regex::multiline);
  for (const auto& [path, content] : everything()) {
    if (!ours_and_code(path)) continue;
    for (const auto line : lines_with(content, path.ends_with(".h") ? any : others))
      ADD_FAILURE() << path << ":" << line;
  }
}

TEST(Style, NoFileNamesAPlaceOnSomebodysMachine) {
  for (const auto& [path, content] : everything()) {
    if (path.starts_with("examples/")) continue;
    for (const auto line : lines_with(content, machine_path())) ADD_FAILURE() << path << ":" << line;
  }
}

TEST(Style, FilesWithTestsAreNamedSo) {
  static const std::regex test("^(TEST|TEST_F|TEST_P|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)\\(", std::regex::multiline);
  for (const auto& [path, content] : everything()) {
    if (!path.starts_with("tests/") || !path.ends_with(".cc")) continue;
    EXPECT_EQ(std::regex_search(content, test), path.ends_with("_test.cc")) << path;
  }
}

TEST(Style, EveryFloorHasItsNamespace) {
  for (const auto& [path, content] : everything()) {
    static const std::set<std::string> floors = {"numbers", "text",  "storage", "index", "model",
                                                 "ingest",  "query", "verbs",   "cli"};
    const std::string floor = floor_of(path);
    if (!floors.contains(floor) || !path.ends_with(".h")) continue;
    EXPECT_NE(content.find("\nnamespace residue::" + floor), std::string::npos) << path;
  }
}

}  // namespace
}  // namespace residue
