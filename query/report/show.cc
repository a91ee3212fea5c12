#include "query/report/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/json.h"
#include "base/nearest.h"
#include "query/inputs/snapshot.h"
#include "query/report/leaks.h"
#include "storage/catalog/lookup.h"

namespace residue::query {
namespace {

constexpr std::string_view kRuns =
    "SELECT u.name, u.kind, u.sanitizer, u.grp, u.params, u.seed,"
    " CASE WHEN u.kind IN ('none', 'remove-all') THEN (SELECT count(*) FROM record r WHERE r.dataset_id = u.dataset_id)"
    "      ELSE (SELECT count(*) FROM variant v WHERE v.run_id = u.id) END,"
    " (SELECT count(*) FROM variant v WHERE v.run_id = u.id AND v.text_id IS NULL), u.id"
    " FROM run u WHERE u.dataset_id = ?1 ORDER BY u.kind IN ('none', 'remove-all'), u.name";
constexpr std::string_view kErrors =
    "SELECT coalesce(error, ''), count(*) FROM variant WHERE run_id = ?1 AND text_id IS NULL"
    " GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5";
constexpr std::string_view kAsked =
    "SELECT count(*), coalesce(sum(a.tokens_in), 0), coalesce(sum(a.tokens_out), 0), coalesce(sum(a.cost), 0)"
    " FROM run_vote v JOIN attempt a ON a.vote = v.vote WHERE v.run_id = ?1";
constexpr std::string_view kVariants =
    "SELECT u.name, u.kind, v.id IS NOT NULL, v.text_id, coalesce(v.error, ''), u.removes_everything FROM run u"
    " LEFT JOIN variant v ON v.run_id = u.id AND v.record_id = ?2 WHERE u.dataset_id = ?1"
    " ORDER BY u.kind IN ('none', 'remove-all'), u.name";
constexpr std::string_view kClaims =
    "SELECT n, text_id, category FROM claim WHERE claim_set_id = ?1 AND record_id = ?2 ORDER BY n";
constexpr std::string_view kLink =
    "SELECT l.linked_id, l.tied, u.kind, l.linked_id = l.record_id,"
    " CASE u.kind WHEN 'synthetic' THEN (SELECT v.key FROM variant v WHERE v.id = l.linked_id)"
    "             ELSE (SELECT o.key FROM record o WHERE o.id = l.linked_id) END,"
    " CASE u.kind"
    "  WHEN 'aligned' THEN (SELECT v.text_id FROM variant v WHERE v.run_id = l.run_id AND v.record_id = l.linked_id)"
    "  WHEN 'synthetic' THEN (SELECT v.text_id FROM variant v WHERE v.id = l.linked_id)"
    "  WHEN 'none' THEN (SELECT o.text_id FROM record o WHERE o.id = l.linked_id) END,"
    " q.claims FROM link l JOIN run u ON u.id = l.run_id JOIN protocol p ON p.id = l.protocol_id"
    " LEFT JOIN auxiliary_query q ON q.auxiliary_id = p.auxiliary_id AND q.record_id = l.record_id"
    " WHERE l.run_id = ?1 AND l.protocol_id = ?2 AND l.record_id = ?3";
constexpr std::string_view kRatings =
    "SELECT c.n, m.rating, m.request_id FROM protocol p JOIN auxiliary a ON a.id = p.auxiliary_id"
    " JOIN claim c ON c.claim_set_id = a.claim_set_id AND c.record_id = ?2 JOIN judge j ON j.id = ?3"
    " JOIN judgment m ON m.judge_id = ?3 AND m.passage_id = ?4 AND m.claim_id = c.text_id"
    " AND m.request_id = CASE j.claims_per_request WHEN 1 THEN 0 ELSE (SELECT t.request_id FROM claim_request t"
    "  WHERE t.claim_set_id = c.claim_set_id AND t.size = j.claims_per_request AND t.record_id = c.record_id"
    "  AND t.n = c.n) END"
    " WHERE p.id = ?1 ORDER BY c.n";

template <class... Args>
bool exists(storage::Db& db, std::string_view sql, const Args&... args) {
  storage::Statement find = db.prepare(sql);
  return find.bind(args...).step();
}

bool has_record(storage::Db& db, DatasetId dataset, std::string_view key) {
  return exists(db, "SELECT 1 FROM record WHERE dataset_id = ?1 AND key = ?2", dataset, key);
}

// The keys that a misspelt one is compared with: of a large dataset the first ones.
std::vector<std::string> keys_of(storage::Db& db, DatasetId dataset) {
  storage::Statement find = db.prepare("SELECT key FROM record WHERE dataset_id = ?1 ORDER BY key LIMIT 20000");
  find.bind(dataset);
  std::vector<std::string> keys;
  while (find.step()) keys.emplace_back(find.text(0));
  return keys;
}

RunCard run_card(storage::Db& db, const storage::Statement& row) {
  RunCard card;
  card.run = std::string(row.text(0));
  card.kind = std::string(row.text(1));
  card.sanitizer = row.text_or_null(2);
  card.group = row.text_or_null(3);
  card.params = std::string(row.text(4));
  card.seed = row.integer_or_null(5);
  card.variants = row.integer(6);
  card.failed = row.integer(7);
  storage::Statement asked = db.prepare(kAsked);
  if (asked.bind(row.id<RunId>(8)).step()) {
    card.requests = static_cast<std::uint64_t>(asked.integer(0));
    card.tokens_in = static_cast<std::uint64_t>(asked.integer(1));
    card.tokens_out = static_cast<std::uint64_t>(asked.integer(2));
    card.cost_usd = static_cast<double>(asked.integer(3)) / 1e9;
  }
  storage::Statement errors = db.prepare(kErrors);
  errors.bind(row.id<RunId>(8));
  while (errors.step()) card.errors.emplace_back(std::string(errors.text(0)), errors.integer(1));
  return card;
}

VariantCard variant_card(const storage::Statement& row, TextId original) {
  VariantCard card;
  card.run = std::string(row.text(0));
  const std::string_view kind = row.text(1);
  if (kind == "none") {
    card.state = "ok";
    card.text = original;
  } else if (kind == "remove-all") {
    card.state = "removed";
  } else if (kind == "synthetic") {
    card.state = "synthetic";
  } else if (row.integer(2) == 0) {
    card.state = "absent";
  } else if (row.is_null(3)) {
    card.state = "failed";
    card.error = std::string(row.text(4));
  } else {
    card.state = "ok";
    card.text = row.id<TextId>(3);
  }
  return card;
}

// The claim set of the protocol evaluated last, else the dataset's default; empty where there is none.
std::string default_claim_set(storage::Db& db, DatasetId dataset, const std::string& name) {
  storage::Statement last = db.prepare(
      "SELECT s.name FROM dataset d JOIN protocol p ON p.id = d.protocol_id JOIN auxiliary a ON a.id = p.auxiliary_id"
      " JOIN claim_set s ON s.id = a.claim_set_id WHERE d.id = ?1");
  if (last.bind(dataset).step()) return std::string(last.text(0));
  if (!exists(db, "SELECT 1 FROM claim_set WHERE dataset_id = ?1", dataset)) return {};
  return find_claim_set(db, dataset, name, "").name;
}

}  // namespace

Reference resolve(storage::Db& db, std::string_view text, bool record) {
  Reference reference;
  const std::size_t slash = text.find('/');
  reference.dataset = std::string(text.substr(0, slash));
  const DatasetId dataset = storage::find_dataset(db, reference.dataset);
  if (slash == std::string_view::npos) return reference;
  const std::string_view rest = text.substr(slash + 1);
  if (!record && exists(db, "SELECT 1 FROM run WHERE dataset_id = ?1 AND name = ?2", dataset, rest)) {
    reference.run = std::string(rest);
    return reference;
  }
  if (has_record(db, dataset, rest)) {
    reference.record = std::string(rest);
    return reference;
  }
  if (const std::size_t hash = rest.rfind('#'); hash != std::string_view::npos) {
    const std::string_view digits = rest.substr(hash + 1);
    std::uint32_t n = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    const bool number = error == std::errc() && end == digits.data() + digits.size() && n > 0;
    if (number && has_record(db, dataset, rest.substr(0, hash))) {
      reference.record = std::string(rest.substr(0, hash));
      reference.claim = n;
      return reference;
    }
  }
  std::vector<std::string> known = keys_of(db, dataset);
  if (!record) {
    storage::Statement runs = db.prepare("SELECT name FROM run WHERE dataset_id = ?1");
    runs.bind(dataset);
    while (runs.step()) known.emplace_back(runs.text(0));
  }
  throw Error(Code::kNotFound,
              fmt::format("dataset {} has no {} \"{}\"{}", reference.dataset, record ? "record" : "run or record", rest,
                          did_you_mean(rest, known)),
              fmt::format("residue show {} lists the runs; record ids are case-sensitive", reference.dataset));
}

DatasetCard load_dataset_card(storage::Db& db, const std::string& dataset) {
  const DatasetId id = storage::find_dataset(db, dataset);
  DatasetCard card;
  card.dataset = dataset;
  storage::Statement counts = db.prepare("SELECT count(*), count(DISTINCT person) FROM record WHERE dataset_id = ?1");
  if (counts.bind(id).step()) {
    card.records = counts.integer(0);
    card.persons = counts.integer(1);
  }
  storage::Statement sets = db.prepare(
      "SELECT s.name, s.source, count(c.n), count(DISTINCT c.record_id) FROM claim_set s"
      " LEFT JOIN claim c ON c.claim_set_id = s.id WHERE s.dataset_id = ?1 GROUP BY s.id ORDER BY s.name");
  sets.bind(id);
  while (sets.step()) {
    card.claim_sets.push_back({std::string(sets.text(0)), std::string(sets.text(1)), sets.integer(2), sets.integer(3)});
  }
  storage::Statement runs = db.prepare(kRuns);
  runs.bind(id);
  while (runs.step()) card.runs.push_back(run_card(db, runs));
  return card;
}

RunCard load_run_card(storage::Db& db, const std::string& dataset, const std::string& run) {
  static_cast<void>(storage::find_run(db, dataset, run));
  for (RunCard& card : load_dataset_card(db, dataset).runs) {
    if (card.run == run) return std::move(card);
  }
  throw Error(Code::kInternal, "a run that was there is gone");
}

RecordCard load_record_card(storage::Store& store, const std::string& dataset, const std::string& record,
                            const std::string& claim_set) {
  storage::Db& db = store.db();
  const DatasetId dataset_id = storage::find_dataset(db, dataset);
  const RecordId id = storage::find_record(db, dataset, record);
  RecordCard card;
  card.dataset = dataset;
  card.record = record;
  storage::Statement find = db.prepare("SELECT person, label, text_id FROM record WHERE id = ?1");
  if (find.bind(id).step()) {
    card.person = find.text_or_null(0);
    card.label = find.text_or_null(1);
    card.text = find.id<TextId>(2);
  }
  card.claim_set = claim_set.empty() ? default_claim_set(db, dataset_id, dataset) : claim_set;
  if (!card.claim_set.empty()) {
    storage::Statement claims = db.prepare(kClaims);
    claims.bind(find_claim_set(db, dataset_id, dataset, card.claim_set).id, id);
    while (claims.step()) {
      card.claims.push_back(
          {static_cast<std::uint32_t>(claims.integer(0)), claims.id<TextId>(1), category_names(claims.text(2))});
    }
  }
  storage::Statement variants = db.prepare(kVariants);
  variants.bind(dataset_id, id);
  while (variants.step()) card.variants.push_back(variant_card(variants, card.text));
  return card;
}

AttackCard load_attack(storage::Db& db, const Lens& lens, const std::string& run, const std::string& record) {
  require_one_release(lens);
  const RunId run_id = storage::find_run(db, lens.dataset_name, run);
  const RecordId record_id = storage::find_record(db, lens.dataset_name, record);
  AttackCard card;
  storage::Statement link = db.prepare(kLink);
  link.bind(run_id, lens.protocol, record_id);
  if (!link.step()) return card;
  card.evaluated = true;
  card.linked = !link.is_null(0);
  card.tied = static_cast<std::uint32_t>(link.integer(1));
  if (card.linked && link.text(2) != "synthetic") card.right = link.integer(3) != 0;
  card.linked_key = std::string(link.text(4));
  if (!link.is_null(5)) card.linked_text = link.id<TextId>(5);
  const Json known = Json::parse(link.text(6)).value_or(Json());
  if (known.is_array()) card.known = known.get<std::vector<std::uint32_t>>();
  if (card.linked_text.value == 0) return card;
  storage::Statement ratings = db.prepare(kRatings);
  ratings.bind(lens.protocol, record_id, lens.judge, card.linked_text);
  while (ratings.step()) {
    card.ratings.push_back({static_cast<std::uint32_t>(ratings.integer(0)),
                            static_cast<std::uint8_t>(ratings.integer(1)),
                            request_claims(db, ratings.id<RequestId>(2))});
  }
  return card;
}

}  // namespace residue::query
