#include "query/agree/people_agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.h"
#include "query/agree/given_labels.h"
#include "query/agree/unstable.h"
#include "storage/catalog/answers/judgment.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/dataset.h"

namespace residue::query {
namespace {

// Labels that can be held against the judge, and what it says of each.
struct Rated {
  std::vector<LabelledPair> pairs;
  std::vector<std::optional<Rating>> ratings;

  void add(const LabelledPair& pair, const std::optional<Rating>& rating) {
    pairs.push_back(pair);
    ratings.push_back(rating);
  }
  // Few labels say nothing, and an interval of them says it loudly: only counts then.
  [[nodiscard]] Agreement agreement() const {
    Agreement found;
    const auto rated = static_cast<std::size_t>(std::ranges::count_if(ratings, &std::optional<Rating>::has_value));
    if (rated >= kFewestLabels) return agreement_of(pairs, ratings);
    std::vector<std::string> records;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (!ratings[i]) {
        ++found.unrated;
        continue;
      }
      ++found.pairs;
      ++found.confusion[pairs[i].rating - 1][ratings[i]->rating - 1];
      records.push_back(pairs[i].record);
    }
    std::sort(records.begin(), records.end());
    found.records = static_cast<std::uint64_t>(std::unique(records.begin(), records.end()) - records.begin());
    return found;
  }
};

// The stored rating of a model judge. Its score is the rating itself.
std::optional<Rating> stored_rating(storage::Statement& find, const std::string& judge, const GivenLabel& label,
                                    RecordId record) {
  if (label.passage_id.value == 0 || label.claim_id.value == 0) return std::nullopt;
  find.bind(judge, label.passage_id, label.claim_id, record);
  if (!find.step()) return std::nullopt;
  const auto rating = static_cast<std::uint8_t>(find.integer(0));
  find.reset();
  return Rating{rating, (3.0 - rating) / 2};
}

std::optional<double> median(std::vector<std::int64_t> ms) {
  if (ms.empty()) return std::nullopt;
  std::sort(ms.begin(), ms.end());
  const std::size_t half = ms.size() / 2;
  const double middle =
      ms.size() % 2 == 1 ? static_cast<double>(ms[half]) : static_cast<double>(ms[half - 1] + ms[half]) / 2;
  return middle / 1000;
}

}  // namespace

std::optional<std::string> last_judge(storage::Db& db, const std::string& dataset) {
  storage::Statement find = db.prepare(storage::sql::kDatasetLastEvaluatedWithNames);
  if (!find.bind(storage::find_dataset(db, dataset)).step()) return std::nullopt;
  return find.text_or_null(5);
}

PeopleAgreement load_people_agreement(storage::Store& store, const PeopleAgreementOptions& options) {
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  const DatasetId dataset = storage::find_dataset(db, options.dataset);
  if (options.run) static_cast<void>(storage::find_run(db, options.dataset, *options.run));
  if (!is_judge(db, options.judge)) {
    throw Error(Code::kNotFound, fmt::format("no judge named \"{}\"", options.judge), "residue judge list");
  }
  PeopleAgreement result;
  result.dataset = options.dataset;
  result.judge = options.judge;
  const auto embedded = installed_judge(options.judge);
  storage::Statement find = db.prepare(storage::sql::kJudgmentRatingsOfRecordPair);
  Rated all;
  std::map<std::string, std::pair<PeopleAgreement::Annotator, Rated>> by_name;
  std::map<std::string, std::vector<std::int64_t>> times;
  for (const GivenLabel& label : given_labels(store, dataset)) {
    if (options.run && label.run != options.run) continue;
    const bool hard = !label.chosen.empty() && label.chosen != "sample";
    if (options.sample_only && hard) continue;
    const LabelledPair pair{label.passage, label.claim, label.record, label.rating, label.person};
    std::optional<Rating> rating;
    if (embedded) {
      const Request request{label.passage, {label.claim}};
      rating = embedded->rate({&request, 1})[0][0];
    } else {
      rating = stored_rating(find, options.judge, label, storage::find_record(db, options.dataset, label.record));
    }
    auto& [annotator, rated] = by_name[label.annotator];
    annotator.name = label.annotator;
    ++annotator.labels;
    ++result.labels;
    result.not_samples += hard ? 1 : 0;
    if (label.blind) {
      ++(*label.blind ? annotator.blind : annotator.shown);
      ++(*label.blind ? result.blind : result.shown);
    }
    if (label.ms) times[label.annotator].push_back(*label.ms);
    all.add(pair, rating);
    rated.add(pair, rating);
  }
  result.everyone = all.agreement();
  result.too_few = result.everyone.pairs < kFewestLabels;
  if (options.together) return result;
  for (auto& [name, entry] : by_name) {
    entry.first.with_judge = by_name.size() == 1 ? result.everyone : entry.second.agreement();
    entry.first.median_seconds = median(std::move(times[name]));
    result.annotators.push_back(std::move(entry.first));
  }
  result.between = annotator_agreement(store, options.dataset);
  return result;
}

}  // namespace residue::query
