#include "cli/page/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "cli/flags/context_file.h"
#include "cli/help.h"
#include "cli/page/page_file.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "page/release/page_request.h"
#include "page/release/parts.h"
#include "page/release/release_page.h"
#include "query/export/new_file.h"

namespace residue::cli {
namespace {

// The time that makers of reproducible files set, else now.
std::int64_t made_ms() {
  const char* const set = std::getenv("SOURCE_DATE_EPOCH");  // NOLINT(concurrency-mt-unsafe): nobody sets it meanwhile
  if (set == nullptr) return now_ms();
  std::int64_t seconds = 0;
  const std::string_view words(set);
  const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), seconds);
  if (error != std::errc() || end != words.data() + words.size() || seconds < 0 || seconds > 253'402'300'799) {
    throw Error(Code::kUsage, "SOURCE_DATE_EPOCH is no count of seconds", "unset it");
  }
  return 1000 * seconds;
}

}  // namespace

void PageFlags::add_to(Syntax& syntax) {
  syntax.add("--html", file, "write the page that a release is decided on to this new file; -: to standard output")
      .type("FILE");
  syntax.add("--context", context, "with --html: what people say of the release, as TOML: " + context_keys())
      .type("FILE");
  syntax.flag("--with-keys", keys, "with --html: the ids of the worst records, too");
  syntax.flag("--with-text", texts, "with --html: the claims that leaked, and the texts that say them, too");
  syntax.flag("--no-proof", no_proof, "with --html: without what single records contribute");
}

void PageFlags::check(const Context& with, const std::string& table, const Arrangement& arrangement) const {
  if (!file) {
    if (context.empty() && !texts && !keys && !no_proof) return;
    throw Error(Code::kUsage, "--context, --with-keys, --with-text and --no-proof are about a page", "add --html FILE");
  }
  if (!table.empty()) throw Error(Code::kUsage, "--html has all tables", "leave out --table");
  if (file->empty()) throw Error(Code::kUsage, "--html names no file", "--html FILE, or --html - for standard output");
  if (with.globals.format_given) {
    throw Error(Code::kUsage, "--html writes a page: it has no other format",
                "leave out --json, --csv and --format; a second report gives them");
  }
  if (arrangement.any()) throw Error(Code::kUsage, "--html has all columns", "leave out --sort and --columns");
  if (*file == "-") return;
  if (with.globals.output.value_or("-") != "-") {
    throw Error(Code::kUsage, "--html FILE and -o FILE name two files", "leave out one of them");
  }
  query::refuse_existing(*file);
}

MadePage make_page(storage::Store& store, const PageFlags& flags, verbs::ReleaseOptions wanted) {
  page::limit_gates(wanted.gates.gates.size(), Code::kUsage);
  page::PageOptions options;
  if (!flags.context.empty()) options.context = read_context(flags.context);
  options.version = version_text();
  options.made_ms = made_ms();
  wanted.keys = flags.keys;
  wanted.texts = flags.texts;
  wanted.proof = !flags.no_proof;
  const verbs::Release release = verbs::release(store, wanted);
  const auto stale = std::ranges::find_if(release.report().runs, &query::ReportRun::stale);
  return {page::release_page(release, wanted, options), release.result.gates,
          stale == release.report().runs.end() ? std::string() : stale->run};
}

std::vector<query::GateResult> write_report_page(Context& context, storage::Store& store, const PageFlags& flags,
                                                 verbs::ReleaseOptions wanted) {
  const std::string& name = flags.file.value();
  std::optional<query::NewFile> file;
  if (name != "-") file.emplace(name);
  const MadePage made = make_page(store, flags, std::move(wanted));
  if (file) {
    finish_with(*file, name, made.html);
    context.out.note(fmt::format("{}: {}, one file that needs nothing else", name, bytes_text(made.html.size())));
  } else {
    context.out.write(made.html);
    context.out.flush();
  }
  if (!flags.no_proof) {
    context.out.note("it has a row for each record without its id: who can guess an id finds its row (--no-proof)");
  }
  if (!made.stale.empty()) {
    context.out.note(fmt::format("warning: {} {}; its numbers are old: residue eval", made.stale, page::kOld));
  }
  if (flags.keys || flags.texts) {
    context.out.note("it has confidential words: give it only to those who may read the originals");
  }
  return made.gates;
}

}  // namespace residue::cli
