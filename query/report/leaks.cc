#include "query/report/leaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "query/inputs/snapshot.h"
#include "query/report/judged_run.h"
#include "query/report/worst_leaks.h"
#include "query/sql/rows/leak_rows.h"
#include "query/stored/suspected_texts.h"
#include "storage/catalog/results/link.h"
#include "storage/catalog/sources/claim.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/variant.h"

namespace residue::query {
namespace {

// Throws Error{not found} unless some claim that is judged has the category.
void require_category(storage::Db& db, const Lens& lens, const LeakOptions& options) {
  std::set<std::string> known;
  storage::Statement all = db.prepare(storage::sql::kClaimCategoriesOfProtocol);
  all.bind(lens.protocol);
  while (all.step()) {
    for (std::string& name : category_names(all.text(0))) known.insert(std::move(name));
  }
  if (known.count(options.category) != 0) return;
  if (known.empty()) {
    throw Error(Code::kNotFound,
                fmt::format("no claim of the set \"{}\" of {} has a category", lens.spec.claim_set, options.dataset),
                "ingest claims with the field \"category\", an array of names");
  }
  const std::vector<std::string> names(known.begin(), known.end());
  throw Error(
      Code::kNotFound,
      fmt::format("no claim has the category \"{}\"{}", options.category, did_you_mean(options.category, names)),
      fmt::format("categories: {}", fmt::join(names, ", ")));
}

}  // namespace

Leak leak_of(const storage::Statement& row) {
  Leak leak;
  leak.record = std::string(row.text(0));
  leak.n = static_cast<std::uint32_t>(row.integer(1));
  leak.rating = static_cast<std::uint8_t>(row.integer(2));
  leak.categories = category_names(row.text(3));
  leak.linked = std::string(row.text(4));
  if (!row.is_null(5)) leak.right = row.integer(5) != 0;
  leak.claim_text = row.id<TextId>(6);
  leak.linked_text = row.id<TextId>(7);
  return leak;
}

std::vector<Leak> read_leaks(storage::Db& db, RunId run, ProtocolId protocol, JudgeId judge) {
  storage::Statement record = db.prepare(storage::sql::kRecordKeyById);
  storage::Statement variant = db.prepare(storage::sql::kVariantKeyById);
  const auto key_of = [&](const LeakRow& row) {
    if (row.right == true) return std::string(row.record);
    storage::Statement& find = row.right ? record : variant;
    std::string key = find.bind(row.linked).step() ? std::string(find.text(0)) : std::string();
    find.reset();
    return key;
  };
  std::map<std::string, std::vector<std::string>, std::less<>> names;  // few lists of categories are told apart
  const auto categories_of = [&](std::string_view json) -> const std::vector<std::string>& {
    const auto known = names.find(json);
    return known != names.end() ? known->second : names.emplace(json, category_names(json)).first->second;
  };
  std::vector<Leak> leaks;
  each_leak(db, run, protocol, judge, [&](const LeakRow& row) {
    Leak& leak = leaks.emplace_back();
    leak.record = row.record;
    leak.n = static_cast<std::uint32_t>(row.n);
    leak.rating = static_cast<std::uint8_t>(row.rating);
    leak.categories = categories_of(row.category.value_or(""));
    leak.linked = key_of(row);
    leak.right = row.right;
    leak.claim_text = row.claim_text;
    leak.linked_text = row.linked_text;
  });
  return leaks;
}

Leaks load_leaks(storage::Store& store, const LeakOptions& options) {
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  Leaks result;
  result.lens = find_lens(db, options.dataset, options.protocol, options.judge);
  const JudgedRun run = judged_run(db, result.lens, options.run);
  result.stale = run.stale;
  storage::Statement counts = db.prepare(storage::sql::kVariantCountsOfRunByFailure);
  if (counts.bind(run.id).step()) {
    result.failed = static_cast<std::uint64_t>(counts.integer(2));
    const std::int64_t absent = counts.integer(4) - counts.integer(1);
    if (counts.text(0) == "aligned" && absent > 0) result.failed += static_cast<std::uint64_t>(absent);
  }
  counts.reset();
  const auto texts = store.facts().read();
  result.failed += suspected_texts(db, *texts, run.id).size();
  if (options.limit != 0 && !result.stale) {
    if (std::optional<WorstLeaks> worst = worst_leaks(db, run.id, result.lens, options.limit, options.category)) {
      result.total = worst->total;
      result.records = worst->records;
      result.leaks = std::move(worst->leaks);
      return result;
    }
  }
  if (!options.category.empty()) require_category(db, result.lens, options);
  result.leaks = read_leaks(db, run.id, result.lens.protocol, result.lens.judge);
  std::map<std::string, std::uint32_t> per_record;
  for (const Leak& leak : result.leaks) ++per_record[leak.record];
  if (!options.category.empty()) {
    std::erase_if(result.leaks, [&](const Leak& leak) {
      return std::find(leak.categories.begin(), leak.categories.end(), options.category) == leak.categories.end();
    });
  }
  for (Leak& leak : result.leaks) leak.of_record = per_record[leak.record];
  std::sort(result.leaks.begin(), result.leaks.end(), [](const Leak& a, const Leak& b) {
    return std::tie(a.rating, b.of_record, a.record, a.n) < std::tie(b.rating, a.of_record, b.record, b.n);
  });
  result.total = result.leaks.size();
  result.records = per_record.size();
  if (options.limit != 0 && result.leaks.size() > options.limit) result.leaks.resize(options.limit);
  return result;
}

}  // namespace residue::query
