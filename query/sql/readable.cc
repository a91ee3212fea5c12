#include "query/sql/readable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "storage/catalog/sqlite.h"

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

}  // namespace

std::string_view name_of(ReadLevel level) { return kNames[static_cast<std::size_t>(level)]; }

std::optional<ReadLevel> read_level(std::string_view name) {
  for (const ReadLevel level : kReadLevels) {
    if (name_of(level) == name) return level;
  }
  return std::nullopt;
}

std::span<const ReadColumn> text_columns() { return kTexts; }

ReadLevel level_of_run(std::string_view kind) { return kind == "none" ? kOriginals : kReleased; }

Error unreadable_text() {
  return Error(Code::kNotFound, "no text of this number can be read",
               "texts of runs can be read; --claims adds claims, labels and answers, --originals everything");
}

Error unreadable_run() {
  return Error(Code::kNotFound, "the texts of this run are the originals", "--originals reads them");
}

const std::vector<std::int64_t>& Readable::ids_of(ReadLevel level) {
  auto& ids = ids_[static_cast<std::size_t>(level)];
  if (ids) return *ids;
  std::vector<std::int64_t> read;
  for (const ReadColumn& column : kTexts) {
    if (column.level != level) continue;
    storage::Statement all(db_,
                           fmt::format("SELECT {0} FROM main.{1} WHERE {0} IS NOT NULL", column.column, column.table));
    while (all.step()) read.push_back(all.integer(0));
  }
  std::sort(read.begin(), read.end());
  read.erase(std::unique(read.begin(), read.end()), read.end());
  ids = std::move(read);
  return *ids;
}

bool Readable::serves(TextId id) {
  if (id.value == 0) return true;
  for (const ReadLevel level : kReadLevels) {
    if (level > level_) return false;
    const auto& ids = ids_of(level);
    if (std::binary_search(ids.begin(), ids.end(), id.value)) return true;
  }
  return false;
}

void Readable::require(TextId id) {
  if (!serves(id)) throw unreadable_text();
}

}  // namespace residue::query
