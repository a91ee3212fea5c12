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
#include "index/rest.h"
#include "query/absent/rest.h"
#include "query/inputs/texts.h"
#include "query/link/link_basis.h"
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
            const ProtocolSpec& protocol, ProtocolId id, const Absence* absence)
      : store_(store),
        dataset_(dataset),
        releases_(releases),
        auxiliary_(auxiliary),
        absence_(absence),
        candidates_(candidates_of(dataset, *releases.front())),
        linker_(open_bm25(store, *releases.front(), candidates_, protocol)) {
    const std::string_view analyzer = analyzer_of(protocol).name();
    auto basis = load_basis(store.db(), releases.front()->id, id, analyzer, candidates_);
    if (basis) use(std::move(*basis));
  }

  Relinked run(const ProgressFunction& progress) {
    result_.links.resize(dataset_.records.size());
    if (absence_ != nullptr) result_.rest.resize(dataset_.records.size());
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
    std::vector<CandidateId> left_out;  // of the absent attack
  };

  void link(const std::vector<std::size_t>& records) {
    std::vector<Attack> attacks;
    std::vector<TextId> ids;
    for (const std::size_t i : records) {
      const TextId query = auxiliary_.known[i].query;
      const LinkBasis::Link* const before = known(i);
      now_.push_back({.record = dataset_.records[i].id, .query = query});
      Attack attack{i, now_.size() - 1, before, {}, own_candidate(dataset_, releases_, i), {}};
      if (absence_ != nullptr) {
        attack.left_out = absence_->left_out(i);
        now_.back().left_out = fingerprint_of(attack.left_out);
      }
      if (before != nullptr && same_documents_ && (absence_ == nullptr || before->left_out == now_.back().left_out)) {
        keep(attack, before->link, before->standing, before->rest);
        continue;
      }
      attacks.push_back(std::move(attack));
      ids.push_back(query);
    }
    std::vector<std::string> texts = load_texts(store_, ids);
    for (std::size_t j = 0; j < attacks.size(); ++j) attacks[j].text = std::move(texts[j]);
    search(decide(std::move(attacks)));
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
        const index::Rest rest = rest_in(decisions[j].hits, attacks[j]);
        if (rest.needs == 0) {
          keep(attacks[j], to_link(decisions[j].hits, attacks[j].own), decisions[j].standing, to_rest(rest.best));
          continue;
        }
      }
      const bool rank_only = link_known || (j < decisions.size() && decisions[j].open == index::Decision::Open::kRank);
      ++(rank_only ? result_.ranked : result_.searched);
      open.push_back(std::move(attacks[j]));
    }
    return open;
  }

  // Decided hits are some of the best, all where they are none.
  [[nodiscard]] index::Rest rest_in(std::span<const index::Hit> hits, const Attack& attack) const {
    if (absence_ == nullptr || hits.empty()) return {};
    return index::best_of_rest(hits, hits.size(), attack.left_out);
  }

  void search(const std::vector<Attack>& attacks) {
    std::vector<index::Query> queries;
    for (const Attack& attack : attacks) queries.push_back(query_of(attack));
    const auto hits = linker_->top(queries, kTopK);
    const auto rest = rest_beside(attacks, queries, hits);
    for (std::size_t j = 0; j < attacks.size(); ++j) {
      keep(attacks[j], to_link(hits[j], attacks[j].own), index::standing_of(hits[j], attacks[j].own, kTopK),
           to_rest(rest[j]));
    }
  }

  [[nodiscard]] std::vector<std::optional<index::Hit>> rest_beside(
      const std::vector<Attack>& attacks, std::span<const index::Query> queries,
      std::span<const std::vector<index::Hit>> hits) const {
    if (absence_ == nullptr) return std::vector<std::optional<index::Hit>>(attacks.size());
    std::vector<std::size_t> records;
    std::unordered_map<std::size_t, std::size_t> place;
    for (std::size_t j = 0; j < attacks.size(); ++j) {
      place.emplace(attacks[j].record, j);
      records.push_back(attacks[j].record);
    }
    return rest_of(records, hits, kTopK, *absence_, [&](std::span<const std::size_t> some, std::size_t depth) {
      std::vector<index::Query> again;
      for (const std::size_t record : some) again.push_back(queries[place.at(record)]);
      return linker_->top(again, depth);
    });
  }

  void keep(const Attack& attack, const LinkView& link, const index::Standing& standing, const LinkView& rest) {
    result_.links[attack.record] = link;
    ++result_.attacked;
    now_[attack.place].link = link;
    now_[attack.place].standing = standing;
    if (absence_ == nullptr) return;
    result_.rest[attack.record] = rest;
    now_[attack.place].rest = rest;
  }

  storage::Store& store_;
  const DatasetView& dataset_;
  const Releases& releases_;
  const AuxiliaryView& auxiliary_;
  const Absence* absence_;  // null: no absent attack
  RunCandidates candidates_;
  std::unique_ptr<index::Bm25Linker> linker_;
  std::vector<LinkBasis::Link> before_;
  std::size_t next_ = 0;
  bool same_documents_ = false;
  std::unique_ptr<index::Relinker> relinker_;

  Relinked result_;
  std::vector<LinkBasis::Link> now_;
};

}  // namespace

Relinked relink(storage::Store& store, const DatasetView& dataset, const Releases& releases,
                const AuxiliaryView& auxiliary, const ProtocolSpec& protocol, ProtocolId id, const Absence* absence,
                const ProgressFunction& progress) {
  if (!keeps_basis(releases, protocol)) {
    Relinked result;
    if (absence == nullptr) {
      result.links = compute_links(store, dataset, releases, auxiliary, protocol, progress);
    } else {
      BothLinks both = compute_links(store, dataset, releases, auxiliary, protocol, *absence, progress);
      result.links = std::move(both.links);
      result.rest = std::move(both.rest);
    }
    result.attacked = static_cast<std::uint64_t>(
        std::count_if(result.links.begin(), result.links.end(), [](const LinkView& link) { return link.attacked; }));
    result.searched = result.attacked;
    return result;
  }
  Relinking relinking(store, dataset, releases, auxiliary, protocol, id, absence);
  Relinked result = relinking.run(progress);
  store_basis(store, releases.front()->id, id, analyzer_of(protocol).name(), relinking.candidates(), relinking.basis());
  return result;
}

}  // namespace residue::query
