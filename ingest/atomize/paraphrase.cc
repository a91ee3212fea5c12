#include "ingest/atomize/paraphrase.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "ingest/atomize/claim_maker.h"
#include "ingest/batches/batch.h"
#include "ingest/batches/claim_pages.h"
#include "ingest/batches/claim_writer.h"
#include "model/asking/saved_answers.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/claim_set.h"

namespace residue::ingest {
namespace {

using storage::Statement;

std::string content_of(storage::Db& db, ClaimSetId set) {
  Statement find = db.prepare(storage::sql::kClaimSetContent);
  find.bind(set).step();
  return std::string(find.text(0));
}

}  // namespace

IngestResult paraphrase_claims(storage::Store& store, std::string_view dataset, std::string_view from,
                               std::string_view into, const model::Endpoint& endpoint, model::AskSession& session,
                               const IngestOptions& options, const model::TextTemplate& instructions) {
  check_name("claim set", into);
  const auto start = std::chrono::steady_clock::now();
  const storage::Lock kept = store.hold_targets();
  const DatasetId id = storage::find_dataset(store.db(), dataset);
  const ClaimSetId set = storage::find_claim_set(store.db(), dataset, from);
  check_complete(store.db(), fmt::format("dataset {}", dataset));
  check_complete(store.db(), fmt::format("claims {}/{}", dataset, from));
  if (from == into) {
    throw Error(Code::kUsage, "a paraphrase cannot replace its own claims", "name another set with --into");
  }
  TextAsker asker(store, model::TextTask::kParaphrase, endpoint, std::string(dataset), session, instructions);
  ClaimPages pages(store, id, set);
  ClaimWriter writer(store.db(), std::string(into), "model " + asker.name(fmt::format(", {} in other words", from)));
  const std::string made_from = content_of(store.db(), set);
  // While it is there, the set is incomplete.
  const std::string target = fmt::format("claims {}/{}", dataset, into);
  const SourceIdentity work{"(paraphrase)", 0, 0, 0};
  IngestPosition progress;
  std::uint64_t failed = 0, claims = 0;
  std::vector<RecordClaims> records;
  for (bool more = true; more;) {
    if (options.interrupted && options.interrupted()) fail_interrupted(progress, "records");
    more = pages.next(records);
    const std::vector<std::string_view> texts = texts_of(records);
    const auto answers = asker.ask(texts);
    const IngestPosition before = progress;
    const auto batch = store.write();
    writer.begin(*batch, id);
    model::keep_spec(batch->db(), asker.spec());
    std::size_t at = 0;
    for (const RecordClaims& record : records) {
      std::vector<ClaimText> words;
      for (const RecordClaims::Claim& claim : record.claims) {
        const auto& answer = answers[at++];
        if (answer) words.push_back({answer->front(), std::nullopt, claim.n});
      }
      const Outcome outcome = writer.replace_numbered(*batch, record.id, record.key, words);
      failed += record.claims.size() - words.size();
      if (words.size() == record.claims.size()) {
        progress.counts.add(outcome);
      } else {
        ++progress.counts.bad;
      }
    }
    writer.end();
    claims += texts.size();
    progress.rows += records.size();
    progress.lines = progress.rows;
    if (more) {
      save_progress(batch->db(), target, work, progress);
    } else {
      erase_progress(batch->db(), target, work.path);
      batch->db()
          .prepare(storage::sql::kUpdateClaimSetMadeFromWords)
          .run(writer.id(), Statement::Blob{made_from}, from);
    }
    commit(store, *batch, before, "records");
    if (options.progress) options.progress(claims, pages.total());
  }
  IngestResult result;
  result.counts = progress.counts;
  if (failed > 0) {
    result.notes.push_back(
        fmt::format("{} of {} claims of {} have no paraphrase, because model {} gave no usable answer: {}; a record "
                    "whose attack needs one of them is missing, and counts as leaked",
                    failed, claims, dataset, endpoint.name, asker.failures()));
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace residue::ingest
