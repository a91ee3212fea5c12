#include "query/link/relinking.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "query/inputs/texts.h"
#include "query/link/attack.h"
#include "query/link/link_basis.h"
#include "query/place/sight.h"
#include "text/words/analyzer.h"

namespace residue::query {
namespace {

// With fewer queries per document, the kernel costs more than their postings.
constexpr std::size_t kDocumentsPerQuery = 200;

bool keeps_basis(const Releases& releases, const ProtocolSpec& protocol) {
  return protocol.linker->keeps_basis && releases.size() == 1;
}

// Nothing if a text of before is gone.
std::optional<index::DocumentChange> change_of(const storage::Store& store, const RunCandidates& candidates,
                                               const IndexChanges& changes) {
  index::DocumentChange change;
  std::vector<TextId> before;
  for (const auto& [candidate, text] : changes) {
    if (text) before.push_back(*text);
    if (std::binary_search(candidates.ids.begin(), candidates.ids.end(), candidate)) change.now.push_back(candidate);
  }
  try {
    change.before = load_texts(store, before);
  } catch (const Error&) {
    return std::nullopt;
  }
  return change;
}

class Relinking {
 public:
  Relinking(storage::Store& store, const DatasetView& dataset, const Releases& releases, const AuxiliaryView& auxiliary,
            const ProtocolSpec& protocol, ProtocolId id, const Beside& beside)
      : store_(store),
        dataset_(dataset),
        releases_(releases),
        auxiliary_(auxiliary),
        beside_(beside),
        candidates_(candidates_of(dataset, *releases.front())),
        linker_(open_bm25(store, *releases.front(), candidates_, protocol)) {
    const std::string_view analyzer = analyzer_of(protocol).name();
    auto basis = load_basis(store.db(), releases.front()->id, id, analyzer, candidates_);
    if (basis) use(std::move(*basis));
  }

  Relinked run(const ProgressFunction& progress) {
    result_.links.resize(dataset_.records.size());
    if (beside_.absence != nullptr) {
      result_.rest.resize(dataset_.records.size());
      result_.third.resize(dataset_.records.size());
    }
    if (beside_.people != nullptr) result_.places.resize(dataset_.records.size());
    each_attacked(auxiliary_, progress, [&](const std::vector<std::size_t>& records) { link(records); });
    return std::move(result_);
  }

  [[nodiscard]] const RunCandidates& candidates() const { return candidates_; }

  // For the next time; after run().
  [[nodiscard]] LinkBasis basis() {
    LinkBasis basis;
    basis.links = std::move(now_);
    return basis;
  }

 private:
  void use(LinkBasis basis) {
    same_documents_ = basis.changes.empty();
    if (!same_documents_) {
      const auto attacked = static_cast<std::size_t>(std::count_if(
          auxiliary_.known.begin(), auxiliary_.known.end(), [](const auto& known) { return known.query.value != 0; }));
      if (attacked * kDocumentsPerQuery < candidates_.ids.size()) return;
      const auto change = change_of(store_, candidates_, basis.changes);
      if (!change) return;
      relinker_ = linker_->relinker(*change);
      if (!relinker_) return;
    }
    before_ = std::move(basis.links);
  }

  // What is known of the record's query; calls come in ascending order of records.
  const LinkBasis::Link* known(std::size_t record) {
    const RecordId id = dataset_.records[record].id;
    while (next_ < before_.size() && before_[next_].record < id) ++next_;
    if (next_ == before_.size() || before_[next_].record != id) return nullptr;
    return before_[next_].query == auxiliary_.known[record].query ? &before_[next_] : nullptr;
  }

  struct Attack {
    std::size_t record;
    std::size_t place;  // in the new basis
    const LinkBasis::Link* known;
    std::string text;
    CandidateId own;
    bool same = false;                        // all is known but for who is tied and how sure the best is
    std::optional<index::Place> stands = {};  // as it was; nothing: to be found out
  };

  void link(const std::vector<std::size_t>& records) {
    std::vector<Attack> attacks;
    std::vector<TextId> ids;
    for (const std::size_t i : records) {
      const TextId query = auxiliary_.known[i].query;
      const LinkBasis::Link* const before = known(i);
      now_.push_back({.record = dataset_.records[i].id, .query = query});
      Attack attack{i, now_.size() - 1, before, {}, own_candidate(dataset_, releases_, i)};
      const bool placed = beside_.people == nullptr || attack.own.value == 0 || (before != nullptr && before->place);
      if (before != nullptr && same_documents_ && placed) {
        const Sight sight = sight_of({before->seen, before->seen_all}, i, beside_);
        if (sight.needs == 0) {
          attack.stands = before->place;
          keep(attack, before->link, before->standing, sight, {before->seen, before->seen_all});
          continue;
        }
        attack.same = true;
      }
      attacks.push_back(std::move(attack));
      ids.push_back(query);
    }
    std::vector<std::string> texts = load_texts(store_, ids);
    for (std::size_t j = 0; j < attacks.size(); ++j) attacks[j].text = std::move(texts[j]);
    search(decide(std::move(attacks)));
    count_places();
  }

  // Of those whose place no hits told.
  void count_places() {
    std::vector<index::Query> queries;
    for (const Attack& attack : unplaced_) queries.push_back(query_of(attack));
    const auto places = linker_->places(queries, candidates_.ids.size());
    for (std::size_t j = 0; j < unplaced_.size(); ++j) {
      now_[unplaced_[j].place].place = places[j];
      LinkPlace& place = result_.places[unplaced_[j].record];
      if (places[j]) place.ahead = places[j]->ahead, place.level = places[j]->level;
    }
    unplaced_.clear();
  }

