#include "verbs/ingest.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "ingest/atomize/atomize.h"
#include "ingest/batches/batch.h"
#include "ingest/batches/progress.h"
#include "ingest/files/answers.h"
#include "ingest/files/claims.h"
#include "ingest/files/control_of.h"
#include "ingest/files/judgments.h"
#include "ingest/files/labels.h"
#include "ingest/files/run.h"
#include "ingest/files/vectors.h"
#include "ingest/neighbours/open.h"
#include "ingest/rows/names.h"
#include "query/inputs/outdated.h"
#include "query/inputs/repeats.h"
#include "storage/catalog/lookup.h"
#include "verbs/runs/tags.h"

namespace residue::verbs {
namespace {

template <class Row>
class RowsInMemory final : public ingest::RowSource<Row> {
 public:
  explicit RowsInMemory(std::span<const Row> rows) : rows_(rows) {}

  ingest::RowResult next(Row& row, ingest::RowError& /*bad*/) override {
    if (at_ == rows_.size()) return ingest::RowResult::kEnd;
    row = rows_[at_++];
    if (row.line == 0) row.line = at_;
    return ingest::RowResult::kRow;
  }
  [[nodiscard]] std::uint64_t bytes_read() const override { return at_; }
  [[nodiscard]] std::optional<std::uint64_t> bytes_total() const override { return rows_.size(); }

