// canary make, canary check: invented records with secrets, and what became of them.
#include "verbs/canary.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/interrupt.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/print/progress.h"
#include "cli/syntax.h"
#include "storage/catalog/lookup.h"

namespace residue::cli {
namespace {

int make(Context& context, const verbs::CanaryOptions& wanted) {
  if (!context.globals.output || *context.globals.output == "-") {
    throw Error(Code::kUsage, "where to? the records are a file, and their key lies beside it",
                "residue canary make --n 20 -o canaries.jsonl");
  }
  verbs::CanaryOptions options = wanted;
  options.key_file = *context.globals.output + ".key";
  const auto store = options.like.empty() ? nullptr : open_store(context);
  const verbs::MadeCanaries made = verbs::make_canaries(store.get(), options);
  std::string lines;
  for (const query::Canary& one : made.canaries) lines += Json{{"id", one.id}, {"text", one.text}}.dump() + "\n";
  context.out.write_json(lines);
  context.out.flush();
  context.out.note(fmt::format("{} canaries; {} tells their secrets: keep it, and give it to no sanitizer",
                               made.canaries.size(), options.key_file.filename().string()));
  context.out.next("residue ingest dataset {} {}, then sanitize all records, then residue canary check",
                   options.like.empty() ? "DATASET" : options.like, *context.globals.output);
  return 0;
}

Run setup_make(Syntax& syntax) {
  auto options = std::make_shared<verbs::CanaryOptions>();
  syntax.add("--n", options->count, "how many (20)").range(std::size_t{1}, query::kMostCanaries);
  syntax.add("--like", options->like,
             "DATASET: texts with at least as many words as half of its records have (else 40)");
  syntax.add("--seed", options->seed,
             "16 to 64 lower-case hexadecimal digits that all is drawn from; default: random ones of the system");
  return [options](Context& context) { return make(context, *options); };
}

struct Check {
  std::string key, target;
  std::vector<std::string> conditions;
};

Json interval_json(double value, const numbers::Interval& interval) {
  return {{"value", value}, {"low", interval.low}, {"high", interval.high}};
}

std::string state_of(const verbs::CanaryResult::One& one) {
  if (one.found.whole()) return "found";
  return one.failed ? "failed" : one.found.longest > 0 ? "in part" : "not found";
}

Table table_of(const verbs::CanaryResult& result) {
  Table table;
  table.columns = {{"canary", Type::kText, "", true}, {"kind", Type::kText, ""},       {"state", Type::kText, ""},
                   {"words", Type::kInteger, ""},     {"longest", Type::kInteger, ""}, {"rank", Type::kReal, ""},
                   {"exposure", Type::kReal, ""}};
  for (const verbs::CanaryResult::One& one : result.canaries) {
    table.rows.push_back({Cell(one.found.id), Cell(one.found.kind), Cell(state_of(one)), cell(one.found.words),
                          cell(one.found.longest), Cell(one.found.rank), Cell(one.found.exposure)});
  }
  return table;
}

Json json_of(const verbs::CanaryResult& result) {
  Json json = {{"canaries", Json::array()},
               {"texts", result.texts},
               {"failed_texts", result.failed_texts},
               {"absent", result.absent},
               {"whole", result.whole},
               {"failed", result.failed},
               {"found", interval_json(result.share, result.share_interval)},
               {"exposure", interval_json(result.exposure, result.exposure_interval)},
               {"exposure_by_chance", query::chance_exposure()},
               {"alternatives", query::kCanaryAlternatives}};
  for (const verbs::CanaryResult::One& one : result.canaries) {
    json["canaries"].push_back({{"canary", one.found.id},
                                {"kind", one.found.kind},
                                {"state", state_of(one)},
                                {"words", one.found.words},
                                {"longest", one.found.longest},
                                {"rank", one.found.rank},
                                {"exposure", one.found.exposure}});
  }
  return json;
}

void say(const Output& out, const verbs::CanaryResult& result) {
  out.note(fmt::format("{} of {} secrets stand in one of {} texts as a whole: {:.4f} [{:.4f}, {:.4f}]", result.whole,
                       result.canaries.size(), grouped(result.texts), result.share, result.share_interval.low,
                       result.share_interval.high));
  out.note(
      fmt::format("mean exposure {:.2f} bits [{:.2f}, {:.2f}] among {} secrets that were never put anywhere; by "
                  "chance {:.2f}",
                  result.exposure, result.exposure_interval.low, result.exposure_interval.high,
                  query::kCanaryAlternatives, query::chance_exposure()));
  if (result.failed_texts > 0) {
    out.note(fmt::format("warning: {} texts failed: {} canaries may have been in them, and count as found",
                         grouped(result.failed_texts), result.failed));
  }
  if (result.absent > 0) {
    out.note(fmt::format("warning: {} canaries are no records of the dataset: they say nothing", result.absent));
  }
}

int check(Context& context, const Check& options) {
  std::vector<verbs::CanaryGate> gates;
  for (const std::string& condition : options.conditions) gates.push_back(verbs::parse_canary_gate(condition));
  verbs::CanaryCheck what;
  what.key_file = options.key;
  what.interrupted = [] { return interrupted(); };
  std::error_code gone;
  const bool is_file = options.target == "-" || std::filesystem::exists(options.target, gone);
  std::unique_ptr<storage::Store> store;
  if (is_file) {
    what.texts = options.target;
  } else {
    what.run = run_target(options.target, "canaries are looked for in one run, or in a file of texts",
                          "write residue canary check KEY {}/RUN");
    store = open_store(context);
  }
  Progress progress(context.globals, "");
  what.progress = [&](const std::string& doing, std::uint64_t done, std::optional<std::uint64_t> total) {
    progress.update(doing, done, total.value_or(0));
  };
  const verbs::CanaryResult result = verbs::check_canaries(store.get(), what);
  if (context.out.wants_json()) {
    context.out.json(json_of(result));
  } else {
    context.out.table(table_of(result));
  }
  context.out.flush();
  say(context.out, result);
  int code = 0;
  for (const verbs::CanaryGate& gate : gates) {
    if (!verbs::holds(gate, result)) continue;
    context.out.note(fmt::format("gate failed: {} is {:.4f}", gate.text, verbs::gated(gate, result)));
    code = 1;
  }
  return code;
}

Run setup_check(Syntax& syntax) {
  auto options = std::make_shared<Check>();
  syntax.add("KEY", options->key, "the key file, or the file of records that it lies beside").required();
  syntax.add("RUN", options->target, "DATASET/RUN, or a file of texts; - is standard input").required();
  syntax.repeated("--fail-if", options->conditions, "a condition that fails the command: found > 0, exposure > 3");
  return [options](Context& context) { return check(context, *options); };
}

}  // namespace

Command canary_make_command() {
  return {
      .name = "canary make",
      .group = Group::kBringIn,
      .summary = "invented records with secrets, to be sanitized with the others",
      .usage = "[--n N] [--like DATASET] [--seed HEX] -o FILE",
      .details =
          "Writes FILE, JSON Lines with \"id\" and \"text\", and FILE.key, which tells the secrets. Half of the "
          "secrets "
          "are phrases of four common words, half are numbers of ten digits, each in a sentence of its own. Put the "
          "records among the originals, and sanitize all. Then residue canary check says which secrets the sanitizer "
          "let through.",
      .examples = {{"residue canary make --n 20 --like clinic -o canaries.jsonl", "20 records, and canaries.jsonl.key"},
                   {"residue ingest dataset clinic canaries.jsonl", "puts them among the originals"}},
      .setup = setup_make};
}

Command canary_check_command() {
  return {
      .name = "canary check",
      .group = Group::kLook,
      .summary = "which secrets of canaries stand in what a sanitizer made",
      .usage = "KEY DATASET/RUN|FILE [--fail-if CONDITION]...",
      .details =
          "One line per canary: how many words of its secret stand in a row in one text, of any record, and how that "
          "ranks among 999 secrets that were never put anywhere. Exposure is log2(1000) - log2(rank): about 10 bits "
          "where the secret stands there and no other does, 1.44 by chance.\n"
          "A canary whose text failed counts as found. Prints no secret.\n"
          "A condition is FIELD OP NUMBER; FIELD is found (the share of secrets that stand there as a whole) or "
          "exposure (the mean), with .low or .high for an end of its interval. The exit code is 1 where one holds.",
      .examples = {{"residue canary check canaries.jsonl clinic/scrub", "the key lies beside the records"},
                   {"residue canary check canaries.jsonl.key release.jsonl --fail-if 'found > 0'",
                    "a file of texts, as a gate in CI"}},
      .setup = setup_check};
}

}  // namespace residue::cli
