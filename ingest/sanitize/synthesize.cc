#include "ingest/sanitize/synthesize.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "ingest/batches/batch.h"
#include "ingest/batches/run_writer.h"
#include "ingest/sanitize/releases.h"
#include "storage/catalog/sources/run.h"

namespace residue::ingest {
namespace {

constexpr std::uint64_t kPageTexts = 4096;

std::vector<SanitizeOutput> page_of(const Synthesizer& synthesizer, std::uint64_t from, std::uint64_t count,
                                    unsigned jobs) {
  std::vector<SanitizeOutput> page(count);
  parallel_for(page.size(), jobs, [&](std::size_t i) { page[i] = synthesizer.text(from + i); });
  return page;
}

}  // namespace

IngestResult synthesize(storage::Store& store, const SynthesisTarget& target, RunSpec spec,
                        const Synthesizer& synthesizer, unsigned jobs, const IngestOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  spec.synthetic = true;
  RunWriter writer(store.db(), target.run, spec, false);
  // While it is there, the run is incomplete.
  const std::string unfinished = fmt::format("run {}/{}", target.dataset_name, target.run);
  const SourceIdentity work{"(sanitize)", 0, 0, 0};
  IngestPosition progress;
  const std::uint64_t texts = synthesizer.texts();
  const auto promise = synthesizer.promise();
  if (promise && target.announce) target.announce(spending_line(store, target.dataset_name, *promise));
  while (progress.rows < texts) {
    if (options.interrupted && options.interrupted()) fail_interrupted(progress, "texts");
    const std::uint64_t count = std::min(kPageTexts, texts - progress.rows);
    const std::vector<SanitizeOutput> page = page_of(synthesizer, progress.rows, count, jobs);
    const IngestPosition before = progress;
    const auto batch = store.write();
    writer.begin(target.dataset);
    if (promise && before.rows == 0) keep_release(batch->db(), target.dataset_name, target.run, *promise);
    for (const SanitizeOutput& output : page) {
      Outcome outcome = Outcome::kNew;
      static_cast<void>(
          writer.put(*batch, std::to_string(++progress.rows), VariantText{output.text, output.error}, outcome));
      progress.counts.add(outcome);
    }
    progress.lines = progress.rows;
    if (progress.rows < texts) {
      writer.end();
      save_progress(batch->db(), unfinished, work, progress);
    } else {
      writer.drop_behind(texts);
      writer.end();
      erase_progress(batch->db(), unfinished, work.path);
      batch->db()
          .prepare(storage::sql::kUpdateRunMadeFrom)
          .run(target.dataset, target.run, storage::Statement::Blob{synthesizer.made_from()});
    }
    commit(store, *batch, before, "texts");
    if (options.progress) options.progress(progress.rows, texts);
  }
  IngestResult result;
  result.counts = progress.counts;
  result.notes = synthesizer.notes();
  for (std::string& note : run_notes(store.db(), target.dataset_name, target.run)) result.notes.push_back(note);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace residue::ingest
