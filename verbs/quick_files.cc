#include "verbs/quick_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "ingest/read/byte_source.h"
#include "ingest/rows/rows.h"

namespace residue::verbs {
namespace {

using ingest::RowError;
using ingest::RowResult;

ingest::RecordSourceOptions records_of(const std::string& path, const QuickFields& fields, bool numbered) {
  ingest::RecordSourceOptions options;
  options.path = path;
  options.id = numbered ? std::optional<std::string>(ingest::kNumberedRows) : fields.id;
  options.text = fields.text;
  return options;
}

[[noreturn]] void refuse_row(const std::string& path, const RowError& bad) {
  throw Error(Code::kBadInput, fmt::format("{}:{}: {}", ingest::shown_name(path), bad.line, bad.cause), bad.remedy);
}

// They are read more than once.
void check_no_pipe(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (path != "-" && (error || std::filesystem::is_regular_file(status) || std::filesystem::is_directory(status) ||
                      !std::filesystem::exists(status))) {
    return;
  }
  throw Error(Code::kUsage, fmt::format("{} cannot be read twice", path == "-" ? "standard input" : "a pipe"),
              "write it to a file first, and name that");
}

// Whether the first row can be read as it is, or only with its number as its id.
bool needs_numbers(const std::string& path, const QuickFields& fields) {
  if (fields.id) return *fields.id == ingest::kNumberedRows;
  ingest::RecordRow row;
  RowError bad;
  if (ingest::open_records(records_of(path, fields, false))->next(row, bad) != RowResult::kBad) return false;
  RowError other;
  return ingest::open_records(records_of(path, fields, true))->next(row, other) == RowResult::kRow;
}

// The hash of each record's text, by its key.
std::unordered_map<std::string, std::uint64_t> read_originals(const std::string& path, const QuickFields& fields,
                                                              bool numbered) {
  std::unordered_map<std::string, std::uint64_t> texts;
  const auto rows = ingest::open_records(records_of(path, fields, numbered));
  for (;;) {
    ingest::RecordRow row;
    RowError bad;
    const RowResult result = rows->next(row, bad);
    if (result == RowResult::kEnd) break;
    if (result == RowResult::kBad) refuse_row(path, bad);
    texts.emplace(std::move(row.key), hash_of(0, row.text.value_or("")));
  }
  if (texts.empty()) {
    throw Error(Code::kBadInput, fmt::format("{} has no records", ingest::shown_name(path)), "name another file");
  }
  return texts;
}

void check_different(const std::string& originals, const std::string& sanitized) {
  std::error_code error;
  if (!std::filesystem::equivalent(originals, sanitized, error) || error) return;
  throw Error(Code::kUsage, "both names are of the same file",
              "name the originals first, then what a sanitizer made of them");
}

std::string share(std::uint64_t part, std::uint64_t all, const char* what) {
  return fmt::format("{} of {} {}", part, all, what);
}

void remark(QuickFiles& files) {
  auto& say = files.remarks;
  if (files.numbered) say.push_back("no ids: row n of one file is taken for row n of the other (--id names the field)");
  if (files.without > 0) {
    say.push_back(share(files.without, files.originals, "originals have no sanitized text: they count as leaked"));
  }
  if (files.unknown > 0)
    say.push_back(fmt::format("{} sanitized texts belong to no original: left out", files.unknown));
  if (files.unusable > 0) say.push_back(fmt::format("{} sanitized lines cannot be read: left out", files.unusable));
  if (files.unchanged > 0) {
    say.push_back(share(files.unchanged, files.sanitized, "sanitized texts are their originals, word for word"));
  }
}

}  // namespace

QuickFiles look_at(const std::string& originals, const QuickFields& fields) {
  check_no_pipe(originals);
  QuickFiles files;
  files.numbered = needs_numbers(originals, fields);
  files.originals = read_originals(originals, fields, files.numbered).size();
  return files;
}

QuickFiles compare_files(const std::string& originals, const std::string& sanitized, const QuickFields& fields) {
  check_no_pipe(originals);
  check_no_pipe(sanitized);
  check_different(originals, sanitized);
  QuickFields of_sanitized = fields;
  if (fields.sanitized_id) of_sanitized.id = fields.sanitized_id;
  if (fields.sanitized_text) of_sanitized.text = fields.sanitized_text;
  QuickFiles files;
  files.numbered = needs_numbers(originals, fields);
  if (files.numbered != needs_numbers(sanitized, of_sanitized)) {
    throw Error(Code::kBadInput, "one file has ids and the other has none",
                "name the fields that hold them: --id FIELD, --sanitized-id FIELD; --id auto: row n belongs to row n");
  }
  const auto texts = read_originals(originals, fields, files.numbered);
  files.originals = texts.size();

  ingest::VariantSourceOptions options;
  static_cast<ingest::RecordSourceOptions&>(options) = records_of(sanitized, of_sanitized, files.numbered);
  const auto rows = ingest::open_variants(options);
  std::unordered_set<std::string> seen;
  std::uint64_t all = 0;
  std::optional<RowError> first_bad;
  for (;;) {
    ingest::VariantRow row;
    RowError bad;
    const RowResult result = rows->next(row, bad);
    if (result == RowResult::kEnd) break;
    ++all;
    if (result == RowResult::kBad) {
      ++files.unusable;
      if (!first_bad) first_bad = bad;
      continue;
    }
    const auto record = texts.find(row.key.value_or(""));
    if (record == texts.end()) {
      ++files.unknown;
    } else if (seen.insert(record->first).second) {
      ++files.sanitized;
      if (row.text && hash_of(0, *row.text) == record->second) ++files.unchanged;
    }
  }
  if (first_bad && files.unusable == all) refuse_row(sanitized, *first_bad);
  if (files.numbered && all != files.originals) {
    throw Error(
        Code::kBadInput,
        fmt::format("the files have no ids and differ in length: {} originals, {} sanitized", files.originals, all),
        "give both the same ids, and name the field: --id FIELD");
  }
  if (files.sanitized == 0) {
    throw Error(Code::kBadInput,
                fmt::format("no id of {} is one of {}", ingest::shown_name(sanitized), ingest::shown_name(originals)),
                "do the files belong together? --id FIELD names the field that both have");
  }
  if (files.unchanged == files.sanitized) {
    throw Error(Code::kBadInput, "every sanitized text is its original, word for word: nothing was sanitized",
                "are these the right files? --sanitized-text names the field of the sanitized texts");
  }
  files.without = files.originals - files.sanitized;
  remark(files);
  return files;
}

}  // namespace residue::verbs
