// The rows of query/inputs/linkers.h, and the attacks that search.
#include "query/inputs/linkers.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/candidates.h"
#include "index/control_linkers.h"
#include "index/voting.h"
#include "query/absent/rest.h"
#include "query/inputs/texts.h"
#include "query/link/attack.h"
#include "query/link/dense_attack.h"
#include "query/link/linking.h"
#include "query/link/run_claims.h"

namespace residue::query {
namespace {

// One query for each record.
class Search final : public Attack {
 public:
  Search(const AttackOn& on, std::unique_ptr<index::Linker> linker) : on_(on), linker_(std::move(linker)) {}

  [[nodiscard]] std::vector<std::vector<index::Hit>> top(std::span<const std::size_t> records) const override {
    return search(records, kTopK);
  }

  [[nodiscard]] std::vector<Found> look(std::span<const std::size_t> records, const Beside& beside) const override {
    const auto hits = top(records);
    const auto sights =
        sights_of(records, hits, kTopK, beside, [this](auto some, std::size_t depth) { return search(some, depth); });
    const auto places =
        beside.people == nullptr ? std::vector<std::optional<index::Place>>(records.size()) : places_of(records, hits);
    return found_of(hits, sights, places);
  }

 private:
  // Only those are counted of which the best hits do not tell.
  [[nodiscard]] std::vector<std::optional<index::Place>> places_of(
      std::span<const std::size_t> records, std::span<const std::vector<index::Hit>> hits) const {
    const std::size_t candidates = candidates_of(on_.dataset, on_.releases).ids.size();
    std::vector<std::optional<index::Place>> places(records.size());
    std::vector<std::size_t> open, of;
    for (std::size_t j = 0; j < records.size(); ++j) {
      const CandidateId own = own_candidate(on_.dataset, on_.releases, records[j]);
      places[j] = told_place(hits[j], hits[j].size() < kTopK, own, candidates);
      if (!places[j] && own.value != 0) open.push_back(records[j]), of.push_back(j);
    }
    const auto counted = linker_->places(asked_of(open).queries, candidates);
    for (std::size_t i = 0; i < of.size(); ++i) places[of[i]] = counted[i];
    return places;
  }

  struct Asked {
    std::vector<std::string> texts;
    std::vector<index::Query> queries;  // views of them
  };
  [[nodiscard]] Asked asked_of(std::span<const std::size_t> records) const {
    std::vector<TextId> ids;
    for (const std::size_t i : records) ids.push_back(on_.auxiliary.known[i].query);
    Asked asked{load_texts(on_.store, ids), {}};
    for (std::size_t j = 0; j < records.size(); ++j) {
      const std::size_t i = records[j];
      asked.queries.push_back(
          {asked.texts[j], on_.dataset.records[i].key, own_candidate(on_.dataset, on_.releases, i)});
    }
    return asked;
  }
  [[nodiscard]] std::vector<std::vector<index::Hit>> search(std::span<const std::size_t> records,
                                                            std::size_t depth) const {
    const Asked asked = asked_of(records);
    return linker_->top(asked.queries, depth);
  }

  const AttackOn on_;
  std::unique_ptr<index::Linker> linker_;
};

// One query for each claim; a hit is a variant, its score the votes.
class Election final : public Attack {
 public:
  Election(const AttackOn& on, std::unique_ptr<index::Linker> linker)
      : on_(on), linker_(std::move(linker)), voted_(table_of(candidates_of(on.dataset, on.run()))) {}

  [[nodiscard]] std::vector<std::vector<index::Hit>> top(std::span<const std::size_t> records) const override {
    auto voted = elected(records, search(said_of(records), 1));
    for (auto& one : voted) one.resize(std::min(one.size(), kTopK));
    return voted;
  }

  [[nodiscard]] std::vector<Found> look(std::span<const std::size_t> records, const Beside& beside) const override {
    const std::vector<TextId> said = said_of(records);
    const std::size_t depth = beside.absence == nullptr ? 1 : kVotersAtFirst;
    auto hits = search(said, depth);
    Voted voted{elected(records, hits), {}, voted_->size()};
    if (beside.absence != nullptr) {
      std::vector<std::size_t> asked;
      for (const std::size_t i : records) asked.push_back(on_.auxiliary.known[i].said.size());
      voted.rest =
          rest_of_votes(records, asked, hits, depth, *beside.absence, {owner_of_claim, *voted_, index::VoteRule::kTop},
                        [&](std::span<const std::size_t> places, std::size_t deeper) {
                          std::vector<TextId> some;
                          for (const std::size_t place : places) some.push_back(said[place]);
                          return search(some, deeper);
                        });
    }
    return found_of(records, own_candidates(on_.dataset, on_.releases, records), std::move(voted), beside);
  }

 private:
  static constexpr std::size_t kVotersAtFirst = 8;  // hits of a claim that are looked at for one that is not left out

  [[nodiscard]] std::vector<TextId> said_of(std::span<const std::size_t> records) const {
    std::vector<TextId> ids;
    for (const std::size_t i : records) {
      const std::vector<TextId>& said = on_.auxiliary.known[i].said;
      ids.insert(ids.end(), said.begin(), said.end());
    }
    return ids;
  }

