#include "ingest/ask/judge_guesses.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <utility>

#include "base/error.h"
#include "ingest/ask/asked_answers.h"
#include "ingest/batches/batch.h"
#include "ingest/files/answers.h"
#include "model/tasks/attribute_guesses.h"
#include "storage/catalog/answers/answer_set.h"
#include "storage/catalog/answers/task_answer.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/label.h"

namespace residue::ingest {
namespace {

using model::AttributeGuess;
using model::AttributeGuesses;
using model::AttributeTruth;
using model::Sameness;
using storage::Statement;
using Texts = model::TaskAsker::Texts;

constexpr std::string_view kTask = "attributes";
constexpr std::string_view kJudgedBy = " judged by ";
constexpr std::size_t kPageRecords = 4096;

Sameness sameness_of(const std::optional<std::string>& verdict) {
  if (!verdict) return Sameness::kUnknown;
  return *verdict == "yes" ? Sameness::kYes : *verdict == "no" ? Sameness::kNo : Sameness::kLessPrecise;
}

// What a model guessed about one record's author, and what people know.
struct Guessed {
  RecordId record;
  std::int64_t about = 0;
  std::optional<AttributeGuesses> guesses;  // nothing: it gave none
  std::vector<AttributeTruth> truths;       // that count, of attributes that were guessed
};

// The guesses of one name about a run, some records at a time.
class GuessPages {
 public:
  GuessPages(storage::Store& store, std::string_view dataset, std::string_view run, std::string_view of)
      : store_(store),
        of_(of),
        dataset_(storage::find_dataset(store.db(), dataset)),
        run_(storage::find_run(store.db(), dataset, run)),
        page_(store.db().prepare(storage::sql::kTaskAnswersOfSetAfterRecord)),
        labels_(store.db().prepare(storage::sql::kLabelAttributePayloadsOfRecord)) {
    check_complete(store.db(), fmt::format("dataset {}", dataset));
  }

  // False after the last.
  bool next(std::vector<Guessed>& page) {
    page.clear();
    const storage::ReadTransaction snapshot(store_.db());
    const auto texts = store_.facts().read();
    page_.bind(run_, of_, kTask, last_, static_cast<std::int64_t>(kPageRecords));
    while (page_.step()) {
      Guessed one{page_.id<RecordId>(0), page_.integer(1), std::nullopt, {}};
      last_ = one.record;
      if (!page_.is_null(2)) one.guesses = model::parse_guesses(texts->text(page_.id<TextId>(2)));
      if (one.guesses) one.truths = truths_of(one, *texts);
      page.push_back(std::move(one));
    }
    page_.reset();
    return !page.empty();
  }

  [[nodiscard]] RunId run() const { return run_; }

 private:
  std::vector<AttributeTruth> truths_of(const Guessed& one, const storage::Facts::Reader& texts) {
    std::vector<AttributeTruth> truths;
    labels_.bind(dataset_, one.record);
    while (labels_.step()) {
      auto truth = model::attribute_truth(texts.text(labels_.id<TextId>(0)));
      if (truth && model::counts(*truth) && one.guesses->contains(truth->attribute))
        truths.push_back(*std::move(truth));
    }
    labels_.reset();
    return truths;
  }

  storage::Store& store_;
  const std::string of_;
  DatasetId dataset_;
  RunId run_;
  RecordId last_;
  Statement page_, labels_;
};

// A truth and a guess; views into a page.
struct Pair {
  std::size_t place;  // in the page
  const AttributeTruth* truth;
  std::size_t guess;
  Texts texts;
};

std::vector<Pair> pairs_of(const std::vector<Guessed>& page) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < page.size(); ++i) {
    for (const AttributeTruth& truth : page[i].truths) {
      const AttributeGuess& guess = page[i].guesses->at(truth.attribute);
      for (const std::size_t open : model::open_guesses(truth, guess)) {
        pairs.push_back({i, &truth, open, {truth.value, guess.guesses[open]}});
      }
    }
  }
  return pairs;
}

// True if the judged answers are about a record that the model has not answered about any more.
bool has_others(storage::Db& db, RunId run, std::string_view of, const std::string& judged) {
  Statement others = db.prepare(storage::sql::kTaskAnswerExistsOfJudgeAlone);
  return others.bind(run, of, judged, kTask).step();
}

