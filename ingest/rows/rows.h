// What the input files say, row by row, whatever their format: the seam between reading (JSONL, CSV, presets) and
// storing.
//
//   FILE | - ─> decompress ─> lines | cells ─> RowSource<Row> ─> dataset.cc, claims.cc, run.cc, labels.cc, vectors.cc
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/characters/unicode.h"

namespace residue::ingest {

// A line that cannot be used: a value, not an exception. Neither text quotes the input.
struct RowError {
  std::uint64_t line = 0;  // 1-based line of the file (for JSON arrays and CSV: of the row's first line)
  std::string cause;       // "field \"text\" is missing"
  std::string remedy;      // "name the field with --text"
};

enum class RowResult { kRow, kBad, kEnd };

// What a record may have beside its text, as --clear and messages name it.
inline constexpr std::array<std::string_view, 4> kRecordFields = {"person", "label", "task", "meta"};
enum class RecordField : std::uint8_t { kPerson, kLabel, kTask, kMeta };

// A row of `ingest dataset`. What it does not have stays as it is stored, unless `empties` says otherwise.
struct RecordRow {
  std::uint64_t line = 0;
  std::string key;
  std::optional<std::string> text;
  std::optional<std::string> person;
  std::optional<std::string> label;
  std::optional<std::string> task;  // canonical JSON (keys sorted) of the field "task", or what a preset builds
  std::optional<std::string> meta;  // canonical JSON object of all unknown fields; nothing when there are none
  std::optional<std::vector<std::string>> claims;       // presets that carry them (mediq)
  std::array<bool, kRecordFields.size()> empties = {};  // by RecordField: null, or --clear
  [[nodiscard]] bool empties_field(RecordField field) const { return empties[static_cast<std::size_t>(field)]; }
};

// A row of `ingest claims`: an array that replaces the record's claims, or one claim that upserts by n.
struct ClaimsRow {
  struct Claim {
    std::string text;
    std::optional<std::uint32_t> n;       // 1-based; nothing: after the last one of this file
    std::optional<std::string> category;  // JSON array of strings
  };
  std::uint64_t line = 0;
  std::string record;
  bool replaces = false;
  std::vector<Claim> claims;
};

// A row of `ingest run`.
struct VariantRow {
  std::uint64_t line = 0;
  std::optional<std::string> key;            // required for aligned runs
  std::optional<std::string> text;           // nothing where `error` is set or text is null
  std::optional<std::string> error;          // the sanitizer's own words, cut to 200 bytes
  std::optional<std::string> substitutions;  // what stands for what in `text` (substitutions.h); nothing: nobody said
  bool no_substitutions = false;             // null: what was said of the same text before is not so
  std::optional<std::string> spans;          // instead of `text`: canonical JSON (text_spans.h) of what to replace
  text::Unit unit = text::Unit::kCodepoint;  // of the offsets in `spans`
  std::uint64_t entry = 0;                   // of a file that is one object: which of its members, from 1
  std::optional<std::string> original;       // the record's text as the file has it, to be held against the record
};

// What labels can be. The last, responses, are kept as answers (ingest/answers.h), all others as labels.
inline constexpr std::array<std::string_view, 6> kLabelKinds = {"support", "category", "attribute",
                                                                "span",    "entity",   "response"};

// A row of `ingest labels`, checked for shape and ranges but not against the store.
struct LabelRow {
  std::uint64_t line = 0;
  std::string record;                  // key of the record ("r-12" of "r-12#2")
  std::optional<std::uint32_t> claim;  // the 2 of "r-12#2"
  std::optional<std::string> run;
  std::optional<std::string> annotator;
  std::string payload;  // canonical JSON of all fields; ratings already in the scale 1 same .. 3 unsupported
  // kind span only: offsets in the declared unit, and the text that they are said to cover.
  std::optional<std::int64_t> start, end;
  std::string unit = "codepoint";  // "codepoint", "byte", "utf16"
  std::optional<std::string> span_text;
  bool unknown_type = false;  // kinds span and entity: of a type that nothing here knows
  bool cells = false;         // from CSV: texts may have the mark of --csv=spreadsheet (is_disarmed)
};

// A row of `ingest judgments`: what a judge elsewhere said of a claim and a passage, in the scale 1 same .. 3
// unsupported.
struct JudgmentRow {
  std::uint64_t line = 0;
  std::string judge;
  std::uint64_t sample = 0;  // which of a judge's answers to the same pair
  std::uint8_t rating = 3;
  std::string claim;    // the words, or with `run` the key of the record
  std::uint32_t n = 0;  // with `run`: the 2 of "r-12#2"
  std::string passage;
  std::optional<std::string> run;  // the passage is this run's text of the record
};

// A row of `ingest answers`: what a model elsewhere answered to a task, having read a run's text of a record.
struct AnswerRow {
  std::uint64_t line = 0;
  std::string model;
  std::string task = "choice";  // as in task_answer
  std::string record;
  std::string run;                    // "none": the original
  std::optional<std::string> answer;  // in the form of task_answer; nothing: it was asked and gave none
  std::optional<std::string> gold;    // the right answer as the file has it, to be held against the record's task
};

// Whose vector it is.
enum class VectorOf { kRecord, kVariant, kClaim };

// A row of `ingest vectors`: finite values, not all zeros; the dimension is checked against the embedder's.
struct VectorRow {
  std::uint64_t line = 0;  // of a .npy file: the row, from 1, which is the line of its id
  VectorOf of = VectorOf::kRecord;
  std::string key;                 // of the record, or of a synthetic run's variant
  std::optional<std::string> run;  // kVariant; kClaim: a claim of the run's text, not of the record
  std::uint32_t claim = 0;         // kClaim: the 2 of "r-12#2"
  std::vector<float> values;
};

// The file, and what names its fields, whatever its rows are. Each kind of rows has options of its own beside these.
struct SourceOptions {
  std::string path = "-";                  // "-": standard input
  std::string preset;                      // "" or a name of presets.h
  std::map<std::string, std::string> map;  // --map field=path (dotted)
  // --only path=value: of a file of another program, the items that are meant (ingest/neighbours/choices.h)
  std::map<std::string, std::string> only;
};

// --id auto, --record auto: a row's number, from 1, is its id. Blank lines and a CSV file's header are no rows.
inline constexpr std::string_view kNumberedRows = "auto";

struct RecordSourceOptions : SourceOptions {
  std::optional<std::string> id, text;  // --id, --text: the fields that hold them
  std::vector<std::string> clear;       // --clear: of kRecordFields; emptied where a row does not have them

