#include "query/evaluate/dataset_evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "query/evaluate/run_label_scores.h"
#include "query/evaluate/task_evaluation.h"
#include "query/inputs/category_tags.h"
#include "query/inputs/outdated.h"
#include "query/inputs/repeats.h"
#include "query/inputs/snapshot.h"
#include "query/inputs/uncovered.h"
#include "query/judge/judging.h"
#include "query/link/attack_inputs.h"
#include "query/link/blind_spots.h"
#include "query/link/linked_persons.h"
#include "query/link/linking.h"
#include "query/link/protocol_rows.h"
#include "query/link/releases.h"
#include "query/link/relinking.h"
#include "query/place/place_rows.h"
#include "query/prepare/attackers.h"
#include "query/stored/doubts.h"
#include "query/stored/score_store.h"
#include "storage/catalog/content.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/dataset.h"
#include "storage/catalog/sources/record.h"
#include "storage/run_lock.h"

namespace residue::query {
namespace {
constexpr const char* kWhoIsWho = "who is who";
constexpr const char* kWaiting = "waiting for another evaluation of this run";
}  // namespace

DatasetEvaluation::DatasetEvaluation(storage::Store& store, const std::string& name, const std::vector<Target>& targets,
                                     const EvalOptions& options, const Judge& judge, JudgeId judge_id)
    : store_(store),
      name_(name),
      options_(options),
      judge_(judge),
      judge_id_(judge_id),
      dataset_(storage::find_dataset(store.db(), name)),
      runs_(runs_of(store.db(), targets, dataset_, name)),
      attackers_(attackers_of(store.db(), dataset_, name, options, judge.embedded(), notes_)),
      outside_(store, dataset_, judge, judge_id),
      changed_(store, dataset_, options, judge, judge_id, outside_),
      views_(store, dataset_, name, judge.claims_per_request()),
      who_is_who_(store) {
  require_held(name, targets, options.protocols);
  for (const RunHead& run : runs_) {
    for (const Attacker& attacker : attackers_) require_complete(store.db(), name, attacker.claims.name, run.name);
  }
  for (Attacker& attacker : attackers_) {
    for (const RunHead& run : runs_) {
      if (applies(run, attacker)) require_inputs_of(run, attacker);
      attacker.extra[run.id] = extra_content(store.db(), dataset_, run.id, attacker.spec);
    }
  }
  storage::Statement count = store.db().prepare(storage::sql::kRecordCountOfDataset);
  count.bind(dataset_);
  count.step();
  // A sample of everything is no sample.
  records_ = static_cast<std::uint64_t>(count.integer(0));
  sample_ = records_ <= options.sample ? 0 : options.sample;
  for (Attacker& attacker : attackers_) {
    attacker.id = find_protocol(store.db(), dataset_, attacker.spec.name(), sample_).value_or(ProtocolId{});
    attacker.absent =
        find_protocol(store.db(), dataset_, absent_of(attacker.spec).name(), sample_).value_or(ProtocolId{});
    attacker.twice_absent =
        find_protocol(store.db(), dataset_, twice_absent_of(attacker.spec).name(), sample_).value_or(ProtocolId{});
  }
}

void DatasetEvaluation::evaluate(EvalCounts& counts) {
  counts.sample = std::max(counts.sample, sample_);
  for (std::string& note : dataset_notes(store_.db(), name_)) counts.notes.push_back(std::move(note));
  counts.notes.insert(counts.notes.end(), notes_.begin(), notes_.end());
  if (std::string note = repeats_note(repeats(store_, dataset_)); !note.empty())
    counts.notes.push_back(std::move(note));
  for (Attacker& attacker : attackers_) {
    categorize(store_, attacker.claims.id);
    attacker.claims = find_claim_set(store_.db(), dataset_, name_, attacker.claims.name);
  }
  stages_ = options_.progress ? count_stages() : 0;
  if (stages_ > 0) options_.progress(fmt::format("evaluating {}", name_), 0, stages_ * records_);
  for (const RunHead& run : runs_) {
    const WhatChanged::Own own = changed_.own(run);
    counts.texts += own.texts ? 1 : 0;
    counts.labels += own.labels ? 1 : 0;
    counts.answers += own.answers ? 1 : 0;
    if (own.texts) evaluate_texts(run);
    if (own.labels) evaluate_labels(run);
    if (own.answers) evaluate_answers(run);
    if (own.outside) compare_outside(run);
    for (Attacker& attacker : attackers_) {
      if (!applies(run, attacker)) continue;
      ++counts.evaluations;
      attacking_ = attacker.spec.name();
      const bool stale = changed_.attack(run, attacker);
      counts.current += stale || own.any() || changed_.outside(run, attacker) ? 0 : 1;
      if (stale) evaluate_attack(run, attacker, counts);
      if (changed_.outside(run, attacker)) attack_outside(run, attacker, counts);
    }
    attacking_.clear();
  }
  for (std::string& note : label_notes(store_.db(), name_)) counts.notes.push_back(std::move(note));
  if (outside_.active()) {
    for (std::string& note : outdated_notes(store_.db(), outside_.control())) counts.notes.push_back(std::move(note));
  }
  remember_last();
  note_blind_spots(counts);
}

void DatasetEvaluation::require_inputs_of(const RunHead& run, Attacker& attacker) {
  try {
    require_inputs(store_.db(), dataset_, name_, run, attacker.spec);
  } catch (const Error& error) {
    if (!options_.stored) throw;
    attacker.without.insert(run.id);
    if (attacker.spec.linker->control()) return;
    notes_.push_back(
        fmt::format("{} is not evaluated for {}/{}: {}", attacker.spec.name(), name_, run.name, error.what()));
  }
}

std::uint64_t DatasetEvaluation::count_stages() {
  std::uint64_t stages = 0;
  for (const RunHead& run : runs_) {
    const WhatChanged::Own own = changed_.own(run);
    for (const bool stale : {own.texts, own.labels, own.answers, own.outside}) stages += stale ? 1 : 0;
    for (const Attacker& attacker : attackers_) {
      if (!applies(run, attacker)) continue;
      stages += changed_.outside(run, attacker) ? 1 : 0;
      if (changed_.attack(run, attacker)) stages += changed_.links(run, attacker) ? 2 : 1;
    }
  }
  return stages;
}

std::uint64_t DatasetEvaluation::whole_done(double part) const {
  return stage_ * records_ + static_cast<std::uint64_t>(std::min(part, 1.0) * static_cast<double>(records_));
}

void DatasetEvaluation::tell(EvalStep step, double part) const {
  if (!options_.step) return;
  step.dataset = name_;
  step.protocol = attacking_;
  step.whole_done = whole_done(part);
  step.whole_total = whole_total();
  options_.step(step);
}

ProgressFunction DatasetEvaluation::checkpoint(const char* doing, const char* stage, const RunHead& run) const {
  tell({.run = run.name, .stage = stage}, 0);
  return [this, what = fmt::format("{} {}/{}", doing, name_, run.name), stage, run = run.name](
             std::uint64_t done, std::optional<std::uint64_t> total) {
    // A stage counts bytes, pairs or records of its own: what matters is which part of it is done.
    const double part = total.value_or(0) == 0 ? 0 : static_cast<double>(done) / static_cast<double>(*total);
    if (options_.progress) options_.progress(what, whole_done(part), whole_total());
    // What is found out once, for all runs, is no stage of its own.
    tell({.run = run, .stage = stage, .done = done, .total = total}, std::string_view(stage) == kWhoIsWho ? 0 : part);
    if (options_.interrupted && options_.interrupted()) {
      throw Error(Code::kInterrupted, "stopped; everything computed so far is stored",
                  "repeat the command to continue");
    }
  };
}

storage::Lock DatasetEvaluation::lock_run(const RunHead& head) const {
  if (storage::is_locked(storage::run_lock_file(store_.dir(), head.id))) tell({.run = head.name, .stage = kWaiting}, 0);
  return store_.lock_run(head.id);
}

void DatasetEvaluation::evaluate_texts(const RunHead& head) {
  const storage::Lock lock = lock_run(head);
  const storage::Lock texts = store_.hold_texts();
  const DatasetView& dataset = views_.any_view(attackers_.front().claims);
  const RunView& run = views_.run_view(head, dataset);
  ScoreStore scores(store_, head.id, Tier::kText, ProtocolId{}, JudgeId{}, options_.keep_replicates_from);
  score_texts(store_, {.dataset = dataset, .run = run, .sentiment = options_.sentiment.get()}, scores,
              checkpoint("comparing", "texts", head));
  scores.finish({run.content, dataset.content, changed_.lexicon()}, dataset.independent, dataset.records.size());
  end_stage();
}

void DatasetEvaluation::evaluate_labels(const RunHead& head) {
  const storage::Lock lock = lock_run(head);
  const storage::Lock texts = store_.hold_texts();
  const DatasetView& dataset = views_.any_view(attackers_.front().claims);
  evaluate_marks(store_, dataset, views_.run_view(head, dataset), options_.keep_replicates_from,
                 checkpoint("masking", "labels", head));
  end_stage();
}

void DatasetEvaluation::evaluate_answers(const RunHead& head) {
  const storage::Lock lock = lock_run(head);
  const storage::Lock texts = store_.hold_texts();
  evaluate_tasks(store_, dataset_, head, options_.keep_replicates_from,
                 checkpoint("reading answers about", "answers", head));
  end_stage();
}

void DatasetEvaluation::evaluate_attack(const RunHead& head, Attacker& attacker, EvalCounts& counts) {
  const storage::Lock lock = lock_run(head);
  const storage::Lock texts = store_.hold_texts();
  const DatasetView& dataset = views_.view(attacker.claims);
  if (requests_stored_.insert(dataset.claim_set).second) store_requests(store_, dataset, judge_.claims_per_request());
  const AuxiliaryView& known = views_.auxiliary(attacker);
  if (attacker.id.value == 0) attacker.id = register_protocol(store_, dataset_, attacker.spec, known.id, sample_);
  if (has_absent(head, attacker)) {
    attacker.absent = register_protocol(store_, dataset_, absent_of(attacker.spec), known.id, sample_);
    attacker.twice_absent = register_protocol(store_, dataset_, twice_absent_of(attacker.spec), known.id, sample_);
  }
  const RunView& run = views_.run_view(head, dataset);
  const OtherReleases others(store_, dataset, head, attacker.spec);
  const Releases releases = others.with(run);
  const std::vector<bool> sampled = sample_records(dataset, sample_);
  const Absence* const absence =
      has_absent(head, attacker) ? &who_is_who_.absence(dataset, checkpoint("comparing", kWhoIsWho, head)) : nullptr;
  const std::optional<People> people = who_is_who_.people(dataset, run);
  const Beside beside{absence, people ? &*people : nullptr};
  const AllLinks links = links_of(head, attacker, dataset, releases, known, sampled, beside, counts);
  const bool judges_rest = changed_.judges_absent(head, attacker);
  const std::optional<LinkedPersons> persons = who_is_who_.linked_persons(dataset, run);
  const std::vector<bool>& unreadable = views_.unreadable_of(run, known, attacker);
  const auto failed = static_cast<std::uint64_t>(std::ranges::count(unreadable, true));
  if (failed > 0 && !attacker.spec.linker->control()) unreadable_[{head.name, attacker.spec.name()}] = failed;
  score(head, attacker,
        {.dataset = dataset,
         .run = run,
         .releases = releases,
         .auxiliary = known,
         .links = links.links,
         .sampled = sampled,
         .overlaps = overlaps_,
         .unreadable = unreadable,
         .persons = persons ? &*persons : nullptr,
         .places = people ? &links.places : nullptr,
         .by_rouge_l = attacker.spec.linker->role == LinkerRole::kLexicalBaseline,
         .rest = judges_rest ? &links.rest : nullptr,
         .third = judges_rest ? &links.third : nullptr,
         .absence = judges_rest ? absence : nullptr},
        counts);
}

void DatasetEvaluation::compare_outside(const RunHead& head) {
  const storage::Lock lock = lock_run(head);
  const storage::Lock texts = store_.hold_texts();
  const DatasetView& dataset = views_.any_view(attackers_.front().claims);
  outside_.evaluate_membership(dataset, views_.run_view(head, dataset),
                               checkpoint("looking for members in", "members", head));
  end_stage();
}

void DatasetEvaluation::attack_outside(const RunHead& head, Attacker& attacker, EvalCounts& counts) {
  const storage::Lock lock = lock_run(head);
  const storage::Lock texts = store_.hold_texts();
  const DatasetView& dataset = views_.view(attacker.claims);
  const AuxiliaryView& known = views_.auxiliary(attacker);
  const RunView& run = views_.run_view(head, dataset);
  const std::vector<LinkView> links = load_links(store_, dataset, head.id, attacker.id);
  const std::vector<bool> sampled = sample_records(dataset, sample_);
  const OutsideEvaluation::Counts done = outside_.evaluate_attack(
      {.dataset = dataset,
       .run = run,
       .auxiliary = known,
       .links = links,
       .sampled = sampled,
       .unreadable = views_.unreadable_of(run, known, attacker)},
      attacker.spec, attacker.id, checkpoint("attacking the control of", "the control from outside", head));
  counts.links += done.links;
  counts.links_searched += done.links;
  counts.known += done.known;
  counts.rated += done.rated;
  end_stage();
}

AllLinks DatasetEvaluation::links_of(const RunHead& head, const Attacker& attacker, const DatasetView& dataset,
                                     const Releases& releases, const AuxiliaryView& known,
                                     const std::vector<bool>& sampled, const Beside& beside, EvalCounts& counts) {
  if (!changed_.links(head, attacker)) {
    AllLinks stored{.links = load_links(store_, dataset, head.id, attacker.id)};
    if (beside.absence != nullptr) {
      stored.rest = load_links(store_, dataset, head.id, attacker.absent);
      stored.third = load_links(store_, dataset, head.id, attacker.twice_absent);
    }
    if (beside.people != nullptr) stored.places = load_places(store_, dataset, head.id, attacker.id);
    return stored;
  }
  AuxiliaryView attacked = known;
  for (std::size_t i = 0; i < sampled.size(); ++i) {
    if (!sampled[i]) attacked.known[i].query = TextId{};
  }
  Relinked again = relink(store_, dataset, releases, attacked, attacker.spec, attacker.id, beside,
                          checkpoint("linking", "links", head));
  end_stage();
  counts.links += again.attacked;
  if (!attacker.spec.linker->control()) {
    counts.links_searched += again.searched;
    counts.links_ranked += again.ranked;
  }
  if (beside.absence != nullptr) {
    (void)store_links(store_, dataset, head.id, attacker.absent, again.rest, attacker.id);
    (void)store_links(store_, dataset, head.id, attacker.twice_absent, again.third, attacker.id);
  }
  store_places(store_, dataset, head.id, attacker.id, again.places);
  counts.links_changed += store_links(store_, dataset, head.id, attacker.id, again.links, attacker.id);
  return {std::move(again.links), std::move(again.rest), std::move(again.third), std::move(again.places)};
}

void DatasetEvaluation::score(const RunHead& head, const Attacker& attacker, const ScoringInput& input,
                              EvalCounts& counts) {
  ScoreStore link_scores(store_, head.id, Tier::kLink, attacker.id, JudgeId{}, options_.keep_replicates_from);
  ScoreStore judge_scores(store_, head.id, Tier::kJudge, attacker.id, judge_id_, options_.keep_replicates_from);
  const ScoringCounts scored = score_attack(store_, input, judge_, judge_id_, link_scores, judge_scores,
                                            checkpoint("judging", "judgments and scores", head));
  tell({.run = head.name, .stage = "sums"}, 1);
  counts.rescored += scored.rescored;
  counts.known += scored.known;
  counts.rated += scored.rated;
  counts.unanswered += scored.unrated;
  counts.known_unanswered += scored.known_unrated;
  const DatasetView& dataset = input.dataset;
  const Contents contents{input.run.content, dataset.content,
                          storage::content_of_attack(dataset.claims_content, attacker.extra.at(head.id))};
  const std::size_t records = input.sampled.empty() ? dataset.records.size() : sample_;
  link_scores.finish(contents, dataset.independent, records,
                     [&](storage::Db&, EvaluationId) { return place_rows(input, has_absent(head, attacker)); });
  judge_scores.finish(changed_.judged(contents, dataset.categories_content), dataset.independent, records);
  end_stage();
}

void DatasetEvaluation::remember_last() {
  if (attackers_.empty() || runs_.empty()) return;
  const ProtocolId protocol = attackers_.front().id;
  storage::Statement now = store_.db().prepare(storage::sql::kDatasetLastEvaluated);
  now.bind(dataset_);
  const bool same = now.step() && now.id<ProtocolId>(0) == protocol && now.id<JudgeId>(1) == judge_id_ &&
                    now.integer(2) == static_cast<std::int64_t>(options_.seeds);
  now.reset();
  if (same) return;
  const auto batch = store_.write();
  batch->db().prepare(storage::sql::kUpdateDatasetLastEvaluated).run(dataset_, protocol, judge_id_, options_.seeds);
  batch->commit();
}

void DatasetEvaluation::note_blind_spots(EvalCounts& counts) {
  for (const auto& [run, texts] : views_.repeated()) {
    counts.notes.push_back(
        fmt::format("{} texts of {}/{} failed: many records with different originals have the same text; ingest run "
                    "--texts-are-meant, or sanitize --with command --param texts-are-meant=yes, counts them as texts",
                    texts, name_, run));
  }
  for (const auto& [where, records] : unreadable_) {
    counts.notes.push_back(
        fmt::format("{} of {} records of {}/{} failed under {}: their texts are in another script or language than "
                    "what the attacker knows, so words cannot be compared",
                    records, records_, name_, where.first, where.second));
  }
  std::set<std::string> said;
  std::set<std::pair<std::string, std::string>> counted;  // policies and claim sets: the controls know the same
  for (const Attacker& attacker : attackers_) {
    if (counted.emplace(attacker.spec.policy.name(), attacker.spec.claim_set).second) {
      const std::string left_out = uncovered_note(uncovered(store_, attacker.id, attacker.spec), attacker.spec);
      if (!left_out.empty() && said.insert(left_out).second) {
        counts.notes.push_back(fmt::format("{}, under {}", left_out, attacker.spec.name()));
      }
    }
    const auto run = std::find_if(runs_.begin(), runs_.end(), [&](const RunHead& one) {
      return applies(one, attacker) && one.kind != RunKind::kRemoveAll;
    });
    if (run == runs_.end()) continue;
    if (auto note = blind_note(store_, run->id, attacker.id, attacker.spec)) counts.notes.push_back(*std::move(note));
    std::vector<RunHead> attacked;
    std::ranges::copy_if(runs_, std::back_inserter(attacked),
                         [&](const RunHead& one) { return applies(one, attacker); });
    const StoredAttack attack{dataset_, name_, attacker.spec, attacker.id, sample_, judge_id_};
    for (std::string& note : doubts(store_.db(), attack, attacked)) {
      if (said.insert(note).second) counts.notes.push_back(std::move(note));
    }
  }
}

}  // namespace residue::query
