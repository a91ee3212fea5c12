// check: damage is noticed, not served; and the numbers are what a fresh store would give.
#include "storage/check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/vader_files.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
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

int check(Context& context, const Flags& flags) {
  context.out.refuse_tables("check", "use --format json");
  const auto store = open_store(context);
  const storage::CheckResult result = storage::check_store(*store, flags.repair);
  query::Recomputed numbers;
  if (flags.recompute && result.problems.empty()) {
    const Scratch scratch(*store);
    const auto sentiment = sentiment_lexicon({});
    numbers = query::recompute(
        *store, scratch.dir(), [&](const std::string& what) { context.out.detail("recomputing " + what); }, sentiment);
  }
  const std::vector<query::Difference>& differences = numbers.differences;
  const bool bad = !result.problems.empty() || !differences.empty();
  const bool derived = !result.derived_problems.empty() && !flags.repair;
  if (context.out.wants_json()) {
    Json json = {{"ok", !bad && !derived},    {"texts", result.texts},       {"vectors", result.vectors},
                 {"answers", result.answers}, {"problems", result.problems}, {"derived", result.derived_problems}};
    if (flags.recompute) {
      auto left_out = Json::array();
      for (const auto& [rows, reason] : numbers.left_out) left_out.push_back({{"rows", rows}, {"reason", reason}});
      json["recomputed"] = {{"rows", numbers.rows}, {"different", differences.size()}, {"left_out", left_out}};
    }
    context.out.json(json);
  } else {
    for (const std::string& line : result.problems) context.out.write(line + "\n");
    for (const std::string& line : result.derived_problems) context.out.write(line + "\n");
    for (const query::Difference& difference : differences) {
      context.out.write(fmt::format("stored      {}\nrecomputed  {}\n", difference.stored, difference.recomputed));
    }
    context.out.write(fmt::format("{} texts read and compared with their addresses\n", grouped(result.texts)));
    if (result.vectors > 0) {
      context.out.write(fmt::format("{} vectors read and compared with their digests\n", grouped(result.vectors)));
    }
    if (result.answers > 0) {
      context.out.write(
          fmt::format("{} answers of models read and compared with their checksums\n", grouped(result.answers)));
    }
    if (flags.recompute && result.problems.empty()) {
      context.out.write(fmt::format("{} metric rows recomputed in a fresh store, {} different\n", grouped(numbers.rows),
                                    grouped(differences.size())));
      for (const auto& [rows, reason] : numbers.left_out) {
        context.out.write(fmt::format("{} not recomputed: {}\n", grouped(rows), reason));
      }
    }
  }
  if (!result.problems.empty()) {
    throw Error(Code::kCorrupt, fmt::format("the store is damaged: {} problems", result.problems.size()),
                "restore the last backup: tar xf BACKUP");
  }
  if (!differences.empty()) {
    throw Error(Code::kCorrupt, fmt::format("{} metric rows differ from a fresh computation", differences.size()),
                "please report this: it is a bug of residue");
  }
  if (derived) {
    throw Error(Code::kCorrupt, "an index is damaged; it is derived and nothing is lost",
                "residue check --repair forgets it; what needs it builds it again");
  }
  context.out.note("the store is sound");
  return 0;
}

}  // namespace

Command check_command() {
  return {
      .name = "check",
      .group = Group::kKeep,
      .summary = "verify everything that is stored",
      .usage = "[--recompute] [--repair]",
      .details =
          "Checks the catalog's pages and references, decodes every text and compares it with its address, reads\n"
          "every vector, and hashes every index file. With --recompute, all current numbers are computed again in a\n"
          "fresh store made from the same inputs and compared bit for bit: the time of a whole evaluation. What judges "
          "said\n"
          "elsewhere and models answered is input. Numbers that are left out are counted, with the reason.",
      .examples = {{"residue check", "after a crash or a copy"},
                   {"residue check --recompute", "before publishing numbers"}},
      .guarded = true,
      .setup = [](Syntax& syntax) -> Run {
        auto flags = std::make_shared<Flags>();
        syntax.flag("--recompute", flags->recompute, "compute all numbers again in a fresh store and compare");
        syntax.flag("--repair", flags->repair, "forget damaged index files: they are built again when needed");
        return [flags](Context& context) { return check(context, *flags); };
      }};
}

}  // namespace residue::cli