  [[nodiscard]] bool numbered() const { return id == kNumberedRows; }
};

struct VariantSourceOptions : RecordSourceOptions {
  bool synthetic = false;                    // the id is optional
  bool spans = false;                        // rows have spans of the originals instead of texts
  text::Unit unit = text::Unit::kCodepoint;  // of their offsets, where a row has no "unit"
  bool originals = false;                    // rows have an "original": the record's text
};

// What the words of labels mean (label_words.h).
struct LabelWordOptions {
  std::map<std::string, std::string> map;  // --map-label OLD=NEW
  bool any_category = false;               // --any-category
};

struct ClaimSourceOptions : SourceOptions {
  std::optional<std::string> record, claims;  // --record, --claims: the fields that hold them
  LabelWordOptions words;
};

struct LabelSourceOptions : SourceOptions {
  std::string kind;             // of kLabelKinds
  bool reversed_scale = false;  // --scale reversed
  LabelWordOptions words;
};

struct JudgmentSourceOptions : SourceOptions {
  bool reversed_scale = false;            // --scale reversed
  std::optional<std::string> judge, run;  // --judge, --run: of rows that name none
  std::optional<std::string> scorer;      // --scorer: of a log, which of its scores are the ratings
};

struct AnswerSourceOptions : SourceOptions {
  bool labels = false;                          // rows are labels of the kind response
  std::optional<std::string> model, task, run;  // --model, --task, --run: of rows that name none
  std::optional<std::string> scorer;            // --scorer: of a log, which of its scores has the answers
};

struct VectorSourceOptions : SourceOptions {
  std::optional<std::string> of;   // record, variant, claim; nothing: the row says, or record
  std::optional<std::string> run;  // of variants: the run where a row names none
  std::optional<std::string> ids;  // the file of the ids of a .npy file's rows, one a line
};

class RowReader;

template <class Row>
class RowSource {
 public:
  virtual ~RowSource() = default;

  // The next row, or why a line is none, or the end. Memory: one line (16 MiB at most). Throws Error{not found|io} for
  // the file itself and Error{bad input} where reading cannot go on (broken compression).
  virtual RowResult next(Row& row, RowError& bad) = 0;

  // Bytes consumed of the file as it lies on disk, and its size if known; for progress.
  [[nodiscard]] virtual std::uint64_t bytes_read() const = 0;
  [[nodiscard]] virtual std::optional<std::uint64_t> bytes_total() const = 0;

  // What had to be found out to read the file, one line each: "columns are separated by ;".
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }

  // Whether only the last row says that the ones before are right: they are stored all or none.
  [[nodiscard]] virtual bool whole() const { return false; }
};

// Throws Error{usage} for a field of --clear that is none.
std::unique_ptr<RowSource<RecordRow>> open_records(const RecordSourceOptions& options);
std::unique_ptr<RowSource<ClaimsRow>> open_claims(const ClaimSourceOptions& options);
std::unique_ptr<RowSource<VariantRow>> open_variants(const VariantSourceOptions& options);
std::unique_ptr<RowSource<LabelRow>> open_labels(const LabelSourceOptions& options);

std::unique_ptr<RowSource<JudgmentRow>> open_judgments(const JudgmentSourceOptions& options);
std::unique_ptr<RowSource<AnswerRow>> open_answers(const AnswerSourceOptions& options);

// The same of rows that a reader makes, instead of a file's. `options.preset` is not looked at.
std::unique_ptr<RowSource<VariantRow>> open_variants(const VariantSourceOptions& options,
                                                     std::unique_ptr<RowReader> reader);
std::unique_ptr<RowSource<JudgmentRow>> open_judgments(const JudgmentSourceOptions& options,
                                                       std::unique_ptr<RowReader> reader);
std::unique_ptr<RowSource<AnswerRow>> open_answers(const AnswerSourceOptions& options,
                                                   std::unique_ptr<RowReader> reader);

// With `ids`, `path` is a .npy file (npy.h): Error{bad input} where the ids are not as many as its rows.
std::unique_ptr<RowSource<VectorRow>> open_vectors(const VectorSourceOptions& options);

}  // namespace residue::ingest
