#include "ingest/labels.h"

#include <nlohmann/json.hpp>

#include "ingest/batch.h"
#include "storage/lookup.h"
#include "text/unicode.h"

namespace residue::ingest {
namespace {

using storage::Statement;
using storage::WriteBatch;

std::optional<text::Unit> unit_of(std::string_view name) {
  if (name == "codepoint") return text::Unit::kCodepoint;
  if (name == "byte") return text::Unit::kByte;
  if (name == "utf16") return text::Unit::kUtf16;
  return std::nullopt;
}

class LabelSink final : public RowSink<LabelRow> {
 public:
  LabelSink(storage::Db& db, std::string_view dataset, std::string_view kind, const std::optional<std::string>& set)
      : db_(db),
        dataset_(dataset),
        kind_(kind),
        set_(set),
        record_(db.prepare("SELECT id, text_id FROM record WHERE dataset_id = ?1 AND key = ?2")),
        claim_(db.prepare("SELECT 1 FROM claim JOIN claim_set ON claim_set.id = claim_set_id"
                          " WHERE record_id = ?1 AND n = ?2 AND (?3 IS NULL OR name = ?3) LIMIT 1")),
        run_(db.prepare("SELECT id FROM run WHERE dataset_id = ?1 AND name = ?2")),
        insert_(db.prepare("INSERT INTO label (dataset_id, kind, record_id, run_id, annotator, payload_id)"
                           " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING")) {}

  void begin(WriteBatch& /*batch*/, const Progress& /*progress*/) override {
    id_ = storage::find_dataset(db_, dataset_);
    shown_ = TextId{};
  }

  std::optional<Problem> put(WriteBatch& batch, const LabelRow& row, Outcome& outcome) override {
    if (!record_.bind(id_, row.record).step()) {
      return Problem{fmt::format("no record with this id in dataset {}", dataset_), "ingest the record first"};
    }
    const auto record = record_.id<RecordId>(0);
    const auto text = record_.id<TextId>(1);
    record_.reset();
    if (row.claim) {
      if (!claim_.bind(record, *row.claim, set_).step()) {
        return Problem{"the record has no claim with this number",
                       "ingest its claims first, or name their set with --set"};
      }
      claim_.reset();
    }
    std::optional<RunId> run;
    if (row.run) {
      if (!run_.bind(id_, *row.run).step()) {
        return Problem{fmt::format("no run with this name in dataset {}", dataset_), "ingest the run first"};
      }
      run = run_.id<RunId>(0);
      run_.reset();
    }
    std::string payload = row.payload;
    if (row.start && row.end) {
      if (auto problem = to_bytes(batch, row, text, payload)) return problem;
    }
    const TextId payload_id = batch.put_text(payload, storage::PrivacyClass::kOriginal);
    insert_.run(id_, kind_, record, run, row.annotator, payload_id);
    outcome = db_.changes() > 0 ? Outcome::kNew : Outcome::kSame;
    return std::nullopt;
  }

  void skip(const LabelRow& /*row*/) override {}
  void end(WriteBatch& /*batch*/, Progress& /*progress*/, bool /*last*/) override {}

 private:
  // Rewrites the payload's offsets as bytes of the record's text.
  std::optional<Problem> to_bytes(WriteBatch& batch, const LabelRow& row, TextId text, std::string& payload) {
    const auto unit = unit_of(row.unit);
    if (!unit) return Problem{"the unit of the offsets is unknown", "write \"codepoint\", \"byte\" or \"utf16\""};
    if (shown_ != text) {  // Labels of one record usually follow each other.
      text_ = batch.facts().text(text);
      shown_ = text;
    }
    const auto start = text::byte_offset(text_, *row.start, *unit);
    const auto end = text::byte_offset(text_, *row.end, *unit);
    if (!start || !end || *start >= *end) {
      return Problem{"the offsets are not a part of the record's text",
                     "offsets count from 0, \"end\" is behind the last character; check \"unit\""};
    }
    if (row.span_text && *row.span_text != std::string_view(text_).substr(*start, *end - *start)) {
      return Problem{"the text of the span is not what its offsets cover", "check \"unit\" and the record's text"};
    }
    auto json = nlohmann::json::parse(payload);
    json["start"] = *start;
    json["end"] = *end;
    json["unit"] = "byte";
    payload = json.dump();
    return std::nullopt;
  }

  storage::Db& db_;
  const std::string dataset_;
  const std::string kind_;
  const std::optional<std::string> set_;
  DatasetId id_;
  TextId shown_;
  std::string text_;
  Statement record_, claim_, run_, insert_;
};

}  // namespace

IngestResult ingest_labels(storage::Store& store, std::string_view dataset, std::string_view kind,
                           const std::optional<std::string>& set, RowSource<LabelRow>& source,
                           const SourceIdentity& file, const IngestOptions& options) {
  storage::find_dataset(store.db(), dataset);
  if (set) storage::find_claim_set(store.db(), dataset, *set);
  LabelSink sink(store.db(), dataset, kind, set);
  return store_rows(store, source, file, fmt::format("labels {}/{}", dataset, kind), options, sink);
}

}  // namespace residue::ingest
