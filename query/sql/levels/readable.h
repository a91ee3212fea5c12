// What a reader of the store may see: three levels. The one place that says so, for SQL, its functions and tables,
// files that are exported, and Python.
//
//   level        texts of                                    columns beside texts
//   released     runs other than the controls                names, ids, ratings, links, scores, metrics
//   claims       also claims, labels, answers, queries       also prompts
//   originals    also records, their tasks and other fields  also messages of sanitizers, digests of texts
//
// A text is served if a row of a class that the level allows names it. So a text that a run left as it was is released.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/ids.h"

struct sqlite3;

namespace residue::storage {
class Store;
}

namespace residue::query {

enum class ReadLevel { kReleased, kClaims, kOriginals };

inline constexpr std::array<ReadLevel, 3> kReadLevels = {ReadLevel::kReleased, ReadLevel::kClaims,
                                                         ReadLevel::kOriginals};
std::string_view name_of(ReadLevel level);
std::optional<ReadLevel> read_level(std::string_view name);
ReadLevel level_named(std::string_view name);  // throws Error{usage} for another one

// A column of the catalog that names a text, or that holds words or bytes itself; and the lowest level that reads it.
struct ReadColumn {
  std::string_view table;
  std::string_view column;
  ReadLevel level;
};

// Columns with the number of a text: every one there is but those that only repeat another (judgment.claim_id).
std::span<const ReadColumn> text_columns();

// Columns of the catalog with words or bytes. One that is not listed is read at the level originals alone.
std::span<const ReadColumn> word_columns();

// Columns that read as NULL, of each table; names in lower case.
using HiddenColumns = std::map<std::string, std::set<std::string, std::less<>>, std::less<>>;

// Every column of the catalog `db` with words or bytes that `level` does not read. What nobody has classed is not read,
// either. Throws Error{io}.
HiddenColumns hidden_columns(sqlite3* db, ReadLevel level);

// Names in any case of ASCII letters.
bool is_hidden(const HiddenColumns& hidden, std::string_view table, std::string_view column);

// The same answer for a text that may not be read and for one that does not exist: nobody can tell them apart.
Error unreadable_text();
// The answer for texts of the control 'none' where originals may not be read.
Error unreadable_run();

// The texts of each level, as an IdSet's bytes; empty: not known.
using KnownTexts = std::array<std::string_view, kReadLevels.size()>;

// One of KnownTexts: the texts that the class `level` names. Cost: as Readable.
std::string texts_of(storage::Store& store, ReadLevel level);

// Answers for one connection and one level. It reads the catalog when it is first asked, a class at a time, in the
// connection's transaction; what it read stays. Cost: of released about 0.1 s for each million texts.
class Readable {
 public:
  // `db` has a catalog as its main database and outlives this, as `known` does. It may have an authorizer that allows the
  // columns above.
  Readable(sqlite3* db, ReadLevel level, const KnownTexts& known) : db_(db), level_(level), known_(known) {}

  // Throws unreadable_text() where the text of this id may not be served. 0, the empty text, always may.
  void require(TextId id);

 private:
  [[nodiscard]] bool serves(TextId id);
  [[nodiscard]] bool names(ReadLevel level, TextId id);

  sqlite3* db_;
  ReadLevel level_;
  KnownTexts known_;
  std::array<std::string, kReadLevels.size()> read_;  // of what is not known, when it was asked for; as KnownTexts
};

}  // namespace residue::query
