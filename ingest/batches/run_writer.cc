#include "ingest/batches/run_writer.h"

#include <fmt/format.h>

#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "storage/catalog/content.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/program_answer.h"
#include "storage/catalog/sources/run.h"
#include "storage/catalog/sources/variant.h"
#include "text/characters/unicode.h"

namespace residue::ingest {
namespace {

using storage::Statement;

constexpr std::size_t kMaxErrorBytes = 200;

// At most kMaxErrorBytes, whole characters.
std::string cut(std::string_view text) {
  if (text.size() <= kMaxErrorBytes) return std::string(text);
  std::size_t end = kMaxErrorBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end));
}

std::optional<TextId> text_or_none(const Statement& row, int column) {
  if (const auto id = row.integer_or_null(column)) return TextId{*id};
  return std::nullopt;
}

}  // namespace

RunWriter::RunWriter(storage::Db& db, std::string run, RunSpec spec, bool append)
    : db_(db),
      name_(std::move(run)),
      spec_(std::move(spec)),
      append_(append),
      by_record_(db.prepare(storage::sql::kVariantByRecord)),
      by_key_(db.prepare(storage::sql::kVariantByKey)),
      insert_(db.prepare(storage::sql::kInsertVariant)),
      update_(db.prepare(storage::sql::kUpdateVariant)),
      forget_(db.prepare(storage::sql::kDeleteProgramAnswerOfVariant)),
      save_(db.prepare(storage::sql::kUpdateRunContent)) {}

void RunWriter::begin(DatasetId dataset) {
  const std::string kind = spec_.synthetic ? "synthetic" : "aligned";
  Statement find = db_.prepare(storage::sql::kRunByNameWithContent);
  if (!find.bind(dataset, name_).step()) {
    content_ = Fingerprint();
    substitutions_ = Fingerprint();
    removes_everything_ = spec_.removes_everything.value_or(false);
    Statement add = db_.prepare(storage::sql::kInsertRun);
    add.run(dataset, name_, kind, removes_everything_, spec_.sanitizer, spec_.params.value_or("{}"), spec_.seed,
            spec_.group, Statement::Blob{content_.bytes()}, now_ms());
    id_ = RunId{db_.last_insert_id()};
    mean_texts(spec_.texts_are_meant.value_or(false), false);
    return;
  }
  id_ = find.id<RunId>(0);
  const std::string stored_kind(find.text(1));
  removes_everything_ = spec_.removes_everything.value_or(find.integer(2) != 0);
  content_ = Fingerprint(find.text(3));
  substitutions_ = Fingerprint(find.text(4));
  const bool meant = find.integer(5) != 0;
  find.reset();
  if (stored_kind != kind) {
    throw Error(
        Code::kUsage, fmt::format("the run \"{}\" is {}, and a run never changes its kind", name_, stored_kind),
        kind == "synthetic" ? "leave out --synthetic, or name another run" : "add --synthetic, or name another run");
  }
  Statement update = db_.prepare(storage::sql::kUpdateRunSpec);
  update.run(id_, removes_everything_, spec_.sanitizer, spec_.params, spec_.seed, spec_.group);
  mean_texts(spec_.texts_are_meant.value_or(meant), meant);
}

// The numbers of a run depend on it, so its content does.
void RunWriter::mean_texts(bool meant, bool before) {
  texts_are_meant_ = meant;
  if (meant == before) return;
  if (meant) {
    content_.add(storage::kTextsAreMeant, 1);
  } else {
    content_.remove(storage::kTextsAreMeant, 1);
  }
  db_.prepare(storage::sql::kUpdateRunTextsAreMeant).run(id_, meant);
}

