#include "ingest/atomize/atomize.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/batches/batch.h"
#include "ingest/batches/claim_writer.h"
#include "ingest/batches/record_pages.h"
#include "storage/catalog/sources/claim_set.h"

namespace residue::ingest {
namespace {

std::vector<std::string_view> views_of(const std::vector<RecordText>& records) {
  std::vector<std::string_view> views;
  views.reserve(records.size());
  for (const RecordText& record : records) views.push_back(record.text);
  return views;
}

}  // namespace

IngestResult atomize_dataset(storage::Store& store, std::string_view dataset, std::string_view set, unsigned jobs,
                             const IngestOptions& options) {
  SentenceMaker maker(jobs);
  return atomize_dataset(store, dataset, set, maker, options);
}

IngestResult atomize_dataset(storage::Store& store, std::string_view dataset, std::string_view set, ClaimMaker& maker,
                             const IngestOptions& options) {
  check_name("claim set", set);
  const auto start = std::chrono::steady_clock::now();
  const storage::Lock kept = store.hold_targets();
  IngestResult result;
  RecordPages pages(store, dataset);
  ClaimWriter writer(store.db(), std::string(set), maker.source());
  // While it is there, the set is incomplete.
  const std::string target = fmt::format("claims {}/{}", dataset, set);
  const SourceIdentity work{"(atomize)", 0, 0, 0};
  IngestPosition progress;
  std::vector<RecordText> records;
  for (bool more = true; more;) {
    if (options.interrupted && options.interrupted()) fail_interrupted(progress, "records");
    more = pages.next(records);
    const auto claims = maker.make(views_of(records));
    const IngestPosition before = progress;
    const auto batch = store.write();
    writer.begin(*batch, pages.dataset());
    maker.record(batch->db());
    std::vector<ClaimText> texts;
    for (std::size_t i = 0; i < records.size(); ++i) {
      texts.clear();
      if (claims[i]) {
        for (const std::string& claim : *claims[i]) texts.push_back({claim, std::nullopt});
      }
      const Outcome outcome = writer.replace(*batch, records[i].id, records[i].key, texts);
      if (claims[i]) {
        progress.counts.add(outcome);
      } else {
        ++progress.counts.bad;
      }
    }
    writer.end();
    progress.rows += records.size();
    progress.lines = progress.rows;
    if (more) {
      save_progress(batch->db(), target, work, progress);
    } else {
      erase_progress(batch->db(), target, work.path);
      batch->db().prepare(storage::sql::kUpdateClaimSetMadeFromDataset).run(pages.dataset(), set);
    }
    commit(store, *batch, before, "records");
    if (options.progress) options.progress(progress.rows, pages.total());
  }
  result.counts = progress.counts;
  if (progress.counts.bad > 0) {
    result.notes.push_back(fmt::format("{} of {} records of {} failed and have no claims: {}", progress.counts.bad,
                                       progress.rows, dataset, maker.failures()));
  }
  for (std::string& note : claim_notes(store.db(), dataset, set)) result.notes.push_back(std::move(note));
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace residue::ingest
