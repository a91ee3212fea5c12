#include "verbs/bring_in/categorize.h"

#include "base/error.h"
#include "ingest/atomize/categorize.h"
#include "model/server/endpoint.h"
#include "query/inputs/category_tags.h"
#include "query/inputs/snapshot.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/claim.h"

namespace residue::verbs {
namespace {

ingest::Categories old_ones(const CategorizeOptions& options) {
  return options.replace ? ingest::Categories::kReplace : ingest::Categories::kKeepIngested;
}

CategorizedByRules by_rules(storage::Store& store, const std::string& set, const CategorizeOptions& options) {
  ingest::categorize_by_rules(store, options.dataset, set, options.list, old_ones(options));
  const auto id = storage::find_claim_set(store.db(), options.dataset, set);
  query::categorize(store, id);
  storage::Statement count = store.db().prepare(storage::sql::kClaimCountsOfSetByCategory);
  count.bind(id);
  count.step();
  return {static_cast<std::uint64_t>(count.integer(0)), static_cast<std::uint64_t>(count.integer(1))};
}

}  // namespace

void check(const CategorizeOptions& options) {
  if (options.with == kByRules && options.instructions) {
    throw Error(Code::kUsage, "rules read no instructions: --template means nothing to them",
                "--with MODEL names a model");
  }
}

CategorizeResult categorize(storage::Store& store, const CategorizeOptions& options) {
  check(options);
  const std::string set = query::find_claim_set(store.db(), storage::find_dataset(store.db(), options.dataset),
                                                options.dataset, options.set, "--set NAME")
                              .name;
  CategorizeResult all;
  if (options.with == kByRules) {
    all.by_rules = by_rules(store, set, options);
    return all;
  }
  const auto task = options.list == text::CategoryList::kMedical ? model::TextTask::kMedicalCategories
                                                                 : model::TextTask::kGeneralCategories;
  model::AskSession session = session_of(options.asking);
  all.result =
      ingest::categorize_claims(store, options.dataset, set, task, model::find_endpoint(store.db(), options.with),
                                old_ones(options), session, storing(options.asking, true), options.instructions);
  all.asked = session.counts;
  return all;
}

}  // namespace residue::verbs
