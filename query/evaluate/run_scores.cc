#include "query/evaluate/run_scores.h"

#include <oneapi/tbb/blocked_range.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/parallel_ranges.h"
#include "base/progress.h"
#include "query/absent/absent_scores.h"
#include "query/inputs/sort_unique.h"
#include "query/inputs/texts.h"
#include "query/judge/judging.h"
#include "query/place/open_world.h"
#include "query/place/rank_rows.h"
#include "query/prepare/attackers.h"
#include "query/score/category_scores.h"
#include "query/score/linked_overlap.h"
#include "query/score/scores.h"
#include "query/stored/record_input.h"
#include "query/stored/score_loop.h"
#include "text/measures/rouge.h"
#include "text/measures/rouge_reads.h"

namespace residue::query {
namespace {

// What an absent attack found.
struct OthersFound {
  bool linked = false;           // somebody
  std::vector<TextId> passages;  // the texts of whom it found; no empty ones
};

struct Attacked {
  RecordCase facts;
  TextId passage;                         // linked text, of the run itself if it has it; 0: none or the empty text
  std::vector<TextId> passages;           // with those of the other releases; no empty ones
  OthersFound rest, third;                // of the absent attack, and of that one's own
  bool rest_judged = false;               // both are
  std::size_t left_out = 0;               // texts of the release that it left out
  std::optional<TextId> linked_original;  // of the record whose variant was found
  std::vector<ClaimView> judged;          // claims outside A(x)
  std::vector<TextId> known_claims;       // A(x)
};

OthersFound found_by(const ScoringInput& input, const LinkView& link) {
  OthersFound found;
  found.linked = link.attacked && link.linked.value != 0;
  if (!found.linked) return found;
  found.passages = linked_texts(input.dataset, input.releases, link.linked);
  if (found.passages.empty()) throw changed_meanwhile();
  std::erase(found.passages, TextId{});
  return found;
}

void look_at_rest(const ScoringInput& input, std::size_t i, Attacked& record) {
  record.rest_judged = true;
  for (const CandidateId id : input.absence->left_out(i)) {
    const std::size_t other = input.dataset.position.at(RecordId{id.value});
    record.left_out += own_candidate(input.dataset, input.releases, other).value != 0 ? 1 : 0;
  }
  record.rest = found_by(input, (*input.rest)[i]);
  record.third = found_by(input, (*input.third)[i]);
}

Attacked look_at(const ScoringInput& input, std::size_t i) {
  const LinkView& link = input.links[i];
  const AuxiliaryView::Known& known = input.auxiliary.known[i];
  Attacked record;
  record.judged = claims_outside(input.dataset.claims[i], known.claims);
  record.known_claims = known.texts;
  record.facts = attacked_case(input.dataset, input.run, input.auxiliary, link, i);
  if (input.persons != nullptr) record.facts.linked_person = input.persons->share(i, link);
  if (input.places != nullptr) record.facts.risk = (*input.places)[i].risk();
  if (!input.unreadable.empty() && input.unreadable[i]) record.facts.failed = true;
  if (input.rest != nullptr) look_at_rest(input, i, record);
  if (!record.facts.linked) return record;
  record.passages = linked_texts(input.dataset, input.releases, link.linked);
  if (record.passages.empty()) throw changed_meanwhile();
  record.passage = record.passages.front();
  std::erase(record.passages, TextId{});
  if (input.run.aligned()) {
    record.linked_original = input.dataset.records[input.dataset.position.at(RecordId{link.linked.value})].text;
  }
  return record;
}

std::uint64_t link_input(const RecordView& record, const Attacked& attacked, TextId known) {
  InputHash hash;
  hash << static_cast<std::int64_t>(facts_hash(record, attacked.facts, attacked.passage)) << record.text.value
       << known.value << (attacked.linked_original ? attacked.linked_original->value : 0)
       << attacked.facts.linked_person << attacked.facts.risk;
  for (const TextId claim : attacked.known_claims) hash << claim.value;
  return hash.value();
}

std::uint64_t judge_input(const CategoryAnswers& categories, const RecordView& record, const Attacked& attacked,
                          TextId known, std::int64_t revision) {
  InputHash hash;
  if (revision != 0) hash << revision;  // of whichever pair
  hash << static_cast<std::int64_t>(facts_hash(record, attacked.facts, attacked.passage)) << known.value;
  for (const TextId passage : attacked.passages) hash << passage.value;
  if (attacked.rest_judged) {
    hash << static_cast<std::int64_t>(attacked.left_out);
    for (const OthersFound* found : {&attacked.rest, &attacked.third}) {
      hash << static_cast<std::int64_t>(found->linked) << static_cast<std::int64_t>(found->passages.size());
      for (const TextId passage : found->passages) hash << passage.value;
    }
  }
  for (const ClaimView& claim : attacked.judged) {
    hash << claim.text.value << static_cast<std::int64_t>(categories[claim.categories].hash);
    if (claim.request.value != 0) hash << claim.request.value;
  }
  return hash.value();
}

// The changes of tier link for the records `stale` (positions in `chunk`).
std::vector<ScoreStore::Change> link_changes(const storage::Store& store, const ScoringInput& input, std::size_t begin,
                                             const std::vector<Attacked>& chunk,
                                             const std::vector<std::size_t>& stale) {
  std::vector<ScoreStore::Change> changes(stale.size());
  parallel_ranges(stale.size(), 64, [&](const auto& range) {
    const auto reader = store.facts().read();
    const auto read = [&](TextId id) { return id.value == 0 ? std::string() : reader->text(id); };
    for (std::size_t j = range.begin(); j < range.end(); ++j) {
      const Attacked& attacked = chunk[stale[j]];
      const RecordView& record = input.dataset.records[begin + stale[j]];
      const TextId known = input.auxiliary.known[begin + stale[j]].query;
      LinkedOverlap overlap;
      if (attacked.facts.attacked && !attacked.facts.empty_original) {
        LinkedIds texts{.original = record.text, .known = known, .known_claims = attacked.known_claims};
        if (attacked.facts.linked && !attacked.facts.failed) {
          texts.linked = attacked.passage;
          texts.linked_original = attacked.linked_original;
        }
        overlap = input.overlaps.compare(texts, read);
      } else if (!attacked.facts.empty_original) {
        const std::string original = read(record.text);
        overlap.unreadable = !text::rouge_reads(original);
        overlap.no_words = !overlap.unreadable && text::rouge_tokens(original, false).empty();
      }
      changes[j] = {record.id, link_input(record, attacked, known), record.unit,
                    link_scores(attacked.facts, overlap, input.by_rouge_l)};
    }
  });
  return changes;
}

bool needs_passages(const Attacked& attacked) {
  return attacked.facts.linked && !attacked.facts.failed && !attacked.facts.empty_original;
}

bool needs(const OthersFound& found, const Attacked& attacked) {
  return found.linked && !attacked.facts.failed && !attacked.facts.empty_original;
}

std::vector<Pair> pairs_of(const ScoringInput& input, std::size_t begin, const std::vector<Attacked>& chunk,
                           const std::vector<std::size_t>& stale) {
  std::vector<Pair> pairs;
  for (const std::size_t i : stale) {
    if (chunk[i].facts.empty_original || !chunk[i].facts.has_claims) continue;
    for (const ClaimView& claim : chunk[i].judged) {
      if (needs_passages(chunk[i])) {
        for (const TextId passage : chunk[i].passages) pairs.push_back({passage, claim.text, claim.request});
      }
      for (const OthersFound* found : {&chunk[i].rest, &chunk[i].third}) {
        if (!needs(*found, chunk[i])) continue;
        for (const TextId passage : found->passages) pairs.push_back({passage, claim.text, claim.request});
      }
      pairs.push_back({input.auxiliary.known[begin + i].query, claim.text, claim.request});
    }
  }
  return pairs;
}

// The least that any of its passages deserves.
Trust trust_of(const storage::Store& store, const Judge& judge, const DatasetView& dataset, const Attacked& attacked) {
  Trust least = Trust::kUnchecked;
  if (judge.embedded() || !needs_passages(attacked) || attacked.judged.empty()) return least;
  std::vector<Pair> pairs;
  for (const TextId passage : attacked.passages) {
    for (const ClaimView& claim : attacked.judged) pairs.push_back({passage, claim.text, claim.request});
  }
  sort_unique(pairs);
  const PairRequests asked(store, pairs, dataset.requests);
  for (const Request& request : asked.list()) least = std::max(least, judge.trust(request));
  return least;
}

ScoreStore::Change judge_change(const ScoringInput& input, std::size_t i, const Attacked& attacked,
                                const RatingMap& ratings, const Judge& judge, std::int64_t revision, Trust trust,
                                ScoringCounts& counts) {
  const RecordView& record = input.dataset.records[i];
  RecordCase facts = attacked.facts;
  const bool embedded = judge.embedded();
  facts.judge_failed = judge.answers();
  facts.trust = trust;
  const TextId known = input.auxiliary.known[i].query;
  std::vector<std::optional<std::uint8_t>> linked, known_only, rest, third;
  // The best that any of the passages says of a claim; an empty text supports nothing.
  const auto rating = [&](std::span<const TextId> passages, const ClaimView& claim) -> std::optional<std::uint8_t> {
    std::uint8_t best = 3;
    for (const TextId passage : passages) {
      const auto found = ratings.find({passage, claim.text, claim.request});
      if (found == ratings.end()) return std::nullopt;
      best = std::min(best, found->second);
    }
    return best;
  };
  for (const ClaimView& claim : attacked.judged) {
    linked.push_back(rating(attacked.passages, claim));
    if (attacked.rest_judged) {
      rest.push_back(rating(attacked.rest.passages, claim));
      third.push_back(rating(attacked.third.passages, claim));
    }
    known_only.push_back(known.value == 0 ? std::nullopt : rating(std::span(&known, 1), claim));
  }
  const auto unanswered = [](const auto& ratings_had) {
    return std::find(ratings_had.begin(), ratings_had.end(), std::nullopt) != ratings_had.end();
  };
  // Of a text that was lost, or of an original that says nothing, nobody is asked: there is nothing to wait for.
  const bool asked = facts.has_claims && !facts.empty_original;
  const bool unrated =
      !embedded && asked &&
      ((needs_passages(attacked) && unanswered(linked)) || (needs(attacked.rest, attacked) && unanswered(rest)) ||
       (needs(attacked.third, attacked) && unanswered(third)));
  const bool known_unrated = !embedded && asked && unanswered(known_only);
  const bool waits = unrated || known_unrated || (!embedded && asked && trust == Trust::kFailed);
  counts.unrated += unrated ? 1 : 0;
  counts.known_unrated += known_unrated ? 1 : 0;
  std::vector<Contribution> scores = judge_scores(facts, attacked.judged.size(), linked, known_only);
  std::vector<const CategoryAnswers::Answer*> about;
  for (const ClaimView& claim : attacked.judged) about.push_back(&input.dataset.categories[claim.categories]);
  for (Contribution& part : category_scores(facts, about, linked)) scores.push_back(std::move(part));
  if (attacked.rest_judged) {
    for (Contribution& part : absent_scores(facts, attacked.judged.size(), linked, {attacked.rest.linked, rest},
                                            {attacked.third.linked, third}, attacked.left_out)) {
      scores.push_back(std::move(part));
    }
  }
  const std::uint64_t from = judge_input(input.dataset.categories, record, attacked, known, revision);
  return {record.id, waits ? ScoreStore::kWaiting : from, record.unit, std::move(scores)};
}

}  // namespace

ScoringCounts score_attack(storage::Store& store, const ScoringInput& input, const Judge& judge, JudgeId judge_id,
                           ScoreStore& link_scores, ScoreStore& judge_scores, const ProgressFunction& checkpoint) {
  ScoringCounts counts;
  if (!input.sampled.empty()) {
    const auto targets = sampled_targets(input.dataset, input.sampled);
    const auto batch = store.write();
    link_scores.keep_only(*batch, targets);
    judge_scores.keep_only(*batch, targets);
    batch->commit();
  }
  const std::int64_t revision = judge_revision(store.db(), judge_id);
  in_chunks(input.dataset.records.size(), kRecordsAtOnce, checkpoint, [&](std::size_t begin, std::size_t end) {
    std::vector<Attacked> chunk;
    std::vector<std::size_t> stale_links, stale_judgments;
    for (std::size_t i = begin; i < end; ++i) {
      chunk.push_back(look_at(input, i));
      if (!input.sampled.empty() && !input.sampled[i]) continue;
      const RecordView& record = input.dataset.records[i];
      const TextId known = input.auxiliary.known[i].query;
      if (link_scores.stale(record.id, link_input(record, chunk.back(), known))) stale_links.push_back(i - begin);
      if (judge_scores.stale(record.id, judge_input(input.dataset.categories, record, chunk.back(), known, revision))) {
        stale_judgments.push_back(i - begin);
      }
    }
    const auto lexical = link_changes(store, input, begin, chunk, stale_links);
    const std::vector<Pair> pairs = pairs_of(input, begin, chunk, stale_judgments);
    std::uint64_t rated = 0;
    const RatingMap ratings = rate_pairs(store, judge, judge_id, pairs, rated, input.dataset.requests);
    counts.rated += rated;
    counts.known += ratings.size() > rated ? ratings.size() - rated : 0;
    std::vector<ScoreStore::Change> semantic;
    for (const std::size_t i : stale_judgments) {
      const Trust trust = trust_of(store, judge, input.dataset, chunk[i]);
      semantic.push_back(judge_change(input, begin + i, chunk[i], ratings, judge, revision, trust, counts));
    }
    link_scores.apply(lexical);
    judge_scores.apply(semantic);
    counts.rescored += semantic.size();
  });
  return counts;
}

std::vector<MetricRow> place_rows(const ScoringInput& input, bool absent_made) {
  const DatasetView& dataset = input.dataset;
  std::vector<PlacedRecord> targets;
  for (std::size_t i = 0; i < dataset.records.size(); ++i) {
    if (!input.sampled.empty() && !input.sampled[i]) continue;
    RecordCase facts = attacked_case(dataset, input.run, input.auxiliary, input.links[i], i);
    if (!input.unreadable.empty() && input.unreadable[i]) facts.failed = true;
    targets.push_back(
        {attacked_state(facts), dataset.records[i].unit, input.places == nullptr ? LinkPlace{} : (*input.places)[i]});
  }
  std::size_t candidates = 0;
  for (std::size_t i = 0; i < dataset.records.size(); ++i) {
    candidates += own_candidate(dataset, input.releases, i).value != 0 ? 1 : 0;
  }
  std::vector<MetricRow> rows = rank_rows(targets, candidates, dataset.independent);
  for (MetricRow& row : open_rows(targets, absent_made, dataset.independent)) rows.push_back(std::move(row));
  return rows;
}

std::vector<Pair> pairs_to_judge(const ScoringInput& input) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < input.dataset.records.size(); ++i) {
    if (!input.sampled.empty() && !input.sampled[i]) continue;
    const auto some = pairs_of(input, i, {look_at(input, i)}, {0});
    pairs.insert(pairs.end(), some.begin(), some.end());
  }
  sort_unique(pairs);
  return pairs;
}

MostAsked most_asked(const ScoringInput& input, std::size_t record) {
  const auto& known = input.auxiliary.known[record];
  if (input.dataset.records[record].empty || known.said.empty()) return {};
  MostAsked most;
  RequestId last;
  for (const ClaimView& claim : claims_outside(input.dataset.claims[record], known.claims)) {
    ++most.pairs;
    most.requests += claim.request.value == 0 || claim.request != last ? 1 : 0;
    last = claim.request;
  }
  // A text of each release, as many of the absent attack and of that one's own, and what the attacker knows.
  most.passages = input.releases.size() * (input.absence == nullptr ? 1 : 3) + 1;
  most.pairs *= most.passages;
  most.requests *= most.passages;
  return most;
}

}  // namespace residue::query
