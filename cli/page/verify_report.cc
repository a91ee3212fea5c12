// verify-report: is a page what the store says?
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "page/release/verify_page.h"
#include "storage/disk/files.h"

namespace residue::cli {
namespace {

constexpr std::size_t kMostBytes = 256U << 20U;
constexpr std::size_t kMostTold = 20;

struct Options {
  std::string file;
};

std::string number(const std::optional<double>& value) {
  if (value && std::isnan(*value)) return "other digits than it stores, or another name";
  return value ? json_number(*value) : "nothing";
}

std::string line_of(const page::RowDifference& one) {
  if (one.field.empty()) return fmt::format("{} of {}: a row that only one of both has", one.metric, one.run);
  return fmt::format("{} of {}, {}: the page has {}, the store {}", one.metric, one.run, one.field, number(one.page),
                     number(one.other));
}

Json json_of(const page::PageCheck& check) {
  Json differences = Json::array();
  for (const page::RowDifference& one : check.differences) {
    differences.push_back(
        {{"run", one.run}, {"metric", one.metric}, {"field", one.field}, {"page", one.page}, {"store", one.other}});
  }
  return {
      {"same", check.same}, {"numbers", check.numbers}, {"first_byte", check.same ? Json() : Json(check.first_byte)},
      {"part", check.part}, {"changed", check.changed}, {"differences", std::move(differences)}};
}

std::string words_of(const std::string& file, const page::PageCheck& check) {
  if (check.same) return fmt::format("{} is what this store says, byte for byte: {} numbers\n", file, check.numbers);
  std::string out = fmt::format("{} is NOT what this store says: byte {}{}\n", file, check.first_byte,
                                check.part.empty() ? "" : ", in the part " + check.part);
  for (const std::string& what : check.changed) out += fmt::format("  changed since: {}\n", what);
  std::size_t told = 0;
  for (const page::RowDifference& one : check.differences) {
    if (++told > kMostTold) break;
    out += fmt::format("  {}\n", line_of(one));
  }
  if (check.differences.size() > kMostTold) {
    out += fmt::format("  and {} more\n", check.differences.size() - kMostTold);
  }
  if (check.differences.empty()) out += fmt::format("  all {} numbers of its table are the store's\n", check.numbers);
  return out;
}

int verify(Context& context, const Options& options) {
  std::string html;
  try {
    html = storage::read_store_file(options.file, kMostBytes);
  } catch (const Error& error) {
    if (error.code() != Code::kCorrupt) throw;
    throw Error(Code::kBadInput, options.file + " is no file, or larger than 256 MiB", "name the page");
  }
  const auto store = open_store(context, true);
  const page::PageCheck check = page::verify_page(*store, html, version_text());
  if (context.out.wants_json()) {
    context.out.json(json_of(check));
  } else {
    context.out.write(words_of(options.file, check));
  }
  return check.same ? 0 : 1;
}

Run setup(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  syntax.add("FILE", options->file, "the page").required();
  return [options](Context& context) { return verify(context, *options); };
}

}  // namespace

Command verify_report_command() {
  return {.name = "verify-report",
          .group = Group::kLook,
          .summary = "is a page of report --html what the store says?",
          .usage = "FILE",
          .details =
              "Makes the page again from the store, with what it was asked for, and compares byte by byte. The exit "
              "code is 1 where they differ: it then names the numbers that the store has otherwise, or the part of the "
              "page, and what changed since it was made. A page that only its scripts can check is read by a browser: "
              "it says \"arithmetic agrees\".",
          .examples = {{"residue verify-report clinic.html", "exit code 0: every byte is what this store says"}},
          .setup = setup};
}

}  // namespace residue::cli
