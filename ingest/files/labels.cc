#include "ingest/files/labels.h"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "base/hash.h"
#include "base/json.h"
#include "ingest/batches/batch.h"
#include "ingest/batches/label_subject.h"
#include "ingest/files/unknown_names.h"
#include "ingest/rows/fields.h"
#include "ingest/rows/text_spans.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/claim.h"
#include "storage/catalog/sources/label.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run.h"
#include "storage/catalog/sources/variant.h"
#include "text/characters/unicode.h"
#include "text/measures/redaction.h"

namespace residue::ingest {
namespace {

using storage::Statement;
using storage::WriteBatch;

// A row as it is stored.
struct Prepared {
  RecordId record;
  std::optional<RunId> run;
  std::string payload, subject;
};

class LabelSink final : public RowSink<LabelRow> {
 public:
  LabelSink(storage::Store& store, std::string_view dataset, std::string_view kind,
            const std::optional<std::string>& set, const SourceIdentity& file, LabelsRead& read)
      : store_(store),
        dataset_(dataset),
        kind_(kind),
        set_(set),
        file_(file),
        read_(read),
        record_(store.db().prepare(storage::sql::kRecordByKeyWithText)),
        claim_(store.db().prepare(storage::sql::kClaimTextByRecordAndN)),
        run_(store.db().prepare(storage::sql::kRunByName)),
        variant_(store.db().prepare(storage::sql::kVariantTextOfRecordWithRunKind)),
        old_(store.db().prepare(storage::sql::kLabelPayloadBySubject)),
        put_(store.db().prepare(storage::sql::kInsertOrReplaceLabelWithRun)),
        names_(store.db(), dataset_) {
    id_ = storage::find_dataset(store.db(), dataset_);
  }

  void begin(WriteBatch& batch, const IngestPosition& /*progress*/) override {
    id_ = storage::find_dataset(batch.db(), dataset_);
    shown_ = TextId{};
  }

  std::optional<Problem> put(WriteBatch& batch, const LabelRow& row, Outcome& outcome) override {
    Prepared label;
    if (auto problem = prepare([&](TextId id) { return batch.facts().text(id); }, row, label)) return problem;
    if (!read_.agrees(key_of(row, label), hash_bytes(label.payload))) {
      return Problem{"another label in this input contradicts this one",
                     "leave one of them; where several people label, name each in the field \"annotator\""};
    }
    if (row.unknown_type) read_.unknown_type(fmt::format("{}:{}", shown(file_), row.line));
    const TextId subject = batch.put_text(label.subject, storage::PrivacyClass::kOriginal);
    const TextId payload = batch.put_text(label.payload, storage::PrivacyClass::kOriginal);
    const bool had = old_.bind(id_, kind_, label.record, subject).step();
    const bool same = had && old_.id<TextId>(0) == payload;
    old_.reset();
    outcome = same ? Outcome::kSame : had ? Outcome::kChanged : Outcome::kNew;
    if (!same) put_.run(id_, kind_, label.record, label.run, row.annotator, subject, payload);
    return std::nullopt;
  }

  void skip(const LabelRow& row) override {
    Prepared label;
    if (prepare([&](TextId id) { return store_.facts().read()->text(id); }, row, label)) return;
    read_.agrees(key_of(row, label), hash_bytes(label.payload));
  }

  void end(WriteBatch& /*batch*/, IngestPosition& /*progress*/, bool /*last*/) override {}

 private:
  using Texts = std::function<std::string(TextId)>;

  static std::uint64_t key_of(const LabelRow& row, const Prepared& label) {
    return hash_bytes(label.subject, hash_bytes(row.record));
  }

  std::optional<Problem> prepare(const Texts& texts, const LabelRow& row, Prepared& label) {
    bool found = record_.bind(id_, row.record).step();
    const bool disarmed = !found && row.cells && is_disarmed(row.record);
    if (disarmed) found = record_.bind(id_, row.record.substr(1)).step();
    if (!found) {
      return names_.record(row.record, "ingest the record first");
    }
    label.record = record_.id<RecordId>(0);
    const auto text = record_.id<TextId>(1);
    record_.reset();
    Json payload = Json::parse(row.payload).value();
    if (row.cells && kind_ == "support") {
      if (disarmed) payload["claim"] = payload["claim"].get<std::string>().substr(1);
      if (auto problem = rearm(payload)) return problem;
    }
    if (row.claim) {
      if (auto problem = to_words(texts, label.record, *row.claim, payload)) return problem;
    }
    if (row.run) {
      if (!run_.bind(id_, *row.run).step()) {
        return names_.run(*row.run);
      }
      label.run = run_.id<RunId>(0);
      run_.reset();
    }
    if (kind_ == "support" && !payload.contains("passage")) {
      if (auto problem = to_passage(texts, label, text, payload)) return problem;
    }
    if (row.start && row.end) {
      if (auto problem = to_bytes(texts, row, text, payload)) return problem;
    }
    if (kind_ == "entity") {
      if (auto problem = must_occur(texts, text, payload)) return problem;
    }
    label.subject = label_subject(kind_, payload);
    label.payload = payload.sorted().dump();
    return std::nullopt;
  }

  // Takes the mark of --csv=spreadsheet off the passage and the claim's words, where they are texts of the store
  // without it: a label would else be of another text.
  std::optional<Problem> rearm(Json& payload) {
    for (const char* name : {"passage", "claim_text"}) {
      Json* cell = payload.find(name);
      if (cell == nullptr || !cell->is_string()) continue;
      const auto said = cell->get<std::string>();
      if (!is_disarmed(said)) continue;
      const auto facts = store_.facts().read();
      if (facts->find(said)) continue;
      if (!facts->find(said.substr(1))) {
        return Problem{fmt::format("\"{}\" begins with an apostrophe and a sign, and the store has no such text", name),
                       "files for spreadsheets have an apostrophe before = + - and @: remove it"};
      }
      *cell = said.substr(1);
    }
    return std::nullopt;
  }

