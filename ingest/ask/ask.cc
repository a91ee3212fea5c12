#include "ingest/ask/ask.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "base/json.h"
#include "ingest/ask/asked_answers.h"
#include "ingest/ask/question_pages.h"
#include "ingest/ask/restoring.h"
#include "ingest/batches/batch.h"
#include "ingest/files/answers.h"
#include "ingest/rows/names.h"
#include "model/asking/vote_key.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/run.h"

namespace residue::ingest {
namespace {

using storage::Statement;
using Texts = model::TaskAsker::Texts;

std::vector<Texts> texts_of(const std::vector<RecordQuestion>& questions) {
  std::vector<Texts> all;
  all.reserve(questions.size());
  for (const RecordQuestion& question : questions) all.emplace_back(question.texts.begin(), question.texts.end());
  return all;
}

// How answers of a set were asked for. What a model restored depends on both.
std::string spec_of(const model::TaskAsker& asker, const model::TaskAsker* restorer) {
  if (restorer == nullptr) return asker.spec();
  const Json both{{"task", "response"},
                  {"asked", Json::parse(asker.spec()).value()},
                  {"restored", Json::parse(restorer->spec()).value()}};
  return both.sorted().dump();
}

// Responses in the form of task_answer: as they came, and restored where the text has replacements.
class Responses {
 public:
  explicit Responses(model::TaskAsker* restorer) : restorer_(restorer) {}

  void keep(const std::vector<RecordQuestion>& questions, std::vector<std::optional<std::string>>& answers) {
    std::vector<ToRestore> responses;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < questions.size(); ++i) {
      if (!answers[i] || questions[i].substitutions.empty()) continue;
      const RecordQuestion& question = questions[i];
      responses.push_back({*answers[i], question.substitutions, question.original, question.texts.front()});
      places.push_back(i);
    }
    std::vector<RestoredResponse> back = restored(responses, restorer_);
    for (std::size_t i = 0, next = 0; i < questions.size(); ++i) {
      if (!answers[i]) continue;
      Json answer{{"response", *std::move(answers[i])}};
      answers[i].reset();
      if (next < places.size() && places[next] == i) {
        RestoredResponse& one = back[next++];
        ambiguous_ += one.ambiguous > 0 ? 1 : 0;
        left_ += one.left > 0 ? 1 : 0;
        if (!one.text) continue;  // What stands there now is nobody's answer to the original.
        answer["restored"] = *std::move(one.text);
      }
      answers[i] = answer.sorted().dump();
    }
  }

  [[nodiscard]] std::uint64_t ambiguous() const { return ambiguous_; }
  [[nodiscard]] std::uint64_t left() const { return left_; }

 private:
  model::TaskAsker* restorer_;
  std::uint64_t ambiguous_ = 0, left_ = 0;  // responses
};

std::string task_of(const model::TaskAsker& asker) {
  const model::TaskKind kind = asker.setting().kind;
  if (answered_as(kind).empty()) {
    throw Error(Code::kUsage, fmt::format("the task {} has no answers about records", model::task_name(kind)), "");
  }
  return std::string(answered_as(kind));
}

}  // namespace

IngestResult ask_run(storage::Store& store, std::string_view dataset, std::string_view run, model::TaskAsker& asker,
                     const std::string& as, const IngestOptions& options, model::TaskAsker* restorer) {
  if (const auto problem = check_answerer(as)) throw Error(Code::kUsage, problem->cause, problem->remedy);
  const auto start = std::chrono::steady_clock::now();
  const storage::Lock kept = store.hold_targets();
  const std::string task = task_of(asker);
  asker.forget_failures();  // of another run
  if (restorer != nullptr) restorer->forget_failures();
  const std::string spec = spec_of(asker, restorer);
  const SpecDigest digest = model::spec_digest(spec);
  Responses responses(restorer);
  QuestionPages pages(store, dataset, run, asker.setting().kind);
  AskedAnswers writer(store.db(), {pages.run(), as, task});
  IngestPosition progress;
  const int parser = model::task_parser(asker.setting().kind);
  writer.check(store.db());  // before anything is paid for
  std::vector<RecordQuestion> questions;
  for (bool more = true; more;) {
    if (options.interrupted && options.interrupted()) fail_interrupted(progress, "records");
    more = pages.next(questions);
    if (questions.empty()) continue;
    auto answers = asker.ask(texts_of(questions));
    if (asker.setting().kind == model::TaskKind::kRespond) responses.keep(questions, answers);
    const IngestPosition before = progress;
    const auto batch = store.write();
    model::keep_spec(batch->db(), spec);
    writer.begin(batch->db(), digest, parser);
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const Outcome outcome = writer.put(*batch, questions[i].id, questions[i].about, answers[i]);
      if (answers[i]) {
        progress.counts.add(outcome);
      } else {
        ++progress.counts.bad;
      }
    }
    writer.end();
    progress.rows += questions.size();
    progress.lines = progress.rows;
    commit(store, *batch, before, "records");
    if (options.progress) options.progress(pages.passed(), pages.total());
  }
  IngestResult result;
  result.counts = progress.counts;
  if (progress.counts.bad > 0) {
    result.notes.push_back(
        fmt::format("{} of {} {} of {}/{} have no answer, because model {} gave none that can be used: {}; they count "
                    "as the worst answer",
                    progress.counts.bad, progress.rows, pages.what(), dataset, run, asker.endpoint().name,
                    asker.failures().empty() && restorer != nullptr ? restorer->failures() : asker.failures()));
  }
  if (responses.ambiguous() > 0) {
    result.notes.push_back(
        fmt::format("in {} of {} responses to {}/{}, some replacements stay: they may mean several things, or the "
                    "original has the same words",
                    responses.ambiguous(), progress.rows, dataset, run));
  }
  if (responses.left() > 0) {
    result.notes.push_back(fmt::format(
        "in {} of {} responses to {}/{}, words that look like another form of a replacement stay as they are",
        responses.left(), progress.rows, dataset, run));
  }
  if (pages.failed() > 0) {
    result.notes.push_back(fmt::format("{} of {} {} have no text in {}/{}: nothing was asked about them",
                                       pages.failed(), pages.total(), pages.what(), dataset, run));
  }
  if (pages.without() > 0) {
    result.notes.push_back(fmt::format(
        "{} of {} records of {} {}: nothing was asked about them", pages.without(), pages.total(), dataset,
        task == "choice" ? "have no question with options, or an empty original" : "have an empty original"));
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

void plan_run(storage::Store& store, std::string_view dataset, std::string_view run, const model::TaskAsker& asker,
              AskPlan& plan) {
  task_of(asker);
  QuestionPages pages(store, dataset, run, asker.setting().kind);
  std::vector<RecordQuestion> questions;
  while (pages.next(questions)) {
    const auto reader = store.facts().read();
    for (const Texts& texts : texts_of(questions)) plan.add(*reader, asker, texts);
  }
}

std::vector<std::string> runs_to_ask(storage::Store& store, std::string_view dataset, model::TaskKind kind) {
  std::vector<std::string> runs;
  Statement all = store.db().prepare(storage::sql::kRunNamesOfTextsToAskAbout);
  all.bind(storage::find_dataset(store.db(), dataset), std::int64_t{kind != model::TaskKind::kUtility},
           std::int64_t{asks_text_alone(kind)});
  while (all.step()) runs.emplace_back(all.text(0));
  return runs;
}

}  // namespace residue::ingest
