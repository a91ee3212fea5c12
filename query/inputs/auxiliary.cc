#include "query/inputs/auxiliary.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>

#include "query/inputs/texts.h"
#include "storage/catalog/results/auxiliary.h"
#include "storage/catalog/results/auxiliary_query.h"

namespace residue::query {
namespace {

constexpr std::size_t kBatch = 1'024;  // records; other writers wait for some milliseconds

std::string json_array(const std::vector<std::uint32_t>& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ","));
}

struct Stored {
  TextId query;
  std::string claims;
  bool too_few = false;
};

AuxiliaryId find_or_add(storage::Db& db, ClaimSetId set, const std::string& policy, bool& current,
                        const std::string& content) {
  storage::Statement find = db.prepare(storage::sql::kAuxiliaryByPolicy);
  find.bind(set, policy);
  if (find.step()) {
    current = find.text(1) == content;
    return find.id<AuxiliaryId>(0);
  }
  current = false;
  storage::Statement add = db.prepare(storage::sql::kInsertAuxiliary);
  add.run(set, policy, storage::Statement::Blob{""});
  return AuxiliaryId{db.last_insert_id()};
}

std::unordered_map<RecordId, Stored> load_rows(storage::Db& db, AuxiliaryId id) {
  std::unordered_map<RecordId, Stored> rows;
  storage::Statement all = db.prepare(storage::sql::kAuxiliaryQueriesOfAuxiliary);
  all.bind(id);
  while (all.step()) {
    rows.emplace(all.id<RecordId>(0), Stored{all.id<TextId>(1), std::string(all.text(2)), all.integer(3) != 0});
  }
  return rows;
}

std::vector<std::uint32_t> positions(const std::vector<ClaimView>& claims) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(claims.size());
  for (const ClaimView& claim : claims) numbers.push_back(claim.n);
  return numbers;
}

// The claim set that the policy names beside the one that is judged.
struct OtherClaims {
  std::string content;
  std::vector<std::vector<ClaimView>> claims;  // by record; of none if the policy names no set
};

OtherClaims load_other(storage::Store& store, const DatasetView& dataset, const Policy& policy) {
  OtherClaims other;
  const std::string& name = policy.kind == Policy::Kind::kGiven ? policy.given : policy.words;
  other.claims.resize(dataset.records.size());
  if (name.empty()) return other;
  const ClaimSetHead head = find_claim_set(store.db(), dataset.id, dataset.name, name, policy.place_of_set());
  other.content = head.content;
  other.claims = load_claims(store.db(), dataset, head.id);
  return other;
}

// What is said of each of the records [begin, end), joined by one space.
std::vector<std::string> join_queries(const storage::Store& store, const std::vector<AuxiliaryView::Known>& known,
                                      std::size_t begin, std::size_t end) {
  std::vector<TextId> ids;
  for (std::size_t i = begin; i < end; ++i) ids.insert(ids.end(), known[i].said.begin(), known[i].said.end());
  const std::vector<std::string> texts = load_texts(store, ids);
  std::vector<std::string> queries(end - begin);
  std::size_t at = 0;
  for (std::size_t i = begin; i < end; ++i) {
    for (std::size_t j = 0; j < known[i].said.size(); ++j) {
      if (j > 0) queries[i - begin] += ' ';
      queries[i - begin] += texts[at++];
    }
  }
  return queries;
}

}  // namespace

void choose_known(const Policy& policy, std::string_view key, const std::vector<ClaimView>& claims,
                  const std::vector<ClaimView>& other, AuxiliaryView::Known& known) {
  if (policy.kind == Policy::Kind::kGiven) {
    for (const ClaimView& claim : other) known.texts.push_back(claim.text);
    for (const ClaimView& claim : claims) {
      const bool given = std::find(known.texts.begin(), known.texts.end(), claim.text) != known.texts.end();
      if (given) known.claims.push_back(claim.n);
    }
    known.too_few = known.claims.size() == claims.size();
    known.said = known.texts;
    return;
  }
  const std::vector<std::uint32_t> numbers = positions(claims);
  known.claims = select_auxiliary(policy, key, numbers);
  known.too_few = policy.kind != Policy::Kind::kAll && numbers.size() <= policy.k;
  std::size_t next = 0;
  for (const ClaimView& claim : claims) {
    if (next == known.claims.size() || known.claims[next] != claim.n) continue;
    known.texts.push_back(claim.text);
    ++next;
  }
  if (policy.words.empty()) {
    known.said = known.texts;
    return;
  }
  for (const std::uint32_t n : known.claims) {
    const auto found = std::find_if(other.begin(), other.end(), [&](const ClaimView& claim) { return claim.n == n; });
    if (found == other.end()) {
      known.said.clear();
      return;
    }
    known.said.push_back(found->text);
  }
}