RunWriter::Row RunWriter::decide(storage::WriteBatch& batch, const VariantText& variant,
                                 std::optional<TextId> original) {
  Row row;
  if (variant.error) {
    row.error = cut(*variant.error);
  } else if (!variant.text) {
    row.error = "no text";
  } else if (removes_everything_ || !is_blank(*variant.text)) {
    row.text = batch.put_text(*variant.text, storage::PrivacyClass::kSanitized, original);
  } else if (original && is_blank(batch.facts().text(*original))) {
    row.text = batch.put_text({}, storage::PrivacyClass::kSanitized);  // There was nothing to keep: not applicable.
  } else {
    row.error = "empty";
  }
  if (row.text && variant.substitutions) {
    row.substitutions = batch.put_text(*variant.substitutions, storage::PrivacyClass::kOriginal);
  }
  if (row.text && variant.spans) row.spans = batch.put_text(*variant.spans, storage::PrivacyClass::kOriginal);
  return row;
}

std::optional<Problem> RunWriter::put(storage::WriteBatch& batch, RecordId record, TextId original,
                                      std::string_view key, const VariantText& variant, Outcome& outcome) {
  return write(record, key, decide(batch, variant, original), variant.keeps_tables, outcome);
}

std::optional<Problem> RunWriter::put(storage::WriteBatch& batch, std::string_view key, const VariantText& variant,
                                      Outcome& outcome) {
  return write(std::nullopt, key, decide(batch, variant, std::nullopt), variant.keeps_tables, outcome);
}

// New rows usually follow new rows: then one statement is enough.
std::optional<Problem> RunWriter::write(std::optional<RecordId> record, std::string_view key, Row row,
                                        bool keeps_tables, Outcome& outcome) {
  outcome = Outcome::kNew;
  if (expect_new_ && insert(record, key, row)) return std::nullopt;
  const auto old = find(record, key);
  expect_new_ = !old;
  if (!old) {
    insert(record, key, row);
    return std::nullopt;
  }
  outcome = Outcome::kSame;
  if (keeps_tables && row.text && row.text == old->text) {
    if (!row.substitutions) row.substitutions = old->substitutions;
    if (!row.spans) row.spans = old->spans;
  }
  const bool same_tables = old->substitutions == row.substitutions && old->spans == row.spans;
  if (old->text == row.text && old->error == row.error && same_tables) return std::nullopt;
  if (append_ && old->text && old->text != row.text) {
    return Problem{"the variant exists with another text", "leave out --append to change it"};
  }
  if (append_ && old->text) {
    return Problem{"the variant exists with other substitutions or spans", "leave out --append to change them"};
  }
  update_.run(old->id, row.text, row.error, row.substitutions, row.spans);
  forget_.run(old->id);
  content_.remove(key, storage::variant_number(old->text, old->spans));
  content_.add(key, storage::variant_number(row.text, row.spans));
  if (old->substitutions) substitutions_.remove(key, old->substitutions->value);
  if (row.substitutions) substitutions_.add(key, row.substitutions->value);
  outcome = Outcome::kChanged;
  return std::nullopt;
}

bool RunWriter::insert(std::optional<RecordId> record, std::string_view key, const Row& row) {
  const auto own_key = record ? std::nullopt : std::optional<std::string_view>(key);
  insert_.run(id_, record, own_key, row.text, row.error, row.substitutions, row.spans);
  if (db_.changes() == 0) return false;
  content_.add(key, storage::variant_number(row.text, row.spans));
  if (row.substitutions) substitutions_.add(key, row.substitutions->value);
  return true;
}

std::optional<RunWriter::Row> RunWriter::find(std::optional<RecordId> record, std::string_view key) {
  Statement& statement = record ? by_record_.bind(id_, *record) : by_key_.bind(id_, key);
  if (!statement.step()) return std::nullopt;
  Row row{statement.id<VariantId>(0), std::nullopt, statement.text_or_null(2), std::nullopt, std::nullopt};
  row.text = text_or_none(statement, 1);
  row.substitutions = text_or_none(statement, 3);
  row.spans = text_or_none(statement, 4);
  statement.reset();
  return row;
}

bool RunWriter::has(std::string_view key) { return find(std::nullopt, key).has_value(); }
bool RunWriter::has(RecordId record) { return find(record, {}).has_value(); }

