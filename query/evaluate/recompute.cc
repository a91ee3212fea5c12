#include "query/evaluate/recompute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "query/corpus/corpus_evaluation.h"
#include "query/evaluate/evaluate.h"
#include "query/evaluate/vector_evaluation.h"
#include "query/judge/open_judge.h"
#include "query/metric/definitions.h"
#include "query/metric/metrics.h"
#include "query/outside/outside_store.h"
#include "storage/catalog/answers/judge.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/results/metric.h"

namespace residue::query {
namespace {

using storage::Statement;

struct Wanted {
  std::string dataset, run, protocol, judge;
  std::uint64_t sample = 0;
  bool absent = false, membership = false;
  friend auto operator<=>(const Wanted&, const Wanted&) = default;
};

std::set<Wanted> evaluated(storage::Db& db) {
  std::set<Wanted> wanted;
  Statement rows = db.prepare(storage::sql::kEvaluationsByJudgeCurrent);
  rows.bind(kDefinitions, static_cast<std::int64_t>(MetricId::kNetLeakage),
            static_cast<std::int64_t>(MetricId::kMembershipAuc));
  while (rows.step()) {
    wanted.insert({std::string(rows.text(0)), std::string(rows.text(1)), std::string(rows.text(2)),
                   std::string(rows.text(3)), static_cast<std::uint64_t>(rows.integer(4)), rows.integer(5) != 0,
                   rows.integer(6) != 0});
  }
  return wanted;
}

// What a row is of: everything before the metric's name.
std::string_view evaluation_of(std::string_view line) {
  std::size_t at = 0;
  for (int column = 0; column < 6; ++column) at = line.find('\t', at) + 1;
  return line.substr(0, at);
}

// Of evaluations that are stale here there is nothing to compare the new rows with.
void keep_evaluations_of(const std::vector<std::string>& stored, std::vector<std::string>& lines) {
  std::set<std::string_view> known;
  for (const std::string& line : stored) known.insert(evaluation_of(line));
  std::erase_if(lines, [&](const std::string& line) { return known.count(evaluation_of(line)) == 0; });
}

// Why a judge cannot rate here as it did, by name; those that can are not in it.
std::map<std::string, std::string> unavailable(storage::Store& store, storage::Store& fresh,
                                               const std::set<Wanted>& wanted) {
  std::map<std::string, std::string> reasons;
  Statement find = store.db().prepare(storage::sql::kJudgeSpecByName);
  std::set<std::string> looked;
  for (const Wanted& one : wanted) {
    if (!looked.insert(one.judge).second) continue;
    try {
      const auto judge = open_judge(fresh, one.judge, one.dataset, nullptr);
      const bool same = find.bind(one.judge).step() && find.text(0) == judge->spec();
      find.reset();
      if (!same) reasons[one.judge] = fmt::format("{} is another version of the judge now", one.judge);
    } catch (const Error& error) {
      reasons[one.judge] = error.what();
    }
  }
  return reasons;
}

// Takes out of `stored` what is of evaluations that could not be made again, as their judges are not there.
std::size_t without_counterpart(const std::vector<std::string>& again, std::vector<std::string>& stored) {
  std::set<std::string_view> known;
  for (const std::string& line : again) known.insert(evaluation_of(line));
  return std::erase_if(stored, [&](const std::string& line) { return known.count(evaluation_of(line)) == 0; });
}

std::size_t count_of(storage::Db& db, const char* sql) {
  Statement count = db.prepare(sql);
  count.step();
  return static_cast<std::size_t>(count.integer(0));
}

constexpr const char* kRows = storage::sql::kMetricRowCount;
constexpr const char* kSentimentRows = storage::sql::kMetricRowCountOfSentiment;

std::size_t sentiment_lines(const std::vector<std::string>& lines) {
  return static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find("\tsentiment_accuracy\t") != std::string::npos;
  }));
}

using Reasons = std::map<std::string, std::string>;  // why a judge cannot rate here, by name

// What a store says, of one moment: others may write while it is computed again.
struct Said {
  std::set<Wanted> wanted;
  std::vector<EvaluatedCorpus> corpora;
  std::vector<EvaluatedVectors> vectors;
  std::vector<std::string> rows;
  std::size_t all = 0, sentiments = 0;  // rows, current or not
};

