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
#include "query/evaluate/evaluate.h"
#include "query/inputs/protocol.h"
#include "query/inputs/repeats.h"
#include "query/inputs/texts.h"
#include "query/inputs/uncovered.h"
#include "query/prepare/eval_options.h"
#include "query/report/leaks.h"
#include "query/report/report_values.h"
#include "storage/catalog/lookup.h"

namespace residue::verbs {
namespace {

constexpr std::size_t kWorst = 3;
constexpr std::size_t kExampleBytes = 90;  // of a claim, beside the other columns of a line
constexpr const char* kKnowsThree = "bm25/random:3";
constexpr const char* kKnowsOne = "bm25/random:1";
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
  ingest::ingest_run(store, kQuickDataset, kFilesRun, {}, *ingest::open_variants(variants), ingest::identify(variants),
                     how);  // its notes are for those who know runs: remark_on() says the same
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

// The one that says most on a line: the longest of those that fit, else the first.
std::string example(const std::vector<std::string>& claims) {
  const std::string* best = nullptr;
  for (const std::string& claim : claims) {
    if (claim.size() <= kExampleBytes && (best == nullptr || claim.size() > best->size())) best = &claim;
  }
  return best == nullptr ? claims.front() : *best;
}

void find_worst(storage::Store& store, const std::string& protocol, QuickResult& result) {
  query::LeakOptions wanted;
  wanted.dataset = std::string(kQuickDataset);
  wanted.run = result.worst_run;
  wanted.protocol = protocol;
  const query::Leaks leaks = query::load_leaks(store, wanted);
  result.failed = leaks.failed;
  std::vector<std::vector<TextId>> claims;       // of each worst record
  for (const query::Leak& leak : leaks.leaks) {  // worst first
    const auto of_record = [&](const WorstRecord& worst) { return worst.record == leak.record; };
    const auto known = std::ranges::find_if(result.worst, of_record);
    if (known != result.worst.end()) {
      if (known->in_full == (leak.rating == 1)) claims[known - result.worst.begin()].push_back(leak.claim_text);
    } else if (result.worst.size() < kWorst) {
      result.worst.push_back({leak.record, leak.of_record, {}, leak.rating == 1});
      claims.push_back({leak.claim_text});
    }
  }
  for (std::size_t i = 0; i < claims.size(); ++i) {
    result.worst[i].claim = example(query::load_texts(store, claims[i]));
  }
}

// In words for somebody who has not met this program's.
void remark_on(QuickResult& result, const QuickOptions& options) {
  const query::Report& report = result.report;
  if (options.sanitized && result.failed > 0) {
    result.remarks.push_back(
        fmt::format("{} of {} sanitized texts are empty, refusals, error messages, or one text for many records: they "
                    "count as leaked",
                    result.failed, result.files.sanitized));
  }
  if (report.repeats.same_text > 0) {
    result.remarks.push_back(
        fmt::format("{} of {} originals have the text of another one: the attacker cannot tell them "
                    "apart",
                    report.repeats.same_text, report.repeats.records));
  }
  if (report.uncovered.sum() > 0) {
    result.remarks.push_back(fmt::format("{} of {} records have {} or fewer: there is nothing more to learn of them",
                                         report.uncovered.sum(), report.uncovered.records,
                                         report.spec.policy.k == 1 ? "one sentence" : "three sentences"));
  }
}

// One attack, and what it noticed.
struct Attacked {
  query::Report report;
  std::vector<std::string> notes;
};
Attacked attack(storage::Store& store, const QuickOptions& options, const char* protocol) {
  query::EvalOptions how;
  how.protocols = query::parse_protocols(protocol);
  how.interrupted = options.interrupted;
  how.progress = options.progress;
  const query::EvalCounts counts = query::evaluate(store, {{std::string(kQuickDataset), std::nullopt}}, how);
  query::ReportOptions wanted;
  wanted.dataset = std::string(kQuickDataset);
  wanted.protocols = protocol;
  Attacked attacked{query::load_report(store, wanted), {}};
  const std::string repeats = query::repeats_note(attacked.report.repeats);
  const std::string uncovered = query::uncovered_note(attacked.report.uncovered, attacked.report.spec);
  for (const std::string& note : counts.notes) {
    const bool said = note == repeats || (!uncovered.empty() && note.starts_with(uncovered)) ||
                      note.find("--texts-are-meant") != std::string::npos;  // by remark_on(), without our options
    if (!said) attacked.notes.push_back(note);
  }
  return attacked;
}

}  // namespace

QuickFiles look_at_files(const QuickOptions& options) {
  return options.sanitized ? compare_files(options.originals, *options.sanitized, options.fields, options.interrupted)
                           : look_at(options.originals, options.fields, options.interrupted);
}

QuickResult quick(storage::Store& store, const QuickOptions& options, QuickFiles files) {
  QuickResult result;
  result.files = std::move(files);
  result.remarks = result.files.remarks;
  bring_in(store, options, result);
  if (!options.sanitized) sanitize(store, options, result);

  Attacked attacked = attack(store, options, kKnowsThree);
  if (attacked.report.uncovered.too_few * 2 > attacked.report.uncovered.records) {
    attacked = attack(store, options, kKnowsOne);
  }
  result.report = std::move(attacked.report);
  const storage::Lock texts = store.hold_texts();
  result.worst_run = looked_at(result.report);
  if (!result.worst_run.empty()) find_worst(store, result.report.protocol, result);
  remark_on(result, options);
  result.remarks.insert(result.remarks.end(), attacked.notes.begin(), attacked.notes.end());
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
