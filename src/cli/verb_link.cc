// link: which sanitized records of a run a text points at, and by which terms.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/terms.h"
#include "query/search.h"
#include "storage/lookup.h"

namespace residue::cli {
namespace {

struct Options {
  std::string target, text, protocol;
  std::size_t k = query::kDefaultHits;
};

nlohmann::ordered_json hits_json(const std::vector<query::TextHit>& hits) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const query::TextHit& hit : hits) {
    rows.push_back({{"rank", hit.rank},
                    {"record", hit.key},
                    {"score", hit.score},
                    {"tied", hit.tied},
                    {"terms", terms_json(hit.terms)}});
  }
  return rows;
}

Table table_of(const std::vector<query::TextHit>& hits, const Look& look, Format format) {
  Table table;
  table.columns = {{"rank", Type::kInteger, ""},
                   {"record", Type::kText, ""},
                   {"score", Type::kReal, ""},
                   {"tied", Type::kInteger, ""}};
  std::vector<const std::vector<index::TermScore>*> terms;
  for (const query::TextHit& hit : hits) {
    table.rows.push_back({cell(hit.rank), Cell(hit.key), Cell(hit.score), Cell(std::int64_t{hit.tied})});
    terms.push_back(&hit.terms);
  }
  add_terms(table, terms, look, format);
  return table;
}

void print(Context& context, const Options& options, const query::ProtocolSpec& protocol,
           const std::vector<query::TextHit>& hits) {
  if (context.globals.format == Format::kJson) {
    context.out.json({{"target", options.target}, {"linker", protocol.linker_name()}, {"hits", hits_json(hits)}});
  } else if (context.out.wants_json()) {
    context.out.json(hits_json(hits));
  } else if (!hits.empty() || context.globals.format != Format::kTable) {
    context.out.table(table_of(hits, context.out.look(), context.globals.format));
  }
  context.out.flush();
}

int link(Context& context, const Options& options) {
  const storage::Target target = storage::parse_target(options.target);
  if (!target.run) {
    throw Error(Code::kUsage, "link looks into one run",
                fmt::format("write residue link {0}/RUN TEXT; residue search {0} TEXT looks into the originals",
                            target.dataset));
  }
  const query::ProtocolSpec protocol =
      query::parse_protocol(options.protocol.empty() ? query::kDefaultProtocol : std::string_view(options.protocol));
  query::require_bm25(protocol, "rank a text");
  const std::string text = text_argument(options.text);
  const auto store = open_store(context);
  const storage::Lock held = store->hold_texts();
  const query::OpenRun run = query::open_run(*store, target.dataset, *target.run, protocol, query::IndexUse::kBuild);
  const std::vector<query::TextHit> hits = query::find_hits(run, text, options.k);
  print(context, options, protocol, hits);
  if (hits.empty()) {
    context.out.note(run.has_text() ? "not linked: no term of the text occurs in the run"
                                    : "not linked: the run has no text");
  } else if (run.run.aligned()) {
    context.out.note(fmt::format("next: residue show {}/{} --run {}", target.dataset, hits.front().key, *target.run));
  }
  return 0;
}

Run setup(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("RUN", options->target, "DATASET/RUN")->required();
  app.add_option("TEXT", options->text, "what an attacker knows; -: from standard input")->required();
  app.add_option("-k", options->k, "how many (10), at most 100")->check(CLI::Range(std::size_t{1}, query::kMaxHits));
  app.add_option("--protocol", options->protocol, "which terms count: bm25 (default) or bm25[analyzer=plain]");
  return [options](Context& context) { return link(context, *options); };
}

}  // namespace

Command link_command() {
  return {
      .name = "link",
      .group = Group::kLook,
      .summary = "which sanitized records a text points at, and by which terms",
      .usage = "DATASET/RUN TEXT [-k N]",
      .details =
          "Ranks the sanitized texts of a run as the linker bm25 does: score, how many others have the same, and each "
          "term's share of the score, highest first. A text that shares no term with the run is not linked. Builds the "
          "run's index where it is missing.",
      .examples = {{"residue link clinic/tags \"retired ferry captain with asthma\"", "the ten best"},
                   {"residue link clinic/tags - -k 1 < known.txt", "a text that must not stand on the command line"},
                   {"residue link clinic/none \"ferry captain\" --json", "in the originals, for programs"}},
      .setup = setup};
}

}  // namespace residue::cli
