// What reaches a terminal does not drive it: one function, and every way that leads to a terminal.
#include "cli/print/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "cli/command.h"
#include "tests/cli/ends/recipes.h"
#include "tests/cli/ends/running.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

using testing::Clock;
using testing::Folder;
using testing::Running;
using testing::since;

// One of each kind: C0, DEL, C1, marks, overrides, isolates, separators, annotations; colour, title and keyboard.
const std::string kEvil =
    "\x1b[31m\x07\x7F\u0080\u009B31m\u009D0;title\u009C\u061C\u200E\u200F\u2028\u202A\u202E\u2066\u2069\u206A\uFFF9end";

// The first place that drives a terminal, as far as `all` is not what the program itself writes there.
std::string what_drives(std::string_view all) {
  for (std::size_t at = 0; at < all.size();) {
    const std::string_view rest = all.substr(at);
    bool own = false;
    for (const std::string_view style : {kBold, kMarked, kPlain, std::string_view("\x1b[K")}) {
      if (!own && rest.starts_with(style)) {
        at += style.size();
        own = true;
      }
    }
    if (own) continue;
    const text::CodePoint c = text::code_point_at(all, at);
    const auto between = [&](char32_t low, char32_t high) { return c.value >= low && c.value <= high; };
    const bool line = c.value == '\n' || c.value == '\r' || c.value == '\t';
    if ((c.value < 0x20 && !line) || between(0x7F, 0x9F) || c.value == 0x61C || between(0x200E, 0x200F) ||
        between(0x2028, 0x202E) || between(0x2066, 0x206F) || between(0xFFF9, 0xFFFB)) {
      return "U+" + std::to_string(static_cast<std::uint32_t>(c.value)) + " in " +
             text::escape_controls(all.substr(at < 60 ? 0 : at - 60, 120), text::Breaks::kEscape);
    }
    at += c.bytes;
  }
  return {};
}

