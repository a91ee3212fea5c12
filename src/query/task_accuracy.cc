#include "query/task_accuracy.h"

#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "query/texts.h"
#include "storage/lookup.h"
#include "storage/task_about.h"

namespace residue::query {
namespace {

using Json = nlohmann::json;
using storage::Statement;

constexpr MetricDefinition kTaskAccuracy{MetricId{40},
                                         "task_accuracy",
                                         Tier::kText,
                                         Kind::kShare,
                                         true,
                                         false,
                                         "higher = more useful",
                                         0,
                                         1,
                                         "FSP 3.1.1, G.6.1; AA H.1"};

struct Asked {
  std::int64_t id = 0;
  TextId original, task;
  std::optional<char> key;  // nothing: no task, or an empty original
  Weights weights{};
};

struct AskedRecords {
  std::vector<Asked> list;
  bool independent = true;  // every record is a resampling unit of its own
};

AskedRecords load_records(storage::Store& store, DatasetId dataset) {
  AskedRecords records;
  std::vector<TextId> tasks;
  std::unordered_set<std::uint64_t> units;
  const std::optional<TextId> empty = store.facts().read()->find("");
  Statement row = store.db().prepare("SELECT id, text_id, task_id, key, person FROM record WHERE dataset_id = ?1");
  row.bind(dataset);
  while (row.step()) {
    const bool applicable = !row.is_null(2) && row.id<TextId>(1) != empty;
    tasks.push_back(applicable ? row.id<TextId>(2) : TextId{});
    const std::uint64_t unit = resampling_unit(row.text(3), row.text_or_null(4));
    records.independent = units.insert(unit).second && records.independent;
    Asked& record = records.list.emplace_back();
    record.id = row.integer(0);
    record.original = row.id<TextId>(1);
    record.task = tasks.back();
    draw_weights(unit, record.weights);
  }
  const std::vector<std::string> texts = load_texts(store, tasks);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (tasks[i].value != 0) records.list[i].key = right_key(texts[i]);
  }
  return records;
}

// The run's text of each record, by id; 0: it has none. Of the controls, the originals and nothing.
class RunTexts {
 public:
  RunTexts(storage::Db& db, RunId run) {
    Statement kind = db.prepare("SELECT kind FROM run WHERE id = ?1");
    kind.bind(run).step();
    kind_ = kind.text(0);
    Statement row = db.prepare("SELECT record_id, text_id FROM variant WHERE run_id = ?1 AND text_id IS NOT NULL");
    row.bind(run);
    while (row.step()) texts_[row.integer(0)] = row.id<TextId>(1);
  }

  [[nodiscard]] TextId of(const Asked& record) const {
    if (kind_ == "none") return record.original;
    const auto found = texts_.find(record.id);
    return found == texts_.end() ? TextId{} : found->second;
  }
  [[nodiscard]] bool failed(const Asked& record) const { return kind_ == "aligned" && of(record).value == 0; }

 private:
  std::string kind_;
  std::unordered_map<std::int64_t, TextId> texts_;
};

TaskAccuracy accuracy_of(storage::Store& store, const AskedRecords& records, RunId run, std::string run_name,
                         std::string model) {
  const RunTexts texts(store.db(), run);
  struct Answer {
    std::optional<TextId> words;
    std::int64_t about = 0;
  };
  std::unordered_map<std::int64_t, Answer> answers;
  Statement row = store.db().prepare(
      "SELECT record_id, answer_id, about FROM task_answer WHERE run_id = ?1 AND model = ?2 AND task = 'choice'");
  row.bind(run, model);
  while (row.step()) {
    answers[row.integer(0)] = {row.is_null(1) ? std::nullopt : std::optional(row.id<TextId>(1)), row.integer(2)};
  }
  TaskAccuracy result;
  result.model = std::move(model);
  result.run = std::move(run_name);
  Aggregate aggregate(kTaskAccuracy);
  const auto reader = store.facts().read();
  for (const Asked& record : records.list) {
    Contribution c;
    c.metric = kTaskAccuracy.id;
    if (record.key) {
      const auto found = answers.find(record.id);
      c.den = 1;
      const auto about = storage::task_about("choice", {texts.of(record), record.original, record.task});
      if (texts.failed(record)) {
        c.state = State::kFailed;
      } else if (found == answers.end() || found->second.about != about) {
        c.state = State::kMissing;
      } else if (!found->second.words) {
        c.state = State::kFailed;
      } else {
        c.state = State::kValue;
        c.num = answered_key(reader->text(*found->second.words)) == record.key ? 1 : 0;
        result.right += c.num;
      }
      c.best = c.state == State::kValue ? c.num : 1;
    }
    aggregate.add(c, record.weights);
  }
  result.row = aggregate.finish(records.independent).front();
  return result;
}

}  // namespace

std::optional<char> answered_key(std::string_view answer) {
  for (const char c : answer) {
    if (c >= 'a' && c <= 'z') return static_cast<char>(c - 'a' + 'A');
    if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return c;
  }
  return std::nullopt;
}

std::optional<char> right_key(std::string_view task) {
  const Json json = Json::parse(task, nullptr, false);
  if (!json.is_object() || !json.contains("answer") || !json["answer"].is_string()) return std::nullopt;
  const auto answer = json["answer"].get<std::string>();
  const auto options = json.find("options");
  if (options == json.end() || !options->is_object()) {
    return answer.size() == 1 ? answered_key(answer) : std::nullopt;
  }
  if (options->contains(answer)) return answered_key(answer);
  for (const auto& [key, words] : options->items()) {
    if (words == answer) return answered_key(key);
  }
  return std::nullopt;
}

std::vector<TaskAccuracy> load_task_accuracy(storage::Store& store, const std::string& dataset) {
  const storage::ReadTransaction snapshot(store.db());
  const DatasetId id = storage::find_dataset(store.db(), dataset);
  std::vector<TaskAccuracy> all;
  Statement row = store.db().prepare(
      "SELECT DISTINCT u.id, u.name, a.model FROM task_answer a JOIN run u ON u.id = a.run_id"
      " WHERE u.dataset_id = ?1 AND a.task = 'choice' ORDER BY u.name, a.model");
  row.bind(id);
  std::optional<AskedRecords> records;
  while (row.step()) {
    if (!records) records = load_records(store, id);
    all.push_back(accuracy_of(store, *records, row.id<RunId>(0), std::string(row.text(1)), std::string(row.text(2))));
  }
  return all;
}

}  // namespace residue::query
