// Columns of reports that are no metric and no word of their own in the glossary.
#include "cli/printed/glossary_columns.h"

#include <algorithm>
#include <array>
#include <utility>

namespace residue::cli {
namespace {

constexpr std::array kFields = {"not_applicable", "coverage", "missing", "failed", "units", "high", "low", "std", "n"};

bool digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Columns whose names have a number in them; empty: it is none of them.
std::string numbered(std::string_view name) {
  if (name.starts_with("from_0_") && digits(name.substr(7))) {
    return "How many records have a distance from 0." + std::string(name.substr(7)) + " on, up to the next column.";
  }
  if (name.starts_with("k=") && digits(name.substr(2))) {
    return "The attacker knows " + std::string(name.substr(2)) + " claims of the record.";
  }
  const std::size_t at = name.find("_at_");
  if (at == std::string_view::npos || !digits(name.substr(at + 4))) return {};
  const std::string_view what = name.substr(0, at);
  const std::string share = std::string(name.substr(at + 4)) + " %";
  const std::string precision = "the share of right records where the attacker names one only in the " + share +
                                " of cases in which he is surest";
  if (what == "precision") return "A precision: " + precision + ".";
  if (what == "low" || what == "high") return "An end of the 95 % interval of " + precision + ".";
  if (what == "std") return "The standard deviation over seeds of " + precision + ".";
  return {};
}

}  // namespace

const std::vector<Term>& column_terms() {
  static const std::vector<Term> all = {
      {"metric", "What a number measures: leak_rate, for example. `residue help leak_rate` explains one."},
      {"value", "The number itself. Empty: it was not computed, or does not apply."},
      {"slice, part, category, categories",
       "The part of a metric that a number is about: records whose link was right, wrong or not_linked, or a named "
       "part, such as one category of claims. Empty: the whole."},
      {"categorizer", "Who sorted the claims into categories: you, rules, or a model."},
      {"records", "How many records a number, or an evaluation, is about."},
      {"claims", "How many claims a number is about."},
      {"units", "What a share is a share of, where it is not of records: claims, words or labels, as the metric says."},
      {"std, standard_error",
       "How much the numbers of single records differ (standard deviation), or how far a mean may be off for chance "
       "alone (standard error)."},
      {"records_sd, seeds_sd, rest_sd, claims_sd, votes_sd",
       "Where noise comes from, as standard deviations: records, seeds of the attacker, what is left of both, claims "
       "of one record, and votes of a judge on one claim."},
      {"voted_claims", "How many claims a judge rated more than once."},
      {"seeds", "How many seeds the mean is over. See seed."},
      {"group", "The name under which runs are reported together: --group of ingest run."},
      {"criterion", "Which of the three questions a number answers: singling out, linkability, inference."},
      {"worst_person, worst_persons, worst person",
       "The number for the records of the one person of whom it is worst, and for how many persons it is as bad."},
      {"threshold", "How sure the attacker has to be before he names a record, from 0 to 1."},
      {"precision", "Of the records that the attacker names, the share that are right."},
      {"recall", "Of all targets, the share that the attacker names, and rightly."},
      {"lost", "How many targets are failed or missing: they count as found, and are no claims."},
      {"attack", "The attacker, in a table that has a row for each: how he searches, and what he knows."},
      {"rouge-l, rouge",
       "Words that two texts have in common, in the same order. As a linker it finds the text that shares most; as a "
       "judge it rates by that share."},
      {"dense", "A linker that compares vectors of texts, made by an embedding model."},
      {"plain", "In a table of linkers: the linker without options."},
      {"baseline, baseline_run", "The run that the others are compared with, and its number."},
      {"delta", "The number of a run minus that of the baseline, on the records that both have."},
      {"p, p_corrected",
       "How often chance alone would make a difference this large, if the two runs were alike. p_corrected allows for "
       "the number of tests that are shown together."},
      {"correction", "How p is corrected for many tests: holm, or bh (Benjamini-Hochberg)."},
      {"exact", "Whether the test looked at every exchange of the two runs, or at many drawn at random."},
      {"effect",
       "The mean difference divided by the standard deviation of the differences (d). From 0.8 on it is large."},
      {"dominance", "The share of records where the number rose minus the share where it fell."},
      {"detectable", "The smallest difference that a comparison of this size would probably have found."},
      {"left_out", "How many records are not compared, because one of the two runs has no number for them."},
      {"failed_baseline, missing_baseline", "As failed and missing, of the baseline."},
      {"missing_policy", "How failed and missing records count: leaked, or drop (they are left out)."},
      {"became", "Which side the claim is on now: leaked, or private."},
      {"look", "The command that shows this record."},
      {"place", "Whether a run is on the frontier: no other run is as private and as useful, and better in one."},
      {"dominated_by", "Runs that are as private and as useful as this one, and better in one of the two."},
      {"rank", "Which place the right record has among those that the attacker found."},
      {"evidence", "The part of the text that gives the claim away, as the judge sees it."},
      {"linked", "The record whose text the attacker found."},
      {"outcome, right, wrong, not_linked",
       "Whether the attacker found the right record, a wrong one, or none at all."},
      {"leaked", "How many claims the attacker learned."},
      {"round", "Which round of a sanitizer that works in rounds made the run; 0 is the original."},
      {"ROUGE, BLEU",
       "Measures of what two texts have in common: words, pairs of words, or words in the same order (ROUGE); runs of "
       "one to four words (BLEU). 0 is nothing, 1 is everything."},
      {"LSA", "Latent semantic analysis: vectors of words or texts, computed from which words occur together."},
      {"VADER", "A lexicon and rules that say whether a text sounds positive, negative or neutral."},
      {"MAUVE", "A measure of how alike two sets of texts are, by vectors of the texts. The metric is called mauve."},
      {"NLTK", "A Python library for language. Some scores here repeat its definitions."},
      {"WiCE, QAGS, HealthVer",
       "Public sets of claims, texts and people's ratings, by which the built-in judge was measured."},
      {"ABCD, MIRAGE, MedQA, MediQ, SynthPAI, WildChat",
       "Public datasets that presets of ingest can read: `residue help ingest dataset`."},
      {"FSP, AA, LOP, ZSTS, TAB",
       "Papers. FSP: A False Sense of Privacy. AA: Language Models are Advanced Anonymizers. LOP: LOPSIDED. ZSTS: "
       "Zero-Shot Redaction & Substitution. TAB: The Text Anonymization Benchmark. Numbers behind them are sections."},
  };
  return all;
}

std::optional<ColumnName> split_column(std::string_view name) {
  for (const std::string_view arrow : {"↑", "↓"}) {
    if (name.ends_with(arrow)) return ColumnName{std::string(name.substr(0, name.size() - arrow.size())), {}};
  }
  for (const std::string_view field : kFields) {
    if (name.size() <= field.size() + 1 || !name.ends_with(field)) continue;
    const char before = name[name.size() - field.size() - 1];
    if (before == '_' || before == ' ') {
      return ColumnName{std::string(name.substr(0, name.size() - field.size() - 1)), std::string(field)};
    }
  }
  return std::nullopt;
}

std::optional<std::string> column_words(std::string_view name) {
  if (name == "95 %") return "The 95 % interval of the number in front of it. See interval.";
  std::string words = numbered(name);
  return words.empty() ? std::nullopt : std::optional(std::move(words));
}

}  // namespace residue::cli
