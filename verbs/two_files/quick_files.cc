#include "verbs/two_files/quick_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "ingest/read/byte_source.h"
#include "ingest/rows/rows.h"
#include "model/suspicion/suspected.h"
#include "text/characters/python_text.h"
#include "text/characters/unicode.h"
#include "verbs/two_files/own_words.h"

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

// A remedy in words of one file, said of the other: it has flags of its own.
std::string of_other_file(std::string remedy) {
  for (const std::string_view flag : {"--text", "--id"}) {
    const std::size_t at = remedy.find(flag);
    if (at != std::string::npos) remedy.insert(at + 2, "sanitized-");
  }
  return remedy;
}

[[noreturn]] void refuse_row(const std::string& path, const RowError& bad) {
  throw Error(Code::kBadInput, fmt::format("{}:{}: {}", ingest::shown_name(path), bad.line, bad.cause), bad.remedy);
}

// They are read more than once.
void check_no_pipe(const std::string& path) {
  std::error_code error;
  const auto kind = std::filesystem::status(path, error).type();
  using enum std::filesystem::file_type;
  if (path != "-" && kind == not_found) {
    throw Error(Code::kNotFound, fmt::format("no file {}", ingest::shown_name(path)), "check the path");
  }
  if (path != "-" && (error || kind == regular || kind == directory)) return;
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

constexpr std::uint32_t kComparedByWords = 20'000;  // originals, the first ones: their words are held in memory

using Interrupted = std::function<bool()>;

void check(const Interrupted& interrupted) {
  if (interrupted && interrupted())
    throw Error(Code::kInterrupted, "interrupted: nothing was measured", "repeat the command");
}

// What is remembered of an original.
struct Original {
  std::uint64_t text = 0;  // hash of its words
  std::uint32_t number = 0;
  bool blank = false;
};
struct Originals {
  std::unordered_map<std::string, Original> by_key;
  OwnWords words;
  std::uint64_t masks = 0;
};

constexpr std::uint64_t kNoWords = 0;

// Of a text, whatever white space is between its words.
std::uint64_t hash_of_words(std::string_view text) {
  std::uint64_t hash = kNoWords;
  text::for_each_python_word(text, [&](text::Span word) { hash = hash_of(hash, text::slice(text, word)); });
  return hash;
}

// "; the line has: note, source". Columns without names were refused before: no words of a text are among these.
std::string fields_of(const ingest::RecordRow& row) {
  constexpr std::size_t kMostNames = 12, kLongestName = 32;
  std::vector<std::string> names;
  const Json meta = Json::parse(row.meta.value_or("{}")).value_or(Json());
  if (!meta.is_object()) return {};
  for (const auto& [name, value] : meta.items()) {
    if (name.size() <= kLongestName && names.size() < kMostNames) names.push_back(name);
  }
  return names.empty() ? "" : fmt::format("; the line has: {}", fmt::join(names, ", "));
}

Originals read_originals(const std::string& path, const QuickFields& fields, bool numbered,
                         const Interrupted& interrupted) {
  Originals all;
  const auto rows = ingest::open_records(records_of(path, fields, numbered));
  for (;;) {
    check(interrupted);
    ingest::RecordRow row;
    RowError bad;
    const RowResult result = rows->next(row, bad);
    if (result == RowResult::kEnd) break;
    if (result == RowResult::kBad) refuse_row(path, bad);
    if (!row.text) {
      throw Error(Code::kBadInput,
                  fmt::format("{}:{}: field \"{}\" is missing", ingest::shown_name(path), row.line,
                              fields.text.value_or("text")),
                  "name the field that holds the text: --text FIELD" + fields_of(row));
    }
    const auto number = static_cast<std::uint32_t>(all.by_key.size());
    const std::uint64_t words = hash_of_words(*row.text);
    const Original original = {words, number, words == kNoWords};
    if (!all.by_key.emplace(std::move(row.key), original).second) {
      throw Error(Code::kBadInput,
                  fmt::format("{}:{}: the id was on an earlier line already", ingest::shown_name(path), row.line),
                  "give every record an id of its own, name another field (--id FIELD), or take row n for row n of the "
                  "other file (--id auto)");
    }
    if (number < kComparedByWords) all.words.add(*row.text);
    all.masks += masks(*row.text);
  }
  if (all.by_key.empty()) {
    throw Error(Code::kBadInput, fmt::format("{} has no records", ingest::shown_name(path)), "name another file");
  }
  return all;
}

// Two fields of one file are as good as two files.
void check_different(const std::string& originals, const std::string& sanitized, const QuickFields& fields) {
  std::error_code error;
  if (!std::filesystem::equivalent(originals, sanitized, error) || error) return;
  const std::string text = fields.text.value_or("text");
  if (fields.sanitized_text.value_or(text) != text && !std::filesystem::is_directory(originals)) return;
  throw Error(Code::kUsage, "both names are of the same file",
              "name the originals first, then what a sanitizer made of them; two fields of one file: --text FIELD "
              "--sanitized-text FIELD");
}

std::string share(std::uint64_t part, std::uint64_t all, const char* what) {
  return fmt::format("{} of {} {}", part, all, what);
}

void remark(QuickFiles& files) {
  auto& say = files.remarks;
  const auto tell = [&files](std::string line) {
    files.telling.push_back(line);
    files.remarks.push_back(std::move(line));
  };
  if (files.numbered) say.push_back("no ids: row n of one file is taken for row n of the other (--id names the field)");
  if (files.without > 0) {
    tell(share(files.without, files.originals, "originals have no sanitized text: they count as leaked"));
  }
  if (files.unknown > 0) tell(fmt::format("{} sanitized texts belong to no original: left out", files.unknown));
  if (files.unusable > 0) tell(fmt::format("{} sanitized lines cannot be read: left out", files.unusable));
  if (files.repeated > 0) {
    tell(fmt::format("{} sanitized lines have the id of an earlier one: left out", files.repeated));
  }
  if (files.unchanged > 0) {
    say.push_back(share(files.unchanged, files.sanitized, "sanitized texts are their originals, word for word"));
  }
  if (files.elsewhere > 0) {
    say.push_back(share(files.elsewhere, files.sanitized, "sanitized texts look like another original than their own"));
  }
}

// What the sanitized file is, row by row.
class Comparison {
 public:
  explicit Comparison(const Originals& originals) : originals_(originals) {
    files_.originals = originals.by_key.size();
  }

  void take(const ingest::VariantRow& row) {
    const auto record = originals_.by_key.find(row.key.value_or(""));
    if (record == originals_.by_key.end()) {
      ++files_.unknown;
      return;
    }
    if (!seen_.insert(record->first).second) {
      ++files_.repeated;
      return;
    }
    ++files_.sanitized;
    compare(record->second, row);
  }
  void take_unusable() { ++files_.unusable; }

  [[nodiscard]] QuickFiles files() const {
    QuickFiles files = files_;
    files.without = files.originals - files.sanitized;
    return files;
  }
  // Whether most of the texts that have enough words to compare are about other originals.
  [[nodiscard]] bool misplaced() const { return files_.elsewhere * 2 > compared_; }
  [[nodiscard]] bool swapped() const {
    return originals_.masks > files_.originals / 4 && originals_.masks > 2 * masks_;
  }

 private:
  void compare(const Original& original, const ingest::VariantRow& row) {
    if (row.spans) return;
    const std::uint64_t words = hash_of_words(row.text.value_or(""));
    const bool blank = words == kNoWords;
    if (!row.text || row.error || (blank && !original.blank) || model::looks_failed(*row.text)) {
      ++files_.failed;
      return;
    }
    if (words == original.text) ++files_.unchanged;
    masks_ += masks(*row.text);
    if (original.number >= kComparedByWords) return;
    ++compared_;
    if (originals_.words.of_another(original.number, *row.text)) ++files_.elsewhere;
  }

  const Originals& originals_;
  QuickFiles files_;
  std::unordered_set<std::string> seen_;
  std::uint64_t compared_ = 0, masks_ = 0;
};

// Where no number would mean anything.
void check_meaning(const QuickFiles& files, bool misplaced, const std::string& originals,
                   const std::string& sanitized) {
  const std::string name = ingest::shown_name(sanitized);
  const char* together =
      std::filesystem::is_directory(sanitized)
          ? "do the folders belong together? A text belongs to the original with the same file name"
          : "do the files belong together? --id FIELD names the field that both have; --id auto takes row n for row n";
  if (files.sanitized == 0 && files.unknown == 0 && files.unusable == 0) {
    throw Error(Code::kBadInput, fmt::format("{} has no records", name), "name another file");
  }
  if (files.sanitized == 0) {
    throw Error(Code::kBadInput, fmt::format("no id of {} is one of {}", name, ingest::shown_name(originals)),
                together);
  }
  if (files.without > files.sanitized && files.unknown > files.sanitized) {
    throw Error(Code::kBadInput,
                fmt::format("{} of {} ids of {} are in {}", files.sanitized, files.sanitized + files.unknown, name,
                            ingest::shown_name(originals)),
                together);
  }
  if (files.failed == files.sanitized) {
    throw Error(Code::kBadInput,
                fmt::format("every text of {} is empty, a refusal or an error message: nothing to measure", name),
                "did the sanitizer work? --sanitized-text names the field of the sanitized texts");
  }
  if (files.unchanged == files.sanitized) {
    throw Error(Code::kBadInput, "every sanitized text is its original, word for word: nothing was sanitized",
                "are these the right files? --sanitized-text names the field of the sanitized texts");
  }
  if (!misplaced) return;
  const std::string count = share(files.elsewhere, files.sanitized, "sanitized texts look like another original");
  if (files.numbered) {
    throw Error(Code::kBadInput, "row n of one file is not row n of the other: " + count,
                "put both into the same order, or give both the same ids and name the field: --id FIELD");
  }
  throw Error(Code::kBadInput, "the same ids are not the same records: " + count, together);
}

}  // namespace

