#include "ingest/words/asked_words.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/ids.h"
#include "base/json.h"
#include "model/replies/answer_words.h"
#include "model/tasks/attribute_guesses.h"
#include "storage/catalog/answers/task_answer.h"
#include "storage/catalog/sources/dataset.h"
#include "storage/catalog/sources/label.h"
#include "storage/catalog/sources/record.h"

namespace residue::ingest {
namespace {

class Words {
 public:
  explicit Words(storage::Store& store) : key_(store.key()), texts_(store.facts().read()) {}

  void add(std::string_view words) { found_.insert(key_.of(words)); }

  [[nodiscard]] std::optional<std::string> text(TextId id) const {
    try {
      return texts_->text(id);
    } catch (const Error& error) {
      if (error.code() != Code::kCorrupt) throw;
      return std::nullopt;
    }
  }

  std::set<storage::Address> take() { return std::move(found_); }

 private:
  storage::AddressKey key_;
  std::unique_ptr<storage::Facts::Reader> texts_;
  std::set<storage::Address> found_;
};

void add_truths(storage::Db& db, DatasetId dataset, Words& words) {
  storage::Statement labels = db.prepare(storage::sql::kLabelAttributePayloadsOfDataset);
  labels.bind(dataset);
  while (labels.step()) {
    const auto payload = words.text(labels.id<TextId>(0));
    const auto truth = payload ? model::attribute_truth(*payload) : std::nullopt;
    if (truth) words.add(truth->value);
  }
}

void add_choices(storage::Db& db, DatasetId dataset, Words& words) {
  constexpr int kTask = 4;
  storage::Statement records = db.prepare(storage::sql::kRecordsInIdOrderWithTask);
  records.bind(dataset);
  while (records.step()) {
    if (records.is_null(kTask)) continue;
    const auto task = words.text(records.id<TextId>(kTask));
    if (!task) continue;
    for (const std::string& part : choice_of(*task)) words.add(part);
  }
}

void add_guesses(storage::Db& db, Words& words) {
  storage::Statement answers = db.prepare(storage::sql::kTaskAnswerTextsOfAttributes);
  while (answers.step()) {
    const auto answer = words.text(answers.id<TextId>(0));
    const auto guesses = answer ? model::parse_guesses(*answer) : std::nullopt;
    if (!guesses) continue;
    for (const auto& [attribute, guess] : *guesses) {
      for (const std::string& one : guess.guesses) words.add(one);
    }
  }
}

}  // namespace

std::vector<std::string> choice_of(std::string_view task) {
  const Json json = Json::parse(task).value_or(Json());
  const Json* options = json.find("options");
  if (options == nullptr || !options->is_object() || options->size() < 2) return {};
  std::string lines;
  for (const auto& [key, words] : options->sorted().items()) {
    const bool named = key.size() == 1 && !model::plain(key).empty();
    if (!named || !words.is_string()) return {};
    lines += fmt::format("{}{}. {}", lines.empty() ? "" : "\n", key, model::single_spaced(words.get<std::string>()));
  }
  const Json* question = json.find("question");
  const bool asks = question != nullptr && question->is_string();
  return {asks ? question->get<std::string>() : std::string(), std::move(lines)};
}

std::set<storage::Address> asked_words(storage::Store& store) {
  Words words(store);
  words.add("");
  storage::Db& db = store.db();
  storage::Statement datasets = db.prepare(storage::sql::kDatasetsInNameOrder);
  while (datasets.step()) {
    add_truths(db, datasets.id<DatasetId>(0), words);
    add_choices(db, datasets.id<DatasetId>(0), words);
  }
  add_guesses(db, words);
  return words.take();
}

}  // namespace residue::ingest
