#include "verbs/quick.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "ingest/atomize/atomize.h"
#include "ingest/batches/progress.h"
#include "ingest/files/dataset.h"
#include "ingest/files/run.h"
#include "ingest/sanitize/sanitize.h"
#include "query/evaluate/eval_options.h"
#include "query/evaluate/evaluate.h"
#include "query/inputs/texts.h"
#include "query/report/leaks.h"
#include "storage/catalog/lookup.h"

namespace residue::verbs {
namespace {

constexpr std::size_t kWorst = 3;
constexpr const char* kFilesRun = "sanitized";

// What the program can do to texts without a model: enough to see what the kinds differ in.
struct BuiltIn {
  const char* run;
  const char* method;
  std::map<std::string, std::string> params;
  std::optional<std::uint64_t> seed;
};
const std::vector<BuiltIn>& built_in() {
  static const std::vector<BuiltIn> all = {
      {"scrub", "scrub", {}, {}},
      {"surrogates", "scrub", {{"replacement", "surrogate"}}, {}},
      {"random-mask", "random-mask", {{"rate", "0.3"}}, 42},
      {"p-filter", "p-filter", {{"train", std::string(kQuickDataset)}, {"own", "yes"}, {"p", "3e-2"}}, {}},
  };
  return all;
}

void bring_in(storage::Store& store, const QuickOptions& options, QuickResult& result) {
  ingest::IngestOptions how;
  how.interrupted = options.interrupted;
  how.numbered = result.files.numbered;
  ingest::RecordSourceOptions records;
  records.path = options.originals;
  records.id = options.fields.id;
  if (how.numbered) records.id = std::string(ingest::kNumberedRows);
  records.text = options.fields.text;
  ingest::ingest_dataset(store, kQuickDataset, *ingest::open_records(records), ingest::identify(records), how);
  ingest::atomize_dataset(store, kQuickDataset, ingest::kSentenceSet, options.jobs, how);
  if (!options.sanitized) return;
  ingest::VariantSourceOptions variants;
  static_cast<ingest::RecordSourceOptions&>(variants) = records;
  variants.path = *options.sanitized;
  if (options.fields.sanitized_id && !how.numbered) variants.id = options.fields.sanitized_id;
  if (options.fields.sanitized_text) variants.text = options.fields.sanitized_text;
  how.skip_bad = true;  // compare_files has said how many lines these are
  const auto run = ingest::ingest_run(store, kQuickDataset, kFilesRun, {}, *ingest::open_variants(variants),
                                      ingest::identify(variants), how);
  for (const std::string& note : run.notes) {
    if (note.find("have no variant") == std::string::npos) result.remarks.push_back(note);  // said by compare_files
  }
}

void sanitize(storage::Store& store, const QuickOptions& options, QuickResult& result) {
  for (const BuiltIn& one : built_in()) {
    if (options.progress) options.progress(fmt::format("sanitizing with {}", one.run), 0, std::nullopt);
    ingest::IngestOptions how;
    how.interrupted = options.interrupted;
    ingest::SanitizePlan plan;
    plan.method = one.method;
    plan.params = one.params;
    plan.seed = one.seed;
    try {
      ingest::sanitize_dataset(store, kQuickDataset, one.run, plan, options.jobs, how);
    } catch (const Error& error) {  // texts too few for a language model, for example
      if (error.code() == Code::kInterrupted || error.code() == Code::kInternal) throw;
      result.remarks.push_back(fmt::format("{} is not shown: {}", one.run, error.what()));
    }
  }
}

const query::ReportMetric* metric_of(const query::ReportRun& run, query::MetricId id) {
  const auto found = run.metrics.find(id);
  return found == run.metrics.end() ? nullptr : &found->second;
}

// The run whose records are looked at: the only one, or the one that leaks least (what is left in the best of them).
std::string looked_at(const query::Report& report) {
  std::string best;
  double least = 2;
  for (const query::ReportRun& run : report.runs) {
    if (run.control) continue;
    const query::ReportMetric* leaked = metric_of(run, query::MetricId::kLeakRate);
    const double value = leaked == nullptr ? 1 : leaked->all.value.value_or(1);
    if (value < least) {
      least = value;
      best = run.run;
    }
  }
  return best;
}

void find_worst(storage::Store& store, QuickResult& result) {
  query::LeakOptions wanted;
  wanted.dataset = std::string(kQuickDataset);
  wanted.run = result.worst_run;
  const query::Leaks leaks = query::load_leaks(store, wanted);
  result.failed = leaks.failed;
  std::vector<TextId> claims;
  for (const query::Leak& leak : leaks.leaks) {  // worst first
    const auto known = [&](const WorstRecord& worst) { return worst.record == leak.record; };
    if (std::ranges::any_of(result.worst, known)) continue;
    result.worst.push_back({leak.record, leak.of_record, {}, leak.rating == 1});
    claims.push_back(leak.claim_text);
    if (result.worst.size() == kWorst) break;
  }
  const std::vector<std::string> texts = query::load_texts(store, claims);
  for (std::size_t i = 0; i < texts.size(); ++i) result.worst[i].claim = texts[i];
}

}  // namespace

QuickResult quick(storage::Store& store, const QuickOptions& options) {
  QuickResult result;
  result.files = options.sanitized ? compare_files(options.originals, *options.sanitized, options.fields)
                                   : look_at(options.originals, options.fields);
  result.remarks = result.files.remarks;
  bring_in(store, options, result);
  if (!options.sanitized) sanitize(store, options, result);

  query::EvalOptions how;
  how.interrupted = options.interrupted;
  how.progress = options.progress;
  const query::EvalCounts counts = query::evaluate(store, {{std::string(kQuickDataset), std::nullopt}}, how);
  for (const std::string& note : counts.notes) result.remarks.push_back(note);

  query::ReportOptions wanted;
  wanted.dataset = std::string(kQuickDataset);
  const storage::Lock texts = store.hold_texts();
  result.report = query::load_report(store, wanted);
  result.worst_run = looked_at(result.report);
  if (!result.worst_run.empty()) find_worst(store, result);
  return result;
}

Verdict verdict(const query::MetricValue& distance, const query::MetricValue& originals) {
  if (!distance.value || !originals.value || *originals.value >= 1) return Verdict::kUnknown;
  const double share = (1 - distance.low.value_or(*distance.value)) / (1 - *originals.value);
  if (share >= 0.9) return Verdict::kAll;
  if (share >= 0.5) return Verdict::kMost;
  return share >= 0.1 ? Verdict::kPart : Verdict::kLittle;
}

}  // namespace residue::verbs
