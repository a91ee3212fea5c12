#include "query/stored/score_store.h"

#include <optional>

#include "base/error.h"
#include "query/stored/stored_scores.h"

namespace residue::query {
namespace {

using storage::Statement;

constexpr std::string_view kOldScores = "SELECT scores FROM scored WHERE evaluation_id = ?1 AND record_id = ?2";

std::int64_t as_signed(std::uint64_t bits) { return static_cast<std::int64_t>(bits); }
std::uint64_t as_unsigned(std::int64_t bits) { return static_cast<std::uint64_t>(bits); }
std::int64_t number(MetricId metric) { return static_cast<std::int64_t>(metric); }

// Sums of these are kept; histogram and worst shares are made from the scores themselves.
bool summed(Kind kind) { return kind == Kind::kMean || kind == Kind::kShare || kind == Kind::kPooled; }

// An evaluation goes through the same units in each of its tiers, for each attacker.
numbers::DrawnWeights& drawn() {
  thread_local numbers::DrawnWeights weights;
  return weights;
}

}  // namespace

bool ScoreStore::current(storage::Db& db, RunId run, Tier tier, ProtocolId protocol, const Witness& witness,
                         const Contents& contents) {
  Statement find = db.prepare(
      "SELECT 1 FROM evaluation WHERE run_id = ?1 AND tier = ?2 AND protocol_id = ?3 AND judge_id = ?4 "
      "AND definitions = ?5 AND run_content = ?6 AND dataset_content = ?7 AND claims_content = ?8");
  find.bind(run, tier_name(tier), protocol, witness.column(), kDefinitions, Statement::Blob{contents.run},
            Statement::Blob{contents.dataset}, Statement::Blob{contents.claims});
  return find.step();
}

bool ScoreStore::waits(storage::Db& db, RunId run, ProtocolId protocol, JudgeId judge) {
  Statement find = db.prepare(
      "SELECT 1 FROM scored s JOIN evaluation e ON e.id = s.evaluation_id "
      "WHERE e.run_id = ?1 AND e.tier = 'judge' AND e.protocol_id = ?2 AND e.judge_id = ?3 AND s.input = ?4");
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
  Statement find = db.prepare(
      "SELECT id, definitions FROM evaluation WHERE run_id = ?1 AND tier = ?2 AND protocol_id = ?3 AND judge_id = ?4");
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
    db.prepare(
          "INSERT INTO evaluation (run_id, tier, protocol_id, judge_id, definitions, run_content, dataset_content, "
          "claims_content) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?6)")
        .run(run, tier_name(tier), protocol, witness.column(), kDefinitions, Statement::Blob{""});
    id_ = EvaluationId{db.last_insert_id()};
    batch->commit();
  }
  Statement rows = db.prepare("SELECT record_id, input, unit FROM scored WHERE evaluation_id = ?1");
  rows.bind(id_);
  while (rows.step()) {
    scored_.emplace(rows.id<RecordId>(0), Scored{as_unsigned(rows.integer(1)), as_unsigned(rows.integer(2))});
  }
}

// Scores under other definitions are never mixed with new ones; what they came to stays in the history.
void ScoreStore::drop_scores() {
  const auto batch = store_.write();
  for (const char* sql :
       {"DELETE FROM scored WHERE evaluation_id = ?1", "DELETE FROM aggregate WHERE evaluation_id = ?1",
        "DELETE FROM metric WHERE evaluation_id = ?1"}) {
    batch->db().prepare(sql).run(id_);
  }
  mark_incomplete(batch->db());
  batch->db().prepare("UPDATE evaluation SET definitions = ?2 WHERE id = ?1").run(id_, kDefinitions);
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
  Statement rows = store_.db().prepare(
      "SELECT metric, slice, n, failed, missing, not_applicable, num, den, lost_num, lost_best, lost_den, replicates, "
      "c.name FROM aggregate LEFT JOIN cut c ON c.id = cut WHERE evaluation_id = ?1");
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
    without_replicates = without_replicates || rows.is_null(11);
    found->load(static_cast<Outcome>(rows.integer(1)), sums, rows.text(11));
  }
  if (without_replicates) rebuild_aggregates();
}

void ScoreStore::rebuild_aggregates() {
  for (auto& [part, aggregate] : aggregates_) aggregate = Aggregate(definition(part.first));
  Statement rows = store_.db().prepare("SELECT unit, scores FROM scored WHERE evaluation_id = ?1");
  rows.bind(id_);
  while (rows.step()) {
    const numbers::Weights& weights = drawn().of(as_unsigned(rows.integer(0)));
    each_summed(rows.text(1), [&](Aggregate& sums, const Contribution& c) { sums.add(c, weights); });
  }
}