void evaluate_again(const Said& said, storage::Store& fresh, const Reasons& without,
                    const std::function<void(const std::string&)>& progress,
                    const std::shared_ptr<const SentimentLexicon>& sentiment) {
  publish_definitions(fresh);  // also where nobody was attacked
  for (const Wanted& one : said.wanted) {
    if (without.contains(one.judge)) continue;
    if (progress) progress(fmt::format("{}/{} {} {}", one.dataset, one.run, one.protocol, one.judge));
    EvalOptions options;
    options.protocols = {parse_protocol(one.protocol)};
    options.judge = one.judge;
    options.sample = one.sample;
    options.absent = one.absent;
    if (one.membership) want_membership(fresh, {{one.dataset, one.run}});
    options.sentiment = sentiment;
    evaluate(fresh, {{one.dataset, one.run}}, options);
  }
  for (const EvaluatedCorpus& one : said.corpora) {
    if (progress) progress(fmt::format("{}/{} {}", one.target.dataset, *one.target.run, one.options.embedder));
    evaluate_corpus(fresh, {one.target}, one.options);
  }
  for (const EvaluatedVectors& one : said.vectors) {
    EvalOptions options;
    options.protocols = {parse_protocol(one.protocol)};
    options.sample = one.sample;
    try {
      evaluate_vectors(fresh, {one.target}, options, one.embedder);
    } catch (const Error&) {
      if (without.empty()) throw;  // Else of an attack that only a judge that is gone evaluated: it is left out below.
    }
  }
}

// What cannot be compared; takes it out of both.
std::vector<NotRecomputed> leave_out(Said& said, std::vector<std::string>& again, const Reasons& without,
                                     bool with_sentiment) {
  std::vector<NotRecomputed> left_out;
  std::vector<std::string>& stored = said.rows;
  keep_evaluations_of(stored, again);
  const std::size_t all = said.all, current = stored.size();
  const std::size_t sentiments = with_sentiment ? 0 : said.sentiments - sentiment_lines(stored);
  if (all > current + sentiments)
    left_out.push_back({all - current - sentiments, "stale: residue status says how they are brought up to date"});
  if (sentiments > 0)
    left_out.push_back({sentiments, "sentiment_accuracy, of a lexicon that RESIDUE_VADER_LEXICON does not name"});
  if (without.empty()) return left_out;
  std::vector<std::string> reasons;
  for (const auto& [judge, reason] : without) reasons.push_back(reason);
  const std::size_t rows = without_counterpart(again, stored);
  if (rows > 0) left_out.push_back({rows, fmt::format("{}", fmt::join(reasons, "; "))});
  return left_out;
}

std::vector<Difference> differences(const std::vector<std::string>& stored, const std::vector<std::string>& again) {
  std::vector<Difference> found;
  std::vector<std::string> only;
  std::set_difference(stored.begin(), stored.end(), again.begin(), again.end(), std::back_inserter(only));
  for (std::string& line : only) found.push_back({std::move(line), ""});
  only.clear();
  std::set_difference(again.begin(), again.end(), stored.begin(), stored.end(), std::back_inserter(only));
  for (std::string& line : only) found.push_back({"", std::move(line)});
  return found;
}

}  // namespace

Recomputed recompute(storage::Store& store, const std::filesystem::path& scratch,
                     const std::function<void(const std::string&)>& progress,
                     const std::shared_ptr<const SentimentLexicon>& sentiment) {
  storage::Store::create(scratch);
  storage::Store fresh(scratch / ".residue");
  Said said;
  {
    const storage::Lock texts = store.hold_texts();
    const storage::ReadTransaction snapshot(store.db());
    copy_inputs(store, fresh);
    said = {evaluated(store.db()),         evaluated_corpora(store.db()),
            evaluated_vectors(store.db()), metric_dump(store, sentiment.get()),
            count_of(store.db(), kRows),   count_of(store.db(), kSentimentRows)};
  }
  const Reasons without = unavailable(store, fresh, said.wanted);
  evaluate_again(said, fresh, without, progress, sentiment);
  std::vector<std::string> again = metric_dump(fresh, sentiment.get());
  Recomputed result;
  result.left_out = leave_out(said, again, without, sentiment != nullptr);
  result.rows = said.rows.size();
  result.differences = differences(said.rows, again);
  return result;
}

}  // namespace residue::query
