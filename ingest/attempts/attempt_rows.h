// Rows of attempts that people made elsewhere to find a record in a release (docs/intruder.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ingest/rows/rows.h"

namespace residue::ingest {

// Checked for shape and ranges but not against the store. What an attempt is of is named by a record's key, or by the
// code that `intruder next` and `intruder search` show.
struct AttemptRow {
  std::uint64_t line = 0;
  std::optional<std::string> dataset, run, protocol;  // where the row says so: as the command does
  std::optional<std::int64_t> sample;
  std::string annotator;
  std::string target;
  bool target_is_code = false;
  bool answered = true;               // false: it was drawn, and skipped or abandoned
  std::optional<std::string> choice;  // whose text was named; nothing: none of them
  bool choice_is_code = false;
  bool choice_is_word = false;  // it was written "none", which a record may be called
  bool exported = false;        // by residue, where nobody is null: "none" is a record
  std::int64_t sure = 0;        // 0 to 100; of answers
  std::optional<std::int64_t> ms, searches;
  bool present = true;  // false: the target could not be found
  bool told = false;
  std::optional<bool> blind;           // nothing: nobody says
  std::optional<std::string> stratum;  // of which it was drawn; nothing: of all targets
  bool outdated = false;       // where it comes from, it is about other facts or another text of the target by now
  bool named_changed = false;  // there the record that was named has another text, or is gone: then none is named
  bool shared = false;         // and if it is gone, the text was the target's, word for word
  std::optional<std::string> outcome;                 // as the view `intruder` has it, to be held against the store
  std::optional<std::int64_t> drawn_at, answered_at;  // unix milliseconds
};

std::size_t bytes_of(const AttemptRow& row);

// Unix milliseconds of "2026-11-28T20:30:00Z", with or without fractions of a second or "+01:00" in place of "Z", or of
// a whole number of milliseconds; nothing for anything else, as for a time without its distance from UTC.
std::optional<std::int64_t> unix_ms(std::string_view words);

// `options.preset` is not looked at. A field that no attempt has makes a row a bad one: a name that is misspelled would
// be a number that is not there. Throws as open_rows.
std::unique_ptr<RowSource<AttemptRow>> open_attempts(const SourceOptions& options);

}  // namespace residue::ingest