namespace {

// What is known, by the claims; and by the rows, if they are of `content`.
AuxiliaryView look(storage::Store& store, const DatasetView& dataset, const Policy& policy, std::string& content,
                   bool& current) {
  AuxiliaryView view;
  view.known.resize(dataset.records.size());
  view.everything = policy.kind == Policy::Kind::kAll;
  const OtherClaims other = load_other(store, dataset, policy);
  content = dataset.claims_content + other.content;
  for (std::size_t i = 0; i < view.known.size(); ++i) {
    choose_known(policy, dataset.records[i].key, dataset.claims[i], other.claims[i], view.known[i]);
  }
  storage::Statement find = store.db().prepare(storage::sql::kAuxiliaryByPolicy);
  find.bind(dataset.claim_set, policy.name());
  current = false;
  if (!find.step()) return view;
  view.id = find.id<AuxiliaryId>(0);
  current = find.text(1) == content;
  find.reset();
  if (!current) return view;
  const auto rows = load_rows(store.db(), view.id);
  for (std::size_t i = 0; i < dataset.records.size(); ++i) {
    const auto found = rows.find(dataset.records[i].id);
    if (found != rows.end()) view.known[i].query = found->second.query;
  }
  return view;
}

}  // namespace

AuxiliaryView look_at_auxiliary(storage::Store& store, const DatasetView& dataset, const Policy& policy,
                                bool& current) {
  std::string content;
  return look(store, dataset, policy, content, current);
}

void find_queries(storage::Store& store, AuxiliaryView& view) {
  for (std::size_t begin = 0; begin < view.known.size(); begin += kBatch) {
    const std::size_t end = std::min(begin + kBatch, view.known.size());
    const std::vector<std::string> queries = join_queries(store, view.known, begin, end);
    const auto texts = store.facts().read();
    for (std::size_t i = begin; i < end; ++i) {
      AuxiliaryView::Known& known = view.known[i];
      if (!known.said.empty()) known.query = texts->find(queries[i - begin]).value_or(TextId{-1});
    }
  }
}

AuxiliaryView sync_auxiliary(storage::Store& store, const DatasetView& dataset, const Policy& policy) {
  std::string content;
  bool current = false;
  AuxiliaryView view = look(store, dataset, policy, content, current);
  if (current) return view;
  auto rows = view.id.value != 0 ? load_rows(store.db(), view.id) : std::unordered_map<RecordId, Stored>();

  for (std::size_t begin = 0; begin < dataset.records.size() || begin == 0; begin += kBatch) {
    const std::size_t end = std::min(begin + kBatch, dataset.records.size());
    const std::vector<std::string> queries = join_queries(store, view.known, begin, end);
    const auto batch = store.write();
    storage::Db& db = batch->db();
    if (view.id.value == 0) {
      view.id = find_or_add(db, dataset.claim_set, policy.name(), current, content);
      rows = load_rows(db, view.id);
    }
    // Rows of two contents must never look current, whatever happens between the batches.
    if (begin == 0) db.prepare(storage::sql::kUpdateAuxiliaryContent).run(view.id, storage::Statement::Blob{""});
    storage::Statement put = db.prepare(storage::sql::kInsertOrUpdateAuxiliaryQuery);
    storage::Statement erase = db.prepare(storage::sql::kDeleteAuxiliaryQueryOfRecord);
    for (std::size_t i = begin; i < end; ++i) {
      AuxiliaryView::Known& known = view.known[i];
      const auto stored = rows.find(dataset.records[i].id);
      if (known.said.empty()) {
        if (stored != rows.end()) erase.run(view.id, dataset.records[i].id);
        continue;
      }
      known.query = batch->put_text(queries[i - begin], storage::PrivacyClass::kOriginal);
      const std::string claims = json_array(known.claims);
      if (stored != rows.end() && stored->second.query == known.query && stored->second.claims == claims &&
          stored->second.too_few == known.too_few) {
        continue;
      }
      put.run(view.id, dataset.records[i].id, known.query, known.too_few, claims);
    }
    if (end == dataset.records.size()) {
      db.prepare(storage::sql::kUpdateAuxiliaryContent).run(view.id, storage::Statement::Blob{content});
    }
    batch->commit();
    if (end == dataset.records.size()) break;
  }
  return view;
}

}  // namespace residue::query
