#include "tests/query/history/history_labels.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "ingest/files/labels.h"
#include "ingest/files/remove.h"
#include "storage/catalog/lookup.h"
#include "tests/ingest/store_fixture.h"
#include "text/measures/redaction.h"

namespace residue::query::testing {
namespace {

using ingest::LabelRow;

constexpr std::array kKinds = {"span", "entity", "attribute"};

LabelRow row_of(const std::string& key, std::size_t line, nlohmann::json payload, const std::string& annotator) {
  LabelRow row;
  row.line = line;
  row.record = key;
  payload["record"] = key;
  if (!annotator.empty()) {
    row.annotator = annotator;
    payload["annotator"] = annotator;
  }
  row.payload = payload.dump();
  return row;
}

// A word of the text, in bytes.
std::optional<LabelRow> some_span(const std::string& key, std::size_t line, const std::string& text,
                                  const std::string& annotator, Dice& dice) {
  constexpr std::array kIdentifiers = {"DIRECT", "QUASI", "NO_MASK"};
  const std::string word = kWords[dice.below(kWords.size())];
  const std::size_t at = text.find(word);
  if (at == std::string::npos) return std::nullopt;
  LabelRow row = row_of(key, line,
                        {{"start", at},
                         {"end", at + word.size()},
                         {"text", word},
                         {"type", dice.one_in(2) ? "PERSON" : "OTHER"},
                         {"identifier", kIdentifiers[dice.below(3)]},
                         {"entity", word}},
                        annotator);
  row.start = static_cast<std::int64_t>(at);
  row.end = static_cast<std::int64_t>(at + word.size());
  row.unit = "byte";
  row.span_text = word;
  return row;
}

std::optional<LabelRow> some_label(const std::string& kind, const std::string& key, std::size_t line,
                                   const std::string& text, Dice& dice) {
  const std::string annotator = dice.one_in(3) ? "" : fmt::format("a{}", dice.below(2));
  if (kind == "span") return some_span(key, line, text, annotator, dice);
  if (kind == "entity") {
    const std::string word = kWords[dice.below(kWords.size())];
    const bool relevant = dice.one_in(2);
    if (!text::has_term(text, word)) return std::nullopt;
    return row_of(key, line, {{"entity", word}, {"type", "PERSON"}, {"relevant", relevant}}, annotator);
  }
  return row_of(key, line,
                {{"attribute", dice.one_in(2) ? "age" : "sex"},
                 {"value", dice.one_in(2) ? "45" : "female"},
                 {"certainty", dice.below(6)},
                 {"hardness", dice.below(6)}},
                annotator);
}

}  // namespace

void change_labels(const std::string& name, const Dataset& dataset, Dice& dice, storage::Store* store) {
  const std::string kind = kKinds[dice.below(kKinds.size())];
  if (dice.one_in(4)) {
    const bool all = dice.one_in(2);
    if (store == nullptr) return;
    try {
      ingest::remove_labels(*store, name, {kind, all ? std::nullopt : std::optional<std::string>("a0")});
    } catch (const Error& error) {
      if (error.code() != Code::kNotFound) throw;
    }
    return;
  }
  std::vector<LabelRow> rows;
  for (const auto& [key, record] : dataset.records) {
    if (dice.one_in(2)) continue;
    if (auto row = some_label(kind, key, rows.size() + 1, record.text, dice)) rows.push_back(*std::move(row));
  }
  const std::size_t batch_rows = 1 + dice.below(4);
  const std::string path = fmt::format("/data/{}.jsonl", dice.below(1'000'000));
  if (store == nullptr || rows.empty()) return;
  ingest::testing::VectorSource<LabelRow> source(std::move(rows));
  ingest::IngestOptions options;
  options.batch_rows = batch_rows;
  ingest::ingest_labels(*store, name, kind, std::nullopt, source, ingest::testing::file(path), options);
}

void copy_labels(storage::Store& from, storage::Store& to, const std::string& name, Dice& dice) {
  struct Label {
    std::string kind, record, payload, subject;
    std::optional<std::string> annotator;
  };
  storage::Statement find = from.db().prepare(
      "SELECT l.kind, r.key, l.annotator, l.payload_id, l.subject_id FROM label l JOIN record r ON r.id = l.record_id "
      "JOIN dataset d ON d.id = l.dataset_id WHERE d.name = ?1");
  find.bind(name);
  const auto texts = from.facts().read();
  std::vector<Label> labels;
  while (find.step()) {
    labels.push_back({std::string(find.text(0)), std::string(find.text(1)), texts->text(find.id<TextId>(3)),
                      texts->text(find.id<TextId>(4)), find.text_or_null(2)});
  }
  dice.shuffle(labels);
  const auto batch = to.write();
  storage::Statement put = batch->db().prepare(
      "INSERT INTO label (dataset_id, kind, record_id, annotator, payload_id, subject_id) SELECT d.id, ?2, r.id, ?4, "
      "?5, ?6 FROM dataset d JOIN record r ON r.dataset_id = d.id WHERE d.name = ?1 AND r.key = ?3");
  for (const Label& label : labels) {
    put.run(name, label.kind, label.record, label.annotator,
            batch->put_text(label.payload, storage::PrivacyClass::kOriginal),
            batch->put_text(label.subject, storage::PrivacyClass::kOriginal));
  }
  batch->commit();
}

}  // namespace residue::query::testing
