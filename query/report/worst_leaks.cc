#include "query/report/worst_leaks.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "query/metric/contribution.h"
#include "query/stored/current_evaluation.h"
#include "storage/catalog/packed_scores.h"
#include "storage/catalog/results/cut.h"
#include "storage/catalog/results/link.h"
#include "storage/catalog/results/scored.h"
#include "storage/catalog/sources/record.h"
#include "text/support/categories.h"

namespace residue::query {
namespace {

constexpr std::size_t kMostUntold = 1000;   // records whose leaks are counted one by one
constexpr std::size_t kMostShown = 10'000;  // leaks: more are read faster all at once

struct Count {
  std::int64_t all = 0, same = 0;  // leaks, those of rating 1
  std::int64_t shown = 0;          // of the category; without one all
};

struct Counted {
  RecordId record;
  Count leaks;
};

// Nothing unless both rates have a value: a failed record's is what it might have leaked, not what did. `cut`: of the
// category; 0: there is none.
std::optional<Count> count_of(std::string_view scores, std::int64_t cut) {
  std::optional<std::int64_t> all, same;
  std::int64_t of_category = 0;
  storage::ScoreReader reader(scores);
  for (storage::PackedScore one; reader.next(one);) {
    if ((one.cut != 0 && one.cut != cut) || one.state != static_cast<std::uint8_t>(State::kValue)) continue;
    if (one.cut != 0) {
      if (one.metric == static_cast<std::int64_t>(MetricId::kLeakByCategory)) of_category = one.num;
    } else if (one.metric == static_cast<std::int64_t>(MetricId::kLeakRate)) {
      all = one.num;
    } else if (one.metric == static_cast<std::int64_t>(MetricId::kFullLeakRate)) {
      same = one.num;
    }
  }
  if (!all || !same) return std::nullopt;
  return Count{*all, *same, cut == 0 ? *all : of_category};
}

// What scores call the claims of no category is not one.
bool is_no_category(std::string_view name) { return name == text::kNoCategory || name == text::kNotCategorized; }

class Search {
 public:
  Search(storage::Db& db, RunId run, const Lens& lens, std::string_view category)
      : db_(db),
        run_(run),
        lens_(lens),
        category_(category),
        of_record_(db.prepare(std::string(storage::sql::kLinkLeaksOfRun) + " AND l.record_id = ?4")) {}

  // False where scores do not tell enough.
  bool count_leaks() {
    const auto evaluated = current_evaluation(db_, run_, Tier::kJudge, lens_.protocol, lens_.judge);
    if (!evaluated || !evaluated->changed.empty()) return false;
    std::int64_t cut = 0;
    if (!category_.empty()) {
      storage::Statement part = db_.prepare(storage::sql::kCutOfAggregate);
      part.bind(evaluated->id, static_cast<std::int64_t>(MetricId::kLeakByCategory), category_);
      if (is_no_category(category_) || !part.step()) return false;
      cut = part.integer(0);
    }
    std::vector<RecordId> untold;
    storage::Statement scored = db_.prepare(storage::sql::kScoredOfEvaluationByRecord);
    scored.bind(evaluated->id);
    while (scored.step()) {
      const auto record = scored.id<RecordId>(0);
      const std::optional<Count> count = count_of(scored.text(1), cut);
      if (!count) untold.push_back(record);
      if (untold.size() > kMostUntold) return false;
      by_record_.push_back({record, count.value_or(Count{})});
    }
    for (const RecordId record : untold) {
      Count& count = place(record)->leaks;
      for (const Leak& leak : read(record)) {
        ++count.all;
        count.same += leak.rating == 1 ? 1 : 0;
        count.shown += shows(leak) ? 1 : 0;
      }
    }
    return true;
  }

  // Those with a leak: most leaks first, equally many in order of their keys. False if a record has no scores.
  bool sort_records(WorstLeaks& result) {
    storage::Statement keys = db_.prepare(storage::sql::kRecordsOfRunByKey);
    keys.bind(run_);
    while (keys.step()) {
      const auto found = place(keys.id<RecordId>(0));
      if (found == by_record_.end()) return false;
      if (found->leaks.all == 0) continue;
      ++result.records;
      if (found->leaks.shown == 0) continue;
      result.total += static_cast<std::uint64_t>(found->leaks.shown);
      worst_.push_back(*found);
    }
    std::stable_sort(worst_.begin(), worst_.end(),
                     [](const Counted& a, const Counted& b) { return a.leaks.all > b.leaks.all; });
    return true;
  }

  // Appends leaks of the rating until there are `limit`. False if a record's are not as many as its scores say.
  bool append(std::uint8_t rating, std::size_t limit, std::vector<Leak>& leaks) {
    for (const Counted& one : worst_) {
      if (leaks.size() >= limit) break;
      const std::int64_t expected = rating == 1 ? one.leaks.same : one.leaks.all - one.leaks.same;
      if (expected == 0) continue;
      std::vector<Leak> found = read(one.record);
      if (static_cast<std::int64_t>(found.size()) != one.leaks.all) return false;
      if (std::ranges::count_if(found, [&](const Leak& leak) { return shows(leak); }) != one.leaks.shown) return false;
      std::erase_if(found, [&](const Leak& leak) { return leak.rating != rating; });
      if (static_cast<std::int64_t>(found.size()) != expected) return false;
      std::erase_if(found, [&](const Leak& leak) { return !shows(leak); });
      std::sort(found.begin(), found.end(), [](const Leak& a, const Leak& b) { return a.n < b.n; });
      for (Leak& leak : found) {
        if (leaks.size() >= limit) break;
        leak.of_record = static_cast<std::uint32_t>(one.leaks.all);
        leaks.push_back(std::move(leak));
      }
    }
    return true;
  }

 private:
  [[nodiscard]] bool shows(const Leak& leak) const {
    return category_.empty() || std::ranges::find(leak.categories, category_) != leak.categories.end();
  }

  std::vector<Counted>::iterator place(RecordId record) {
    const auto found = std::lower_bound(by_record_.begin(), by_record_.end(), record.value,
                                        [](const Counted& one, std::int64_t id) { return one.record.value < id; });
    return found != by_record_.end() && found->record == record ? found : by_record_.end();
  }

  std::vector<Leak> read(RecordId record) {
    std::vector<Leak> leaks;
    of_record_.bind(run_, lens_.protocol, lens_.judge, record);
    while (of_record_.step()) leaks.push_back(leak_of(of_record_));
    of_record_.reset();
    return leaks;
  }

  storage::Db& db_;
  RunId run_;
  const Lens& lens_;
  std::string_view category_;
  storage::Statement of_record_;
  std::vector<Counted> by_record_;  // in order of ids
  std::vector<Counted> worst_;
};

}  // namespace

std::optional<WorstLeaks> worst_leaks(storage::Db& db, RunId run, const Lens& lens, std::size_t limit,
                                      std::string_view category) {
  if (limit > kMostShown) return std::nullopt;
  WorstLeaks result;
  Search search(db, run, lens, category);
  if (!search.count_leaks() || !search.sort_records(result)) return std::nullopt;
  if (!search.append(1, limit, result.leaks) || !search.append(2, limit, result.leaks)) return std::nullopt;
  return result;
}

}  // namespace residue::query