  // Puts the claim's words into the payload: a number may stand for another claim some day.
  std::optional<Problem> to_words(const Texts& texts, RecordId record, std::uint32_t n, Json& payload) {
    const Json* said = payload.find("claim_text");
    claim_.bind(record, n, set_);
    std::optional<std::string> words;
    bool any = false;
    while (!words && claim_.step()) {
      any = true;
      std::string text = texts(claim_.id<TextId>(0));
      if (said == nullptr || *said == text) words = std::move(text);
    }
    claim_.reset();
    if (!any) {
      return names_.claim(record, set_);
    }
    if (!words) {
      return Problem{"the claim with this number has other words than \"claim_text\"",
                     "the claims changed since: label what residue label gives now, or name their set with --set"};
    }
    payload["claim_text"] = *words;
    return std::nullopt;
  }

  // A rating without a passage is of the run's text as it is now.
  std::optional<Problem> to_passage(const Texts& texts, const Prepared& label, TextId original, Json& payload) {
    if (!label.run) {
      return Problem{"\"passage\" is missing: a rating is about a claim and a text",
                     "write the text as \"passage\", or name its run as \"run\""};
    }
    variant_.bind(*label.run, label.record);
    if (!variant_.step() || (variant_.text(1) != "none" && variant_.is_null(0))) {
      variant_.reset();
      return Problem{"the run has no text of this record", "write the text as \"passage\""};
    }
    payload["passage"] = texts(variant_.text(1) == "none" ? original : variant_.id<TextId>(0));
    variant_.reset();
    return std::nullopt;
  }

  // As the metrics look for it: a label that they cannot find would say that nothing was left behind.
  std::optional<Problem> must_occur(const Texts& texts, TextId text, const Json& payload) {
    show(texts, text);
    const auto words = payload["entity"].get<std::string>();
    if (text::has_term(text_, words)) return std::nullopt;
    const bool inside = text::lower(text_).find(text::lower(words)) != std::string::npos;
    return Problem{inside ? "the entity occurs in the record's text only inside of longer words"
                          : "the entity does not occur in the record's text",
                   "write it as it stands there, whole words one behind the other (upper and lower case are alike), or "
                   "leave the row out"};
  }

  // Labels of one record usually follow each other.
  void show(const Texts& texts, TextId text) {
    if (shown_ == text) return;
    text_ = texts(text);
    shown_ = text;
  }

  // Rewrites the payload's offsets as bytes of the record's text.
  std::optional<Problem> to_bytes(const Texts& texts, const LabelRow& row, TextId text, Json& payload) {
    const auto unit = unit_named(row.unit);
    if (!unit) return Problem{"the unit of the offsets is unknown", "write \"codepoint\", \"byte\" or \"utf16\""};
    show(texts, text);
    const auto start = text::byte_offset(text_, *row.start, *unit);
    const auto end = text::byte_offset(text_, *row.end, *unit);
    if (!start || !end || *start >= *end) {
      return Problem{"the offsets do not mark a part of the record's text",
                     "offsets count from 0, \"end\" is behind the last character; check \"unit\""};
    }
    if (row.span_text && *row.span_text != std::string_view(text_).substr(*start, *end - *start)) {
      return Problem{"the text of the span is not what its offsets cover", "check \"unit\" and the record's text"};
    }
    // Kept, so that a label never slides onto other words when the record is edited.
    payload["text"] = std::string_view(text_).substr(*start, *end - *start);
    payload["start"] = *start;
    payload["end"] = *end;
    payload["unit"] = "byte";
    return std::nullopt;
  }

  storage::Store& store_;
  const std::string dataset_;
  const std::string kind_;
  const std::optional<std::string> set_;
  const SourceIdentity& file_;
  LabelsRead& read_;
  DatasetId id_;
  TextId shown_;
  std::string text_;
  Statement record_, claim_, run_, variant_, old_, put_;
  UnknownNames names_;
};

}  // namespace

IngestResult ingest_labels(storage::Store& store, std::string_view dataset, std::string_view kind,
                           const std::optional<std::string>& set, RowSource<LabelRow>& source,
                           const SourceIdentity& file, const IngestOptions& options, LabelsRead* read) {
  storage::find_dataset(store.db(), dataset);
  if (set) storage::find_claim_set(store.db(), dataset, *set);
  LabelsRead own;
  LabelsRead& seen = read != nullptr ? *read : own;
  LabelSink sink(store, dataset, kind, set, file, seen);
  IngestResult result = store_rows(store, source, file, fmt::format("labels {}/{}", dataset, kind), options, sink);
  if (kind == "category" && result.counts.fresh + result.counts.changed > 0) {
    result.notes.push_back(
        "labels of the kind category are kept, but no metric reads them; to say what claims are about, use ingest "
        "claims with the field \"category\"");
  }
  if (seen.unknown_types() > 0) {
    result.notes.push_back(
        fmt::format("{}: the type of this label is unknown, as in {} of the labels; each unknown type becomes a part "
                    "of its own, and --map-label OLD=NEW reads one as another (docs/formats.md)",
                    seen.first_unknown(), seen.unknown_types()));
  }
  if (result.counts.changed > 0) {
    result.notes.push_back(
        "changed labels replaced earlier ones by the same annotator about the same thing; labels without an annotator "
        "count as one annotator's");
  }
  return result;
}

}  // namespace residue::ingest