  [[nodiscard]] index::Query query_of(const Attack& attack) const {
    return {attack.text, dataset_.records[attack.record].key, attack.own};
  }

  // Links those that can be decided; gives back the others.
  std::vector<Attack> decide(std::vector<Attack> attacks) {
    std::vector<index::Query> queries;
    std::vector<index::Standing> standings;
    if (relinker_) {
      std::stable_partition(attacks.begin(), attacks.end(), [](const Attack& a) { return a.known != nullptr; });
      for (const Attack& attack : attacks) {
        if (attack.known == nullptr) break;
        queries.push_back(query_of(attack));
        standings.push_back(attack.known->standing);
      }
    }
    std::vector<Attack> open;
    const auto decisions = relinker_ ? relinker_->decide(queries, standings, kTopK) : std::vector<index::Decision>();
    for (std::size_t j = 0; j < attacks.size(); ++j) {
      const bool link_known = j < decisions.size() && decisions[j].open == index::Decision::Open::kNothing;
      if (link_known) {
        const std::vector<index::Hit>& hits = decisions[j].hits;
        const Seen seen{hits, decisions[j].standing.rest == 0};
        const Sight sight = sight_of(seen, attacks[j].record, beside_);
        if (sight.needs == 0) {
          keep(attacks[j], to_link(hits, attacks[j].own), decisions[j].standing, sight, seen);
          continue;
        }
      }
      const bool rank_only =
          link_known || attacks[j].same || (j < decisions.size() && decisions[j].open == index::Decision::Open::kRank);
      ++(rank_only ? result_.ranked : result_.searched);
      open.push_back(std::move(attacks[j]));
    }
    return open;
  }

  void search(const std::vector<Attack>& attacks) {
    std::vector<index::Query> queries;
    std::vector<std::size_t> records;
    std::unordered_map<std::size_t, std::size_t> place;
    for (std::size_t j = 0; j < attacks.size(); ++j) {
      queries.push_back(query_of(attacks[j]));
      records.push_back(attacks[j].record);
      place.emplace(attacks[j].record, j);
    }
    const auto hits = linker_->top(queries, kTopK);
    const auto sights =
        sights_of(records, hits, kTopK, beside_, [&](std::span<const std::size_t> some, std::size_t depth) {
          std::vector<index::Query> again;
          for (const std::size_t record : some) again.push_back(queries[place.at(record)]);
          return linker_->top(again, depth);
        });
    for (std::size_t j = 0; j < attacks.size(); ++j) {
      keep(attacks[j], to_link(hits[j], attacks[j].own), index::standing_of(hits[j], attacks[j].own, kTopK), sights[j],
           {hits[j], hits[j].size() < kTopK});
    }
  }

  // `seen`: the hits that `sight` is of, or some of the best where it is of more.
  void keep(const Attack& attack, const LinkView& link, const index::Standing& standing, const Sight& sight,
            const Seen& seen) {
    result_.links[attack.record] = link;
    ++result_.attacked;
    LinkBasis::Link& now = now_[attack.place];
    now.link = link;
    now.standing = standing;
    if (beside_.absence != nullptr) {
      result_.rest[attack.record] = to_rest(sight.rest);
      result_.third[attack.record] = to_rest(sight.third);
    }
    if (beside_.people != nullptr) {
      now.place = attack.stands;
      if (!now.place) now.place = told_place(seen.hits, seen.all, attack.own, candidates_.ids.size());
      if (!now.place && attack.own.value != 0) unplaced_.push_back(attack);
      result_.places[attack.record] = to_place(sight, now.place);
    }
    if (sight.looked > seen.hits.size()) return;
    const auto end = seen.hits.begin() + static_cast<std::ptrdiff_t>(sight.looked);
    now.seen.assign(seen.hits.begin(), end);
    now.seen_all = sight.to_the_end;
  }

  storage::Store& store_;
  const DatasetView& dataset_;
  const Releases& releases_;
  const AuxiliaryView& auxiliary_;
  const Beside beside_;
  RunCandidates candidates_;
  std::unique_ptr<index::Bm25Linker> linker_;
  std::vector<LinkBasis::Link> before_;
  std::size_t next_ = 0;
  bool same_documents_ = false;
  std::unique_ptr<index::Relinker> relinker_;

  Relinked result_;
  std::vector<LinkBasis::Link> now_;
  std::vector<Attack> unplaced_;
};

}  // namespace

Relinked relink(storage::Store& store, const DatasetView& dataset, const Releases& releases,
                const AuxiliaryView& auxiliary, const ProtocolSpec& protocol, ProtocolId id, const Beside& beside,
                const ProgressFunction& progress) {
  if (!keeps_basis(releases, protocol)) {
    AllLinks all = compute_links(store, dataset, releases, auxiliary, protocol, beside, progress);
    Relinked result{.links = std::move(all.links),
                    .rest = std::move(all.rest),
                    .third = std::move(all.third),
                    .places = std::move(all.places)};
    result.attacked = static_cast<std::uint64_t>(
        std::count_if(result.links.begin(), result.links.end(), [](const LinkView& link) { return link.attacked; }));
    result.searched = result.attacked;
    return result;
  }
  Relinking relinking(store, dataset, releases, auxiliary, protocol, id, beside);
  Relinked result = relinking.run(progress);
  store_basis(store, releases.front()->id, id, analyzer_of(protocol).name(), relinking.candidates(), relinking.basis());
  return result;
}

}  // namespace residue::query
