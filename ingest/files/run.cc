#include "ingest/files/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ingest/batches/batch.h"
#include "ingest/batches/key_map.h"
#include "ingest/batches/run_writer.h"
#include "ingest/batches/same_texts.h"
#include "ingest/files/unknown_names.h"
#include "ingest/method/span_masking.h"
#include "ingest/read/json_parser.h"
#include "ingest/rows/text_spans.h"
#include "model/suspicion/suspected.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/record.h"

namespace residue::ingest {
namespace {

using storage::Statement;
using storage::WriteBatch;

constexpr std::size_t kMostLines = 10;  // that a note names
constexpr std::string_view kSuspected = "suspected: ";

VariantText text_of(const VariantRow& row) {
  return {row.text, row.error, row.substitutions, std::nullopt, !row.no_substitutions};
}

// Whether two texts differ in white space alone: a table of tokens has none.
bool same_words(std::string_view a, std::string_view b) {
  const auto squeezed = [](std::string_view text) {
    std::string words;
    for (const char c : text) {
      if (std::string_view(" \t\r\n\f\v").find(c) == std::string_view::npos) words += c;
    }
    return words;
  };
  return a == b || squeezed(a) == squeezed(b);
}

// Texts that look like failures, and count as failed.
class Suspects {
 public:
  // What is stored instead of such a text; valid as long as this.
  VariantText failed(model::Suspicion suspicion, std::uint64_t line) {
    ++kinds_[suspicion];
    if (lines_.size() < kMostLines) lines_.push_back(line);
    std::string& words = errors_[suspicion];
    if (words.empty()) words = fmt::format("{}{}", kSuspected, model::words_of(suspicion));
    return {.text = std::nullopt, .error = words};
  }

  // "12 texts look like failures and count as failed: 10 times a refusal, ...; lines 3, 9".
  [[nodiscard]] std::optional<std::string> note() const {
    if (lines_.empty()) return std::nullopt;
    std::uint64_t all = 0;
    std::vector<std::string> kinds;
    for (const auto& [kind, count] : kinds_) {
      all += count;
      kinds.push_back(fmt::format("{} times {}", count, model::words_of(kind)));
    }
    return fmt::format("{} {} like failures and count as failed ({}; {} {}{}): --texts-are-meant takes them as texts",
                       all, all == 1 ? "text looks" : "texts look", fmt::join(kinds, ", "),
                       lines_.size() == 1 ? "line" : "lines", fmt::join(lines_, ", "),
                       all > lines_.size() ? " ..." : "");
  }

 private:
  std::map<model::Suspicion, std::uint64_t> kinds_;
  std::map<model::Suspicion, std::string> errors_;  // that views are of
  std::vector<std::uint64_t> lines_;                // the first of them
};

class AlignedSink final : public RowSink<VariantRow> {
 public:
  AlignedSink(storage::Db& db, std::string_view dataset, std::string_view run, const RunSpec& spec,
              const IngestOptions& options, const SourceIdentity& file)
      : db_(db),
        dataset_(dataset),
        numbered_(options.numbered),
        file_(file),
        writer_(db, std::string(run), spec, options.append),
        find_(db.prepare(storage::sql::kRecordByKeyWithText)),
        names_(db, dataset_) {}

  void begin(WriteBatch& /*batch*/, const IngestPosition& /*progress*/) override {
    id_ = storage::find_dataset(db_, dataset_);
    writer_.begin(id_);
  }

  std::optional<Problem> put(WriteBatch& batch, const VariantRow& row, Outcome& outcome) override {
    auto problem = store(batch, row, outcome);
    if (problem && row.entry > 0) problem->cause = fmt::format("entry {}: {}", row.entry, problem->cause);
    return problem;
  }

  void skip(const VariantRow& row) override {
    ++known_;
    if (row.key) seen_.add(KeyMap::hash(*row.key));
    if (row.key) last_number_ = *row.key;
    if (numbered_ && row.key && find_.bind(id_of_dataset(), *row.key).step()) last_ = find_.id<RecordId>(0);
    find_.reset();
  }

  void end(WriteBatch& /*batch*/, IngestPosition& /*progress*/, bool last) override {
    writer_.end();
    if (last && known_ == 0 && rows_ > 0) fail_unknown();
    if (last && numbered_) require_all_rows();
  }

