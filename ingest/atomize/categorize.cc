#include "ingest/atomize/categorize.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "ingest/atomize/claim_maker.h"
#include "ingest/batches/batch.h"
#include "ingest/batches/claim_pages.h"
#include "ingest/batches/label_writer.h"
#include "model/asking/saved_answers.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/claim.h"
#include "storage/catalog/sources/claim_set.h"

namespace residue::ingest {
namespace {

using storage::Statement;

// What speaks for the set from here on. Nothing is said yet, or said anew where somebody else spoke before.
void take_over(storage::WriteBatch& batch, ClaimSetId set, std::string_view who) {
  storage::Db& db = batch.db();
  Statement now = db.prepare(storage::sql::kClaimSetIsCategorizedBy);
  if (now.bind(set, who).step()) return;
  db.prepare(storage::sql::kUpdateClaimCategoriesToNull).run(set);
  db.prepare(storage::sql::kUpdateClaimSetCategorizer).run(set, who);
}

void require_free(storage::Db& db, std::string_view dataset, std::string_view name, ClaimSetId set, Categories old) {
  if (old == Categories::kReplace) return;
  Statement find = db.prepare(storage::sql::kClaimAnyWithCategoryFromFiles);
  if (!find.bind(set).step()) return;
  throw Error(
      Code::kUsage,
      fmt::format("the claims of the set \"{}\" of {} have categories that were read from files", name, dataset),
      "--replace puts others in their place");
}

Json payload_of(const RecordClaims& record, std::uint32_t n, const std::vector<std::string>& categories,
                const std::string& annotator) {
  return {{"annotator", annotator}, {"category", categories}, {"claim", fmt::format("{}#{}", record.key, n)}};
}

}  // namespace

void categorize_by_rules(storage::Store& store, std::string_view dataset, std::string_view set, text::CategoryList list,
                         Categories old) {
  const storage::Lock kept = store.hold_targets();
  const ClaimSetId id = storage::find_claim_set(store.db(), dataset, set);
  require_free(store.db(), dataset, set, id, old);
  const auto batch = store.write();
  take_over(*batch, id, text::rules_name(list));
  batch->commit();
}

IngestResult categorize_claims(storage::Store& store, std::string_view dataset, std::string_view set,
                               model::TextTask task, const model::Endpoint& endpoint, Categories old,
                               model::AskSession& session, const IngestOptions& options,
                               const model::TextTemplate& instructions) {
  const auto start = std::chrono::steady_clock::now();
  const storage::Lock kept = store.hold_targets();
  const DatasetId id = storage::find_dataset(store.db(), dataset);
  const ClaimSetId claims_of = storage::find_claim_set(store.db(), dataset, set);
  check_complete(store.db(), fmt::format("dataset {}", dataset));
  check_complete(store.db(), fmt::format("claims {}/{}", dataset, set));
  require_free(store.db(), dataset, set, claims_of, old);
  TextAsker asker(store, task, endpoint, std::string(dataset), session, instructions);
  const char* list = task == model::TextTask::kMedicalCategories ? "medical" : "general";
  const std::string annotator = "model " + asker.name(fmt::format(", {} categories of {}", list, set));
  LabelWriter writer(store.db(), id, "category", annotator);
  ClaimPages pages(store, id, claims_of);
  IngestPosition progress;
  std::uint64_t failed = 0, claims = 0;
  std::vector<RecordClaims> records;
  while (pages.next(records)) {
    if (options.interrupted && options.interrupted()) fail_interrupted(progress, "records");
    const std::vector<std::string_view> texts = texts_of(records);
    const auto answers = asker.ask(texts);
    const IngestPosition before = progress;
    const auto batch = store.write();
    model::keep_spec(batch->db(), asker.spec());
    take_over(*batch, claims_of, annotator);
    Statement put = batch->db().prepare(storage::sql::kUpdateClaimCategory);
    bool changed = false;
    std::size_t at = 0;
    for (const RecordClaims& record : records) {
      std::vector<Json> payloads;
      for (const RecordClaims::Claim& claim : record.claims) {
        const auto& answer = answers[at++];
        if (answer) payloads.push_back(payload_of(record, claim.n, *answer, annotator));
        put.run(claims_of, record.id, claim.n,
                answer ? std::optional(Json(*answer).dump()) : std::optional<std::string>());
        changed = changed || batch->db().changes() > 0;
      }
      const Outcome outcome = writer.replace(*batch, record.id, payloads);
      failed += record.claims.size() - payloads.size();
      if (payloads.size() == record.claims.size()) {
        progress.counts.add(outcome);
      } else {
        ++progress.counts.bad;
      }
    }
    claims += texts.size();
    if (changed) {
      batch->db().prepare(storage::sql::kUpdateClaimSetCategories).run(claims_of);
    }
    progress.rows += records.size();
    progress.lines = progress.rows;
    commit(store, *batch, before, "records");
    if (options.progress) options.progress(claims, pages.total());
  }
  IngestResult result;
  result.counts = progress.counts;
  if (failed > 0) {
    result.notes.push_back(fmt::format("{} of {} claims of {} have no label: model {} gave no usable answer: {}",
                                       failed, claims, dataset, endpoint.name, asker.failures()));
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace residue::ingest
