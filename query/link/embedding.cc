#include "query/link/embedding.h"

#include <algorithm>

#include "query/inputs/auxiliary.h"
#include "query/inputs/snapshot.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/claim.h"
#include "storage/catalog/sources/claim_set.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run_claim.h"
#include "storage/catalog/sources/variant.h"

namespace residue::query {
namespace {

using storage::Statement;

class Gathering {
 public:
  Gathering(storage::Store& store, const EmbedPlan& plan)
      : store_(store), plan_(plan), id_(storage::find_dataset(store.db(), plan.dataset)) {
    if (plan.run) static_cast<void>(storage::find_run(store.db(), plan.dataset, *plan.run));
    sets_ = plan.claim_sets;
    if (!sets_.empty()) return;
    Statement all = store.db().prepare(storage::sql::kClaimSetNamesInOrder);
    all.bind(id_);
    while (all.step()) sets_.emplace_back(all.text(0));
  }

  // What attackers say.
  std::vector<TextId> queries() {
    std::vector<TextId> texts = claims();
    for (const ProtocolSpec& spec : plan_.protocols) {
      const DatasetView view =
          load_dataset(store_, id_, plan_.dataset, find_claim_set(store_.db(), id_, plan_.dataset, spec.claim_set));
      for (const AuxiliaryView::Known& known : sync_auxiliary(store_, view, spec.policy).known) {
        texts.push_back(known.query);
      }
    }
    return texts;
  }

  // What they look among.
  std::vector<TextId> passages() {
    std::vector<TextId> texts;
    for (const RunHead& run : list_runs(store_.db(), id_)) {
      if (plan_.run && *plan_.run != run.name) continue;
      if (run.kind == RunKind::kNone) {
        require_complete(store_.db(), plan_.dataset, "", "");
        add(texts, storage::sql::kRecordTextsOfDataset, id_.value);
        for (const TextId claim : claims()) texts.push_back(claim);
        if (outside())
          add(texts, storage::sql::kClaimTextsOfSet, find_own_claims(store_.db(), id_, plan_.dataset).id.value);
      } else if (run.kind != RunKind::kRemoveAll) {
        require_complete(store_.db(), plan_.dataset, "", run.name);
        add(texts, storage::sql::kVariantTextsOfRun, run.id.value);
        add(texts, storage::sql::kRunClaimTextsOfRun, run.id.value);
      }
    }
    return texts;
  }

 private:
  void add(std::vector<TextId>& texts, const char* sql, std::int64_t of) {
    Statement rows = store_.db().prepare(sql);
    rows.bind(of);
    while (rows.step()) texts.push_back(rows.id<TextId>(0));
  }

  // Whether claims of the sets are not those of the texts: what the texts say is in another set then.
  bool outside() {
    return std::any_of(sets_.begin(), sets_.end(), [&](const std::string& set) {
      return find_claim_set(store_.db(), id_, plan_.dataset, set, "--set NAME").outside;
    });
  }

  std::vector<TextId> claims() {
    std::vector<TextId> texts;
    for (const std::string& set : sets_) {
      const ClaimSetHead head = find_claim_set(store_.db(), id_, plan_.dataset, set, "--set NAME");
      require_complete(store_.db(), plan_.dataset, head.name, "");
      add(texts, storage::sql::kClaimTextsOfSet, head.id.value);
    }
    return texts;
  }

  storage::Store& store_;
  const EmbedPlan& plan_;
  const DatasetId id_;
  std::vector<std::string> sets_;
};

}  // namespace

model::EmbedCounts embed_for_attacks(storage::Store& store, const EmbedPlan& plan, const model::Endpoint& endpoint,
                                     model::AskSession& session) {
  const model::Embedding& embedding = model::require_embedding(endpoint);
  const storage::Lock kept = store.hold_targets();
  const storage::Lock held = store.hold_texts();
  Gathering gathering(store, plan);
  std::vector<TextId> queries = gathering.queries();
  std::vector<TextId> passages = gathering.passages();
  model::claim_embedder(store, endpoint);
  model::EmbedCounts counts;
  if (embedding.query_prefix == embedding.passage_prefix) {  // one vector serves both
    passages.insert(passages.end(), queries.begin(), queries.end());
  } else {
    counts += model::embed(store, endpoint, plan.dataset, model::Side::kQuery, queries, session);
  }
  counts += model::embed(store, endpoint, plan.dataset, model::Side::kPassage, passages, session);
  return counts;
}

}  // namespace residue::query
