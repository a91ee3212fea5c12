#include "query/stored/score_store.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "query/stored/stored_scores.h"
#include "storage/catalog/results/aggregate.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/results/metric.h"
#include "storage/catalog/results/scored.h"

namespace residue::query {
namespace {

using storage::Statement;

constexpr std::string_view kOldScores = storage::sql::kScoredScoresOfRecord;

constexpr std::size_t kRowsAtOnce = 1'024;  // other writers wait for some milliseconds
constexpr std::size_t kSummedTogether = 8;  // records: their weights take 16 kB

std::int64_t as_signed(std::uint64_t bits) { return static_cast<std::int64_t>(bits); }
std::uint64_t as_unsigned(std::int64_t bits) { return static_cast<std::uint64_t>(bits); }
std::int64_t number(MetricId metric) { return static_cast<std::int64_t>(metric); }

// Sums of these are kept; histogram and worst shares are made from the scores themselves.
bool summed(Kind kind) { return kind == Kind::kMean || kind == Kind::kShare || counts_units(kind); }

// An evaluation goes through the same units in each of its tiers, for each attacker.
numbers::DrawnWeights& drawn() {
  thread_local numbers::DrawnWeights weights;
  return weights;
}

}  // namespace

bool ScoreStore::current(storage::Db& db, RunId run, Tier tier, ProtocolId protocol, const Witness& witness,
                         const Contents& contents) {
  Statement find = db.prepare(storage::sql::kEvaluationExistsWithContents);
  find.bind(run, tier_name(tier), protocol, witness.column(), kDefinitions, Statement::Blob{contents.run},
            Statement::Blob{contents.dataset}, Statement::Blob{contents.claims});
  return find.step();
}

bool ScoreStore::waits(storage::Db& db, RunId run, ProtocolId protocol, JudgeId judge) {
  Statement find = db.prepare(storage::sql::kScoredExistsWithInput);
  find.bind(run, protocol, judge, as_signed(kWaiting));
  return find.step();
}

ScoreStore::ScoreStore(storage::Store& store, RunId run, Tier tier, ProtocolId protocol, const Witness& witness,
                       std::size_t keep_from)
    : store_(store), tier_(tier), keep_from_(keep_from) {
  for (const MetricDefinition& metric : metric_definitions()) {
    if (metric.tier != tier || !summed(metric.kind) || metric.cuts == Cuts::kOnly) continue;
    const auto added = aggregates_.emplace(std::pair(metric.id, std::string()), Aggregate(metric)).first;
    const auto place = static_cast<std::size_t>(metric.id);
    if (place >= wholes_.size()) wholes_.resize(place + 1, nullptr);
    wholes_[place] = &added->second;
  }
  storage::Db& db = store.db();
  Statement find = db.prepare(storage::sql::kEvaluationIdAndDefinitions);
  find.bind(run, tier_name(tier), protocol, witness.column());
  bool outdated = false;
  if (find.step()) {
    id_ = find.id<EvaluationId>(0);
    outdated = find.text(1) != kDefinitions;
    find.reset();
  }
  if (outdated) drop_scores();
  if (id_.value == 0) {
    const auto batch = store.write();
    db.prepare(storage::sql::kInsertEvaluation)
        .run(run, tier_name(tier), protocol, witness.judge(), witness.answers(), witness.embedder(), kDefinitions,
             Statement::Blob{""});
    id_ = EvaluationId{db.last_insert_id()};
    batch->commit();
  }
  Statement rows = db.prepare(storage::sql::kScoredInputsOfEvaluation);
  rows.bind(id_);
  while (rows.step()) {
    scored_.emplace(rows.id<RecordId>(0), Scored{as_unsigned(rows.integer(1)), as_unsigned(rows.integer(2))});
  }
}

// Scores under other definitions are never mixed with new ones; what they came to stays in the history.
void ScoreStore::drop_scores() {
  const auto batch = store_.write();
  for (const char* sql : {storage::sql::kDeleteScoredOfEvaluation, storage::sql::kDeleteAggregatesOfEvaluation,
                          storage::sql::kDeleteMetricsOfEvaluation}) {
    batch->db().prepare(sql).run(id_);
  }
  mark_incomplete(batch->db());
  batch->db().prepare(storage::sql::kUpdateEvaluationDefinitions).run(id_, kDefinitions);
  batch->commit();
}

bool ScoreStore::stale(RecordId record, std::uint64_t input) const {
  const auto found = scored_.find(record);
  return found == scored_.end() || found->second.input != input;
}

Aggregate* ScoreStore::sums_of(MetricId metric, const std::string& cut) {
  if (const auto place = static_cast<std::size_t>(metric); cut.empty()) {
    return place < wholes_.size() ? wholes_[place] : nullptr;
  }
  const auto found = aggregates_.find({metric, cut});
  if (found != aggregates_.end()) return &found->second;
  const MetricDefinition& row = definition(metric);
  if (row.tier != tier_ || !summed(row.kind)) return nullptr;
  return &aggregates_.emplace(std::pair(metric, cut), Aggregate(row)).first->second;
}

void ScoreStore::load_aggregates() {
  if (loaded_) return;
  loaded_ = true;
  bool without_replicates = false;
  Statement rows = store_.db().prepare(storage::sql::kAggregatesOfEvaluation);
  rows.bind(id_);
  while (rows.step()) {
    Aggregate* const found = sums_of(static_cast<MetricId>(rows.integer(0)), std::string(rows.text(12)));
    if (found == nullptr) continue;
    Sums sums;
    sums.n = rows.integer(2);
    sums.failed = rows.integer(3);
    sums.missing = rows.integer(4);
    sums.not_applicable = rows.integer(5);
    sums.num = rows.integer(6);
    sums.den = rows.integer(7);
    sums.lost_num = rows.integer(8);
    sums.lost_best = rows.integer(9);
    sums.lost_den = rows.integer(10);
    sums.unknown = rows.integer(13);
    without_replicates = without_replicates || rows.is_null(11);
    found->load(static_cast<Outcome>(rows.integer(1)), sums, rows.text(11));
  }
  if (without_replicates) rebuild_aggregates();
}

void ScoreStore::rebuild_aggregates() {
  for (auto& [part, aggregate] : aggregates_) aggregate = Aggregate(definition(part.first));
  Statement rows = store_.db().prepare(storage::sql::kScoredScoresOfEvaluation);
  rows.bind(id_);
  while (rows.step()) {
    const numbers::Weights& weights = drawn().of(as_unsigned(rows.integer(0)));
    each_summed(rows.text(1), [&](Aggregate& sums, const Contribution& c) { sums.add(c, weights); });
  }
}

// From the first change on the evaluation is not current until finish(), whatever happens in between.
void ScoreStore::mark_incomplete(storage::Db& db) {
  if (marked_) return;
  marked_ = true;
  db.prepare(storage::sql::kUpdateEvaluationIncomplete).run(id_, Statement::Blob{""});
}

// Subtracts what is stored of a record, weighted as it was when it was added.
void ScoreStore::take_out(storage::Statement& old, RecordId record) {
  const numbers::Weights& weights = drawn().of(scored_.at(record).unit);
  if (old.bind(id_, record).step()) {
    each_summed(old.text(0), [&](Aggregate& sums, const Contribution& c) { sums.remove(c, weights); });
  }
  old.reset();
}

void ScoreStore::keep_only(storage::WriteBatch& batch, const std::unordered_set<RecordId>& targets) {
  std::vector<RecordId> gone;
  for (const auto& [record, scored] : scored_) {
    if (targets.count(record) == 0) gone.push_back(record);
  }
  forget(batch.db(), gone);
}

void ScoreStore::forget(storage::Db& db, const std::vector<RecordId>& gone) {
  if (gone.empty()) return;
  load_aggregates();
  unsettle(db);
  Statement old = db.prepare(kOldScores);
  Statement erase = db.prepare(storage::sql::kDeleteScoredRecord);
  for (const RecordId record : gone) {
    take_out(old, record);
    erase.run(id_, record);
    scored_.erase(record);
  }
}

void ScoreStore::forget_removed() {
  std::vector<RecordId> gone;
  Statement rows = store_.db().prepare(storage::sql::kScoredGoneRecords);
  rows.bind(id_);
  while (rows.step()) gone.push_back(rows.id<RecordId>(0));
  rows.reset();
  if (gone.empty()) return;
  const auto batch = store_.write();
  forget(batch->db(), gone);
  batch->commit();
}

// Cuts that have no number yet get theirs.
void ScoreStore::number_cuts(std::span<const Change> changes) {
  std::set<std::string> fresh;
  for (const Change& change : changes) {
    for (const Contribution& c : change.contributions) {
      if (!cuts_.knows(c.cut)) fresh.insert(c.cut);
    }
  }
  if (fresh.empty()) return;
  const auto batch = store_.write();
  for (const std::string& name : fresh) cuts_.of(batch->db(), name);
  batch->commit();
}

void ScoreStore::apply(std::span<const Change> changes) {
  if (changes.empty()) return;
  storage::Db& db = store_.db();
  load_aggregates();
  number_cuts(changes);
  std::vector<std::string> rows;
  Statement old = db.prepare(kOldScores);
  std::vector<storage::PackedScore> scores;
  for (const Change& change : changes) {
    if (scored_.count(change.record) != 0) take_out(old, change.record);
    scores.clear();
    for (const Contribution& c : change.contributions) scores.push_back(packed(c, cuts_.of(db, c.cut)));
    rows.push_back(storage::pack_scores(scores));
  }
  // Records have mostly the same metrics in the same order: metric by metric the sums stay in the processor's cache.
  std::array<numbers::Weights, kSummedTogether> weights;
  for (std::size_t begin = 0; begin < changes.size(); begin += kSummedTogether) {
    const auto some = changes.subspan(begin, std::min(kSummedTogether, changes.size() - begin));
    std::size_t most = 0;
    for (std::size_t i = 0; i < some.size(); ++i) {
      weights[i] = drawn().of(some[i].unit);
      most = std::max(most, some[i].contributions.size());
    }
    for (std::size_t place = 0; place < most; ++place) {
      for (std::size_t i = 0; i < some.size(); ++i) {
        if (place >= some[i].contributions.size()) continue;
        const Contribution& c = some[i].contributions[place];
        if (Aggregate* const sums = sums_of(c.metric, c.cut)) sums->add(c, weights[i]);
      }
    }
  }
  for (std::size_t begin = 0; begin < changes.size(); begin += kRowsAtOnce) {
    const auto batch = store_.write();
    unsettle(batch->db());
    Statement put = batch->db().prepare(storage::sql::kInsertOrUpdateScored);
    for (std::size_t i = begin; i < std::min(begin + kRowsAtOnce, changes.size()); ++i) {
      const Change& change = changes[i];
      put.run(id_, change.record, as_signed(change.input), as_signed(change.unit), Statement::Blob{rows[i]});
      scored_[change.record] = {change.input, change.unit};
    }
    batch->commit();
  }
}

// With a change: the evaluation is not current, and its stored sums are without replicates, so that whoever loads them
// before finish() sums anew. Each part has a row from its first score on: a cut without one would be removed as unused.
void ScoreStore::unsettle(storage::Db& db) {
  mark_incomplete(db);
  if (unsettled_ == aggregates_.size()) return;
  store_aggregates(db, false);
  unsettled_ = aggregates_.size();
}

// Only when all scores are stored: until then stored ones may be of a cut that the sums have left.
void ScoreStore::drop_empty_cuts(storage::Db& db) {
  Statement erase = db.prepare(storage::sql::kDeleteAggregatesOfMetricCut);
  for (auto part = aggregates_.begin(); part != aggregates_.end();) {
    const auto& [metric, name] = part->first;
    if (name.empty() || !no_records(part->second)) {
      ++part;
      continue;
    }
    erase.run(id_, number(metric), cuts_.of(db, name));
    part = aggregates_.erase(part);
  }
}

void ScoreStore::store_aggregates(storage::Db& db, bool keep_replicates) {
  Statement put = db.prepare(storage::sql::kInsertAggregate);
  for (const auto& [part, aggregate] : aggregates_) {
    const auto& [metric, name] = part;
    const std::int64_t cut = cuts_.of(db, name);
    for (std::size_t i = 0; i < kOutcomes; ++i) {
      const auto outcome = static_cast<Outcome>(i);
      const Sums& sums = aggregate.sums(outcome);
      const std::string bytes = keep_replicates ? aggregate.replicate_bytes(outcome) : std::string();
      const auto blob = keep_replicates ? std::optional(Statement::Blob{bytes}) : std::nullopt;
      put.run(id_, number(metric), cut, static_cast<int>(i), sums.n, sums.failed, sums.missing, sums.not_applicable,
              sums.num, sums.den, sums.lost_num, sums.lost_best, sums.lost_den, sums.unknown, blob);
    }
  }
}

void ScoreStore::finish(const Contents& contents, bool independent, std::size_t record_count, const MoreRows& more) {
  forget_removed();
  load_aggregates();
  std::vector<MetricRow> rows = all_rows(independent);
  if (more) {
    for (MetricRow& row : more(store_.db(), id_)) rows.push_back(std::move(row));
  }
  const auto batch = store_.write();
  storage::Db& db = batch->db();
  drop_empty_cuts(db);
  store_aggregates(db, record_count >= keep_from_);
  store_rows(db, rows);
  db.prepare(storage::sql::kUpdateEvaluationContents)
      .run(id_, Statement::Blob{contents.run}, Statement::Blob{contents.dataset}, Statement::Blob{contents.claims});
  batch->commit();
  unsettled_ = 0;
  marked_ = false;
}

}  // namespace residue::query
