// check: damage is noticed, not served; and the numbers are what a fresh store would give.
#include "verbs/keep/check.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/vader_files.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/print/table.h"
#include "cli/syntax.h"

namespace residue::cli {
namespace {

using verbs::CheckResult;

// Kind and line, in the order of what matters.
std::vector<std::pair<std::string, std::string>> lines_of(const CheckResult& found) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const std::string& line : found.before.problems) lines.emplace_back("lost", line);
  for (const std::string& line : found.before.derived_problems) lines.emplace_back("derived", line);
  for (const std::string& line : found.now.repaired) lines.emplace_back("repaired", line);
  for (const query::Difference& one : found.numbers.differences) {
    lines.emplace_back("stored", one.stored);
    lines.emplace_back("recomputed", one.recomputed);
  }
  return lines;
}

Json json_of(const CheckResult& found) {
  Json json = {{"ok", found.sound()},
               {"texts", found.now.texts},
               {"vectors", found.now.vectors},
               {"answers", found.now.answers},
               {"problems", found.before.problems},
               {"derived", found.before.derived_problems},
               {"repaired", found.now.repaired},
               {"left", found.now.problems}};
  if (found.recomputed) {
    auto left_out = Json::array();
    for (const auto& [rows, reason] : found.numbers.left_out) left_out.push_back({{"rows", rows}, {"reason", reason}});
    auto differences = Json::array();
    for (const auto& one : found.numbers.differences) {
      differences.push_back({{"stored", one.stored}, {"recomputed", one.recomputed}});
    }
    json["recomputed"] = {{"rows", found.numbers.rows},
                          {"different", found.numbers.differences.size()},
                          {"differences", differences},
                          {"left_out", left_out}};
  }
  return json;
}

void print(Output& out, const CheckResult& found) {
  for (const auto& [kind, line] : lines_of(found)) {
    const bool number = kind == "stored" || kind == "recomputed";
    out.write(number ? fmt::format("{:<12}{}\n", kind, line) : line + "\n");
  }
  out.write(fmt::format("{} texts read and compared with their addresses\n", grouped(found.now.texts)));
  if (found.now.vectors > 0) {
    out.write(fmt::format("{} vectors read and compared with their digests\n", grouped(found.now.vectors)));
  }
  if (found.now.answers > 0) {
    out.write(fmt::format("{} answers of models read and compared with their checksums\n", grouped(found.now.answers)));
  }
  if (!found.recomputed) return;
  out.write(fmt::format("{} metric rows recomputed in a fresh store, {} different\n", grouped(found.numbers.rows),
                        grouped(found.numbers.differences.size())));
  for (const auto& [rows, reason] : found.numbers.left_out) {
    out.write(fmt::format("{} not recomputed: {}\n", grouped(rows), reason));
  }
}

void print_table(Output& out, const CheckResult& found) {
  Table table;
  table.columns = {{"kind", Type::kText, "", true}, {"finding", Type::kText, ""}};
  for (const auto& [kind, line] : lines_of(found)) table.rows.push_back({kind, line});
  out.table(table);
}

// One of the formats for tables, which have no other place for findings than rows.
bool wants_rows(const Globals& globals) {
  return globals.format == Format::kCsv || globals.format == Format::kTsv || globals.format == Format::kMarkdown ||
         globals.format == Format::kLatex;
}

std::unique_ptr<storage::Store> open_damaged(const Context& context) {
  storage::OpenOptions options;
  options.with_losses = true;
  try {
    return open_store(context, options);
  } catch (const Error& error) {
    verbs::fail_beyond_check(error);
  }
}

int check(Context& context, verbs::CheckOptions options) {
  const auto store = open_damaged(context);
  options.lexicon = [] { return sentiment_lexicon({}); };
  options.recomputing = [&](const std::string& what) { context.out.detail("recomputing " + what); };
  const CheckResult found = verbs::check(*store, options);
  if (context.out.wants_json()) {
    context.out.json(json_of(found));
  } else if (wants_rows(context.globals)) {
    print_table(context.out, found);
  } else {
    print(context.out, found);
  }
  if (!found.sound()) context.out.finish();  // the error that follows would take it back
  verbs::require_sound(found, options);
  context.out.note(found.now.repaired.empty()
                       ? "the store is sound"
                       : "the store is sound again; what is said to be lost must be brought in again");
  return 0;
}

}  // namespace

Command check_command() {
  return {.name = "check",
          .group = Group::kKeep,
          .summary = "verify everything that is stored",
          .usage = "[--recompute] [--repair]",
          .details =
              "Compares every page of the catalog with its checksum, and every text with its address. Reads every "
              "vector and every answer, and hashes every index file. All of it is one snapshot, so others may go on "
              "working. Says what is damaged, whose it is, and how it comes back.\n"
              "With --repair, derived data is forgotten. Rows that cannot be read are removed and listed, and so are "
              "rows that depend on them. The damaged catalog stays in quarantine-N/ in the store until residue gc. "
              "Nobody else may have the store open.\n"
              "With --recompute, a fresh store is made from the same inputs, all current numbers are computed again, "
              "and the two are compared bit for bit. That takes as long as a whole evaluation. Judgments from "
              "elsewhere and answers of models are inputs. Numbers that are left out are counted, with the reason.",
          .examples = {{"residue check", "after a crash or a copy"},
                       {"residue check --recompute", "before publishing numbers"},
                       {"residue check --repair", "without a backup: saves what can be read"}},
          .guarded = true,
          .setup = [](Syntax& syntax) -> Run {
            auto flags = std::make_shared<verbs::CheckOptions>();
            syntax.flag("--recompute", flags->recompute, "compute all numbers again in a fresh store and compare");
            syntax.flag("--repair", flags->repair, "save what can be read, forget or remove the rest, and list it");
            return [flags](Context& context) { return check(context, *flags); };
          }};
}

}  // namespace residue::cli
