#include "query/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "base/natural.h"
#include "query/inputs/outdated.h"
#include "query/inputs/repeats.h"
#include "query/inputs/snapshot.h"
#include "query/report/report_rows.h"
#include "query/report/report_seeds.h"
#include "query/stored/doubts.h"
#include "storage/catalog/answers/judge.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/results/protocol.h"
#include "storage/catalog/sources/claim_set.h"
#include "storage/catalog/sources/dataset.h"

namespace residue::query {
namespace {

constexpr std::string_view kProtocol = storage::sql::kProtocolSamplesByName;
constexpr std::string_view kLast = storage::sql::kDatasetLastEvaluatedWithNames;
constexpr std::string_view kJudgeOf = storage::sql::kEvaluationLatestJudgeOfProtocol;
constexpr std::string_view kEvaluated = storage::sql::kEvaluationProtocolsAndJudges;
constexpr std::string_view kProtocolsOfJudge = storage::sql::kEvaluationProtocolsOfJudge;

struct Last {
  ProtocolId protocol;
  JudgeId judge;
  std::uint32_t seeds = 1;
  std::string protocol_name;
  std::uint64_t sample = 0;
  std::string judge_name;
};

std::optional<Last> last_evaluated(storage::Db& db, DatasetId dataset) {
  storage::Statement find = db.prepare(kLast);
  find.bind(dataset);
  if (!find.step() || find.is_null(3) || find.is_null(5)) return std::nullopt;
  return Last{find.id<ProtocolId>(0),
              find.id<JudgeId>(1),
              static_cast<std::uint32_t>(std::max<std::int64_t>(find.integer(2), 1)),
              std::string(find.text(3)),
              static_cast<std::uint64_t>(find.integer(4)),
              std::string(find.text(5))};
}

[[noreturn]] void not_evaluated(storage::Db& db, DatasetId dataset, std::string_view name, std::string_view what) {
  storage::Statement all = db.prepare(kEvaluated);
  all.bind(dataset);
  std::string known;
  for (int i = 0; i < 6 && all.step(); ++i) {
    known += fmt::format("{}{} by {}", known.empty() ? "" : ", ", all.text(0), all.text(1));
  }
  if (known.empty()) {
    throw Error(Code::kNotFound, fmt::format("nothing of dataset {} was evaluated yet", name),
                fmt::format("residue eval {}", name));
  }
  throw Error(Code::kNotFound, fmt::format("dataset {} was not evaluated {}", name, what),
              fmt::format("evaluated: {}; residue eval {} --protocol P --judge J adds one", known, name));
}

struct Found {
  ProtocolId id;
  std::uint64_t sample = 0;
};

std::optional<Found> find_protocol(storage::Db& db, DatasetId dataset, const ProtocolSpec& spec, std::uint64_t sample) {
  storage::Statement find = db.prepare(kProtocol);
  find.bind(dataset, spec.name(), static_cast<std::int64_t>(sample));
  if (!find.step()) return std::nullopt;
  return Found{find.id<ProtocolId>(0), static_cast<std::uint64_t>(find.integer(1))};
}

// As find_protocol, but with exactly this sample.
std::optional<ProtocolId> sibling(storage::Db& db, const Lens& lens, const ProtocolSpec& spec) {
  const auto found = find_protocol(db, lens.dataset, spec, lens.sample);
  if (!found || found->sample != lens.sample) return std::nullopt;
  return found->id;
}

bool was_judged(storage::Db& db, ProtocolId protocol, JudgeId judge) {
  storage::Statement find = db.prepare(storage::sql::kEvaluationExistsByJudge);
  return find.bind(protocol, judge).step();
}

bool any_evaluated(const std::vector<ReportRun>& runs) {
  return std::any_of(runs.begin(), runs.end(), [](const ReportRun& run) { return run.evaluated; });
}

std::vector<ReportRun> read_runs(storage::Db& db, RunReader& reader, const Lens& lens,
                                 const std::vector<ProtocolSpec>& specs, bool required) {
  std::vector<std::vector<ReportRun>> seeds;
  for (const ProtocolSpec& spec : specs) {
    const auto id = sibling(db, lens, spec);
    if (!id && required) {
      not_evaluated(db, lens.dataset, lens.dataset_name, fmt::format("under {}", spec.name()));
    }
    if (!id) return {};
    seeds.push_back(reader.read(*id, lens.judge, sibling(db, lens, lexical_baseline(spec))));
  }
  std::vector<ReportRun> runs = combine_seeds(seeds);
  if (!any_evaluated(runs) && !required) return {};
  return runs;
}

std::string digest_of(storage::Db& db, JudgeId judge) {
  storage::Statement find = db.prepare(storage::sql::kJudgeDigest);
  return find.bind(judge).step() ? to_hex(find.text(0).substr(0, 4)) : std::string();
}

std::string categorizer_of(storage::Db& db, const Lens& lens) {
  storage::Statement find = db.prepare(storage::sql::kClaimSetCategorizerByName);
  return find.bind(lens.dataset, lens.spec.claim_set).step() ? std::string(find.text(0)) : std::string();
}

void add_remarks(storage::Store& store, const Lens& lens, Report& report) {
  storage::Db& db = store.db();
  report.repeats = repeats(store, lens.dataset);
  report.uncovered = uncovered(store, lens.protocol, lens.spec);
  report.doubts = outdated_notes(db, lens.dataset_name);
  for (std::string& doubt :
       doubts(db, {lens.dataset, lens.dataset_name, lens.spec, lens.protocol, lens.sample, lens.judge},
              list_runs(db, lens.dataset))) {
    report.doubts.push_back(std::move(doubt));
  }
}

// By judge: of several attackers it is looked for once.
using Validations = std::map<std::int64_t, Validation>;

const Validation& validation_of(storage::Store& store, const Lens& lens, Validations& known) {
  const auto found = known.find(lens.judge.value);
  if (found != known.end()) return found->second;
  return known.emplace(lens.judge.value, validation_on(store, lens.judge, lens.dataset_name)).first->second;
}

Report read_report(storage::Store& store, const Lens& lens, const ReportOptions& options, std::uint32_t seeds,
                   Validations& validations) {
  storage::Db& db = store.db();
  Report report;
  report.dataset = lens.dataset_name;
  report.protocol = seeds_name(lens.spec, seeds);
  report.spec = lens.spec;
  report.judge = lens.judge_name;
  report.judge_version = digest_of(db, lens.judge);
  report.validation = validation_of(store, lens, validations);
  report.categorizer = categorizer_of(db, lens);
  report.sample = lens.sample;
  if (options.remarks) add_remarks(store, lens, report);
  report.missing = options.missing;
  const std::vector<ProtocolSpec> specs = with_seeds(lens.spec, seeds);
  report.seeds = static_cast<std::uint32_t>(specs.size());
  RunReader reader(db, lens.dataset, options.missing, options.model);
  report.answerers = reader.answerers();
  report.runs = read_runs(db, reader, lens, specs, true);
  if (lens.spec.linker->control()) return report;
  report.oracle = read_runs(db, reader, lens, with_seeds(control_of(lens.spec, LinkerRole::kOracle), seeds), false);
  report.random = read_runs(db, reader, lens, with_seeds(control_of(lens.spec, LinkerRole::kRandom), seeds), false);
  return report;
}

// Whether the protocol is one of the last seeds of those that were evaluated, too few of them for a mean over `seeds`:
// of seeds 42, 43 and 44, where two are asked for, 44.
bool is_rest_of_seeds(const ProtocolSpec& spec, const std::vector<ProtocolSpec>& evaluated, std::uint32_t seeds) {
  const auto known = [&](const ProtocolSpec& one) {
    return std::find(evaluated.begin(), evaluated.end(), one) != evaluated.end();
  };
  const std::vector<ProtocolSpec> wanted = with_seeds(spec, seeds);
  if (wanted.size() < 2 || spec.policy.seed == 0 || std::all_of(wanted.begin(), wanted.end(), known)) return false;
  ProtocolSpec before = spec;
  --before.policy.seed;
  return known(before);
}

// The protocols that an option names, resolved against the dataset's claim sets.
std::vector<std::string> names_of(storage::Db& db, const ReportOptions& options, DatasetId dataset,
                                  std::uint32_t seeds) {
  std::vector<std::string> names;
  if (options.protocols != "all") {
    for (const ProtocolSpec& spec : parse_protocols(options.protocols)) names.push_back(spec.name());
    return names;
  }
  storage::Statement all = db.prepare(kProtocolsOfJudge);
  all.bind(dataset, options.judge.value_or(""));
  std::vector<std::string> covered;  // further seeds of a protocol that is listed
  std::vector<ProtocolSpec> specs;
  while (all.step()) specs.push_back(parse_protocol(all.text(0)));
  std::sort(specs.begin(), specs.end(), [](const ProtocolSpec& a, const ProtocolSpec& b) {
    return std::pair(natural_key(a.name()), a.name()) < std::pair(natural_key(b.name()), b.name());
  });
  for (const ProtocolSpec& spec : specs) {
    if (options.seeds && is_rest_of_seeds(spec, specs, seeds)) continue;
    if (std::find(covered.begin(), covered.end(), spec.name()) != covered.end()) continue;
    for (const ProtocolSpec& seed : with_seeds(spec, seeds)) covered.push_back(seed.name());
    names.push_back(spec.name());
  }
  return names;
}

struct Rater {
  JudgeId id;
  std::string name;
};

// The judge named; else that of the last evaluation where it rated this protocol, else the last one that did.
Rater rater_of(storage::Db& db, const Lens& lens, ProtocolId protocol, const std::optional<std::string>& name,
               const std::optional<Last>& last) {
  if (name) {
    storage::Statement find = db.prepare(storage::sql::kJudgeIdByName);
    if (find.bind(*name).step()) return {find.id<JudgeId>(0), *name};
    not_evaluated(db, lens.dataset, lens.dataset_name, fmt::format("by a judge \"{}\"", *name));
  }
  if (last && was_judged(db, protocol, last->judge)) return {last->judge, last->judge_name};
  storage::Statement find = db.prepare(kJudgeOf);
  if (find.bind(protocol).step()) return {find.id<JudgeId>(0), std::string(find.text(1))};
  not_evaluated(db, lens.dataset, lens.dataset_name, fmt::format("under {}", lens.spec.name()));
}

// One judge for all of them.
Rater common_rater(storage::Db& db, const std::vector<Lens>& asked, const std::optional<std::string>& name) {
  const auto last = last_evaluated(db, asked.front().dataset);
  const bool by_last = last && std::any_of(asked.begin(), asked.end(), [&](const Lens& lens) {
                         return was_judged(db, lens.protocol, last->judge);
                       });
  if (!name && by_last) return {last->judge, last->judge_name};
  return rater_of(db, asked.front(), asked.front().protocol, name, last);
}

std::uint32_t seeds_of(storage::Db& db, DatasetId dataset, const ReportOptions& options) {
  if (options.seeds) return *options.seeds;
  const auto last = last_evaluated(db, dataset);
  return last ? last->seeds : 1;
}

// `seeds` where they were asked for, or are what this very protocol was evaluated with by this judge; else 1.
std::uint32_t seeds_that_exist(storage::Db& db, const Lens& lens, const ReportOptions& options, std::uint32_t seeds) {
  if (options.seeds) return seeds;
  const auto specs = with_seeds(lens.spec, seeds);
  const bool every = std::all_of(specs.begin(), specs.end(), [&](const ProtocolSpec& spec) {
    const auto id = sibling(db, lens, spec);
    return id && was_judged(db, *id, lens.judge);
  });
  return every ? seeds : 1;
}

}  // namespace

Lens find_lens(storage::Db& db, std::string_view dataset, std::string_view protocol,
               const std::optional<std::string>& judge, const std::optional<std::uint64_t>& sample) {
  Lens lens;
  lens.dataset = storage::find_dataset(db, dataset);
  lens.dataset_name = std::string(dataset);
  const auto last = last_evaluated(db, lens.dataset);
  if (!last && protocol.empty()) not_evaluated(db, lens.dataset, dataset, "to its end");
  lens.spec = parse_protocol(protocol.empty() ? std::string_view(last->protocol_name) : protocol);
  lens.spec.claim_set = find_claim_set(db, lens.dataset, lens.dataset_name, lens.spec.claim_set).name;
  const auto found = find_protocol(db, lens.dataset, lens.spec, sample.value_or(last ? last->sample : 0));
  if (!found) not_evaluated(db, lens.dataset, dataset, fmt::format("under {}", lens.spec.name()));
  if (sample && found->sample != *sample) {
    not_evaluated(db, lens.dataset, dataset,
                  *sample == 0 ? fmt::format("under {} on all records", lens.spec.name())
                               : fmt::format("under {} on a sample of {} records", lens.spec.name(), *sample));
  }
  const Rater rater = rater_of(db, lens, found->id, judge, last);
  lens.judge = rater.id;
  lens.judge_name = rater.name;
  if (!was_judged(db, found->id, lens.judge)) {
    not_evaluated(db, lens.dataset, dataset, fmt::format("under {} by {}", lens.spec.name(), lens.judge_name));
  }
  lens.protocol = found->id;
  lens.sample = found->sample;
  return lens;
}

std::vector<Lens> seed_lenses(storage::Db& db, const Lens& lens, const std::optional<std::uint32_t>& seeds) {
  ReportOptions options;
  options.seeds = seeds;
  const std::uint32_t count = seeds_that_exist(db, lens, options, seeds_of(db, lens.dataset, options));
  std::vector<Lens> lenses;
  for (const ProtocolSpec& spec : with_seeds(lens.spec, count)) {
    const auto id = sibling(db, lens, spec);
    if (!id) not_evaluated(db, lens.dataset, lens.dataset_name, fmt::format("under {}", spec.name()));
    lenses.push_back(lens);
    lenses.back().spec = spec;
    lenses.back().protocol = *id;
  }
  return lenses;
}

void require_one_release(const Lens& lens) {
  if (lens.spec.runs().empty()) return;
  ProtocolSpec single = lens.spec;
  single.options.erase("runs");
  throw Error(
      Code::kUsage,
      fmt::format("under {} the attacker reads several releases: no single text shows what he learns",
                  lens.spec.name()),
      fmt::format("--protocol {} looks at one release; residue report has the numbers of all together", single.name()));
}

std::vector<Report> load_reports(storage::Store& store, const ReportOptions& options) {
  const storage::Lock held = store.hold_texts();  // labels of people are read
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  const DatasetId dataset = storage::find_dataset(db, options.dataset);
  const std::uint32_t seeds = seeds_of(db, dataset, options);
  std::vector<Report> reports;
  Validations validations;
  if (options.protocols.empty()) {
    reports.push_back(read_report(store, find_lens(db, options.dataset, "", options.judge, options.sample), options,
                                  seeds, validations));
    return reports;
  }
  for (const std::string& name : names_of(db, options, dataset, seeds)) {
    const Lens lens = find_lens(db, options.dataset, name, options.judge, options.sample);
    reports.push_back(read_report(store, lens, options, seeds_that_exist(db, lens, options, seeds), validations));
  }
  if (reports.empty()) not_evaluated(db, dataset, options.dataset, "by this judge");
  return reports;
}

Comparison load_comparison(storage::Store& store, const ReportOptions& options) {
  const storage::Lock held = store.hold_texts();  // labels of people are read
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  const DatasetId dataset = storage::find_dataset(db, options.dataset);
  const std::uint32_t seeds = seeds_of(db, dataset, options);
  ReportOptions by_anyone = options;
  by_anyone.judge.reset();
  const bool one = options.protocols.empty();
  std::vector<Lens> asked;
  for (const std::string& name :
       one ? std::vector<std::string>{""} : names_of(db, by_anyone, dataset, options.seeds.value_or(1))) {
    asked.push_back(find_lens(db, options.dataset, name, std::nullopt, options.sample));
  }
  if (asked.empty()) not_evaluated(db, dataset, options.dataset, "to its end");
  const Rater judge = common_rater(db, asked, options.judge);
  Comparison result;
  Validations validations;
  std::vector<std::string> covered;  // further seeds of a protocol that has its report
  for (Lens& lens : asked) {
    lens.judge = judge.id;
    lens.judge_name = judge.name;
    if (options.protocols == "all" && std::find(covered.begin(), covered.end(), lens.spec.name()) != covered.end())
      continue;
    std::optional<Report> report;
    if (was_judged(db, lens.protocol, judge.id))
      report = read_report(store, lens, options, seeds_that_exist(db, lens, options, seeds), validations);
    if (!report || !any_evaluated(report->runs)) {
      result.left_out.push_back(lens.spec.name());
      continue;
    }
    for (const ProtocolSpec& seed : with_seeds(lens.spec, report->seeds)) covered.push_back(seed.name());
    result.reports.push_back(*std::move(report));
  }
  if (result.reports.empty())
    not_evaluated(db, dataset, options.dataset, fmt::format("under these protocols by {}", judge.name));
  return result;
}

Report load_report(storage::Store& store, const ReportOptions& options) {
  std::vector<Report> reports = load_reports(store, options);
  if (reports.size() != 1) {
    throw Error(Code::kUsage, "this needs one attacker, not several", "name one with --protocol");
  }
  return std::move(reports.front());
}

}  // namespace residue::query
