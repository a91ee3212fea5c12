#include "verbs/look/calibrate.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "query/judge/lexical_judge.h"
#include "verbs/look/judges.h"

namespace residue::verbs {
namespace {

using query::LexicalJudge;

// Null: another judge.
const LexicalJudge* lexical_of(const query::Judge& judge) { return dynamic_cast<const LexicalJudge*>(&judge); }

void require_enough(const Labels& labels) {
  if (labels.size() >= query::kFewestLabels) return;
  throw Error(Code::kBadInput, fmt::format("{} labels are too few to calibrate a judge", labels.size()),
              fmt::format("at least {} are needed, better {}", query::kFewestLabels, query::kFewLabels));
}

}  // namespace

Calibrated calibrate(const query::Judge& judge, const Labels& labels) {
  require_enough(labels);
  const LexicalJudge* lexical = lexical_of(judge);
  const auto validation = lexical ? lexical->validation() : std::nullopt;
  Calibrated result;
  result.version = version_of(judge);
  result.fitted_to_these = validation && validation->digest == query::labels_digest(labels);
  result.as_is = query::agreement_with(judge, labels);
  if (lexical == nullptr) return result;
  try {
    result.five_fold = query::cross_validate(labels, lexical->wordnet());
  } catch (const Error& error) {  // What the judge as it is agrees on can be said all the same.
    if (error.code() != Code::kBadInput) throw;
    result.not_fitted = error.what();
  }
  return result;
}

CalibratedBands calibrate_bands(const query::Judge& judge, const Labels& labels) {
  require_enough(labels);
  const LexicalJudge* lexical = lexical_of(judge);
  const auto ratings = lexical ? query::out_of_fold(labels, lexical->wordnet()) : query::ratings_of(judge, labels);
  CalibratedBands result{version_of(judge), lexical != nullptr, {}};
  for (const query::Band band : query::kBands) {
    result.bands.push_back(query::band_agreement(labels, ratings, band));
  }
  return result;
}

Json fit_weights(const query::Judge& judge, const Labels& labels, const std::string& version,
                 const std::string& labels_name) {
  require_enough(labels);
  const LexicalJudge* lexical = lexical_of(judge);
  if (lexical == nullptr) {
    throw Error(Code::kUsage, fmt::format("--fit: judge {} has no weights", judge.name()),
                "leave out --fit, or name lexical or lexical-wordnet");
  }
  const auto tested = query::cross_validate(labels, lexical->wordnet());
  const auto interval = tested.spearman_interval.value_or(numbers::Interval{});
  const auto rounded = [](double value) { return std::round(value * 10000) / 10000; };
  Json document = {
      {"model", query::model_json(query::fit_lexical(labels, version, lexical->wordnet())).sorted()},
      {"statistics",
       "none of any corpus: the evidence of a word is its tier in text/support_words.cc, whose digest is in the "
       "spec"},
      {"validated",
       {{"labels", labels_name},
        {"pairs", tested.pairs},
        {"records", tested.records},
        {"digest", query::labels_digest(labels)},
        {"spearman", {rounded(tested.spearman.value_or(0)), rounded(interval.low), rounded(interval.high)}}}}};
  if (!lexical->dictionary_digest().empty()) document["validated"]["wordnet"] = lexical->dictionary_digest();
  return document;
}

}  // namespace residue::verbs
