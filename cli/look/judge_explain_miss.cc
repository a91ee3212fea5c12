// judge explain-miss: why a model would be asked again although answers are saved.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "model/tasks/claim_support.h"
#include "verbs/look/judges.h"

namespace residue::cli {
namespace {

struct Options {
  std::string judge, against;
  bool all = false;
};

// `field` is the template: those of this program need no file, and any others can be given as one.
std::string template_flag(const query::SpecField& field) {
  return field.theirs == query::shown_value(model::support_template()) ? "without --template" : "--template FILE";
}

std::string flag_of(const query::SpecField& field) {
  if (field.name == "template") return template_flag(field);
  std::string flag = "--" + field.name;
  std::replace(flag.begin(), flag.end(), '_', '-');
  const bool absent = field.theirs == "unset" && field.name == "revision";
  return absent ? "without --revision" : fmt::format("{} {}", flag, shell_word(field.theirs));
}

// The endpoint of a name may have changed since its answers came.
std::string other_name(const query::Miss& miss) {
  return miss.against == miss.judge ? miss.against + " as it was" : miss.against;
}

// What to do so that the answers of the other are found. Settings and instructions are the user's; layout and schema
// are this program's.
std::string remedy(const query::Miss& miss) {
  const std::string before = other_name(miss);
  static const std::vector<std::string> kOwn = {"layout", "schema", "task"};
  std::string with, without, own;
  bool form = false;  // another schema follows from a setting
  for (const query::SpecField& field : miss.difference.fields) {
    form = form || ((field.name == "answer" || field.name == "claims_per_request") && !field.equal);
  }
  for (const query::SpecField& field : miss.difference.fields) {
    if (field.equal || !field.decides) continue;
    const bool ours = std::find(kOwn.begin(), kOwn.end(), field.name) != kOwn.end();
    if (field.name == "schema" && form) continue;
    const std::string flag = ours ? field.name : flag_of(field);
    std::string& list = ours ? own : flag.starts_with("without") ? without : with;
    list += (list.empty() ? "" : ", ") + flag;
  }
  if (!with.empty()) with.insert(0, "with ");
  const std::string flags = with + (with.empty() || without.empty() ? "" : ", ") + without;
  if (flags.empty() && own.empty()) {
    return fmt::format("the answers of {} are found by {} as well: they depend on nothing in which the two differ",
                       before, miss.judge);
  }
  const std::string answers = fmt::format("the answers of {} would be found", before);
  if (own.empty()) return fmt::format("{} by the same residue model add {}", answers, flags);
  return fmt::format("{} only by the version of residue that had this {}{}", answers, own,
                     flags.empty() ? "" : ", " + flags);
}

Json json_of(const query::Miss& miss, std::uint64_t moved) {
  auto fields = Json::array();
  for (const query::SpecField& field : miss.difference.fields) {
    fields.push_back({{"field", field.name},
                      {"judge", field.ours},
                      {"against", field.theirs},
                      {"equal", field.equal},
                      {"decides", field.decides}});
  }
  return {
      {"judge", miss.judge},
      {"judgments", miss.judgments},
      {"moved_judgments", moved},
      {"against", miss.against},
      {"against_judgments", miss.against_judgments},
      {"deciding", miss.difference.deciding()},
      {"template_lines",
       {{"only_judge", miss.difference.instructions.added}, {"only_against", miss.difference.instructions.removed}}},
      {"fields", fields},
      {"remedy", remedy(miss)}};
}

int explain_miss(Context& context, const Options& options) {
  const auto store = open_store(context, true);
  std::optional<std::string> against;
  if (!options.against.empty()) against = options.against;
  const verbs::MissResult result = verbs::explain_miss(*store, options.judge, against);
  const std::optional<query::Miss>& miss = result.miss;
  const std::uint64_t moved = result.moved;
  const auto tell_moved = [&] {
    if (moved == 0) return;
    context.out.note(
        fmt::format("{} judgments of {} are of claims that no record has together any more: records' claims, or their "
                    "order, have changed since; eval asks about the requests that they are in now",
                    grouped(moved), result.judge));
  };
  if (!miss) {
    if (context.out.wants_json()) {
      context.out.json({{"judge", options.judge}, {"moved_judgments", moved}, {"against", nullptr}});
    }
    tell_moved();
    context.out.note(moved > 0
                         ? fmt::format("no other model has judgments in this store")
                         : fmt::format("no other model has judgments in this store: {} is the first", options.judge));
    return 0;
  }
  if (context.out.wants_json()) {
    context.out.json(json_of(*miss, moved));
    return 0;
  }
  tell_moved();
  const std::string before = other_name(*miss);
  Table table;
  table.columns = {{"field", Type::kText, "", true},
                   {"judge", Type::kText, miss->judge},
                   {"against", Type::kText, before},
                   {"decides", Type::kText, "answers depend on it"}};
  std::uint64_t equal = 0;
  for (const query::SpecField& field : miss->difference.fields) {
    equal += field.equal ? 1 : 0;
    if (field.equal && !options.all) continue;
    table.rows.push_back({Cell(field.name), Cell(field.ours), Cell(field.theirs),
                          Cell(std::string(field.equal     ? "equal"
                                           : field.decides ? "yes"
                                                           : "no"))});
  }
  context.out.table(table);
  context.out.flush();
  const query::LineChanges& lines = miss->difference.instructions;
  if (lines.added + lines.removed > 0) {
    context.out.note(fmt::format("template: {} lines only in {}, {} only in {}", lines.added, miss->judge,
                                 lines.removed, miss->against));
  }
  context.out.note(fmt::format("{} fields are equal; judgments stored: {} of {}, {} of {}", equal,
                               grouped(miss->judgments), miss->judge, grouped(miss->against_judgments), before));
  context.out.note(remedy(*miss));
  if (miss->others > 0) context.out.note(fmt::format("{} other specs in the store: --against NAME", miss->others));
  return 0;
}

}  // namespace

Command judge_explain_miss_command() {
  return {.name = "judge explain-miss",
          .group = Group::kLook,
          .summary = "why saved answers are not found: two judges compared",
          .usage = "JUDGE [--against JUDGE] [--all]",
          .details =
              "A saved answer belongs to one model, revision, set of instructions and settings. Only a judge with the "
              "same finds it; \"unset\" differs from every number. The command shows in which fields two judges "
              "differ, and which change would make the answers of the other usable.\n"
              "Without --against, it takes the nearest judge of the store that has judgments. For judges that rate "
              "several claims per request, it also counts the judgments of claims that no longer stand together.",
          .examples = {{"residue judge explain-miss gpt4", "why plan wants to ask again"},
                       {"residue judge explain-miss gpt4 --against 'gpt4 (superseded 3)' --all", "all fields"}},
          .paged = true,
          .setup = [](Syntax& syntax) -> Run {
            auto options = std::make_shared<Options>();
            syntax.add("JUDGE", options->judge, "an endpoint, or a judge of the store").required();
            syntax.add("--against", options->against, "another judge; default: the nearest");
            syntax.flag("--all", options->all, "also the fields that are equal");
            return [options](Context& context) { return explain_miss(context, *options); };
          }};
}

}  // namespace residue::cli
