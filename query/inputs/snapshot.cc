#include "query/inputs/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "model/suspicion/one_for_many.h"
#include "numbers/stats/bootstrap.h"
#include "query/inputs/repeats.h"
#include "storage/catalog/sources/claim.h"
#include "storage/catalog/sources/claim_set.h"
#include "storage/catalog/sources/dataset.h"
#include "storage/catalog/sources/ingest_progress.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run.h"
#include "storage/catalog/sources/variant.h"
#include "text/characters/unicode.h"

namespace residue::query {
namespace {

RunKind kind_of(std::string_view name) {
  if (name == "synthetic") return RunKind::kSynthetic;
  if (name == "none") return RunKind::kNone;
  if (name == "remove-all") return RunKind::kRemoveAll;
  return RunKind::kAligned;
}

std::optional<TextId> empty_text(const storage::Store& store) { return store.facts().read()->find(""); }

}  // namespace

ClaimSetHead find_claim_set(storage::Db& db, DatasetId dataset, const std::string& dataset_name,
                            const std::string& name, std::string_view place) {
  std::vector<ClaimSetHead> sets;
  storage::Statement find = db.prepare(storage::sql::kClaimSetsInNameOrder);
  find.bind(dataset);
  while (find.step()) {
    sets.push_back({find.id<ClaimSetId>(0), std::string(find.text(1)), std::string(find.text(2)),
                    std::string(find.text(3)), find.integer(4) != 0});
  }
  if (sets.empty()) {
    throw Error(Code::kNotFound, fmt::format("dataset {} has no claims", dataset_name),
                fmt::format("residue atomize {}, or residue ingest claims {} FILE", dataset_name, dataset_name));
  }
  const std::string wanted = name.empty() ? (sets.size() == 1 ? sets[0].name : "claims") : name;
  std::string known;
  for (const ClaimSetHead& set : sets) {
    if (set.name == wanted) return set;
    known += (known.empty() ? "" : ", ") + set.name;
  }
  throw Error(Code::kNotFound,
              name.empty() ? fmt::format("dataset {} has several claim sets", dataset_name)
                           : fmt::format("dataset {} has no claim set \"{}\"", dataset_name, name),
              fmt::format("name one of them in the protocol, {}: {}", place, known));
}

OwnClaims find_own_claims(storage::Db& db, DatasetId dataset, const std::string& dataset_name) {
  storage::Statement find = db.prepare(storage::sql::kClaimSetOfSentences);
  const std::string remedy = fmt::format("residue atomize {}", dataset_name);
  if (!find.bind(dataset).step()) {
    throw Error(
        Code::kNotFound,
        fmt::format("the texts of {} have no claims of their own: the judged claims are from outside", dataset_name),
        remedy);
  }
  if (find.integer(2) == 0) {
    throw Error(Code::kBadInput,
                fmt::format("records of {} changed after their claims \"{}\" were made", dataset_name, find.text(1)),
                remedy);
  }
  return {find.id<ClaimSetId>(0), std::string(find.text(1))};
}

std::string dataset_content(storage::Db& db, DatasetId dataset) {
  storage::Statement find = db.prepare(storage::sql::kDatasetContent);
  find.bind(dataset);
  if (!find.step()) throw Error(Code::kNotFound, "the dataset is gone", "another process removed it");
  return std::string(find.text(0));
}

std::vector<RunHead> list_runs(storage::Db& db, DatasetId dataset) {
  std::vector<RunHead> runs;
  storage::Statement find = db.prepare(storage::sql::kRunsInNameOrder);
  find.bind(dataset);
  while (find.step()) {
    runs.push_back({find.id<RunId>(0), std::string(find.text(1)), kind_of(find.text(2)), std::string(find.text(3))});
  }
  return runs;
}

void require_complete(storage::Db& db, const std::string& dataset, const std::string& claim_set,
                      const std::string& run) {
  storage::Statement find = db.prepare(storage::sql::kIngestProgressLinesOfTarget);
  const std::array<std::pair<std::string, std::string>, 3> targets = {
      std::pair{"dataset " + dataset, "dataset " + dataset},
      std::pair{"claims " + dataset + "/" + claim_set, "claim set " + dataset + "/" + claim_set},
      std::pair{"run " + dataset + "/" + run, "run " + dataset + "/" + run}};
  for (const auto& [target, what] : targets) {
    find.bind(target);
    if (!find.step()) continue;
    throw Error(Code::kBadInput,
                fmt::format("{} is incomplete: its input was read to line {} only", what, find.integer(0)),
                "repeat the ingest command: it continues where it stopped");
  }
}

std::vector<std::string> category_names(std::string_view json) {
  std::vector<std::string> names;
  for (const Json& name : Json::parse(json).value_or(Json())) {
    if (name.is_string()) names.push_back(name.get<std::string>());
  }
  return names;
}

std::uint32_t CategoryAnswers::add(std::string_view json) {
  const auto [known, is_new] = known_.try_emplace(std::string(json), static_cast<std::uint32_t>(answers_.size()));
  if (!is_new) return known->second;
  Answer answer{true, category_names(json), numbers::kBootstrapSeed};
  std::sort(answer.names.begin(), answer.names.end());
  answer.names.erase(std::unique(answer.names.begin(), answer.names.end()), answer.names.end());
  for (const std::string& name : answer.names) answer.hash = hash_of(answer.hash, name);
  answers_.push_back(std::move(answer));
  return known->second;
}

std::vector<std::vector<ClaimView>> load_claims(storage::Db& db, const DatasetView& dataset, ClaimSetId set,
                                                CategoryAnswers* categories) {
  std::vector<std::vector<ClaimView>> claims(dataset.records.size());
  storage::Statement all = db.prepare(storage::sql::kClaimsOfSetWithCategory);
  all.bind(set);
  while (all.step()) {
    const auto found = dataset.position.find(all.id<RecordId>(0));
    if (found == dataset.position.end()) continue;
    const bool said = categories != nullptr && !all.is_null(3);
    claims[found->second].push_back(
        {static_cast<std::uint32_t>(all.integer(1)), all.id<TextId>(2), said ? categories->add(all.text(3)) : 0, {}});
  }
  return claims;
}

DatasetView load_dataset(storage::Store& store, DatasetId dataset, const std::string& name,
                         const ClaimSetHead& claims) {
  DatasetView view;
  view.id = dataset;
  view.name = name;
  view.claim_set = claims.id;
  view.claim_set_name = claims.name;
  view.claims_outside = claims.outside;
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  const auto empty = empty_text(store);
  view.content = dataset_content(db, dataset);
  storage::Statement set = db.prepare(storage::sql::kClaimSetContentWithCategories);
  set.bind(claims.id);
  if (set.step()) {
    view.claims_content = std::string(set.text(0));
    view.categories_content = std::string(set.text(1));
  }

  storage::Statement records = db.prepare(storage::sql::kRecordsInIdOrderWithPerson);
  records.bind(dataset);
  const ResamplingUnits resampling(db, dataset, empty);
  std::unordered_set<std::uint64_t> units;
  while (records.step()) {
    RecordView record;
    record.id = records.id<RecordId>(0);
    record.key = std::string(records.text(1));
    record.text = records.id<TextId>(2);
    record.empty = empty && record.text == *empty;
    record.unit = resampling.of(record.key, records.text_or_null(3), record.text);
    view.independent = units.insert(record.unit).second && view.independent;
    view.position.emplace(record.id, view.records.size());
    view.records.push_back(std::move(record));
  }
  view.claims = load_claims(db, view, claims.id, &view.categories);
  return view;
}

namespace {

void fail_repeated_texts(const DatasetView& dataset, const storage::Facts::Reader& texts, RunView& view) {
  std::vector<model::GivenText> given;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < view.variants.size(); ++i) {
    if (!view.variants[i].ok || view.variants[i].text.value == 0) continue;
    given.push_back({dataset.records[i].text, view.variants[i].text});
    places.push_back(i);
  }
  const std::vector<bool> failed = model::one_for_many(given, dataset.records.size(), texts);
  for (std::size_t i = 0; i < failed.size(); ++i) {
    if (!failed[i]) continue;
    view.variants[places[i]] = {};
    ++view.repeated;
  }
}

constexpr std::size_t kFewTexts = 3;

// Whether half of the texts of a generator are one and the same, as those of no original are: it has not worked.
bool mostly_one_text(const DatasetView& dataset, const std::vector<RunView::Synthetic>& texts) {
  const auto most = [](const auto& all) {
    std::unordered_map<TextId, std::size_t> counts;
    std::size_t greatest = 0;
    for (const auto& one : all) greatest = std::max(greatest, one.text.value == 0 ? 0 : ++counts[one.text]);
    return greatest;
  };
  const std::size_t greatest = most(texts);
  return greatest >= kFewTexts && greatest * 2 >= texts.size() && most(dataset.records) * 2 < dataset.records.size();
}

}  // namespace

