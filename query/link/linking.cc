#include "query/link/linking.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "base/progress.h"
#include "index/candidates.h"
#include "index/combined_linker.h"
#include "index/rouge/rouge_linker.h"
#include "query/inputs/texts.h"
#include "query/link/attack.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/results/link.h"

namespace residue::query {
namespace {

constexpr std::size_t kRowsAtOnce = 2'048;  // other writers wait for some milliseconds

}  // namespace

std::optional<index::Place> told_place(std::span<const index::Hit> hits, bool all, CandidateId own,
                                       std::size_t candidates) {
  const bool told = all || std::ranges::find(hits, own, &index::Hit::candidate) != hits.end();
  return told && own.value != 0 ? std::optional(index::place_in(hits, own, candidates)) : std::nullopt;
}

LinkPlace to_place(const Sight& sight, const std::optional<index::Place>& place) {
  LinkPlace result{.attacked = true,
                   .ahead = std::nullopt,
                   .persons = sight.crowd.persons,
                   .own_person = sight.crowd.own,
                   .sure = sight.sure,
                   .rest_sure = sight.rest_sure};
  if (place) result.ahead = place->ahead, result.level = place->level;
  return result;
}

std::vector<Found> found_of(std::vector<std::vector<index::Hit>> hits, std::span<const Sight> sights,
                            std::span<const std::optional<index::Place>> places) {
  std::vector<Found> found(hits.size());
  for (std::size_t i = 0; i < hits.size(); ++i) {
    found[i] = {std::move(hits[i]), sights[i].rest, sights[i].third, to_place(sights[i], places[i])};
  }
  return found;
}

std::vector<Found> found_of(std::span<const std::size_t> records, std::span<const CandidateId> own, Voted voted,
                            const Beside& beside) {
  std::vector<Found> found(records.size());
  voted.rest.resize(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    std::vector<index::Hit>& hits = voted.hits[i];
    const Sight sight = sight_of_votes(hits, voted.rest[i], records[i], beside);
    std::optional<index::Place> place;
    if (beside.people != nullptr && own[i].value != 0) place = index::place_in(hits, own[i], voted.candidates);
    hits.resize(std::min(hits.size(), kTopK));
    found[i] = {std::move(hits), sight.rest, sight.third, to_place(sight, place)};
  }
  return found;
}

std::vector<CandidateId> own_candidates(const DatasetView& dataset, const Releases& releases,
                                        std::span<const std::size_t> records) {
  std::vector<CandidateId> own;
  for (const std::size_t i : records) own.push_back(own_candidate(dataset, releases, i));
  return own;
}

std::unique_ptr<index::RougeLinker> open_rouge(storage::Store& store, const RunCandidates& candidates,
                                               const ProtocolSpec& protocol) {
  const auto score = protocol.linker->measure == Measure::kRougeF ? index::RougeScore::kF : index::RougeScore::kRecall;
  const std::vector<std::string> texts = load_texts(store, candidates.texts);
  std::vector<index::RougeText> all;
  all.reserve(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) all.push_back({candidates.ids[i], texts[i]});
  return std::make_unique<index::RougeLinker>(table_of(candidates), all, score);
}

std::unique_ptr<index::Linker> combine(std::vector<std::unique_ptr<index::Linker>> linkers,
                                       const RunCandidates& candidates) {
  return std::make_unique<index::CombinedLinker>(std::move(linkers), table_of(candidates));
}

// The sums must not depend on which of them is evaluated.
Releases by_name(const Releases& releases) {
  Releases sorted = releases;
  std::sort(sorted.begin(), sorted.end(), [](const RunView* a, const RunView* b) { return a->name < b->name; });
  return sorted;
}

CandidateId own_candidate(const DatasetView& dataset, const Releases& releases, std::size_t record) {
  for (const RunView* run : releases) {
    if (run->aligned() && run->variants[record].ok) return CandidateId{dataset.records[record].id.value};
  }
  return {};
}

LinkView to_link(const std::vector<index::Hit>& hits, CandidateId own) {
  LinkView link;
  link.attacked = true;
  if (hits.empty()) return link;
  link.linked = hits[0].candidate;
  link.tied = hits[0].tied;
  for (std::size_t rank = 0; rank < hits.size(); ++rank) {
    if (own.value != 0 && hits[rank].candidate == own) link.rank = static_cast<std::uint32_t>(rank + 1);
  }
  return link;
}

index::CandidateTable table_of(const RunCandidates& candidates) {
  std::vector<index::Candidate> table;
  table.reserve(candidates.ids.size());
  for (std::size_t i = 0; i < candidates.ids.size(); ++i) table.push_back({candidates.ids[i], candidates.keys[i]});
  return std::make_shared<const index::Candidates>(table);
}

RunCandidates candidates_of(const DatasetView& dataset, const RunView& run) {
  RunCandidates candidates;
  const auto add = [&](CandidateId id, const std::string& key, TextId text) {
    candidates.ids.push_back(id);
    candidates.keys.push_back(key);
    candidates.texts.push_back(text);
  };
  for (std::size_t i = 0; i < run.variants.size(); ++i) {
    if (run.variants[i].ok) add(CandidateId{dataset.records[i].id.value}, dataset.records[i].key, run.variants[i].text);
  }
  for (const auto& variant : run.synthetic) add(variant.id, variant.key, variant.text);
  return candidates;
}

RunCandidates candidates_of(const DatasetView& dataset, const Releases& releases) {
  if (releases.size() == 1) return candidates_of(dataset, *releases.front());
  std::map<CandidateId, std::pair<std::string, TextId>> all;
  for (const RunView* release : releases) {
    const RunCandidates some = candidates_of(dataset, *release);
    for (std::size_t i = 0; i < some.ids.size(); ++i) all.try_emplace(some.ids[i], some.keys[i], some.texts[i]);
  }
  RunCandidates candidates;
  for (const auto& [id, one] : all) {
    candidates.ids.push_back(id);
    candidates.keys.push_back(one.first);
    candidates.texts.push_back(one.second);
  }
  return candidates;
}

void each_attacked(const AuxiliaryView& auxiliary, const ProgressFunction& progress,
                   const std::function<void(const std::vector<std::size_t>& records)>& take) {
  in_chunks(auxiliary.known.size(), kQueriesAtOnce, progress, [&](std::size_t begin, std::size_t end) {
    std::vector<std::size_t> records;
    for (std::size_t i = begin; i < end; ++i) {
      if (auxiliary.known[i].query.value != 0) records.push_back(i);
    }
    take(records);
  });
}

void for_hits(storage::Store& store, const DatasetView& dataset, const Releases& releases,
              const AuxiliaryView& auxiliary, const ProtocolSpec& protocol, const ProgressFunction& progress,
              const std::function<void(std::size_t record, const std::vector<index::Hit>& hits)>& take) {
  const std::unique_ptr<Attack> attack = protocol.linker->attack({store, dataset, releases, auxiliary, protocol});
  each_attacked(auxiliary, progress, [&](const std::vector<std::size_t>& records) {
    const auto hits = attack->top(records);
    for (std::size_t j = 0; j < records.size(); ++j) take(records[j], hits[j]);
  });
}

std::vector<LinkView> compute_links(storage::Store& store, const DatasetView& dataset, const Releases& releases,
                                    const AuxiliaryView& auxiliary, const ProtocolSpec& protocol,
                                    const ProgressFunction& progress) {
  std::vector<LinkView> links(dataset.records.size());
  for_hits(store, dataset, releases, auxiliary, protocol, progress,
           [&](std::size_t record, const std::vector<index::Hit>& hits) {
             links[record] = to_link(hits, own_candidate(dataset, releases, record));
           });
  return links;
}

LinkView to_rest(const std::optional<index::Hit>& rest) {
  LinkView link;
  link.attacked = true;
  if (rest) link.linked = rest->candidate, link.tied = rest->tied;
  return link;
}

AllLinks compute_links(storage::Store& store, const DatasetView& dataset, const Releases& releases,
                       const AuxiliaryView& auxiliary, const ProtocolSpec& protocol, const Beside& beside,
                       const ProgressFunction& progress) {
  const std::size_t count = dataset.records.size();
  const std::size_t absent = beside.absence == nullptr ? 0 : count;
  AllLinks all{std::vector<LinkView>(count), std::vector<LinkView>(absent), std::vector<LinkView>(absent),
               std::vector<LinkPlace>(beside.people == nullptr ? 0 : count)};
  const std::unique_ptr<Attack> attack = protocol.linker->attack({store, dataset, releases, auxiliary, protocol});
  each_attacked(auxiliary, progress, [&](const std::vector<std::size_t>& records) {
    const std::vector<Found> found = attack->look(records, beside);
    for (std::size_t j = 0; j < records.size(); ++j) {
      const std::size_t i = records[j];
      all.links[i] = to_link(found[j].hits, own_candidate(dataset, releases, i));
      if (beside.absence != nullptr) all.rest[i] = to_rest(found[j].rest), all.third[i] = to_rest(found[j].third);
      if (beside.people != nullptr) all.places[i] = found[j].place;
    }
  });
  return all;
}

std::vector<LinkView> load_links(storage::Store& store, const DatasetView& dataset, RunId run, ProtocolId protocol) {
  std::vector<LinkView> links(dataset.records.size());
  storage::Statement all = store.db().prepare(storage::sql::kLinksOfRunUnderProtocol);
  all.bind(run, protocol);
  while (all.step()) {
    const auto found = dataset.position.find(all.id<RecordId>(0));
    if (found == dataset.position.end()) continue;
    LinkView& link = links[found->second];
    link.attacked = true;
    link.linked = CandidateId{all.integer_or_null(1).value_or(0)};
    link.tied = static_cast<std::uint32_t>(all.integer(2));
    if (const auto rank = all.integer_or_null(3)) link.rank = static_cast<std::uint32_t>(*rank);
  }
  return links;
}

std::uint64_t store_links(storage::Store& store, const DatasetView& dataset, RunId run, ProtocolId protocol,
                          const std::vector<LinkView>& links, ProtocolId scored) {
  const std::vector<LinkView> stored = load_links(store, dataset, run, protocol);
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (!(links[i] == stored[i])) changed.push_back(i);
  }
  for (std::size_t begin = 0; begin < changed.size(); begin += kRowsAtOnce) {
    const auto batch = store.write();
    // The scores no longer belong to these links; without this, a death here and an edit taken back would hide it.
    batch->db()
        .prepare(storage::sql::kUpdateEvaluationIncompleteOfLinks)
        .run(run, scored, storage::Statement::Blob{""});
    storage::Statement put = batch->db().prepare(storage::sql::kInsertOrUpdateLink);
    storage::Statement erase = batch->db().prepare(storage::sql::kDeleteLinkOfRecord);
    for (std::size_t j = begin; j < std::min(begin + kRowsAtOnce, changed.size()); ++j) {
      const LinkView& link = links[changed[j]];
      const RecordId record = dataset.records[changed[j]].id;
      if (!link.attacked) {
        erase.run(run, protocol, record);
        continue;
      }
      std::optional<std::int64_t> linked;
      if (link.linked.value != 0) linked = link.linked.value;
      put.run(run, protocol, record, linked, link.tied, link.rank);
    }
    batch->commit();
  }
  return changed.size();
}

std::optional<VariantView> linked_variant(const DatasetView& dataset, const RunView& run, CandidateId linked) {
  if (run.aligned()) {
    const auto found = dataset.position.find(RecordId{linked.value});
    if (found == dataset.position.end() || !run.variants[found->second].ok) return std::nullopt;
    return run.variants[found->second];
  }
  const auto found =
      std::lower_bound(run.synthetic.begin(), run.synthetic.end(), linked,
                       [](const RunView::Synthetic& variant, CandidateId id) { return variant.id < id; });
  if (found == run.synthetic.end() || found->id != linked) return std::nullopt;
  return VariantView{true, found->text, TextId{}};
}

std::vector<TextId> linked_texts(const DatasetView& dataset, const Releases& releases, CandidateId linked) {
  std::vector<TextId> texts;
  for (const RunView* run : releases) {
    if (const auto variant = linked_variant(dataset, *run, linked)) texts.push_back(variant->text);
  }
  return texts;
}

}  // namespace residue::query
