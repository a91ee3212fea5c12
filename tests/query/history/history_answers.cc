#include "tests/query/history/history_answers.h"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "ingest/files/answers.h"
#include "storage/catalog/task_about.h"
#include "tests/ingest/store_fixture.h"

namespace residue::query::testing {
namespace {

using ingest::AnswerRow;

std::string some_answer(const std::string& task, Dice& dice) {
  constexpr std::array kCategories = {"translation", "summarization", "code generation"};
  if (task == "choice") return dice.one_in(2) ? "A" : "b, because";
  if (task == "coherence") return std::to_string(1 + dice.below(5));
  if (task == "response") {
    return fmt::format(R"({{"{}":"{}"}})", dice.one_in(2) ? "response" : "restored", dice.words(1, 4));
  }
  if (task == "qa") {
    return fmt::format(R"(["{} {}","{}"])", dice.one_in(2) ? "Yes," : "No", dice.words(1, 1), dice.words(1, 1));
  }
  if (task == "category") return kCategories[dice.below(kCategories.size())];
  if (task == "attributes") {
    return fmt::format(R"({{"age":{{"certainty":{},"guess":["{}","45"]}}}})", 1 + dice.below(5), 40 + dice.below(12));
  }
  return fmt::format(R"({{"hallucination":{},"meaning":{},"readability":{}}})", dice.below(2), 1 + dice.below(10),
                     1 + dice.below(10));
}

void put(storage::Store& store, const std::string& name, std::vector<AnswerRow> rows, Dice& dice) {
  if (rows.empty()) return;
  dice.shuffle(rows);
  ingest::testing::VectorSource<AnswerRow> source(std::move(rows));
  ingest::IngestOptions options;
  options.batch_rows = dice.one_in(2) ? 20'000 : 1 + dice.below(4);
  ingest::ingest_answers(store, name, source,
                         ingest::testing::file(fmt::format("/data/{}.jsonl", dice.below(1'000'000))), options);
}

}  // namespace

void change_answers(const std::string& name, const Dataset& dataset, Dice& dice, storage::Store* store) {
  constexpr std::array kTasks = {"choice", "coherence", "category", "utility", "attributes", "response", "qa"};
  std::vector<std::string> runs = {"none"};
  for (const auto& [run, what] : dataset.runs) {
    if (!what.synthetic) runs.push_back(run);
  }
  const std::string run = dice.one_in(2) ? "none" : runs[dice.below(runs.size())];
  const std::string model = dice.one_in(4) ? "n" : "m";
  std::vector<AnswerRow> rows;
  for (const std::string task : kTasks) {
    if (dice.one_in(2)) continue;
    for (const auto& [key, _] : dataset.records) {
      if (dice.one_in(3)) continue;
      AnswerRow row;
      row.line = rows.size() + 1;
      row.model = model;
      row.task = task;
      row.record = key;
      row.run = run;
      if (!dice.one_in(6)) row.answer = some_answer(task, dice);
      rows.push_back(std::move(row));
    }
  }
  if (store != nullptr) put(*store, name, std::move(rows), dice);
}

void copy_answers(storage::Store& from, storage::Store& to, const std::string& name, Dice& dice) {
  storage::Statement find = from.db().prepare(
      "SELECT u.name, r.key, a.model, a.task, a.answer_id, a.about, coalesce(r.task_id, 0), r.text_id, "
      "coalesce(CASE u.kind WHEN 'none' THEN r.text_id ELSE v.text_id END, 0) FROM task_answer a "
      "JOIN run u ON u.id = a.run_id JOIN dataset d ON d.id = u.dataset_id JOIN record r ON r.id = a.record_id "
      "LEFT JOIN variant v ON v.run_id = u.id AND v.record_id = r.id WHERE d.name = ?1");
  find.bind(name);
  const auto texts = from.facts().read();
  std::vector<AnswerRow> rows, gone;
  while (find.step()) {
    AnswerRow row;
    row.line = rows.size() + 1;
    row.run = std::string(find.text(0));
    row.record = std::string(find.text(1));
    row.model = std::string(find.text(2));
    row.task = std::string(find.text(3));
    if (!find.is_null(4)) row.answer = texts->text(find.id<TextId>(4));
    const auto now = storage::task_about(row.task, {find.id<TextId>(8), find.id<TextId>(7), find.id<TextId>(6)});
    if (now != find.integer(5)) gone.push_back(row);
    rows.push_back(std::move(row));
  }
  put(to, name, std::move(rows), dice);
  const auto batch = to.write();
  storage::Statement mark = batch->db().prepare(
      "UPDATE task_answer SET about = ~about WHERE model = ?3 AND task = ?4 AND run_id = (SELECT u.id FROM run u JOIN "
      "dataset d ON d.id = u.dataset_id WHERE d.name = ?1 AND u.name = ?2) AND record_id = (SELECT r.id FROM record r "
      "JOIN dataset d ON d.id = r.dataset_id WHERE d.name = ?1 AND r.key = ?5)");
  for (const AnswerRow& row : gone) mark.run(name, row.run, row.model, row.task, row.record);
  batch->commit();
}

}  // namespace residue::query::testing
