// link: which sanitized records of a run a text points at, and by which terms, words or claims.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/eval_flags.h"
#include "cli/flags/terms.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "query/explain/evidence.h"
#include "storage/catalog/lookup.h"

namespace residue::cli {
namespace {

using query::EvidenceKind;

struct Options {
  std::string target, text;
  std::size_t k = query::kDefaultHits;
  std::string protocol;
  std::vector<std::string> combine;
};

// What was found, and what its evidence is about.
struct Found {
  EvidenceKind kind = EvidenceKind::kTerms;
  bool combined = false;
  std::vector<std::string> words = {};
  std::vector<query::RankedText> hits = {};
};

// The words of the common subsequence, in order.
std::vector<std::string> common_words(const Found& found, const query::RankedText& hit) {
  std::vector<std::string> words;
  for (const std::size_t place : hit.evidence.common->places) words.push_back(found.words[place]);
  return words;
}

Json support_json(const query::RankedText& hit) {
  Json lines = Json::array();
  for (std::size_t i = 0; i < hit.evidence.supports.size(); ++i) {
    const query::Support& support = hit.evidence.supports[i];
    if (support.votes == 0) continue;
    lines.push_back({{"line", i + 1}, {"votes", support.votes}, {"best", *support.best}});
  }
  return lines;
}

Json hits_json(const Found& found) {
  Json rows = Json::array();
  for (const query::RankedText& hit : found.hits) {
    Json row = {{"rank", *hit.rank}, {"record", hit.key}, {"score", hit.score}, {"tied", *hit.tied}};
    if (found.kind == EvidenceKind::kWords) {
      row["f"] = hit.evidence.common->measures.f;
      row["precision"] = hit.evidence.common->measures.p;
      row["recall"] = hit.evidence.common->measures.r;
      row["words"] = common_words(found, hit);
    } else if (found.kind == EvidenceKind::kVotes) {
      row["votes"] = support_json(hit);
    } else if (found.combined) {
      row["releases"] = Json::array();
      for (const query::ReleaseShare& share : hit.evidence.releases) {
        row["releases"].push_back({{"run", share.run}, {"score", share.score}, {"terms", terms_json(share.terms)}});
      }
    } else {
      row["terms"] = terms_json(hit.evidence.releases.front().terms);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// Of several releases "RUN:TERM".
std::vector<index::TermScore> terms_of(const Found& found, const query::RankedText& hit) {
  std::vector<index::TermScore> terms;
  for (const query::ReleaseShare& share : hit.evidence.releases) {
    for (index::TermScore term : share.terms) {
      if (found.combined) term.term = fmt::format("{}:{}", share.run, term.term);
      terms.push_back(std::move(term));
    }
  }
  std::stable_sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  return terms;
}

Table table_of(const Found& found, const Look& look, Format format) {
  Table table;
  table.columns = {{"rank", Type::kInteger, ""},
                   {"record", Type::kText, ""},
                   {"score", Type::kReal, ""},
                   {"tied", Type::kInteger, ""}};
  std::vector<std::vector<index::TermScore>> terms;
  for (const query::RankedText& hit : found.hits) {
    table.rows.push_back(
        {cell(std::uint64_t{*hit.rank}), Cell(hit.key), Cell(hit.score), cell(std::uint64_t{*hit.tied})});
    terms.push_back(terms_of(found, hit));
  }
  if (found.kind == EvidenceKind::kTerms) {
    std::vector<const std::vector<index::TermScore>*> views;
    for (const auto& one : terms) views.push_back(&one);
    add_terms(table, views, look, format);
    return table;
  }
  const bool words = found.kind == EvidenceKind::kWords;
  table.columns.push_back({words ? "words" : "lines", Type::kText, ""});
  for (std::size_t i = 0; i < found.hits.size(); ++i) {
    std::vector<std::string> cells;
    if (words) {
      cells = common_words(found, found.hits[i]);
    } else {
      for (const Json& line : support_json(found.hits[i])) cells.push_back(std::to_string(line["line"].get<int>()));
    }
    table.rows[i].push_back(Cell(fmt::format("{}", fmt::join(cells, " "))));
  }
  return table;
}

void print(Context& context, const Options& options, const query::ProtocolSpec& protocol, const Found& found) {
  const auto whole = [&] {
    return Json{{"target", options.target}, {"linker", protocol.linker_name()}, {"hits", hits_json(found)}};
  };
  context.out.shaped(
      whole, [&] { return hits_json(found); },
      [&] {
        if (found.hits.empty() && context.globals.format == Format::kTable) return;
        context.out.table(table_of(found, context.out.look(), context.globals.format));
      });
}

query::ProtocolSpec protocol_of(const Options& options) {
  query::ProtocolSpec protocol =
      query::parse_protocol(options.protocol.empty() ? query::kDefaultProtocol : std::string_view(options.protocol));
  if (!options.combine.empty()) protocol = query::combined(protocol, options.combine);
  if (protocol.linker->needs_vectors()) {
    throw Error(
        Code::kUsage,
        fmt::format("the linker {} cannot rank a text: it would need a vector of the text", protocol.linker_name()),
        fmt::format("--protocol {} ranks any text; residue explain RUN RECORD --protocol {} shows links by the "
                    "vectors that were ingested",
                    query::kDefaultProtocol, protocol.linker_name()));
  }
  if (evidence_kind(protocol) == EvidenceKind::kNothing) {
    throw Error(Code::kUsage, fmt::format("the linker {} cannot rank a text", protocol.linker_name()),
                fmt::format("bm25 can: --protocol {}", query::kDefaultProtocol));
  }
  return protocol;
}

// Where claims vote, each line is one.
query::Said said_in(const std::string& text, EvidenceKind kind) {
  if (kind != EvidenceKind::kVotes) return {{text}, text};
  query::Said said{{}, text};
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) said.claims.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return said;
}

int link(Context& context, const Options& options) {
  const storage::Target target =
      run_target(options.target, "link looks into one run",
                 "write residue link {0}/RUN TEXT; residue search {0} TEXT looks into the originals");
  const query::ProtocolSpec protocol = protocol_of(options);
  const std::string text = text_argument(options.text);
  const auto store = open_texts(context);
  Found found{.kind = evidence_kind(protocol), .combined = !protocol.runs().empty()};
  const query::AttackedRun attacked(*store, target.dataset, *target.run, protocol);
  const auto attack =
      query::open_attack(*store, attacked, protocol, said_in(text, found.kind), query::IndexUse::kBuild);
  found.words = attack->words();
  found.hits = query::ranked(*attack, attacked.candidates(), options.k);
  print(context, options, protocol, found);
  if (found.hits.empty()) {
    const auto& texts = attacked.candidates().texts;
    const bool has_text = std::any_of(texts.begin(), texts.end(), [](TextId id) { return id.value != 0; });
    context.out.note(!has_text                            ? "not linked: the run has no text"
                     : found.kind == EvidenceKind::kVotes ? "not linked: no line of the text finds a claim of the run"
                     : found.kind == EvidenceKind::kWords ? "not linked: no word of the text occurs in the run"
                                                          : "not linked: no term of the text occurs in the run");
  } else if (attacked.run().aligned()) {
    context.out.next("residue show {} --run {}", shell_word(target.dataset + "/" + found.hits.front().key),
                     *target.run);
  }
  return 0;
}

Run setup(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  syntax.add("RUN", options->target, "DATASET/RUN").required();
  syntax.add("TEXT", options->text, "what an attacker knows; -: from standard input").required();
  syntax.add("-k", options->k, "how many (10), at most 100").range(std::size_t{1}, query::kMaxHits);
  add_protocol(syntax, options->protocol, "the linker that ranks, for example rouge-l (default: bm25)");
  add_combine(syntax, options->combine);
  return [options](Context& context) { return link(context, *options); };
}

}  // namespace

Command link_command() {
  return {
      .name = "link",
      .group = Group::kLook,
      .summary = "which sanitized records a text points at, and why",
      .usage = "DATASET/RUN TEXT [-k N] [--protocol LINKER] [--combine RUN,RUN]",
      .details =
          "Ranks the sanitized texts of a run as a linker does, by default bm25. Each line has the score, the number "
          "of others with the same score, and the evidence:\n"
          "  bm25     each term's share of the score, the greatest first; of several releases, in each\n"
          "  rouge-l  the common words, in order\n"
          "  votes    each line of the text is a claim that votes; the lines that vote are listed\n"
          "\n"
          "A text that shares nothing with the run is not linked. The index of the run is built where it is missing. A "
          "dense linker would need a vector for the text; residue explain shows what it found for a record.",
      .examples = {{"residue link clinic/tags \"retired ferry captain with asthma\"", "the ten best"},
                   {"residue link clinic/tags - -k 1 < known.txt", "a text that must not stand on the command line"},
                   {"residue link clinic/tags \"a captain who sings\" --protocol rouge-l", "by common words, in order"},
                   {"residue link clinic/none \"ferry captain\" --json", "in the originals, for programs"}},
      .setup = setup};
}

}  // namespace residue::cli
