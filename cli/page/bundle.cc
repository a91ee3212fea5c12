// bundle, verify-bundle: a page that can be checked without a store.
#include "page/verify/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/eval_flags.h"
#include "cli/flags/gate_flags.h"
#include "cli/help.h"
#include "cli/open.h"
#include "cli/page/page_file.h"
#include "cli/page/report_page.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "page/release/parts.h"
#include "query/export/new_file.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

struct Options {
  std::string dataset, file, context, protocol, judge;
  std::string missing = "leaked";
  GateFlags gates;
};

int bundle(Context& context, const Options& options) {
  if (options.file.empty() || options.file == "-") {
    throw Error(Code::kUsage, "a bundle is a file: its digest is told apart from it", "residue bundle FILE.tar");
  }
  query::refuse_existing(options.file);
  verbs::ReleaseOptions wanted;
  wanted.gates = options.gates.gates();
  wanted.what.dataset = options.dataset;
  wanted.what.protocols = options.protocol;
  wanted.what.seeds = 1;  // of several, records add up to no number
  if (!options.judge.empty()) wanted.what.judge = options.judge;
  if (options.missing == "drop") wanted.what.missing = query::MissingPolicy::kDrop;
  const auto store = open_store(context, true);
  query::NewFile file(options.file);
  PageFlags flags;
  flags.context = options.context;
  const MadePage made = make_page(*store, flags, wanted);
  if (!made.stale.empty()) {
    throw Error(Code::kUsage, fmt::format("{} {}: its numbers are old", made.stale, page::kOld),
                "residue eval, then pack it again");
  }
  const std::string bytes = page::bundle_of(made.html);
  finish_with(file, options.file, bytes);
  context.out.note(fmt::format("{}: {}; SHA-256 {}", options.file, bytes_text(bytes.size()), to_hex(sha256(bytes))));
  context.out.note("tell the digest to whoever gets the file by another way: residue verify-bundle prints it");
  return report_gates(context, options.gates, made.gates);
}

Json json_of(const page::BundleCheck& check) {
  Json runs = Json::array();
  for (const auto& [run, digest] : check.runs) runs.push_back({{"run", run}, {"digest", digest}});
  return {{"sound", check.sound()},
          {"sha256", check.digest},
          {"dataset", check.dataset},
          {"dataset_digest", check.dataset_digest},
          {"runs", std::move(runs)},
          {"version", check.page.version},
          {"changed", check.changed},
          {"numbers", check.page.numbers},
          {"differences", differences_json(check.page.differences, "computed")},
          {"parts", check.page.parts},
          {"contradictions", check.page.contradictions},
          {"gates", check.page.gates},
          {"gates_believed", check.page.believed},
          {"not_computed", page::only_the_store()}};
}

// What another program wrote may be right, and look otherwise: it is not said to fit.
std::string version_words(const page::BundleCheck& check) {
  if (check.page.version.empty() || check.page.version == version_text()) return {};
  return fmt::format(
      "  the page says that it is of {}, and this is {}, which may write it otherwise: verify it with that program\n",
      text::escape_controls(check.page.version, text::Breaks::kEscape), version_text());
}

std::string list_of(std::string_view what, const std::vector<std::string>& all) {
  constexpr std::size_t kMost = 20;
  std::string out;
  for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i) {
    out += fmt::format("  {}: {}\n", what, text::escape_controls(all[i], text::Breaks::kEscape));
  }
  if (all.size() > kMost) out += fmt::format("  and {} more\n", all.size() - kMost);
  return out;
}

std::string words_of(const std::string& file, const page::BundleCheck& check) {
  std::string out;
  if (check.sound()) {
    out = fmt::format(
        "{} fits its own digests, and the page of {} is what its own data give, byte for byte\n"
        "computed again from what single records contribute: {} numbers of its table, and {} of {} gates\n"
        "not computed again, only the store can say (verify-report): {}\n"
        "SHA-256 {}\n"
        "compare this digest with the one that you were given by another way: who repacks a bundle makes another\n",
        file, check.dataset, check.page.numbers, check.page.gates - check.page.believed, check.page.gates,
        page::only_the_store(), check.digest);
  } else {
    out = fmt::format("{} is NOT whole\n", file);
    for (const std::string& what : check.changed) out += fmt::format("  changed: {}\n", what);
    if (!check.page.computed) {
      out += "  its numbers could not be computed again\n";
    } else if (!check.page.made) {
      out += "  the page could not be written again from its own data\n";
    }
    out += list_of("not what its own data give", check.page.parts);
    out += lines_of(check.page.differences, "its records give");
    out += list_of("its data contradict themselves", check.page.contradictions);
    out += version_words(check);
    out += fmt::format("SHA-256 {}\n", check.digest);
  }
  return out;
}

int verify(Context& context, const std::string& file) {
  const std::string bytes = read_page(file, "name the bundle");
  const page::BundleCheck check = page::verify_bundle(bytes);
  if (context.out.wants_json()) {
    context.out.json(json_of(check));
  } else {
    context.out.write(words_of(file, check));
  }
  return check.sound() ? 0 : 1;
}

Run setup_bundle(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  syntax.add("FILE", options->file, "the new file").required();
  syntax.add("DATASET", options->dataset, "the dataset; not needed if there is one only");
  add_protocol(syntax, options->protocol, "the attacker; default: the last evaluated").configured("protocol");
  syntax.add("--judge", options->judge, "the judge (default: the last one)").configured("judge");
  syntax.add("--missing", options->missing, "failed and missing records: leaked (default) or drop")
      .one_of({"leaked", "drop"});
  syntax.add("--context", options->context, "what people say of the release, as TOML").type("FILE");
  options->gates.add_to(syntax);
  return [options](Context& context) { return bundle(context, *options); };
}

Run setup_verify(Syntax& syntax) {
  auto file = std::make_shared<std::string>();
  syntax.add("FILE", *file, "the bundle").required();
  return [file](Context& context) { return verify(context, *file); };
}

}  // namespace

Command bundle_command() {
  return {.name = "bundle",
          .group = Group::kLook,
          .summary = "the page of a release with digests, to be checked elsewhere",
          .usage = "FILE [DATASET]",
          .details =
              "Packs the page of report --html, with its proof and without ids and texts, and digests of its bytes "
              "into one tar file. Of several seeds it is the first. verify-bundle checks it on any machine, without a "
              "store and without texts. The "
              "digest that is printed says that it is this bundle: give it to the recipient by another way.",
          .examples = {{"residue bundle clinic.tar clinic", "the page of clinic, to be checked elsewhere"},
                       {"residue bundle clinic.tar clinic --fail-if 'leak_rate > 0.1' --context context.toml",
                        "with gates, and with what people say"}},
          .setup = setup_bundle};
}

Command verify_bundle_command() {
  return {
      .name = "verify-bundle",
      .group = Group::kLook,
      .summary = "does a bundle fit its digests, its numbers and its own data?",
      .usage = "FILE",
      .details =
          "Compares every byte with the digests, computes the numbers again from what single records contribute, "
          "writes the whole page again from its own data and compares byte by byte, scripts and style too. It needs "
          "no store. The exit code is 1 where something differs: it names the file and the bytes, the numbers, or "
          "the parts of the page. Digests show that a bundle is in one piece, not who packed it: whoever changes "
          "numbers that no contributions are behind, in page and data alike, is found out by the SHA-256 alone.",
      .examples = {{"residue verify-bundle clinic.tar", "exit code 0: it fits its digests and its own data"}},
      .setup = setup_verify};
}

}  // namespace residue::cli