template <class Use>
void ScoreStore::each_summed(std::string_view bytes, const Use& use) {
  storage::ScoreReader reader(bytes);
  storage::PackedScore score;
  while (reader.next(score)) {
    const Contribution c = unpacked(score, cuts_.name(store_.db(), score.cut));
    if (Aggregate* const sums = sums_of(c.metric, c.cut)) use(*sums, c);
  }
}

// From the first change on the evaluation is not current until finish(), whatever happens in between.
void ScoreStore::mark_incomplete(storage::Db& db) {
  if (marked_) return;
  marked_ = true;
  db.prepare("UPDATE evaluation SET run_content = ?2, dataset_content = ?2, claims_content = ?2 WHERE id = ?1")
      .run(id_, Statement::Blob{""});
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
  if (gone.empty()) return;
  storage::Db& db = batch.db();
  load_aggregates();
  mark_incomplete(db);
  Statement old = db.prepare(kOldScores);
  Statement erase = db.prepare("DELETE FROM scored WHERE evaluation_id = ?1 AND record_id = ?2");
  for (const RecordId record : gone) {
    take_out(old, record);
    erase.run(id_, record);
    scored_.erase(record);
  }
  store_aggregates(db, scored_.size() >= keep_from_);
}

void ScoreStore::apply(storage::WriteBatch& batch, std::span<const Change> changes) {
  if (changes.empty()) return;
  storage::Db& db = batch.db();
  load_aggregates();
  mark_incomplete(db);
  Statement old = db.prepare(kOldScores);
  Statement put = db.prepare(
      "INSERT INTO scored (evaluation_id, record_id, input, unit, scores) VALUES (?1, ?2, ?3, ?4, ?5) "
      "ON CONFLICT DO UPDATE SET input = excluded.input, unit = excluded.unit, scores = excluded.scores");
  std::vector<storage::PackedScore> scores;
  for (const Change& change : changes) {
    if (scored_.count(change.record) != 0) take_out(old, change.record);
    const numbers::Weights& weights = drawn().of(change.unit);
    scores.clear();
    for (const Contribution& c : change.contributions) {
      if (Aggregate* const sums = sums_of(c.metric, c.cut)) sums->add(c, weights);
      scores.push_back(packed(c, cuts_.of(db, c.cut)));
    }
    put.run(id_, change.record, as_signed(change.input), as_signed(change.unit),
            Statement::Blob{storage::pack_scores(scores)});
    scored_[change.record] = {change.input, change.unit};
  }
  store_aggregates(db, scored_.size() >= keep_from_);
}

void ScoreStore::store_aggregates(storage::Db& db, bool keep_replicates) {
  Statement put = db.prepare(
      "INSERT OR REPLACE INTO aggregate VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)");
  Statement erase = db.prepare("DELETE FROM aggregate WHERE evaluation_id = ?1 AND metric = ?2 AND cut = ?3");
  for (auto part = aggregates_.begin(); part != aggregates_.end();) {
    const auto& [metric, name] = part->first;
    const Aggregate& aggregate = part->second;
    const std::int64_t cut = cuts_.of(db, name);
    if (cut != 0 && no_records(aggregate)) {
      erase.run(id_, number(metric), cut);
      part = aggregates_.erase(part);
      continue;
    }
    ++part;
    for (std::size_t i = 0; i < kOutcomes; ++i) {
      const auto outcome = static_cast<Outcome>(i);
      const Sums& sums = aggregate.sums(outcome);
      const std::string bytes = keep_replicates ? aggregate.replicate_bytes(outcome) : std::string();
      const auto blob = keep_replicates ? std::optional(Statement::Blob{bytes}) : std::nullopt;
      put.run(id_, number(metric), cut, static_cast<int>(i), sums.n, sums.failed, sums.missing, sums.not_applicable,
              sums.num, sums.den, sums.lost_num, sums.lost_best, sums.lost_den, blob);
    }
  }
}

void ScoreStore::finish(storage::WriteBatch& batch, const Contents& contents, bool independent,
                        std::size_t record_count) {
  storage::Db& db = batch.db();
  load_aggregates();
  store_aggregates(db, record_count >= keep_from_);
  store_rows(db, all_rows(independent));
  db.prepare("UPDATE evaluation SET run_content = ?2, dataset_content = ?3, claims_content = ?4 WHERE id = ?1")
      .run(id_, Statement::Blob{contents.run}, Statement::Blob{contents.dataset}, Statement::Blob{contents.claims});
}

}  // namespace residue::query
