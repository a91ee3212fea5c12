#include "query/sql/advice/contract.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>

namespace residue::query {
namespace {

constexpr auto kRuns = std::to_array<ViewColumn>({
    {"dataset", "name", "", ""},
    {"run", "name", "", ""},
    {"kind", "words", "", "'aligned', 'synthetic'; the controls 'none', 'remove-all'"},
    {"sanitizer", "name", "", "or NULL"},
    {"params", "JSON", "", "its settings"},
    {"seed", "number", "", "or NULL"},
    {"group", "name", "", "or NULL"},
    {"removes_everything", "number", "0 or 1", "1: an empty text is a success"},
    {"variants", "number", "texts", "0 for controls"},
    {"failed", "number", "texts", "that are missing or suspected"},
    {"created_at", "number", "ms since 1970", ""},
    {"tags", "JSON", "", "array of names that its owner gave it"},
    {"note", "words", "", "its owner's, with --originals; else NULL"},
    {"version", "name", "", "of the residue that changed its texts last, or NULL"},
    {"changed_at", "number", "ms since 1970", "when that was, or NULL"},
    {"making_ms", "number", "ms", "that sanitize took; NULL: from files, or not noted"},
    {"requests", "number", "requests", "to models; NULL without --originals where any were sent"},
    {"tokens", "number", "tokens", "of these, in and out; NULL likewise"},
    {"cost_usd", "number", "USD", "of these, at most; NULL likewise"},
});

constexpr auto kDatasets = std::to_array<ViewColumn>({
    {"dataset", "name", "", ""},
    {"control_of", "name", "", "the dataset in whose releases its people never were, or NULL"},
    {"records", "number", "records", ""},
    {"created_at", "number", "ms since 1970", ""},
});

constexpr auto kRecords = std::to_array<ViewColumn>({
    {"dataset", "name", "", ""},
    {"record", "name", "", "the user's id"},
    {"person", "name", "", "whose record it is, or NULL"},
    {"label", "words", "", "category of the record, or NULL"},
    {"record_text", "text id", "", "the original"},
    {"task_text", "text id", "", "JSON: question, options, answer; or NULL"},
    {"meta_text", "text id", "", "JSON of the input's other fields, or NULL"},
});

constexpr auto kPersons = std::to_array<ViewColumn>({
    {"dataset", "name", "", ""},
    {"person", "name", "", ""},
    {"records", "number", "records", ""},
});

constexpr auto kClaims = std::to_array<ViewColumn>({
    {"dataset", "name", "", ""},
    {"claim_set", "name", "", ""},
    {"record", "name", "", ""},
    {"n", "number", "", "position of the claim, from 1"},
    {"category", "JSON", "", "array of names, or NULL"},
    {"claim_text", "text id", "", ""},
});

constexpr auto kVariants = std::to_array<ViewColumn>({
    {"dataset", "name", "", ""},
    {"run", "name", "", ""},
    {"record", "name", "", "NULL in synthetic runs"},
    {"key", "name", "", "of a synthetic run's text, or NULL"},
    {"error", "words", "", "why it failed, or NULL"},
    {"variant_text", "text id", "", "NULL: there is none"},
    {"record_text", "text id", "", "the original, or NULL"},
});

constexpr auto kRunClaims = std::to_array<ViewColumn>({
    {"dataset", "name", "", ""},
    {"run", "name", "", ""},
    {"claim_set", "name", "", ""},
    {"record", "name", "", "NULL in synthetic runs"},
    {"key", "name", "", "of a synthetic run's text, or NULL"},
    {"n", "number", "", "position of the claim, from 1"},
    {"current", "number", "0 or 1", "0: the run changed since"},
    {"claim_text", "text id", "", ""},
});

constexpr auto kSpans = std::to_array<ViewColumn>({
    {"dataset", "name", "", ""},
    {"run", "name", "", ""},
    {"record", "name", "", ""},
    {"spans_text", "text id", "bytes of the record", "JSON: begin, end, type, replacement of each"},
    {"substitutions_text", "text id", "", "JSON: original and replacement of each, or NULL"},
    {"variant_text", "text id", "", ""},
    {"record_text", "text id", "", "the original"},
});

constexpr auto kLabels = std::to_array<ViewColumn>({
    {"dataset", "name", "", ""},
    {"kind", "words", "", "'support', 'category', 'attribute', 'span', 'entity', 'response'"},
    {"record", "name", "", ""},
    {"run", "name", "", "NULL: it is about the original"},
    {"annotator", "name", "", "or NULL"},
    {"label_text", "text id", "", "JSON; start and end of a span are bytes of the record"},
    {"record_text", "text id", "", "the original"},
});

constexpr auto kIntruder = std::to_array<ViewColumn>({
    {"dataset", "name", "", ""},
    {"run", "name", "", ""},
    {"protocol", "name", "", "whose auxiliary claims were given"},
    {"sample", "number", "records", "0: all"},
    {"annotator", "name", "", ""},
    {"record", "name", "", "the target"},
    {"present", "number", "0 or 1", "0: it was absent, nobody could find it"},
    {"chosen", "name", "", "whose text was named, or NULL"},
    {"outcome", "words", "", "'open', 'right', 'person', 'wrong', 'none', 'rightly none', 'failed'"},
    {"sure", "number", "per cent", "or NULL"},
    {"seconds", "number", "seconds", "or NULL"},
    {"searches", "number", "", "or NULL"},
    {"told", "number", "0 or 1", "1: the outcome was told"},
    {"blind", "number", "0 or 1", "0: outcomes had been shown before, NULL: nobody said, or no answer"},
    {"stratum", "words", "", "of which the target was drawn, or NULL: of all"},
    {"drawn_at", "number", "unix milliseconds", ""},
    {"answered_at", "number", "unix milliseconds", "or NULL"},
});

constexpr auto kAnswers = std::to_array<ViewColumn>({
    {"dataset", "name", "", ""},
    {"run", "name", "", ""},
    {"model", "name", "", ""},
    {"task", "words", "", "'choice', 'coherence', 'category', 'attributes', 'utility', 'qa', 'response'"},
    {"record", "name", "", "of a synthetic run the text's key"},
    {"answer_text", "text id", "", "NULL: it gave none"},
});

constexpr auto kLinks = std::to_array<ViewColumn>({
    {"dataset", "name", "", ""},
    {"run", "name", "", ""},
    {"protocol", "name", "", "the attack"},
    {"sample", "number", "records", "attacked; 0: all"},
    {"record", "name", "", "whose claims were the query"},
    {"linked", "name", "", "what was found; NULL: nothing"},
    {"outcome", "words", "", "'right', 'wrong', 'not_linked'; NULL in synthetic runs"},
    {"tied", "number", "candidates", "others of exactly this score"},
    {"rank", "number", "", "of the right text among the first ten, or NULL"},
    {"query_text", "text id", "", "the claims that the attacker knew"},
    {"linked_text", "text id", "", ""},
});

constexpr auto kJudgments = std::to_array<ViewColumn>({
    {"dataset", "name", "", ""},
    {"run", "name", "", ""},
    {"protocol", "name", "", "the attack"},
    {"sample", "number", "records", "attacked; 0: all"},
    {"judge", "name", "", ""},
    {"record", "name", "", ""},
    {"n", "number", "", "position of the claim, from 1"},
    {"rating", "number", "", "1 same, 2 similar, 3 unsupported"},
    {"known", "number", "0 or 1", "1: the attacker had this claim"},
    {"outcome", "words", "", "'right', 'wrong'; NULL in synthetic runs"},
    {"counts", "number", "0 or 1", "0: the record failed, or the metrics do not apply"},
    {"category", "JSON", "", "array of names, or NULL"},
    {"claim_text", "text id", "", ""},
    {"linked_text", "text id", "", ""},
});

constexpr auto kLeaks = std::to_array<ViewColumn>({
    {"dataset", "name", "", ""},
    {"run", "name", "", ""},
    {"protocol", "name", "", "the attack"},
    {"sample", "number", "records", "attacked; 0: all"},
    {"judge", "name", "", ""},
    {"record", "name", "", ""},
    {"n", "number", "", "position of the claim, from 1"},
    {"rating", "number", "", "1 same, 2 similar"},
    {"outcome", "words", "", "'right', 'wrong'; NULL in synthetic runs"},
    {"category", "JSON", "", "array of names, or NULL"},
    {"claim_text", "text id", "", ""},
    {"linked_text", "text id", "", ""},
});

constexpr auto kScores = std::to_array<ViewColumn>({
    {"dataset", "name", "", ""},
    {"run", "name", "", ""},
    {"protocol", "name", "", "NULL: the metric needs no attack"},
    {"sample", "number", "records", "attacked; 0: all"},
    {"judge", "name", "", "NULL: the metric needs no judge"},
    {"model", "name", "", "who answered, or whose vectors; or NULL"},
    {"record", "name", "", ""},
    {"metric", "name", "", ""},
    {"state", "words", "", "'value', 'failed', 'missing', 'not applicable'"},
    {"outcome", "words", "", "'right', 'wrong', 'not_linked', or NULL"},
    {"value", "number", "of the metric", "NULL where the state is not 'value'"},
    {"weight", "number", "units", "that it stands for"},
    {"slice", "name", "", "'' the whole; a named part"},
});

constexpr auto kMetrics = std::to_array<ViewColumn>({
    {"dataset", "name", "", ""},
    {"run", "name", "", ""},
    {"protocol", "name", "", "NULL: needs no attack"},
    {"sample", "number", "records", "attacked; 0: all"},
    {"judge", "name", "", "NULL: needs no judge"},
    {"model", "name", "", "who answered, or whose vectors; or NULL"},
    {"metric", "name", "", ""},
    {"slice", "name", "", "'' all; an outcome, a bin, a named part"},
    {"value", "number", "of the metric", "NULL: not applicable"},
    {"low", "number", "of the metric", "95 % interval"},
    {"high", "number", "of the metric", "95 % interval"},
    {"n", "number", "records", "with a value"},
    {"failed", "number", "records", ""},
    {"missing", "number", "records", ""},
    {"not_applicable", "number", "records", ""},
    {"if_leaked", "number", "of the metric", "if everything missing leaked"},
    {"if_private", "number", "of the metric", "if nothing missing leaked"},
    {"drop_value", "number", "of the metric", "failed and missing left out"},
    {"drop_low", "number", "of the metric", ""},
    {"drop_high", "number", "of the metric", ""},
    {"units", "number", "units", "of pooled rates, or NULL"},
    {"drop_units", "number", "units", "of pooled rates, or NULL"},
    {"direction", "words", "", "which way is better"},
    {"coverage", "number", "share, 0 to 1", "records with a value"},
});

constexpr auto kVectors = std::to_array<ViewColumn>({
    {"model", "name", "", ""},
    {"vector_text", "text id", "", ""},
});

constexpr auto kViews = std::to_array<ViewPromise>({
    {"runs", "one run of a dataset, controls too", "Which sanitizers were run, and how many texts failed?", kRuns},
    {"datasets", "one dataset", "Which datasets are controls from outside of others?", kDatasets},
    {"records", "one original", "Which records are of one person?", kRecords},
    {"persons", "one person of a dataset", "Who has the most records?", kPersons},
    {"claims", "one claim of an original", "What does a record say?", kClaims},
    {"variants", "one text of a run", "What did the sanitizer make of a record?", kVariants},
    {"run_claims", "one claim of a sanitized text", "What does a sanitized text still say?", kRunClaims},
    {"spans", "one sanitized text whose replacements are known", "What did the sanitizer replace?", kSpans},
    {"labels", "one label of people or ground truth", "Which marked strings survive?", kLabels},
    {"intruder", "one attempt of a person to find a record in a release", "Whom did people find?", kIntruder},
    {"answers", "one answer of a model to a task about a text", "What did a model guess from the sanitized text?",
     kAnswers},
    {"links", "the text that an attacker picked for a record", "Whose text was found?", kLinks},
    {"judgments", "one claim against the text that its record was linked to",
     "What did the judge say about each claim?", kJudgments},
    {"leaks", "a claim that the attacker learned", "What leaked?", kLeaks},
    {"scores", "what one record adds to one metric", "Which records are worst?", kScores},
    {"metrics", "one metric of one run", "How good is a sanitizer?", kMetrics},
    {"vectors", "a text that has a vector", "Which texts were embedded?", kVectors},
});

}  // namespace

std::span<const ViewPromise> view_promises() { return kViews; }

std::string view_names() {
  std::string names;
  for (const ViewPromise& view : kViews) names += (names.empty() ? "" : ", ") + std::string(view.name);
  return names;
}

std::string views_as_text() {
  std::string text = fmt::format(
      "The views of residue sql, version {}. Columns and views are only added.\n"
      "name: as on the command line. text id: text(id) reads it, at its level (residue help sql).\n",
      kViewsVersion);
  for (const ViewPromise& view : kViews) {
    text += fmt::format("\n{}: {}\n  {}\n", view.name, view.about, view.question);
    std::size_t width = 0;
    for (const ViewColumn& column : view.columns) width = std::max(width, column.name.size());
    for (const ViewColumn& column : view.columns) {
      std::string about(column.unit);
      if (!about.empty() && !column.about.empty()) about += "; ";
      about += column.about;
      text += about.empty() ? fmt::format("  {:<{}}  {}\n", column.name, width, column.type)
                            : fmt::format("  {:<{}}  {:<7}  {}\n", column.name, width, column.type, about);
    }
  }
  return text;
}

}  // namespace residue::query
