// check: damage is noticed, not served; and the numbers are what a fresh store would give.
#include "storage/check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
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
#include "query/evaluate/recompute.h"
#include "storage/disk/files.h"

namespace residue::cli {
namespace {

struct Flags {
  bool recompute = false;
  bool repair = false;
};

// A directory inside the store, so that nothing leaves it, removed at the end whatever happens.
class Scratch {
 public:
  explicit Scratch(const storage::Store& store)
      : dir_(store.dir() / fmt::format("{}{}", storage::kScratchPrefix, ::getpid())) {
    std::error_code ignored;
    std::filesystem::remove_all(dir_, ignored);
    storage::make_private_directory(dir_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(dir_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& dir() const { return dir_; }

 private:
  std::filesystem::path dir_;
};

struct Findings {
  storage::CheckResult before, now;  // the same where nothing was repaired
  query::Recomputed numbers;
  bool recomputed = false;
};

// Kind and line, in the order of what matters.
std::vector<std::pair<std::string, std::string>> lines_of(const Findings& found) {
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

Json json_of(const Findings& found, bool ok) {
  Json json = {{"ok", ok},
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

void print(Output& out, const Findings& found) {
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

void print_table(Output& out, const Findings& found) {
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

[[noreturn]] void fail_for(const storage::CheckResult& result, bool repaired) {
  const std::size_t count = result.problems.size() + result.derived_problems.size();
  if (!result.problems.empty()) {
    throw Error(Code::kCorrupt, fmt::format("the store is damaged: {} problem{}", count, count == 1 ? "" : "s"),
                repaired ? "what is left cannot be repaired: restore the last backup, tar xf BACKUP"
                         : "restore the last backup (tar xf BACKUP), or save the rest with residue check --repair");
  }
  throw Error(Code::kCorrupt, "only derived data is damaged: nothing is lost",
              "residue check --repair removes it; it is built again when it is needed");
}

bool damaged(const storage::CheckResult& result) {
  return !result.problems.empty() || !result.derived_problems.empty();
}

// What any other command says of a damaged catalog leads here, and must not lead in a circle.
[[noreturn]] void fail_beyond_check(const Error& error) {
  if (error.code() != Code::kCorrupt || error.hint().find("residue check") == std::string::npos) throw error;
  throw Error(Code::kCorrupt, error.what(),
              "too little of it can be read to save the rest: restore the last backup (tar xf BACKUP), or make a new "
              "store with residue init and bring the files in again");
}

Findings look_through(storage::Store& store, bool repair) {
  Findings found;
  found.before = found.now = storage::check_store(store);
  if (repair && damaged(found.before)) found.now = storage::repair_store(store, found.before);
  return found;
}

int check(Context& context, const Flags& flags) {
  storage::OpenOptions options;
  options.with_losses = true;
  std::unique_ptr<storage::Store> store;
  Findings found;
  try {
    store = open_store(context, options);
    found = look_through(*store, flags.repair);
  } catch (const Error& error) {
    fail_beyond_check(error);
  }
  // On a damaged store another number says nothing about the program.
  found.recomputed = flags.recompute && !damaged(found.now);
  if (found.recomputed) {
    const Scratch scratch(*store);
    found.numbers = query::recompute(
        *store, scratch.dir(), [&](const std::string& what) { context.out.detail("recomputing " + what); },
        sentiment_lexicon({}));
  }
  const bool ok = !damaged(found.now) && found.numbers.differences.empty();
  if (context.out.wants_json()) {
    context.out.json(json_of(found, ok));
  } else if (wants_rows(context.globals)) {
    print_table(context.out, found);
  } else {
    print(context.out, found);
  }
  if (!ok) context.out.finish();  // the error that follows would take it back
  if (damaged(found.now)) fail_for(found.now, flags.repair);
  if (!ok) {
    throw Error(Code::kCorrupt,
                fmt::format("{} metric rows differ from a fresh computation", found.numbers.differences.size()),
                "the stored data is whole: please report this, it is a bug of residue");
  }
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
            auto flags = std::make_shared<Flags>();
            syntax.flag("--recompute", flags->recompute, "compute all numbers again in a fresh store and compare");
            syntax.flag("--repair", flags->repair, "save what can be read, forget or remove the rest, and list it");
            return [flags](Context& context) { return check(context, *flags); };
          }};
}

}  // namespace residue::cli