 private:
  std::span<const Row> rows_;
  std::size_t at_ = 0;
};

ProgressFunction named(const NamedProgressFunction& progress, const std::string& what) {
  if (!progress) return {};
  return [&progress, what](std::uint64_t done, std::optional<std::uint64_t> total) { progress(what, done, total); };
}

void add(ingest::IngestResult& sum, ingest::IngestResult&& one) {
  sum.counts += one.counts;
  sum.fields += one.fields;
  sum.seconds += one.seconds;
  sum.notes = std::move(one.notes);
  for (auto& error : one.rejected) {
    if (sum.rejected.size() < ingest::kMaxRejectedListed) sum.rejected.push_back(std::move(error));
  }
  for (std::string& note : one.form) sum.form.push_back(std::move(note));
}

// Stores what `options` name: `open` makes rows of a file, `store_rows` takes them.
template <class Options, class Open, class StoreRows>
ingest::IngestResult store_all(const Options& options, const Open& open, const StoreRows& store_rows) {
  ingest::IngestOptions how;
  if constexpr (requires { options.source.numbered(); }) how.numbered = options.source.numbered();
  if (options.rows && !options.files.empty()) {
    throw Error(Code::kUsage, "both files and rows are given", "give one of them");
  }
  if (how.numbered && options.files.size() > 1) {
    throw Error(Code::kUsage, "--id auto can number the rows of only one file",
                "give one file: the rows of two files would have the same numbers");
  }
  how.skip_bad = options.skip_bad;
  how.append = options.append;
  how.interrupted = options.interrupted;
  ingest::IngestResult sum;
  if (options.rows) {
    how.batch_rows = ingest::kOneBatch;
    RowsInMemory rows(*options.rows);
    how.progress = named(options.progress, "reading rows");
    add(sum, store_rows(rows, ingest::SourceIdentity{}, how));
  }
  auto source = options.source;
  for (const std::string& file : options.files) {
    source.path = file;
    how.progress = named(options.progress, "reading " + file);
    const auto rows = open(source);
    how.batch_rows = options.passing || rows->whole() ? ingest::kOneBatch : ingest::IngestOptions{}.batch_rows;
    const ingest::SourceIdentity identity = options.passing ? ingest::SourceIdentity{} : ingest::identify(source);
    ingest::IngestResult one = store_rows(*rows, identity, how);
    if (options.file_done) options.file_done(file, one);
    add(sum, std::move(one));
  }
  for (std::string& note : ingest::field_notes(sum)) sum.notes.push_back(std::move(note));
  return sum;
}

}  // namespace

Ingested ingest_dataset(storage::Store& store, const DatasetOptions& options) {
  ingest::check_name("dataset", options.dataset);
  const storage::Lock kept = store.hold_targets();
  Ingested all;
  all.result = store_all(options, ingest::open_records, [&](auto& rows, const auto& file, const auto& how) {
    return options.control_of.empty()
               ? ingest::ingest_dataset(store, options.dataset, rows, file, how)
               : ingest::ingest_control(store, options.dataset, options.control_of, rows, file, how);
  });
  for (const std::string& note : query::outdated_notes(store.db(), options.dataset)) {
    all.remarks.push_back("outdated: " + note);
  }
  std::string repeated = query::repeats_note(query::repeats(store, storage::find_dataset(store.db(), options.dataset)));
  if (!repeated.empty()) all.remarks.push_back(std::move(repeated));
  return all;
}

Ingested ingest_claims(storage::Store& store, const ClaimsOptions& options) {
  const storage::Lock kept = store.hold_targets();
  const auto origin = options.outside ? ingest::ClaimOrigin::kOutside : ingest::ClaimOrigin::kTexts;
  Ingested all;
  all.result = store_all(options, ingest::open_claims, [&](auto& rows, const auto& file, const auto& how) {
    return ingest::ingest_claims(store, options.dataset, options.set, rows, file, how, origin);
  });
  // Attackers whose claims vote search the control none among the claims that the originals make themselves.
  if (options.outside) {
    ingest::IngestOptions how;
    how.interrupted = options.interrupted;
    ingest::atomize_dataset(store, options.dataset, ingest::kSentenceSet, options.jobs, how);
  }
  return all;
}

Ingested ingest_run(storage::Store& store, const RunOptions& wanted) {
  RunOptions options = wanted;
  options.source.synthetic = options.spec.synthetic;
  const TagOptions tags{{options.dataset, options.run}, options.tags, {}, options.note};
  check(tags);
  const storage::Lock kept = store.hold_targets();
  if (options.spent) {
    ingest::check_name("run", options.run);
    ingest::begin_declared(store, options.dataset, options.run, *options.spent);
  }
  Ingested all;
  all.result = store_all(options, ingest::open_run, [&](auto& rows, const auto& file, const auto& how) {
    return ingest::ingest_run(store, options.dataset, options.run, options.spec, rows, file, how);
  });
  const ingest::Counts& counts = all.result.counts;
  const bool changed = !options.version.empty() && counts.fresh + counts.changed > 0;
  note_made(store, tags, {options.version, std::nullopt, changed});
  if (options.spent) all.remarks = ingest::finish_declared(store, options.dataset, options.run, *options.spent);
  return all;
}

Ingested ingest_labels(storage::Store& store, const LabelsOptions& options) {
  if (options.source.kind == "response") {  // what a model answered, as ingest answers has it
    if (options.rows) throw Error(Code::kUsage, "responses are answers, not labels", "give them as rows of answers");
    AnswersOptions answers;
    static_cast<IngestFiles&>(answers) = options;
    answers.dataset = options.dataset;
    static_cast<ingest::SourceOptions&>(answers.source) = options.source;
    answers.source.labels = true;
    return ingest_answers(store, answers);
  }
  const storage::Lock kept = store.hold_targets();
  ingest::LabelsRead read;
  return {store_all(options, ingest::open_labels,
                    [&](auto& rows, const auto& file, const auto& how) {
                      return ingest::ingest_labels(store, options.dataset, options.source.kind, options.set, rows, file,
                                                   how, &read);
                    }),
          {}};
}

Ingested ingest_answers(storage::Store& store, const AnswersOptions& options) {
  const storage::Lock kept = store.hold_targets();
  return {store_all(options, ingest::open_answers_of,
                    [&](auto& rows, const auto& file, const auto& how) {
                      return ingest::ingest_answers(store, options.dataset, rows, file, how);
                    }),
          {}};
}

Ingested ingest_judgments(storage::Store& store, const JudgmentsOptions& options) {
  const std::string scale = options.source.reversed_scale ? "reversed" : "standard";
  return {store_all(options, ingest::open_judgments_of,
                    [&](auto& rows, ingest::SourceIdentity file, const auto& how) {
                      file.reading =
                          hash_of(file.reading, options.set + "\n" + options.dataset.value_or("") + "\n" + scale);
                      return ingest::ingest_judgments(store, options.dataset, options.set, rows, file, how);
                    }),
          {}};
}

Ingested ingest_vectors(storage::Store& store, const VectorsOptions& options) {
  if (options.source.ids && options.files.size() > 1) {
    throw Error(Code::kUsage, "one file of ids, several .npy files", "ingest them one by one");
  }
  return {store_all(options, ingest::open_vectors,
                    [&](auto& rows, ingest::SourceIdentity file, const auto& how) {
                      file.reading = hash_of(file.reading, options.set);
                      return ingest::ingest_vectors(store, options.dataset, options.model, options.set, rows, file,
                                                    how);
                    }),
          {}};
}

}  // namespace residue::verbs
