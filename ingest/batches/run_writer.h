// Writes the variants of one run and keeps its row and fingerprint: shared by `ingest run` and `sanitize`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fingerprint.h"
#include "ingest/batches/batch.h"
#include "ingest/rows/names.h"
#include "ingest/rows/rows.h"
#include "storage/store.h"

namespace residue::ingest {

// What is known about a run besides its texts. Nothing: as it is stored, or the default for a new run.
struct RunSpec {
  bool synthetic = false;  // a run never changes its kind
  std::optional<std::string> sanitizer;
  std::optional<std::string> params;  // canonical JSON object
  std::optional<std::int64_t> seed;
  std::optional<std::string> group;
  std::optional<bool> removes_everything;  // an empty text is a success
  std::optional<bool> texts_are_meant;     // what looks like a failure is none
};

// --param k=v ... as the canonical JSON object of strings.
std::string params_json(const std::map<std::string, std::string>& params);

// What a sanitizer said about one record: a text, or why there is none.
struct VariantText {
  std::optional<std::string_view> text;
  std::optional<std::string_view> error;
  std::optional<std::string_view> substitutions = std::nullopt;  // of the text: substitutions.h
  std::optional<std::string_view> spans = std::nullopt;          // of the record's text: variant.spans_id
  bool keeps_tables = false;  // where these two say nothing and the text is as it was, they stay as they were
};

class RunWriter {
 public:
  RunWriter(storage::Db& db, std::string run, RunSpec spec, bool append);

  // In a fresh batch: finds or makes the run and updates what the spec says. Throws Error{usage} if the kind differs.
  void begin(DatasetId dataset);

  // Behind begin().
  [[nodiscard]] RunId id() const { return id_; }
  [[nodiscard]] bool texts_are_meant() const { return texts_are_meant_; }

  // An aligned variant; its text is compressed against `original`. A problem only with `append`.
  std::optional<Problem> put(storage::WriteBatch& batch, RecordId record, TextId original, std::string_view key,
                             const VariantText& variant, Outcome& outcome);

  // A synthetic variant.
  std::optional<Problem> put(storage::WriteBatch& batch, std::string_view key, const VariantText& variant,
                             Outcome& outcome);

  // Whether the run has a variant with that key.
  bool has(std::string_view key);
  bool has(RecordId record);

  // The highest synthetic key that is a number; 0 without one.
  std::uint64_t highest_key();

  // Removes the variants of a synthetic run whose keys are no numbers from 1 to `last`.
  void drop_behind(std::uint64_t last);

  // Before the commit.
  void end();

 private:
  struct Row {
    VariantId id;
    std::optional<TextId> text;
    std::optional<std::string> error;
    std::optional<TextId> substitutions, spans;
  };
  Row decide(storage::WriteBatch& batch, const VariantText& variant, std::optional<TextId> original);
  std::optional<Problem> write(std::optional<RecordId> record, std::string_view key, Row row, bool keeps_tables,
                               Outcome& outcome);
  std::optional<Row> find(std::optional<RecordId> record, std::string_view key);
  bool insert(std::optional<RecordId> record, std::string_view key, const Row& row);

  storage::Db& db_;
  const std::string name_;
  const RunSpec spec_;
  const bool append_;
  RunId id_;
  void mean_texts(bool meant, bool before);

  bool removes_everything_ = false, texts_are_meant_ = false;
  bool expect_new_ = true;
  Fingerprint content_, substitutions_;
  storage::Statement by_record_, by_key_, insert_, update_, forget_, save_;
};

// The notes on an aligned run as it is stored.
std::vector<std::string> run_notes(storage::Db& db, std::string_view dataset, std::string_view run);

// How many texts of an aligned run that somebody brought are those of their records: most, or all. Else nothing.
std::optional<std::string> unchanged_note(storage::Db& db, std::string_view dataset, std::string_view run);

// Whether `sanitize` made that run: its row then names method, version and settings.
bool made_by_sanitize(storage::Db& db, DatasetId dataset, std::string_view run);

}  // namespace residue::ingest
