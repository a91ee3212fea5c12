#include "query/inputs/category_tags.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "storage/catalog/sources/claim.h"
#include "storage/catalog/sources/claim_set.h"
#include "text/support/categories.h"

namespace residue::query {
namespace {

using storage::Statement;
using text::CategoryList;

constexpr std::int64_t kClaimsAtOnce = 4'096;  // other writers wait for some milliseconds

struct Set {
  bool by_rules = false;
  bool outdated = false;  // by other rules than ours
  CategoryList list = CategoryList::kGeneral;
};

Set look(storage::Db& db, ClaimSetId id) {
  Set set;
  Statement find = db.prepare(storage::sql::kClaimSetCategorizer);
  if (!find.bind(id).step()) return set;
  if (find.is_null(0)) {
    Statement said = db.prepare(storage::sql::kClaimAnyWithCategory);
    set.by_rules = !said.bind(id).step();
    return set;
  }
  const std::string_view name = find.text(0);
  set.by_rules = name.substr(0, 6) == "rules/";
  const std::string_view medical = text::category_list_name(CategoryList::kMedical);
  if (name.size() > medical.size() && name.substr(name.size() - medical.size()) == medical) {
    set.list = CategoryList::kMedical;
  }
  set.outdated = set.by_rules && name != text::rules_name(set.list);
  return set;
}

struct Claim {
  RecordId record;
  std::int64_t n = 0;
  TextId text;
};

std::vector<Claim> untold(storage::Db& db, ClaimSetId set) {
  std::vector<Claim> claims;
  Statement rows = db.prepare(storage::sql::kClaimsWithoutCategory);
  rows.bind(set, kClaimsAtOnce);
  while (rows.step()) claims.push_back({rows.id<RecordId>(0), rows.integer(1), rows.id<TextId>(2)});
  return claims;
}

}  // namespace

void categorize(storage::Store& store, ClaimSetId id) {
  const Set set = look(store.db(), id);
  if (!set.by_rules) return;
  const storage::Lock texts = store.hold_texts();
  if (set.outdated) {
    const auto batch = store.write();
    batch->db().prepare(storage::sql::kUpdateClaimCategoriesToNull).run(id);
    batch->db().prepare(storage::sql::kUpdateClaimSetCategorizer).run(id, text::rules_name(set.list));
    batch->commit();
  }
  for (;;) {
    const std::vector<Claim> claims = untold(store.db(), id);
    if (claims.empty()) return;
    const auto reader = store.facts().read();
    std::vector<std::string> found;
    for (const Claim& claim : claims) {
      found.push_back(Json(text::categories(reader->text(claim.text), set.list)).dump());
    }
    const auto batch = store.write();
    Statement put = batch->db().prepare(storage::sql::kUpdateClaimCategoryWhereNobodySaid);
    for (std::size_t i = 0; i < claims.size(); ++i) {
      put.run(id, claims[i].record, claims[i].n, claims[i].text, found[i]);
    }
    batch->db().prepare(storage::sql::kUpdateClaimSetCategorizer).run(id, text::rules_name(set.list));
    batch->commit();
  }
}

}  // namespace residue::query
