#include "ingest/ask/withdrawing.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "ingest/ask/question_pages.h"
#include "model/asking/vote_key.h"
#include "model/tasks/task.h"
#include "storage/catalog/answer_sets.h"
#include "storage/catalog/answers/answer_set.h"

namespace residue::ingest {
namespace {

using storage::Statement;

struct AskedSet {
  std::string dataset, run;
  storage::AnswerSet set;
  std::string spec;
};

std::vector<AskedSet> asked_sets(storage::Db& db) {
  std::vector<AskedSet> sets;
  Statement row = db.prepare(storage::sql::kAnswerSetsAskedHereWithSpec);
  while (row.step()) {
    sets.push_back({std::string(row.text(0)),
                    std::string(row.text(1)),
                    {row.id<RunId>(2), std::string(row.text(3)), std::string(row.text(4))},
                    std::string(row.text(5))});
  }
  return sets;
}

// How the answers themselves were asked for; what was restored in them was asked for by another spec.
struct Asked {
  model::TaskKind kind = model::TaskKind::kChoice;
  SpecDigest digest;
};
std::optional<Asked> asked_with(std::string_view spec) {
  Json json = Json::parse(spec).value_or(Json());
  if (!json.is_object()) return std::nullopt;
  if (json.contains("asked")) json = Json(json["asked"]);
  const auto kind = model::task_named(json.value("task", ""));
  if (!kind || answered_as(*kind).empty()) return std::nullopt;
  return Asked{*kind, model::spec_digest(json.sorted().dump())};
}

std::uint64_t withdraw(storage::Store& store, const AskedSet& one, const Asked& asked, const model::VoteSet& votes,
                       storage::AnswerSetWriter& writer) {
  std::uint64_t withdrawn = 0;
  QuestionPages pages(store, one.dataset, one.run, asked.kind);
  std::vector<RecordQuestion> questions;
  while (pages.next(questions)) {
    for (const RecordQuestion& question : questions) {
      const std::vector<std::string_view> texts(question.texts.begin(), question.texts.end());
      if (!votes.contains(model::task_vote(asked.digest, texts))) continue;
      const auto change = writer.put(one.set, {question.id, std::nullopt, question.about});
      withdrawn += change == storage::AnswerSetWriter::Change::kChanged ? 1 : 0;
    }
  }
  return withdrawn;
}

}  // namespace

std::uint64_t withdraw_answers(storage::Store& store, storage::WriteBatch& batch, const model::VoteSet& votes) {
  storage::AnswerSetWriter writer(batch.db());
  writer.begin();
  std::uint64_t withdrawn = 0;
  for (const AskedSet& one : asked_sets(batch.db())) {
    const std::optional<Asked> asked = asked_with(one.spec);
    if (!asked) continue;
    try {
      withdrawn += withdraw(store, one, *asked, votes, writer);
    } catch (const Error& error) {
      // An input was not read to its end: nobody can say which of the answers stand.
      if (error.code() != Code::kBadInput) throw;
      writer.clear(one.set);
    }
  }
  writer.end();
  return withdrawn;
}

}  // namespace residue::ingest