  [[nodiscard]] std::vector<std::vector<index::Hit>> search(std::span<const TextId> said, std::size_t depth) const {
    const std::vector<std::string> texts = load_texts(on_.store, said);
    std::vector<index::Query> queries;
    for (const std::string& text : texts) queries.push_back({text, "", {}});
    return linker_->top(queries, depth);
  }

  // `hits`: of all the records' claims.
  [[nodiscard]] std::vector<std::vector<index::Hit>> elected(std::span<const std::size_t> records,
                                                             std::span<const std::vector<index::Hit>> hits) const {
    std::vector<std::vector<index::Hit>> best;
    std::size_t at = 0;
    for (const std::size_t i : records) {
      const std::size_t claims = on_.auxiliary.known[i].said.size();
      best.push_back(elect(hits.subspan(at, claims), *voted_, index::VoteRule::kTop));
      at += claims;
    }
    return best;
  }

  const AttackOn on_;
  std::unique_ptr<index::Linker> linker_;
  index::CandidateTable voted_;
};

// The releases hold texts of the same records.
std::unique_ptr<index::Linker> open_combined(const AttackOn& on) {
  std::vector<std::unique_ptr<index::Linker>> linkers;
  for (const RunView* release : by_name(on.releases)) {
    linkers.push_back(open_bm25(on.store, *release, candidates_of(on.dataset, *release), on.protocol));
  }
  return combine(std::move(linkers), candidates_of(on.dataset, on.releases));
}

std::unique_ptr<Attack> by_terms(const AttackOn& on) {
  if (on.releases.size() > 1) return std::make_unique<Search>(on, open_combined(on));
  return std::make_unique<Search>(on, open_bm25(on.store, on.run(), candidates_of(on.dataset, on.run()), on.protocol));
}

std::unique_ptr<Attack> by_votes(const AttackOn& on) {
  const std::string set = on.protocol.run_claims();
  const RunCandidates claims = claim_candidates(on.store, on.dataset, on.run(), set);
  auto linker =
      open_bm25(on.store, on.run(), claims, on.protocol, claims_indexed(on.store.db(), on.dataset, on.run(), set));
  return std::make_unique<Election>(on, std::move(linker));
}

std::unique_ptr<Attack> by_vectors(const AttackOn& on) {
  return std::make_unique<DenseAttack>(on.store, on.dataset, on.run(), on.auxiliary, on.protocol);
}

std::unique_ptr<Attack> by_common_words(const AttackOn& on) {
  return std::make_unique<Search>(on, open_rouge(on.store, candidates_of(on.dataset, on.run()), on.protocol));
}

std::unique_ptr<Attack> by_truth(const AttackOn& on) {
  return std::make_unique<Search>(on,
                                  std::make_unique<index::OracleLinker>(table_of(candidates_of(on.dataset, on.run()))));
}

std::unique_ptr<Attack> by_lot(const AttackOn& on) {
  return std::make_unique<Search>(on, std::make_unique<index::RandomLinker>(
                                          table_of(candidates_of(on.dataset, on.run())), on.protocol.policy.seed));
}

}  // namespace

std::span<const Linker> linkers() {
  static const LinkerOption analyzer{"analyzer", "fsp|plain"}, lengths{"lengths", "exact|lucene"}, runs{"runs", ""},
      set{"set", "", kDefaultRunClaims}, model{"model", ""}, absent{kAbsent, "no|yes|twice"};
  static const std::vector<Linker> table = {
      {.name = "bm25",
       .measure = Measure::kTerms,
       .options = {analyzer, lengths, runs, absent},
       .attack = by_terms,
       .keeps_basis = true},
      {.name = "bm25-vote",
       .measure = Measure::kTerms,
       .options = {analyzer, lengths, set, absent},
       .attack = by_votes,
       .votes = true},
      {.name = "dense", .measure = Measure::kCosine, .options = {model, absent}, .attack = by_vectors},
      {.name = "dense-vote",
       .measure = Measure::kCosine,
       .options = {model, set, absent},
       .attack = by_vectors,
       .votes = true},
      {.name = "rouge-l",
       .measure = Measure::kRougeF,
       .options = {absent},
       .attack = by_common_words,
       .role = LinkerRole::kLexicalBaseline},
      {.name = "rouge-l-recall", .measure = Measure::kRougeRecall, .options = {absent}, .attack = by_common_words},
      {.name = "oracle", .measure = Measure::kNothing, .options = {}, .attack = by_truth, .role = LinkerRole::kOracle},
      {.name = "random", .measure = Measure::kNothing, .options = {}, .attack = by_lot, .role = LinkerRole::kRandom},
  };
  return table;
}

const Linker* find_linker(std::string_view name) {
  const auto found = std::ranges::find(linkers(), name, &Linker::name);
  return found == linkers().end() ? nullptr : &*found;
}

const Linker& linker_of(LinkerRole role) { return *std::ranges::find(linkers(), role, &Linker::role); }

}  // namespace residue::query
