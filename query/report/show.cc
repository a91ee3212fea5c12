#include "query/report/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/json.h"
#include "base/nearest.h"
#include "model/suspicion/one_for_many.h"
#include "query/inputs/snapshot.h"
#include "query/report/leaks.h"
#include "query/stored/suspected_texts.h"
#include "storage/catalog/answers/attempt.h"
#include "storage/catalog/answers/judgment.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/results/link.h"
#include "storage/catalog/sources/claim.h"
#include "storage/catalog/sources/claim_set.h"
#include "storage/catalog/sources/dataset.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run.h"
#include "storage/catalog/sources/variant.h"

namespace residue::query {
namespace {

constexpr std::string_view kRuns = storage::sql::kRunsForCard;
constexpr std::string_view kErrors = storage::sql::kVariantErrorsOfRun;
constexpr std::string_view kAsked = storage::sql::kAttemptSumsOfRunVotes;
constexpr std::string_view kVariants = storage::sql::kVariantsOfRecordInAllRuns;
constexpr std::string_view kClaims = storage::sql::kClaimsOfRecordWithCategory;
constexpr std::string_view kLink = storage::sql::kLinkOfRecordWithLinkedText;
constexpr std::string_view kRatings = storage::sql::kJudgmentsOfRecordOnPassage;

template <class... Args>
bool exists(storage::Db& db, std::string_view sql, const Args&... args) {
  storage::Statement find = db.prepare(sql);
  return find.bind(args...).step();
}

bool has_record(storage::Db& db, DatasetId dataset, std::string_view key) {
  return exists(db, storage::sql::kRecordExistsByKey, dataset, key);
}

// The keys that a misspelt one is compared with: of a large dataset the first ones.
std::vector<std::string> keys_of(storage::Db& db, DatasetId dataset) {
  storage::Statement find = db.prepare(storage::sql::kRecordFirstKeysInOrder);
  find.bind(dataset);
  std::vector<std::string> keys;
  while (find.step()) keys.emplace_back(find.text(0));
  return keys;
}

RunCard run_card(storage::Store& store, const storage::Statement& row) {
  storage::Db& db = store.db();
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
    card.uncounted_usd = static_cast<double>(asked.integer(4)) / 1e9;
  }
  storage::Statement errors = db.prepare(kErrors);
  errors.bind(row.id<RunId>(8));
  while (errors.step()) card.errors.emplace_back(std::string(errors.text(0)), errors.integer(1));
  if (card.kind != "aligned") return card;
  const auto texts = store.facts().read();
  if (const auto more = suspected_texts(db, *texts, row.id<RunId>(8)).size(); more > 0) {
    card.failed += static_cast<std::int64_t>(more);
    card.errors.emplace_back(model::kOneForMany, more);
  }
  return card;
}

// A text that is suspected can be read: whoever looks at it knows whether it is meant.
VariantCard variant_card(storage::Store& store, const storage::Statement& row, RecordId record, TextId original) {
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
    card.text = row.id<TextId>(3);
    const auto texts = store.facts().read();
    const bool failed = !nothing_suspected(store.db(), *texts, row.id<RunId>(6)) &&
                        model::is_one_for_many(store.db(), *texts, row.id<RunId>(6), record, card.text);
    card.state = failed ? "failed" : "ok";
    if (failed) card.error = std::string(model::kOneForMany);
  }
  return card;
}

// The second column of the first row for the dataset.
std::optional<std::string> named(storage::Db& db, std::string_view sql, DatasetId dataset) {
  storage::Statement find = db.prepare(sql);
  return find.bind(dataset).step() ? std::optional(std::string(find.text(1))) : std::nullopt;
}

// The claim set of the protocol evaluated last, else the dataset's default; empty where there is none.
std::string default_claim_set(storage::Db& db, DatasetId dataset, const std::string& name) {
  storage::Statement last = db.prepare(storage::sql::kClaimSetNameOfLastEvaluation);
  if (last.bind(dataset).step()) return std::string(last.text(0));
  if (!exists(db, storage::sql::kClaimSetAnyOfDataset, dataset)) return {};
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
  if (!record && exists(db, storage::sql::kRunExistsByName, dataset, rest)) {
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
    storage::Statement runs = db.prepare(storage::sql::kRunNamesOfDataset);
    runs.bind(dataset);
    while (runs.step()) known.emplace_back(runs.text(0));
  }
  throw Error(Code::kNotFound,
              fmt::format("dataset {} has no {} \"{}\"{}", reference.dataset, record ? "record" : "run or record", rest,
                          did_you_mean(rest, known)),
              fmt::format("residue show {} lists the runs; record ids are case-sensitive", reference.dataset));
}

DatasetCard load_dataset_card(storage::Store& store, const std::string& dataset) {
  storage::Db& db = store.db();
  const DatasetId id = storage::find_dataset(db, dataset);
  DatasetCard card;
  card.dataset = dataset;
  storage::Statement counts = db.prepare(storage::sql::kRecordAndPersonCountOfDataset);
  if (counts.bind(id).step()) {
    card.records = counts.integer(0);
    card.persons = counts.integer(1);
  }
  card.control_of = named(db, storage::sql::kDatasetControlledBy, id);
  card.control = named(db, storage::sql::kDatasetControlOf, id);
  storage::Statement sets = db.prepare(storage::sql::kClaimSetsWithCounts);
  sets.bind(id);
  while (sets.step()) {
    card.claim_sets.push_back({std::string(sets.text(0)), std::string(sets.text(1)), sets.integer(2), sets.integer(3),
                               std::string(sets.text(4))});
  }
  storage::Statement runs = db.prepare(kRuns);
  runs.bind(id);
  while (runs.step()) card.runs.push_back(run_card(store, runs));
  return card;
}

RunCard load_run_card(storage::Store& store, const std::string& dataset, const std::string& run) {
  static_cast<void>(storage::find_run(store.db(), dataset, run));
  for (RunCard& card : load_dataset_card(store, dataset).runs) {
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
  storage::Statement find = db.prepare(storage::sql::kRecordPersonLabelAndText);
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
  while (variants.step()) card.variants.push_back(variant_card(store, variants, id, card.text));
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