// Everything that a command writes to a terminal: results, notes, errors, progress.
std::string on_terminal(const std::filesystem::path& folder, const std::string& line, double seconds) {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  ::grantpt(master);
  ::unlockpt(master);
  const int slave = ::open(::ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  const winsize size{50, 120, 0, 0};
  ::ioctl(slave, TIOCSWINSZ, &size);
  std::string all;
  const auto start = Clock::now();
  Running process(folder, line, {-1, slave, slave});
  char bytes[4096];
  for (bool alive = true; alive && since(start) < seconds;) {
    alive = process.alive();
    for (pollfd ready{master, POLLIN, 0}; ::poll(&ready, 1, alive ? 20 : 0) > 0;) {
      const ssize_t got = ::read(master, bytes, sizeof bytes);
      if (got <= 0) break;
      all.append(bytes, static_cast<std::size_t>(got));
    }
  }
  ::close(slave);
  ::close(master);
  return all;
}

TEST(Terminal, SpellsOutWhatDrivesItAndKeepsJsonWhatItWas) {
  EXPECT_EQ(for_terminal("a\x1b[1mb\x1b[0m\n\tc", Spelling::kText, true), "a\x1b[1mb\x1b[0m\n\tc");
  EXPECT_EQ(for_terminal("a\x1b[1mb", Spelling::kText, false), "a\\x1b[1mb");
  EXPECT_EQ(for_terminal("\x1b[31m\u009B\u202E", Spelling::kText, true), "\\x1b[31m\\x9b\\u{202e}");
  const std::string document = Json{{"text", kEvil}}.dump(2);
  const std::string shown = for_terminal(document, Spelling::kJson, true);
  EXPECT_NE(shown, document);
  EXPECT_EQ(what_drives(shown), "");
  EXPECT_EQ(Json::parse(shown), Json::parse(document));
}

TEST(Terminal, NoCommandAndNoFormatLetsATextDriveIt) {
  ::setenv("TERM", "xterm", 1);
  ::setenv("RESIDUE_PAGER", "cat -", 1);  // a pager gets what the terminal would, and this one adds nothing of its own
  const Folder folder;
  std::string notes;
  std::string labels;
  for (int i = 1; i <= 8; ++i) {
    const std::string id = "r" + std::to_string(i);
    notes += Json{{"id", i == 1 ? id : id + kEvil},
                  {"person", kEvil},
                  {"text", "Person lives in " + kEvil + ". He keeps bees."},
                  {kEvil, kEvil}}
                 .dump() +
             "\n";
  }
  folder.write("notes.jsonl", notes);
  folder.write("claims.jsonl", Json{{"record", "r1"}, {"claim", "He is " + kEvil}}.dump() + "\n");
  folder.write("pairs.jsonl", Json{{"reference", kEvil}, {"hypothesis", kEvil}}.dump() + "\n");
  ::mkfifo((folder.path() / "silent").c_str(), 0600);
  for (const std::string& line : std::vector<std::string>{
           "init", "ingest dataset d notes.jsonl", "ingest claims d claims.jsonl", "atomize d",
           "sanitize d --with scrub --run t", "sanitize d --with scrub --run v", "sanitize d --with scrub --run x",
           "eval d --protocol bm25/first:1", "model add far --url http://127.0.0.1:1 --model m --no-canaries",
           "model add gone --url http://127.0.0.1:1 --model m",
           "model add vectors --task embeddings --url http://127.0.0.1:1 --model m"}) {
    ASSERT_EQ(folder.done(line), 0) << line;
  }
  std::size_t escaped = 0;
  const auto look = [&](const std::string& line, double seconds) {
    const std::string all = on_terminal(folder.path(), line, seconds);
    EXPECT_EQ(what_drives(all), "") << line;
    escaped += all.find("202e") != std::string::npos ? 1 : 0;
  };
  for (const char* format : {"table", "json", "jsonl", "csv", "tsv", "md", "latex"}) {
    for (const auto& [name, recipe] : testing::recipes()) {
      if (recipe.words.find('-') == 0 || recipe.words.find("silent") != std::string::npos) continue;
      if (recipe.asks && format != std::string_view("table")) continue;
      look(name + (name == "sql" ? "" : " " + recipe.words) + " --format " + format, recipe.asks ? 1 : 20);
    }
    for (const char* line : {"show d/r1 --run t", "sql --originals SELECT/**/*,text(record_text)/**/FROM/**/records",
                             "search d end", "leaks d/none --protocol bm25/first:1", "explain d/none r1",
                             "text rouge pairs.jsonl", "text diff pairs.jsonl", "label d/none --sample 3"}) {
      look(std::string(line) + " --format " + format, 20);
    }
  }
  look("show d/r1" + kEvil, 5);
  look("report " + kEvil, 5);
  look("ingest dataset e " + kEvil, 5);
  look("ingest dataset e notes.jsonl --id " + kEvil, 5);
  look(kEvil, 5);
  look("report d --protocol " + kEvil, 5);
  EXPECT_GT(escaped, 40U);
}

TEST(Terminal, InFilesAndPipesBytesStayAsTheyAre) {
  const Folder folder;
  folder.write("notes.jsonl", Json{{"id", "r1"}, {"text", kEvil}}.dump() + "\n");
  ASSERT_EQ(folder.done("init"), 0);
  ASSERT_EQ(folder.done("ingest dataset d notes.jsonl"), 0);
  ASSERT_EQ(folder.done("sql --originals SELECT/**/text(record_text)/**/AS/**/t/**/FROM/**/records --csv -o out.csv"),
            0);
  EXPECT_EQ(folder.read("out.csv"), "t\n" + kEvil + "\n");
  ASSERT_EQ(
      folder.done(
          "sql --originals SELECT/**/text(record_text)/**/AS/**/t/**/FROM/**/records --format jsonl -o out.jsonl"),
      0);
  EXPECT_EQ(Json::parse(folder.read("out.jsonl")).value().at("t"), kEvil);
  EXPECT_NE(folder.read("out.jsonl").find("\u009B"), std::string::npos);
}

}  // namespace
}  // namespace residue::cli
