// Two files held against each other before anything is measured: do they belong together?
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace residue::verbs {

// How the fields are called; nothing: "id" and "text".
struct QuickFields {
  std::optional<std::string> id, text;
  std::optional<std::string> sanitized_id, sanitized_text;  // in the other file; nothing: as `id` and `text`
};

struct QuickFiles {
  std::uint64_t originals = 0;       // records
  std::uint64_t sanitized = 0;       // texts that belong to one
  std::uint64_t without = 0;         // records without a sanitized text
  std::uint64_t unknown = 0;         // sanitized texts of no record
  std::uint64_t unchanged = 0;       // that say what their original says, white space aside
  std::uint64_t repeated = 0;        // sanitized lines whose id an earlier one has
  std::uint64_t failed = 0;          // texts that are none: empty ones, refusals, error messages
  std::uint64_t elsewhere = 0;       // texts that are about another original (own_words.h)
  std::uint64_t unusable = 0;        // lines of the sanitized file that cannot be read
  bool numbered = false;             // there are no ids: row n belongs to row n
  std::vector<std::string> remarks;  // one line each, what a person should know first
  std::vector<std::string> telling;  // of these, what is left out or missing: numbers without it would flatter
};

// Reads both files once. Throws Error{not found} for a file that is not there, Error{usage} for one file named twice
// (but for two fields of it), and Error{bad input} where no number would mean anything: a line of the originals that
// cannot be read, has no text or an id again; ids of which hardly any matches; files without ids that differ in their
// number of rows; sanitized texts that equal their originals, or are about others, or are none, all or most of them.
// Error{interrupted} soon after `interrupted` says so.
QuickFiles compare_files(const std::string& originals, const std::string& sanitized, const QuickFields& fields,
                         const std::function<bool()>& interrupted = {});

// One file of originals: whether its rows are numbered, and how many there are. Throws as compare_files.
QuickFiles look_at(const std::string& originals, const QuickFields& fields,
                   const std::function<bool()>& interrupted = {});

}  // namespace residue::verbs