RunView load_run(storage::Store& store, const DatasetView& dataset, const RunHead& run, bool none_suspected) {
  RunView view;
  view.id = run.id;
  view.name = run.name;
  view.kind = run.kind;
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  const auto empty = empty_text(store);
  storage::Statement head = db.prepare(storage::sql::kRunContentAndRemovesEverything);
  head.bind(run.id);
  if (!head.step()) throw Error(Code::kNotFound, "the run is gone", "another process removed it");
  view.content = std::string(head.text(0));
  const bool may_be_empty = head.integer(1) != 0;
  const bool meant = head.integer(2) != 0;
  head.reset();

  if (view.aligned()) view.variants.resize(dataset.records.size());
  if (view.kind == RunKind::kNone || view.kind == RunKind::kRemoveAll) {
    for (std::size_t i = 0; i < view.variants.size(); ++i) {
      const bool kept = view.kind == RunKind::kNone && !dataset.records[i].empty;
      view.variants[i] = {true, kept ? dataset.records[i].text : TextId{}, TextId{}};
    }
    return view;
  }
  storage::Statement variants = db.prepare(storage::sql::kVariantsInIdOrder);
  variants.bind(run.id);
  const auto texts = store.facts().read();
  const auto nothing_to_keep = [&](const RecordView& record) {
    return record.empty || !text::has_visible(texts->text(record.text));
  };
  while (variants.step()) {
    const bool lost = variants.is_null(3);
    TextId text = lost ? TextId{} : variants.id<TextId>(3);
    if (empty && text == *empty) text = TextId{};
    if (!view.aligned()) {
      view.failed += lost ? 1 : 0;
      if (!lost) view.synthetic.push_back({variants.id<CandidateId>(0), std::string(variants.text(2)), text});
      continue;
    }
    const auto found = dataset.position.find(variants.id<RecordId>(1));
    if (found == dataset.position.end()) continue;
    VariantView& variant = view.variants[found->second];
    variant = {!lost, text, variants.id<TextId>(5)};
    // Whether an empty text is a failure follows from the original as it is now, not as it was when the text came.
    const bool nothing = lost ? variants.integer_or_null(4).value_or(0) != 0 : text.value == 0 && !may_be_empty;
    if (nothing) variant.ok = nothing_to_keep(dataset.records[found->second]);
  }
  if (view.aligned() && !meant && !none_suspected) fail_repeated_texts(dataset, *texts, view);
  view.lost = !view.aligned() &&
              (view.failed > 0 || view.synthetic.empty() || (!meant && mostly_one_text(dataset, view.synthetic)));
  return view;
}

}  // namespace residue::query