  void explain(RowSource<VariantRow>& rest, std::span<const VariantRow> batch) override {
    if (known_ > 0) return;
    for (const VariantRow& row : batch) {
      if (known(row)) return;
    }
    VariantRow row;
    RowError bad;
    for (RowResult got = rest.next(row, bad); got != RowResult::kEnd; got = rest.next(row, bad)) {
      if (got == RowResult::kRow && known(row)) return;
    }
    if (rows_ > 0) fail_unknown();
  }

  [[nodiscard]] std::optional<std::string> suspicions() const { return suspects_.note(); }

 private:
  std::optional<Problem> store(WriteBatch& batch, const VariantRow& row, Outcome& outcome) {
    if (!row.key) return Problem{"the id is missing", "name its field with --id, or add --synthetic"};
    ++rows_;
    last_number_ = *row.key;
    if (!find_.bind(id_, *row.key).step()) return names_.record(*row.key, "check --id, or ingest the record first");
    ++known_;
    const auto record = find_.id<RecordId>(0);
    if (numbered_ && !(last_ < record)) {
      return Problem{
          "the record with this number comes before that of the row before: rows and records differ in their order",
          "use --id auto only if the dataset was ingested with it; else name the field of the ids with --id"};
    }
    last_ = record;
    const auto original = find_.id<TextId>(1);
    find_.reset();
    if (row.original && !same_words(*row.original, batch.facts().text(original))) {
      return Problem{"the original in the file is not the text of the record",
                     "check that the file was made of this dataset, and that its ids, or its order, are the dataset's"};
    }
    if (!seen_.add(KeyMap::hash(*row.key)) && writer_.has(record)) {
      return Problem{"the id was on an earlier line already", "keep one row for each record"};
    }
    if (const auto suspicion = suspect(batch, row, original)) {
      return writer_.put(batch, record, original, *row.key, suspects_.failed(*suspicion, row.line), outcome);
    }
    if (!row.spans || row.error) return writer_.put(batch, record, original, *row.key, text_of(row), outcome);
    try {
      const std::string words = batch.facts().text(original);
      parser_.parse(*row.spans, spans_, true);
      const SanitizeOutput made = mask(words, text_spans(spans_, words, row.unit), Masking::kTag);
      const auto table = substitutions_of(made, words);
      return writer_.put(batch, record, original, *row.key, {made.text, std::nullopt, table, span_table(made)},
                         outcome);
    } catch (const Refusal& refusal) {
      return Problem{refusal.cause, refusal.remedy};
    }
  }

  // Most texts look like nothing else; only of the others the original is read.
  std::optional<model::Suspicion> suspect(WriteBatch& batch, const VariantRow& row, TextId original) {
    if (writer_.texts_are_meant() || row.spans || row.error || !row.text || !model::looks_failed(*row.text)) return {};
    return model::suspected_failure(*row.text, batch.facts().text(original));
  }

  bool known(const VariantRow& row) {
    ++rows_;
    if (!row.key || !find_.bind(id_, *row.key).step()) return false;
    find_.reset();
    return true;
  }

  DatasetId id_of_dataset() { return storage::find_dataset(db_, dataset_); }

  // A row that is left out moves the numbers of all behind it: their texts would be held against other records, which
  // looks like privacy.
  void require_all_rows() {
    Statement last = db_.prepare(storage::sql::kRecordHighestNumberAsKey);
    last.bind(id_).step();
    if (last_number_ == std::to_string(last.integer(0))) return;
    throw Error(Code::kBadInput,
                fmt::format("the last row of {} has number {}, but the last record of dataset {} has number {}; with "
                            "--id auto, each row belongs to the record of its number",
                            shown(file_), last_number_, dataset_, last.integer(0)),
                "write a row for each record, with \"error\" where there is no text, or give both files ids");
  }

  [[noreturn]] void fail_unknown() {
    Statement count = db_.prepare(storage::sql::kRecordCountOfDataset);
    count.bind(id_).step();
    throw Error(Code::kBadInput,
                fmt::format("none of the {} ids of {} is one of the {} records of dataset {}", rows_, shown(file_),
                            count.integer(0), dataset_),
                "check --id; output that is not aligned to records needs --synthetic");
  }

