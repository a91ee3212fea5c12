// Which field of a row means what: aliases, --map, --id, --text, and the types that a field may have.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/read/value.h"
#include "ingest/rows/rows.h"

namespace residue::ingest {

inline constexpr std::string_view kIdAliases[] = {"id", "doc_id", "record_id", "_id", "uid", "conversation_hash"};
inline constexpr std::string_view kTextAliases[] = {"text",     "context",   "document",   "content",
                                                    "contents", "full_text", "source_text"};
inline constexpr std::string_view kIdRemedy = "--id, or number the rows with --id auto";
inline constexpr std::string_view kSanitizedAliases[] = {"sanitized", "anonymized", "masked", "rewritten", "output"};

// The field that stands for one of ours: named by the user, or the alias found in the first row that has one.
class Field {
 public:
  // `name`: ours, for --map and for messages; `flag`: what the user named, if anything.
  Field(std::string_view name, const SourceOptions& options, const std::optional<std::string>& flag = {});

  // Nothing where the row has none. `exclusive`: two aliases in the row that decides are Error{usage}.
  const Value* find(const InputRow& row, std::span<const std::string_view> aliases, bool exclusive = false);
  const Value* find(const InputRow& row);  // its own name is the only alias

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string place(const InputRow& row) const;  // "notes.jsonl:17"
  // Why a row cannot be read that lacks the field; with `row`, what of it could have been meant is in the remedy.
  // Throws Error{bad input} where the file's first line, which should name the columns, looks like a row.
  [[nodiscard]] Refusal missing(std::string_view flag) const;
  [[nodiscard]] Refusal missing(std::string_view flag, const InputRow& row) const;

 private:
  std::string name_;
  std::string file_;
  std::string path_;  // empty: not known yet
};

// Throws Error{usage} where --map names none of `known`.
void check_map(const SourceOptions& options, std::span<const std::string_view> known);

// Each throws Refusal, naming `name` and never the value.
std::string id_of(const Value& value, std::string_view name);      // string or integer, not empty
std::string text_of(const Value& value, std::string_view name);    // string, or array of strings joined by a space
std::string string_of(const Value& value, std::string_view name);  // string or number
// "2" and "2.0" (as pandas writes whole numbers beside gaps); nothing for anything else.
std::optional<std::int64_t> whole_number(std::string_view words);
std::int64_t integer_of(const Value& value, bool typed, std::string_view name, std::int64_t low, std::int64_t high);
std::vector<std::string> strings_of(const Value& value, std::string_view name);  // string or array of strings
std::optional<std::string> error_of(const Value* value, bool typed);  // a sanitizer's words, cut to 200 bytes
bool absent(const Value* value, bool typed);                          // no such field, null, or an empty cell

// Whether a cell has the mark that --csv=spreadsheet puts before what a spreadsheet would run as a formula: an
// apostrophe before = + - @ TAB or CR. A text may begin so by itself.
bool is_disarmed(std::string_view cell);

// Canonical JSON of the top-level fields that are not among `used`; nothing when there are none.
std::optional<std::string> rest_of(const InputRow& row, std::span<const std::string_view> used);

// The parts of "r-12#2".
struct ClaimReference {
  std::string record;
  std::uint32_t n = 0;
};
ClaimReference claim_of(const std::string& reference, std::string_view name);

std::string json_array(const std::vector<std::string>& strings);

}  // namespace residue::ingest
