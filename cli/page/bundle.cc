// bundle, verify-bundle: a page that can be checked without a store.
#include "page/verify/bundle.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/eval_flags.h"
#include "cli/flags/gate_flags.h"
#include "cli/open.h"
#include "cli/page/page_file.h"
#include "cli/page/report_page.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "query/export/new_file.h"

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
    throw Error(Code::kUsage, fmt::format("{} changed since it was evaluated: its numbers are old", made.stale),
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
  return {{"sound", check.sound()},   {"sha256", check.digest},
          {"dataset", check.dataset}, {"dataset_digest", check.dataset_digest},
          {"runs", std::move(runs)},  {"numbers", check.numbers},
          {"changed", check.changed}, {"differences", differences_json(check.differences, "computed")}};
}

std::string words_of(const std::string& file, const page::BundleCheck& check) {
  std::string out;
  if (check.sound()) {
    out = fmt::format(
        "{} is whole: every byte is the one that was packed, and the {} numbers of {}'s table were computed again\n",
        file, check.numbers, check.dataset);
  } else {
    out = fmt::format("{} is NOT whole\n", file);
    for (const std::string& what : check.changed) out += fmt::format("  changed: {}\n", what);
    if (!check.computed) out += "  its numbers could not be computed again\n";
    out += lines_of(check.differences, "its records give");
  }
  return out + fmt::format("SHA-256 {}\n", check.digest);
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
  return {.name = "verify-bundle",
          .group = Group::kLook,
          .summary = "is every byte and every number of a bundle right?",
          .usage = "FILE",
          .details =
              "Compares every byte with the digests, and computes the numbers again from what single records "
              "contribute. It needs no store. The exit code is 1 where something differs: it names the file and the "
              "bytes, or the numbers.",
          .examples = {{"residue verify-bundle clinic.tar", "exit code 0: whole, and the arithmetic agrees"}},
          .setup = setup_verify};
}

}  // namespace residue::cli
