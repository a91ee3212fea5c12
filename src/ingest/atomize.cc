#include "ingest/atomize.h"

#include "base/error.h"
#include "ingest/atomizer.h"
#include "ingest/batch.h"
#include "ingest/claim_writer.h"
#include "ingest/parallel.h"
#include "ingest/record_pages.h"

namespace residue::ingest {

IngestResult atomize_dataset(storage::Store& store, std::string_view dataset, std::string_view set, unsigned jobs,
                             const IngestOptions& options) {
  check_name("claim set", set);
  const auto start = std::chrono::steady_clock::now();
  const storage::Lock kept = store.hold_targets();
  IngestResult result;
  RecordPages pages(store, dataset);
  ClaimWriter writer(store.db(), std::string(set), std::string(kAtomizerVersion));
  // While it is there, the set is incomplete.
  const std::string target = fmt::format("claims {}/{}", dataset, set);
  const SourceIdentity work{"(atomize)", 0, 0, 0};
  Progress progress;
  std::vector<RecordText> records;
  for (bool more = true; more;) {
    if (options.interrupted && options.interrupted()) fail_interrupted(progress, "records");
    more = pages.next(records);
    std::vector<std::vector<std::string>> claims(records.size());
    parallel_for(records.size(), jobs, [&](std::size_t i) { claims[i] = atomize(records[i].text); });
    const Progress before = progress;
    const auto batch = store.write();
    writer.begin(*batch, pages.dataset());
    std::vector<ClaimText> texts;
    for (std::size_t i = 0; i < records.size(); ++i) {
      texts.clear();
      for (const std::string& claim : claims[i]) texts.push_back({claim, std::nullopt});
      progress.counts.add(writer.replace(*batch, records[i].id, records[i].key, texts));
    }
    writer.end();
    progress.rows += records.size();
    progress.lines = progress.rows;
    if (more) {
      save_progress(batch->db(), target, work, progress);
    } else {
      erase_progress(batch->db(), target, work.path);
      batch->db()
          .prepare(
              "UPDATE claim_set SET made_from = (SELECT content FROM dataset WHERE id = ?1) "
              "WHERE dataset_id = ?1 AND name = ?2")
          .run(pages.dataset(), set);
    }
    commit(store, *batch, before, "records");
    if (options.progress) options.progress(progress.rows, pages.total());
  }
  result.counts = progress.counts;
  result.notes = claim_notes(store.db(), dataset, set);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace residue::ingest
