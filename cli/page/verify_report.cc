// verify-report: is a page what the store says?
#include <fmt/format.h>

#include <memory>
#include <string>

#include "base/json.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/open.h"
#include "cli/page/page_file.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "page/verify/verify_page.h"

namespace residue::cli {
namespace {

struct Options {
  std::string file;
};

Json json_of(const page::PageCheck& check) {
  return {
      {"same", check.same}, {"numbers", check.numbers}, {"first_byte", check.same ? Json() : Json(check.first_byte)},
      {"part", check.part}, {"changed", check.changed}, {"differences", differences_json(check.differences, "store")}};
}

std::string words_of(const std::string& file, const page::PageCheck& check) {
  if (check.same) return fmt::format("{} is what this store says, byte for byte: {} numbers\n", file, check.numbers);
  std::string out = fmt::format("{} is NOT what this store says: byte {}{}\n", file, check.first_byte,
                                check.part.empty() ? "" : ", in the part " + check.part);
  for (const std::string& what : check.changed) out += fmt::format("  changed since: {}\n", what);
  out += lines_of(check.differences, "the store");
  if (check.differences.empty()) out += fmt::format("  all {} numbers of its table are the store's\n", check.numbers);
  return out;
}

int verify(Context& context, const Options& options) {
  const std::string html = read_page(options.file, "name the page");
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