// The guesses of each record with what the judge said; nothing where the model gave none. `bad[i]`: of record i a
// verdict is unknown.
std::vector<std::optional<AttributeGuesses>> with_verdicts(const std::vector<Guessed>& page,
                                                           const std::vector<Pair>& pairs,
                                                           const std::vector<std::optional<std::string>>& verdicts,
                                                           std::vector<bool>& bad) {
  std::vector<std::optional<AttributeGuesses>> out;
  for (const Guessed& one : page) {
    out.push_back(one.guesses);
    if (!out.back()) continue;
    for (auto& [attribute, guess] : *out.back()) guess.judged.emplace();
  }
  bad.assign(page.size(), false);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    AttributeGuess& guess = out[pairs[i].place]->at(pairs[i].truth->attribute);
    model::Verdicts& said = (*guess.judged)[pairs[i].truth->value];
    said.resize(guess.guesses.size());
    said[pairs[i].guess] = sameness_of(verdicts[i]);
    if (!verdicts[i]) bad[pairs[i].place] = true;
  }
  return out;
}

}  // namespace

std::string judged_name(std::string_view of, std::string_view judge) {
  return fmt::format("{}{}{}", of, kJudgedBy, judge);
}

std::vector<std::string> runs_to_judge(storage::Store& store, std::string_view dataset,
                                       const std::optional<std::string>& run, std::string_view of) {
  if (of.find(kJudgedBy) != std::string_view::npos) {
    throw Error(Code::kUsage, fmt::format("{} names guesses that were judged already", of),
                "name the model that guessed, with --of; a second judge is asked about its guesses");
  }
  Statement sets = store.db().prepare(storage::sql::kAnswerSetRunNames);
  sets.bind(storage::find_dataset(store.db(), dataset), of, kTask, run.value_or(std::string()));
  std::vector<std::string> runs;
  while (sets.step()) runs.emplace_back(sets.text(0));
  sets.reset();
  if (!runs.empty()) return runs;
  if (run) static_cast<void>(storage::find_run(store.db(), dataset, *run));
  throw Error(Code::kNotFound,
              fmt::format("{} guessed no attributes from the texts of {}{}{}", of, dataset, run ? "/" : "",
                          run.value_or(std::string())),
              fmt::format("residue ask {} --task attributes --with MODEL, or residue ingest answers", dataset));
}

IngestResult judge_guesses(storage::Store& store, std::string_view dataset, std::string_view run, std::string_view of,
                           model::TaskAsker& asker, const IngestOptions& options) {
  const std::string judged = judged_name(of, asker.endpoint().name);
  if (const auto problem = check_answerer(judged)) throw Error(Code::kUsage, problem->cause, problem->remedy);
  const auto start = std::chrono::steady_clock::now();
  const storage::Lock kept = store.hold_targets();
  asker.forget_failures();  // of another run
  GuessPages pages(store, dataset, run, of);
  AskedAnswers writer(store.db(), {pages.run(), judged, std::string(kTask)});
  writer.check(store.db());  // before anything is paid for
  bool anew = has_others(store.db(), pages.run(), of, judged);
  const int parser = model::task_parser(asker.setting().kind);
  IngestPosition progress;
  std::vector<Guessed> page;
  std::vector<bool> bad;
  while (pages.next(page)) {
    if (options.interrupted && options.interrupted()) fail_interrupted(progress, "records");
    const std::vector<Pair> pairs = pairs_of(page);
    std::vector<Texts> questions;
    questions.reserve(pairs.size());
    for (const Pair& pair : pairs) questions.push_back(pair.texts);
    const auto answers = with_verdicts(page, pairs, asker.ask(questions), bad);
    const IngestPosition before = progress;
    const auto batch = store.write();
    model::keep_spec(batch->db(), asker.spec());
    writer.begin(batch->db(), asker.digest(), parser);
    if (anew) writer.clear();
    anew = false;
    for (std::size_t i = 0; i < page.size(); ++i) {
      std::optional<std::string> answer;
      if (answers[i]) answer = model::guesses_json(*answers[i]);
      const Outcome outcome = writer.put(*batch, page[i].record, page[i].about, answer);
      if (bad[i]) {
        ++progress.counts.bad;
      } else {
        progress.counts.add(outcome);
      }
    }
    writer.end();
    progress.rows += page.size();
    progress.lines = progress.rows;
    commit(store, *batch, before, "records");
  }
  IngestResult result;
  result.counts = progress.counts;
  if (progress.counts.bad > 0) {
    result.notes.push_back(
        fmt::format("some guesses about {} of {} records in {}/{} were not judged, because model {} gave no usable "
                    "verdict: {}; their labels count as guessed",
                    progress.counts.bad, progress.rows, dataset, run, asker.endpoint().name, asker.failures()));
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

void plan_guesses(storage::Store& store, std::string_view dataset, std::string_view run, std::string_view of,
                  const model::TaskAsker& asker, AskPlan& plan) {
  GuessPages pages(store, dataset, run, of);
  std::vector<Guessed> page;
  while (pages.next(page)) {
    const auto reader = store.facts().read();
    for (const Pair& pair : pairs_of(page)) plan.add(*reader, asker, pair.texts);
  }
}

}  // namespace residue::ingest