  storage::Db& db_;
  const std::string dataset_;
  const bool numbered_;
  RecordId last_;  // numbered: of the row before
  std::string last_number_;
  const SourceIdentity& file_;
  DatasetId id_;
  RunWriter writer_;
  JsonParser parser_;
  Value spans_;  // of the row at hand
  KeyMap seen_;
  Suspects suspects_;
  std::uint64_t rows_ = 0;
  std::uint64_t known_ = 0;
  Statement find_;
  UnknownNames names_;
};

class SyntheticSink final : public RowSink<VariantRow> {
 public:
  SyntheticSink(storage::Db& db, std::string_view dataset, std::string_view run, const RunSpec& spec, bool append)
      : db_(db), dataset_(dataset), append_(append), writer_(db, std::string(run), spec, append) {}

  void begin(WriteBatch& /*batch*/, const IngestPosition& progress) override {
    writer_.begin(storage::find_dataset(db_, dataset_));
    if (base_) return;
    base_ = progress.base;
    if (append_ && progress.base == 0 && progress.rows == 0) base_ = writer_.highest_key();
  }

  std::optional<Problem> put(WriteBatch& batch, const VariantRow& row, Outcome& outcome) override {
    number(row);
    const std::string key = row.key ? *row.key : std::to_string(*base_ + number_);
    if (auto problem = check_key(key)) return problem;
    if (!seen_.add(KeyMap::hash(key)) && writer_.has(key)) {
      return Problem{"the id was on an earlier line already", "give every row an id of its own"};
    }
    const bool looked_at = !writer_.texts_are_meant() && row.text && !row.error;
    if (const auto suspicion = looked_at ? model::looks_failed(*row.text) : std::nullopt) {
      return writer_.put(batch, key, suspects_.failed(*suspicion, row.line), outcome);
    }
    return writer_.put(batch, key, text_of(row), outcome);
  }

  [[nodiscard]] std::optional<std::string> suspicions() const { return suspects_.note(); }

  void skip(const VariantRow& row) override {
    number(row);
    if (row.key) seen_.add(KeyMap::hash(*row.key));
  }

  void end(WriteBatch& /*batch*/, IngestPosition& progress, bool /*last*/) override {
    progress.base = *base_;
    writer_.end();
  }

 private:
  // The line, except where several rows share one (a JSON array): then they are counted on.
  void number(const VariantRow& row) { number_ = std::max(row.line, number_ + 1); }

  storage::Db& db_;
  const std::string dataset_;
  const bool append_;
  RunWriter writer_;
  Suspects suspects_;
  KeyMap seen_;
  std::optional<std::uint64_t> base_;
  std::uint64_t number_ = 0;
};

}  // namespace

IngestResult ingest_run(storage::Store& store, std::string_view dataset, std::string_view run, const RunSpec& spec,
                        RowSource<VariantRow>& source, const SourceIdentity& file, const IngestOptions& options) {
  check_name("run", run);
  if (is_control(run)) {
    throw Error(Code::kUsage, fmt::format("\"{}\" is an automatic control of every dataset", run),
                "give the run another name; controls are evaluated without being ingested");
  }
  // The run says which sanitizer, version and settings made it: that must stay true of every text.
  if (made_by_sanitize(store.db(), storage::find_dataset(store.db(), dataset), run)) {
    throw Error(Code::kUsage, fmt::format("the run \"{}\" was made by residue sanitize", run),
                "name another run, or remove this one first");
  }
  const std::string target = fmt::format("run {}/{}", dataset, run);
  IngestResult result;
  if (spec.synthetic) {
    SyntheticSink sink(store.db(), dataset, run, spec, options.append);
    result = store_rows(store, source, file, target, options, sink);
    if (auto note = sink.suspicions()) result.notes.push_back(*std::move(note));
  } else {
    AlignedSink sink(store.db(), dataset, run, spec, options, file);
    result = store_rows(store, source, file, target, options, sink);
    if (auto note = sink.suspicions()) result.notes.push_back(*std::move(note));
  }
  for (std::string& note : run_notes(store.db(), dataset, run)) result.notes.push_back(std::move(note));
  if (auto note = unchanged_note(store.db(), dataset, run)) result.notes.push_back(*std::move(note));
  if (auto note = same_texts_note(store, dataset, run, "--texts-are-meant")) result.notes.push_back(*std::move(note));
  return result;
}

}  // namespace residue::ingest
