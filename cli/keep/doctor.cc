// doctor: whether this machine keeps a store, and the texts in it, as it should.
#include "verbs/keep/doctor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"
#include "cli/command.h"
#include "cli/config.h"
#include "cli/print/output.h"
#include "cli/print/wrap.h"
#include "cli/syntax.h"
#include "storage/health/finding.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

using storage::Finding;
using storage::Findings;
using storage::Health;

std::string_view word_of(Health health) {
  constexpr std::array<std::string_view, 3> kWords = {"ok", "warning", "problem"};
  return kWords[static_cast<std::size_t>(health)];
}

Finding look_at_terminal() {
  std::string locale;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0' && locale.empty()) locale = value;
  }
  const std::string lower = text::lower(locale);
  const bool unicode = lower.find("utf-8") != std::string::npos || lower.find("utf8") != std::string::npos;
  const std::string where =
      ::isatty(STDOUT_FILENO) == 1 ? fmt::format("{} columns", terminal_width(STDOUT_FILENO)) : "not a terminal";
  if (unicode) return {"terminal", Health::kOk, fmt::format("{}, {}", where, locale), ""};
  return {"terminal", Health::kWarning,
          fmt::format("{}, and the locale {} is not UTF-8: names may be shown wrongly", where,
                      locale.empty() ? "C" : locale),
          "export LC_ALL=C.UTF-8"};
}

// Nothing where no default is set: a store is the same with and without the file then.
Findings look_at_config(const std::filesystem::path& store) {
  try {
    std::string said;
    for (const auto& [key, value] : read_config(store))
      said += fmt::format("{}{} = {}", said.empty() ? "" : ", ", key, value);
    if (said.empty()) return {};
    return {{"config.toml", Health::kOk, said, ""}};
  } catch (const Error& error) {
    return {{"config.toml", Health::kProblem, error.what(), error.hint()}};
  }
}

Findings look_at_everything(const Context& context) {
  const verbs::HealthReport health = verbs::doctor(context.globals.store);
  Findings all;
  const auto add = [&](const Findings& more) { all.insert(all.end(), more.begin(), more.end()); };
  all.push_back({"store", Health::kOk,
                 health.store ? health.store->string() : "none here: what follows is of the place where one would be",
                 ""});
  add(health.files);
  if (health.store) add(look_at_config(*health.store));
  add(health.place);
  add(health.machine);
  all.push_back(look_at_terminal());
  return all;
}

int doctor(Context& context) {
  const Findings all = look_at_everything(context);
  Table table;
  table.columns = {
      {"check", Type::kText, ""}, {"state", Type::kText, ""}, {"found", Type::kText, ""}, {"remedy", Type::kText, ""}};
  table.columns[0].key = true;
  for (const Finding& one : all) {
    table.rows.push_back(
        {one.check, std::string(word_of(one.health)), one.said, one.remedy.empty() ? Cell{} : Cell{one.remedy}});
  }
  if (context.globals.format == Format::kTable) {
    const std::size_t width = context.out.to_terminal() ? terminal_width(STDOUT_FILENO) : 0;
    for (const Finding& one : all) {
      context.out.write(fitted(fmt::format("{:<8} {}: {}\n", word_of(one.health), one.check,
                                           text::escape_controls(one.said, text::Breaks::kEscape)),
                               width));
      if (!one.remedy.empty()) {
        context.out.write(
            fitted(fmt::format("         {}\n", text::escape_controls(one.remedy, text::Breaks::kEscape)), width));
      }
    }
  } else {
    context.out.table(table);
  }
  const bool sick =
      std::any_of(all.begin(), all.end(), [](const Finding& one) { return one.health == Health::kProblem; });
  return sick ? static_cast<int>(Code::kCorrupt) : 0;
}

}  // namespace

Command doctor_command() {
  return {.name = "doctor",
          .group = Group::kKeep,
          .summary = "whether this machine keeps the store as it should",
          .usage = "",
          .details =
              "Looks at the owner and the permissions of every file, at what killed commands left, and at who uses the "
              "store now. Looks at the file system and its encryption, free space, the limits of this process, core "
              "dumps and swap. Looks at engines with known errors, at config.toml, and at the terminal.\n"
              "Each check is ok, a warning or a problem, with what to do. Nothing of the store is opened or changed. "
              "Without a store, it looks at the place where one would be.\n"
              "The exit code is 5 where there is a problem, and 0 where there are only warnings. Whether the stored "
              "data is whole is another question: residue check answers it.",
          .examples = {{"residue doctor", "a line for each check"},
                       {"residue doctor --csv | grep -v ,ok,", "what wants attention"}},
          .paged = true,
          .setup = [](Syntax& /*syntax*/) -> Run { return doctor; }};
}

}  // namespace residue::cli