QuickFiles look_at(const std::string& originals, const QuickFields& fields, const Interrupted& interrupted) {
  check_no_pipe(originals);
  QuickFiles files;
  files.numbered = needs_numbers(originals, fields);
  files.originals = read_originals(originals, fields, files.numbered, interrupted).by_key.size();
  return files;
}

QuickFiles compare_files(const std::string& originals, const std::string& sanitized, const QuickFields& fields,
                         const Interrupted& interrupted) {
  check_no_pipe(originals);
  check_no_pipe(sanitized);
  check_different(originals, sanitized, fields);
  QuickFields of_sanitized = fields;
  if (fields.sanitized_id) of_sanitized.id = fields.sanitized_id;
  if (fields.sanitized_text) of_sanitized.text = fields.sanitized_text;
  const bool numbered = needs_numbers(originals, fields);
  if (numbered != needs_numbers(sanitized, of_sanitized)) {
    throw Error(Code::kBadInput, "one file has ids and the other has none",
                "name the fields that hold them: --id FIELD, --sanitized-id FIELD; --id auto: row n belongs to row n");
  }
  const Originals all = read_originals(originals, fields, numbered, interrupted);
  Comparison comparison(all);
  ingest::VariantSourceOptions options;
  static_cast<ingest::RecordSourceOptions&>(options) = records_of(sanitized, of_sanitized, numbered);
  const auto rows = ingest::open_variants(options);
  std::uint64_t lines = 0;
  std::optional<RowError> first_bad;
  for (;;) {
    check(interrupted);
    ingest::VariantRow row;
    RowError bad;
    const RowResult result = rows->next(row, bad);
    if (result == RowResult::kEnd) break;
    ++lines;
    if (result == RowResult::kRow) {
      comparison.take(row);
      continue;
    }
    comparison.take_unusable();
    if (!first_bad) first_bad = bad;
  }
  QuickFiles files = comparison.files();
  files.numbered = numbered;
  if (first_bad && files.unusable == lines) {
    first_bad->remedy = of_other_file(std::move(first_bad->remedy));
    refuse_row(sanitized, *first_bad);
  }
  if (numbered && lines != files.originals) {
    throw Error(
        Code::kBadInput,
        fmt::format("the files have no ids and differ in length: {} originals, {} sanitized", files.originals, lines),
        "give both the same ids, and name the field: --id FIELD");
  }
  check_meaning(files, comparison.misplaced(), originals, sanitized);
  remark(files);
  if (comparison.swapped()) {
    files.remarks.push_back(
        "the originals hold more masks than the sanitized texts: are the files in the right order?");
  }
  return files;
}

}  // namespace residue::verbs