std::uint64_t RunWriter::highest_key() {
  Statement highest = db_.prepare(storage::sql::kVariantHighestNumberAsKey);
  return highest.bind(id_).step() ? static_cast<std::uint64_t>(highest.integer(0)) : 0;
}

void RunWriter::drop_behind(std::uint64_t last) {
  struct Gone {
    VariantId id;
    std::string key;
    std::optional<TextId> text, table, spans;
  };
  std::vector<Gone> gone;
  Statement all = db_.prepare(storage::sql::kVariantsOfRun);
  all.bind(id_);
  while (all.step()) {
    const std::string key(all.text(1));
    const bool number = key.size() <= 19 && key.find_first_not_of("0123456789") == std::string::npos && key[0] != '0';
    if (number && std::stoull(key) <= last) continue;
    gone.push_back({all.id<VariantId>(0), key, text_or_none(all, 2), text_or_none(all, 3), text_or_none(all, 4)});
  }
  Statement erase = db_.prepare(storage::sql::kDeleteVariant);
  for (const Gone& one : gone) {
    erase.run(one.id);
    content_.remove(one.key, storage::variant_number(one.text, one.spans));
    if (one.table) substitutions_.remove(one.key, one.table->value);
  }
}

void RunWriter::end() {
  const std::string table = substitutions_.bytes();
  const bool any = !(substitutions_ == Fingerprint());
  save_.run(id_, Statement::Blob{content_.bytes()}, any ? std::optional(Statement::Blob{table}) : std::nullopt);
}

std::string params_json(const std::map<std::string, std::string>& params) { return Json(params).dump(); }

std::vector<std::string> run_notes(storage::Db& db, std::string_view dataset, std::string_view run) {
  std::vector<std::string> notes;
  const RunId id = storage::find_run(db, dataset, run);
  Statement count = db.prepare(storage::sql::kVariantCountsOfRunByFailure);
  if (!count.bind(id).step()) return notes;
  const std::int64_t variants = count.integer(1), failed = count.integer(2), empty = count.integer(3);
  const std::int64_t records = count.integer(4);
  if (count.text(0) == "aligned" && variants < records) {
    notes.push_back(fmt::format("{} of {} records of {} have no variant in this run (they count as failed)",
                                records - variants, records, dataset));
  }
  if (failed > 0) {
    std::string note = fmt::format("{} of {} variants failed", failed, variants);
    if (empty > 0) note += fmt::format(", {} of them because the sanitized text is empty", empty);
    notes.push_back(std::move(note));
  }
  return notes;
}

std::optional<std::string> unchanged_note(storage::Db& db, std::string_view dataset, std::string_view run) {
  const RunId id = storage::find_run(db, dataset, run);
  Statement same = db.prepare(storage::sql::kVariantCountOfRunAsOriginal);
  Statement all = db.prepare(storage::sql::kVariantCountOfRunWithText);
  if (!same.bind(id).step() || !all.bind(id).step()) return std::nullopt;
  const std::int64_t texts = all.integer(0), unchanged = same.integer(0);
  if (unchanged > 0 && unchanged == texts) {
    return fmt::format("{} the original, unchanged: check that this is the sanitizer's output",
                       texts == 1 ? std::string("the text is") : fmt::format("each of the {} texts is", texts));
  }
  if (2 * unchanged > texts) return fmt::format("{} of {} texts are the originals, unchanged", unchanged, texts);
  return std::nullopt;
}

// A spec names its method; what users give with --param are strings under names of their own.
bool made_by_sanitize(storage::Db& db, DatasetId dataset, std::string_view name) {
  storage::Statement run = db.prepare(storage::sql::kRunKindAndSanitizerByName);
  if (!run.bind(dataset, name).step()) return false;
  const auto spec = Json::parse(run.text(2)).value_or(Json());
  return (run.text(0) == "aligned" || run.text(0) == "synthetic") && spec.is_object() && spec.contains("method") &&
         spec.contains("version") && spec["method"] == std::string(run.text(1)) && spec.contains("params") &&
         spec["params"].is_object();
}

}  // namespace residue::ingest
