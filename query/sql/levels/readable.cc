#include "query/sql/levels/readable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "query/sql/levels/id_set.h"
#include "storage/catalog/sqlite.h"
#include "storage/store.h"

namespace residue::query {
namespace {

using enum ReadLevel;

constexpr std::array<std::string_view, kReadLevels.size()> kNames = {"released", "claims", "originals"};

constexpr auto kTexts = std::to_array<ReadColumn>({
    {"variant", "text_id", kReleased},
    {"run_claim", "text_id", kClaims},
    {"claim", "text_id", kClaims},
    {"auxiliary_query", "text_id", kClaims},
    {"label", "subject_id", kClaims},
    {"label", "payload_id", kClaims},
    {"task_answer", "answer_id", kClaims},
    {"variant", "spans_id", kClaims},  // where originals were changed, and to what
    {"variant", "substitutions_id", kOriginals},
    {"record", "text_id", kOriginals},
    {"record", "task_id", kOriginals},
    {"record", "meta_id", kOriginals},
});

std::string lower(std::string_view name) {
  std::string result(name);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return result;
}

// Ascending, each once.
std::vector<std::int64_t> ids_of(sqlite3* db, ReadLevel level) {
  std::vector<std::int64_t> ids;
  for (const ReadColumn& column : kTexts) {
    if (column.level != level) continue;
    storage::Statement all(db,
                           fmt::format("SELECT {0} FROM main.{1} WHERE {0} IS NOT NULL", column.column, column.table));
    while (all.step()) ids.push_back(all.integer(0));
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace

std::string_view name_of(ReadLevel level) { return kNames[static_cast<std::size_t>(level)]; }

std::optional<ReadLevel> read_level(std::string_view name) {
  for (const ReadLevel level : kReadLevels) {
    if (name_of(level) == name) return level;
  }
  return std::nullopt;
}

ReadLevel level_named(std::string_view name) {
  const auto level = read_level(name);
  if (!level) throw Error(Code::kUsage, "there are three levels: released, claims, originals");
  return *level;
}

std::span<const ReadColumn> text_columns() { return kTexts; }

HiddenColumns hidden_columns(sqlite3* db, ReadLevel level) {
  HiddenColumns hidden;
  storage::Statement worded(db,
                            "SELECT lower(t.name), lower(c.name) FROM main.sqlite_schema t, "
                            "pragma_table_xinfo(t.name, 'main') c WHERE t.type = 'table' AND "
                            "c.type NOT IN ('INTEGER', 'REAL')");
  while (worded.step()) hidden[std::string(worded.text(0))].emplace(worded.text(1));
  for (const ReadColumn& column : word_columns()) {
    if (column.level > level) {
      hidden[std::string(column.table)].emplace(column.column);
    } else if (const auto found = hidden.find(column.table); found != hidden.end()) {
      found->second.erase(std::string(column.column));
    }
  }
  std::erase_if(hidden, [](const auto& table) { return table.second.empty(); });
  return hidden;
}

bool is_hidden(const HiddenColumns& hidden, std::string_view table, std::string_view column) {
  const auto found = hidden.find(lower(table));
  return found != hidden.end() && found->second.contains(lower(column));
}

Error unreadable_text() {
  return Error(Code::kNotFound, "no text of this number can be read",
               "texts of runs can be read; --claims adds claims, labels and answers, --originals everything");
}

Error unreadable_run() {
  return Error(Code::kNotFound, "the texts of this run are the originals", "--originals reads them");
}

std::string texts_of(storage::Store& store, ReadLevel level) {
  return IdSet::bytes_of(ids_of(store.db().handle(), level));
}

bool Readable::names(ReadLevel level, TextId id) {
  const auto place = static_cast<std::size_t>(level);
  if (known_[place].empty() && read_[place].empty()) read_[place] = IdSet::bytes_of(ids_of(db_, level));
  return IdSet(known_[place].empty() ? std::string_view(read_[place]) : known_[place]).contains(id.value);
}

bool Readable::serves(TextId id) {
  if (id.value == 0) return true;
  for (const ReadLevel level : kReadLevels) {
    if (level > level_) return false;
    if (names(level, id)) return true;
  }
  return false;
}

void Readable::require(TextId id) {
  if (!serves(id)) throw unreadable_text();
}

}  // namespace residue::query
