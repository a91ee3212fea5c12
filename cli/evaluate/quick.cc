// quick: what a sanitizer left behind, from two files to an answer.
#include "verbs/quick.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/print/interrupt.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/print/progress.h"
#include "cli/report/report_tables.h"
#include "cli/syntax.h"
#include "storage/store.h"
#include "verbs/passing_folder.h"

namespace residue::cli {
namespace {

using query::MetricId;
using query::MetricValue;
using query::ReportRun;
using verbs::Verdict;

struct Options {
  verbs::QuickOptions quick;
  std::string sanitized, keep;
  bool no_text = false;
};

struct Measure {
  MetricId metric;
  const char* words;
};
constexpr std::array kMeasures = {
    Measure{MetricId::kLinkageRate, "the attacker finds the right record"},
    Measure{MetricId::kFullLeakRate, "what he did not know stands there in full"},
    Measure{MetricId::kLeakRate, "... or in part"},
    Measure{MetricId::kExposedRate, "records that tell him everything"},
    Measure{MetricId::kSemanticDistance, "how much stays hidden (semantic_distance)"},
    Measure{MetricId::kRougeLF, "words kept, in order (ROUGE-L)"},
};

const MetricValue* value_of(const ReportRun& run, MetricId id) {
  const auto found = run.metrics.find(id);
  return found == run.metrics.end() ? nullptr : &found->second.all;
}

// Whole percents; a share that is not zero never reads as zero, nor one that is not all as all.
std::string percent(double share) {
  const double whole = std::round(share * 100);
  if (share > 0 && whole == 0) return "<1";
  if (share < 1 && whole == 100) return ">99";
  return fmt::format("{:.0f}", whole);
}

std::string in_percent(const ReportRun& run, MetricId id) {
  const MetricValue* value = value_of(run, id);
  if (value == nullptr || !value->value)
    return value != nullptr && value->failed + value->missing > 0 ? "missing" : "-";
  std::string text = percent(*value->value) + " %";
  if (value->low && value->high && !run.control) {
    text += fmt::format(" [{}, {}]", percent(*value->low), percent(*value->high));
  }
  return text;
}

std::string column(const ReportRun& run) {
  return run.run == "none" ? "the originals" : run.run == "remove-all" ? "nothing left" : run.run;
}

const ReportRun* named(const query::Report& report, std::string_view name) {
  for (const ReportRun& run : report.runs) {
    if (run.run == name) return &run;
  }
  return nullptr;
}

// ROUGE counts words of Latin letters and digits: where the originals have none, it says nothing.
bool is_blind(const query::Report& report, MetricId id) {
  const ReportRun* originals = named(report, "none");
  const MetricValue* value = originals == nullptr ? nullptr : value_of(*originals, id);
  return id == MetricId::kRougeLF && value != nullptr && value->value && *value->value == 0;
}

Table measures(const query::Report& report) {
  Table table;
  table.columns.push_back({"measure", Type::kText, " "});
  for (const ReportRun& run : report.runs) table.columns.push_back({run.run, Type::kText, column(run)});
  for (const Measure& measure : kMeasures) {
    std::vector<Cell> row{Cell(std::string(measure.words))};
    const bool blind = is_blind(report, measure.metric);
    for (const ReportRun& run : report.runs) row.emplace_back(blind ? "-" : in_percent(run, measure.metric));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table worst(const verbs::QuickResult& result, bool no_text) {
  Table table;
  table.columns = {{"record", Type::kText, ""}, {"leaks", Type::kInteger, "claims learned"}};
  if (!no_text) table.columns.push_back({"claim", Type::kText, "for example"});
  for (const verbs::WorstRecord& one : result.worst) {
    std::vector<Cell> row{Cell(one.record), Cell(std::int64_t{one.leaks})};
    if (!no_text) row.emplace_back(one.claim);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string conclusion(const query::Report& report, const ReportRun& run) {
  const ReportRun* originals = named(report, "none");
  const MetricValue* distance = value_of(run, MetricId::kSemanticDistance);
  const MetricValue* nothing = originals == nullptr ? nullptr : value_of(*originals, MetricId::kSemanticDistance);
  if (distance == nullptr || nothing == nullptr) return {};
  MetricValue point = *distance;
  point.low = point.value;
  const Verdict seen = verbs::verdict(point, *nothing), worst = verbs::verdict(*distance, *nothing);
  const char* const more = seen == worst ? "" : " So few records cannot show that it is not more.";
  switch (seen) {
    case Verdict::kAll:
      return fmt::format("{}: nearly as much can be learned as from the originals.", run.run);
    case Verdict::kMost:
      return fmt::format("{}: most of what the originals tell can still be learned.{}", run.run, more);
    case Verdict::kPart:
      return fmt::format("{}: a part of what the originals tell can still be learned.{}", run.run, more);
    case Verdict::kLittle:
      return fmt::format("{}: little is left that the embedded judge can see.{}", run.run, more);
    case Verdict::kUnknown:
      break;
  }
  return {};
}

std::string listed(const std::vector<std::string>& names) {
  const std::span<const std::string> but_last(names.data(), names.size() - 1);
  return names.size() == 1 ? names.front() : fmt::format("{} and {}", fmt::join(but_last, ", "), names.back());
}

// "Of the words, scrub keeps 60 %, surrogates 55 %."
std::string kept_words(const query::Report& report, const std::vector<std::string>& runs) {
  std::vector<std::string> parts;
  for (const std::string& name : runs) {
    const ReportRun* run = named(report, name);
    const MetricValue* kept = run == nullptr ? nullptr : value_of(*run, MetricId::kRougeLF);
    if (kept == nullptr || !kept->value) continue;
    parts.push_back(fmt::format("{}{} {} %", name, parts.empty() ? " keeps" : "", percent(*kept->value)));
  }
  if (parts.empty() || is_blind(report, MetricId::kRougeLF)) return {};
  return fmt::format(" Of the words, {}.", fmt::join(parts, ", "));
}

// Which of several: the one of which least is learned, or those that these records cannot tell apart, and what it
// costs. By the headline, the only measure that has what is left in full and in part.
std::string advice(const verbs::QuickResult& result) {
  std::vector<std::string> first{result.worst_run}, more;
  first.insert(first.end(), result.alike.begin(), result.alike.end());
  for (const ReportRun& run : result.report.runs) {
    if (!run.control && std::ranges::find(first, run.run) == first.end()) more.push_back(run.run);
  }
  const ReportRun* best = named(result.report, result.worst_run);
  const MetricValue* hidden = best == nullptr ? nullptr : value_of(*best, MetricId::kSemanticDistance);
  if (first.size() + more.size() < 2 || hidden == nullptr || !hidden->value) return {};
  const std::string kept = kept_words(result.report, first);
  if (first.size() == 1) {
    return fmt::format("Of these, {} gives away least: its semantic_distance is {} %.{}", best->run,
                       percent(*hidden->value), kept);
  }
  const std::string others = more.empty() ? "" : fmt::format(" More than {} gives away: {}.", best->run, listed(more));
  return fmt::format(
      "Of these, nobody can tell whether {} gives away least: the intervals of semantic_distance "
      "overlap.{}{}",
      fmt::join(first, " or "), others, kept);
}

std::string what_it_means(const verbs::QuickResult& result) {
  std::string out = "\nWhat it means\n";
  const auto say = [&](const std::string& line) {
    if (!line.empty()) out += "  " + line + "\n";
  };
  for (const ReportRun& run : result.report.runs) {
    if (!run.control) say(conclusion(result.report, run));
  }
  say(advice(result));
  const query::Uncovered& uncovered = result.report.uncovered;
  if (uncovered.sum() > 0 && uncovered.sum() == uncovered.records) {
    say("Every record is one sentence: who knows it has nothing left to learn, and only the first number is measured.");
  }
  say(fmt::format("The attacker knows {} of a record, and takes the text that is most like {}.",
                  result.report.spec.policy.k == 1 ? "one sentence" : "three sentences",
                  result.report.spec.policy.k == 1 ? "it" : "them"));
  out += "  Brackets are 95 % intervals: what other records of this kind could have given.\n";
  out += "  The embedded judge compares words: it misses paraphrase and inference. Compare sanitizers by it;\n";
  out += "  to certify one, let people or a model judge (docs/judges.md).\n";
  return out;
}

Json json_of(const verbs::QuickResult& result, bool no_text) {
  const verbs::QuickFiles& files = result.files;
  Json worst = Json::array();
  for (const verbs::WorstRecord& one : result.worst) {
    Json row = {{"record", one.record}, {"leaks", one.leaks}, {"in_full", one.in_full}};
    if (!no_text) row["claim"] = one.claim;
    worst.push_back(std::move(row));
  }
  Json json = {{"originals", files.originals}, {"sanitized", files.sanitized}, {"without", files.without},
               {"unknown", files.unknown},     {"unusable", files.unusable},   {"unchanged", files.unchanged},
               {"repeated", files.repeated},   {"elsewhere", files.elsewhere}, {"failed", result.failed},
               {"numbered", files.numbered},   {"remarks", result.remarks}};
  json["one_for_many"] = result.one_for_many;
  json["worst_run"] = result.worst_run;
  json["alike"] = result.alike;
  json["worst"] = std::move(worst);
  json["report"] = report_json(result.report);
  return json;
}

void print(Context& context, const verbs::QuickResult& result, const Options& options) {
  context.out.write(fmt::format("{} records\n\n", grouped(result.files.originals)));
  context.out.table(measures(result.report));
  if (!result.worst.empty()) {
    context.out.write(fmt::format("\nThe worst records of {}\n", result.worst_run));
    context.out.table(worst(result, options.no_text));
  }
  context.out.write(what_it_means(result));
}

int quick(Context& context, Options& options) {
  context.out.refuse_tables("quick", "use --format json");
  const verbs::QuickFields& fields = options.quick.fields;
  if (!options.sanitized.empty()) options.quick.sanitized = options.sanitized;
  if (!options.quick.sanitized && fields.sanitized_text) options.quick.sanitized = options.quick.originals;
  if (!options.quick.sanitized && fields.sanitized_id) {
    throw Error(Code::kUsage, "--sanitized-id is about a second file", "name it behind the first");
  }
  std::optional<verbs::PassingFolder> passing;
  if (options.keep.empty()) passing.emplace("residue-quick");
  const std::filesystem::path folder = passing ? passing->path() : std::filesystem::path(options.keep);
  options.quick.jobs = threads(context.globals);
  options.quick.interrupted = interrupted;
  verbs::QuickFiles files = verbs::look_at_files(options.quick);  // a refusal leaves no store behind
  storage::Store::create(folder);
  verbs::QuickResult result;
  {
    storage::Store store(folder / ".residue");
    Progress progress(context.globals, "reading");
    options.quick.progress = progress.labelled_callback();
    result = verbs::quick(store, options.quick, std::move(files));
  }
  for (const std::string& remark : result.remarks) {
    const bool tells = std::ranges::find(result.telling, remark) != result.telling.end();
    if (tells) {
      context.out.insist(remark);
    } else {
      context.out.note(remark);
    }
  }
  if (context.out.wants_json()) {
    context.out.json(json_of(result, options.no_text));
  } else {
    print(context, result, options);
  }
  if (options.keep.empty()) {
    context.out.note("next: the same with --keep DIR keeps the store; then residue --store DIR leaks " +
                     std::string(verbs::kQuickDataset) + "/" + result.worst_run + " shows what is left");
  } else {
    const std::string store = shell_word(options.keep);
    context.out.next("residue --store {} leaks {}/{}", store, verbs::kQuickDataset, result.worst_run);
  }
  return 0;
}

Run setup(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  syntax.add("ORIGINALS", options->quick.originals, "JSON Lines, CSV, or a folder of .txt files").required();
  syntax.add("SANITIZED", options->sanitized,
             "the same records, sanitized; without it, the built-in sanitizers are tried");
  syntax.add("--id", options->quick.fields.id, "the field that holds the id; auto: row n belongs to row n");
  syntax.add("--text", options->quick.fields.text, "the field that holds the text");
  syntax.add("--sanitized-id", options->quick.fields.sanitized_id,
             "the field of the id in SANITIZED, if it has another name there");
  syntax.add("--sanitized-text", options->quick.fields.sanitized_text,
             "the field of the text in SANITIZED, if it has another name there; with one file, the field that holds "
             "the sanitized text");
  syntax.add("--keep", options->keep, "keep the store in this folder").type("DIR");
  syntax.flag("--no-text", options->no_text, "no words of the originals in the output");
  return [options](Context& context) { return quick(context, *options); };
}

}  // namespace

Command quick_command() {
  return {
      .name = "quick",
      .group = Group::kBringIn,
      .summary = "two files, originals and sanitized, and the answer",
      .usage =
          "ORIGINALS [SANITIZED] [--id F] [--text F] [--sanitized-id F] [--sanitized-text F] [--keep DIR] [--no-text]",
      .details =
          "Says what an attacker still finds and learns, which records are worst, and what that means. With one file, "
          "it tries the built-in sanitizers on it and compares them.\n"
          "First it checks whether the two files belong together: it looks for ids that do not match, for other "
          "counts, "
          "for the same texts in both, and for texts of other records.\n"
          "The store is made in TMPDIR, readable by you alone. It is removed at the end, unless --keep names a folder. "
          "Nothing is sent anywhere.",
      .examples = {{"residue quick notes.jsonl scrubbed.jsonl", "lines with \"id\" and \"text\""},
                   {"residue quick notes.csv out.csv --id note --text body", "files whose columns have other names"},
                   {"residue quick pairs.csv --text note --sanitized-text masked", "both texts in one file"},
                   {"residue quick originals/ sanitized/", "two folders: files of the same name belong together"},
                   {"residue quick notes.jsonl --keep study", "try the built-in sanitizers, and keep the store"}},
      .setup = setup};
}

}  // namespace residue::cli
