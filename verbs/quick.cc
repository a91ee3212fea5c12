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
#include "query/report/status.h"
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

query::MetricValue distance_of(const query::ReportRun& run) {
  const query::ReportMetric* metric = metric_of(run, query::MetricId::kSemanticDistance);
  return metric == nullptr ? query::MetricValue{} : metric->all;
}

// Without intervals nobody can tell.
bool overlap(const query::MetricValue& a, const query::MetricValue& b) {
  if (!a.low || !a.high || !b.low || !b.high) return true;
  return *a.low <= *b.high && *b.low <= *a.high;
}

// The run whose records are looked at: the only one, or the one of which least can be learned (what is left in the best
// of them). Then those that these records cannot tell from it.
void choose(QuickResult& result) {
  const query::ReportRun* best = nullptr;
  for (const query::ReportRun& run : result.report.runs) {
    if (run.control) continue;
    if (best == nullptr || distance_of(run).value.value_or(-1) > distance_of(*best).value.value_or(-1)) best = &run;
  }
  if (best == nullptr) return;
  result.worst_run = best->run;
  for (const query::ReportRun& run : result.report.runs) {
    if (run.control || &run == best || !overlap(distance_of(run), distance_of(*best))) continue;
    result.alike.push_back(run.run);
  }
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

// In words for somebody who has not met this program's. What is missing or left out compare_files() has said.
void remark_on(QuickResult& result, const query::RunStatus& texts, const QuickOptions& options) {
  const query::Report& report = result.report;
  result.failed = texts.failed;
  result.one_for_many = texts.one_for_many;
  const auto tell = [&result](std::string line) {
    result.telling.push_back(line);
    result.remarks.push_back(std::move(line));
  };
  if (const std::uint64_t none = texts.failed - texts.one_for_many; options.sanitized && none > 0) {
    tell(fmt::format("{} of {} sanitized texts are empty, refusals, or error messages: they count as leaked", none,
                     texts.variants));
  }
  if (options.sanitized && texts.one_for_many > 0) {
    tell(fmt::format("{} of {} sanitized texts stand for many records whose originals differ: they count as leaked",
                     texts.one_for_many, texts.variants));
  }
  if (report.repeats.same_text > 0) {
    result.remarks.push_back(
        fmt::format("{} of {} originals have the text of another one: the attacker cannot tell them "
                    "apart",
                    report.repeats.same_text, report.repeats.records));
  }
  if (report.uncovered.sum() > 0) {
    tell(fmt::format("{} of {} records have {} or fewer: there is nothing more to learn of them",
                     report.uncovered.sum(), report.uncovered.records,
                     report.spec.policy.k == 1 ? "one sentence" : "three sentences"));
  }
}

query::RunStatus status_of(storage::Store& store, const std::string& run) {
  for (const query::RunStatus& one : query::read_status(store, std::string(kQuickDataset)).runs) {
    if (one.run == run) return one;
  }
  return {};
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
  result.telling = result.files.telling;
  bring_in(store, options, result);
  if (!options.sanitized) sanitize(store, options, result);

  Attacked attacked = attack(store, options, kKnowsThree);
  if (attacked.report.uncovered.too_few * 2 > attacked.report.uncovered.records) {
    attacked = attack(store, options, kKnowsOne);
  }
  result.report = std::move(attacked.report);
  choose(result);
  const query::RunStatus status = status_of(store, result.worst_run);
  const storage::Lock texts = store.hold_texts();
  if (!result.worst_run.empty()) find_worst(store, result.report.protocol, result);
  remark_on(result, status, options);
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
