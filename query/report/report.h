// Reading what was evaluated, for people and programs: nothing is computed here but means over seeds.
//
//   dataset ── protocol, judge ──> evaluation (text, link, judge) ── metric rows ──> Report
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "query/agree/validation.h"
#include "query/inputs/protocol.h"
#include "query/inputs/repeats.h"
#include "query/inputs/uncovered.h"
#include "query/metric/metrics.h"
#include "storage/store.h"

namespace residue::query {

// What failed and missing records count as: leaked (the headline), or nothing at all (the papers' reading).
enum class MissingPolicy : std::uint8_t { kLeaked, kDrop };

struct MetricValue {
  std::optional<double> value, low, high;  // nothing: not applicable. low, high: the 95 % interval
  std::optional<double> deviation;         // over seeds, nothing for one (topic_distance: over records); n - 1
  double n = 0, failed = 0, missing = 0, not_applicable = 0;  // whole for one seed; of several seeds the mean
  std::optional<double> coverage;  // the share of evaluated records that have a value (coverage_of)
  std::optional<double> if_leaked, if_private;
  std::optional<double> units;  // pooled rates: how many claims, entities ... `value` is a share of; a sum of weights
  std::optional<double> hits;   // pooled rates: how many of the units, to the nearest whole one of each seed
  std::optional<std::uint32_t> seeds;  // how many `value` is the mean of, where it is not all of the report's
};

struct ReportMetric {
  MetricValue all;
  std::optional<MetricValue> right, wrong, not_linked;  // by how the attack ended; metrics with a split only
  std::vector<MetricValue> bins;                        // distance_histogram only: ten, `value` counts
  std::map<std::string, MetricValue> cuts;              // named parts: categories of claims ...
  std::string model;                                    // tier task: who answered; corpus: whose vectors, or lsa
  std::vector<std::string> others;                      // and who else did
  std::optional<double> median;                         // over records; embedding_cosine only
  std::string reason;                                   // why it is not applicable, where that is known
  bool stale = false;                                   // older than what it is of
};

// A stale metric of tiers corpus and vector: it is computed anew only where it is asked for.
struct OldMetric {
  MetricId metric{};
  std::string embedder;  // whose vectors; empty: nobody's
  std::string before;    // the command that its inputs need first; empty: none
};

// A task whose metrics are shown of a model that did not answer it about the run: they have no value.
struct Unanswered {
  std::string task;
  std::vector<std::string> others;  // who did answer
};

struct ReportRun {
  std::string run;
  std::optional<std::string> group;
  std::optional<std::string> sanitizer;
  std::map<std::string, std::string> params;  // of the sanitizer
  bool control = false;                       // 'none' or 'remove-all'
  std::int64_t records = 0;  // of the run: its variants, failed ones included; of a control: the dataset's records
  bool evaluated = false;    // under this protocol with this judge; false: `metrics` is empty
  bool stale = false;        // `eval` has something to do: a change since, or the evaluation was interrupted
  std::vector<OldMetric> old;
  std::vector<Unanswered> unanswered;
  std::map<MetricId, ReportMetric> metrics;
};

struct Report {
  std::string dataset;
  std::string protocol;  // canonical, of all seeds: 'bm25/random:3@42..44/claims'
  ProtocolSpec spec;     // of the first seed
  std::string judge;
  std::string judge_version;  // the first 8 hexadecimal digits of its digest
  std::string categorizer;    // who said what claims are about: "files", "rules/1 general", a model; empty: nobody
  Validation validation;      // how far people have confirmed it
  std::map<std::string, std::string> answerers;  // whose answers are shown, by task: one model for the whole table
  std::uint32_t seeds = 1;
  std::uint64_t sample = 0;         // target records; 0: all
  Repeats repeats;                  // records and persons that stand in the dataset several times
  Uncovered uncovered;              // which records the attack is not about, under the first seed
  std::vector<std::string> doubts;  // what speaks against its numbers (query/stored/doubts.h, query/inputs/outdated.h)
  MissingPolicy missing = MissingPolicy::kLeaked;
  bool less_precise_half = false;         // attribute_accuracy ... count a less precise guess one half
  std::vector<ReportRun> runs;            // by name in byte order, controls last
  std::vector<ReportRun> oracle, random;  // the same runs under the control linkers; empty where not evaluated
};

struct ReportOptions {
  std::string dataset;
  std::string protocols;               // comma list, short names allowed; "all"; empty: the last evaluated
  std::optional<std::string> judge;    // nothing: the last evaluated
  std::optional<std::uint32_t> seeds;  // nothing: as evaluated last
  MissingPolicy missing = MissingPolicy::kLeaked;
  std::optional<std::string> model;  // whose answers to tasks; nothing: of each task whoever answered about most runs
  std::optional<std::uint64_t> sample = {};  // as find_lens has it
  // False: Report::repeats, uncovered and doubts are empty, which take a look at every link.
  bool remarks = true;
};

// Which attacker and judge a look is about.
struct Lens {
  DatasetId dataset;
  std::string dataset_name;
  ProtocolId protocol;
  ProtocolSpec spec;
  std::uint64_t sample = 0;
  JudgeId judge;
  std::string judge_name;
};

// The one protocol and judge that `protocol` and `judge` name, by default the last evaluated; where that judge did not
// rate this protocol, the last one that did. `sample`: target records, 0: all; nothing: of several samples the last
// evaluated one is meant, else all records.
// Throws Error{not found} if nothing was evaluated (hint: residue eval), or not this (hint: what was).
Lens find_lens(storage::Db& db, std::string_view dataset, std::string_view protocol,
               const std::optional<std::string>& judge, const std::optional<std::uint64_t>& sample = std::nullopt);

// The same attacker under every seed: as many as asked for, else as he was evaluated with last by this judge.
// Throws Error{not found} where he was not evaluated under one of those asked for.
std::vector<Lens> seed_lenses(storage::Db& db, const Lens& lens, const std::optional<std::uint32_t>& seeds);

// Throws Error{usage} where the attacker holds several releases: what one text says of a claim is not all he learns.
void require_one_release(const Lens& lens);

// One report per protocol asked for; several seeds as report_seeds.h combines them. Throws as find_lens.
std::vector<Report> load_reports(storage::Store& store, const ReportOptions& options);

// Reports whose values may stand in one table: all by one judge.
struct Comparison {
  std::vector<Report> reports;        // at least one
  std::vector<std::string> left_out;  // protocols asked for that this judge did not rate
};

// As load_reports, by the judge named; else by that of the last evaluation, or where it rated none of these protocols,
// by the last one that rated the first of them.
Comparison load_comparison(storage::Store& store, const ReportOptions& options);

// load_reports for one protocol; Error{usage} if several were asked for.
Report load_report(storage::Store& store, const ReportOptions& options);

}  // namespace residue::query
