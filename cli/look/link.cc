// link: which sanitized records of a run a text points at, and by which terms, words or claims.
#include "verbs/look/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/eval_flags.h"
#include "cli/flags/terms.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "storage/catalog/lookup.h"

namespace residue::cli {
namespace {

using query::EvidenceKind;

using verbs::LinkResult;

struct Options {
  std::string target;
  verbs::LinkOptions link;
};

// The words of the common subsequence, in order.
std::vector<std::string> common_words(const LinkResult& found, const query::RankedText& hit) {
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

Json hits_json(const LinkResult& found) {
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
std::vector<index::TermScore> terms_of(const LinkResult& found, const query::RankedText& hit) {
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

Table table_of(const LinkResult& found, const Look& look, Format format) {
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

void print(Context& context, const Options& options, const LinkResult& found) {
  const auto whole = [&] {
    return Json{{"target", options.target}, {"linker", found.protocol.linker_name()}, {"hits", hits_json(found)}};
  };
  context.out.shaped(
      whole, [&] { return hits_json(found); },
      [&] {
        if (found.hits.empty() && context.globals.format == Format::kTable) return;
        context.out.table(table_of(found, context.out.look(), context.globals.format));
      });
}

int link(Context& context, const Options& options) {
  const storage::Target target =
      run_target(options.target, "link looks into one run",
                 "write residue link {0}/RUN TEXT; residue search {0} TEXT looks into the originals");
  verbs::LinkOptions wanted = options.link;
  wanted.dataset = target.dataset;
  wanted.run = *target.run;
  verbs::check(wanted);
  wanted.text = text_argument(options.link.text);
  const auto store = open_store(context);
  const LinkResult found = verbs::link(*store, wanted);
  print(context, options, found);
  if (found.hits.empty()) {
    context.out.note(!found.has_text                      ? "not linked: the run has no text"
                     : found.kind == EvidenceKind::kVotes ? "not linked: no line of the text finds a claim of the run"
                     : found.kind == EvidenceKind::kWords ? "not linked: no word of the text occurs in the run"
                                                          : "not linked: no term of the text occurs in the run");
  } else if (found.aligned) {
    context.out.next("residue show {} --run {}", shell_word(target.dataset + "/" + found.hits.front().key),
                     *target.run);
  }
  return 0;
}

Run setup(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  syntax.add("RUN", options->target, "DATASET/RUN").required();
  syntax.add("TEXT", options->link.text, "what an attacker knows; -: from standard input").required();
  syntax.add("-k", options->link.k, "how many (10), at most 100").range(std::size_t{1}, query::kMaxHits);
  add_protocol(syntax, options->link.protocol, "the linker that ranks, for example rouge-l (default: bm25)");
  add_combine(syntax, options->link.combine);
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
