#include "query/agree/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <span>

#include "base/error.h"
#include "base/hash.h"
#include "numbers/learn/ordinal.h"
#include "query/judge/lexical_judge.h"

namespace residue::query {
namespace {

// What a fit may be: how many of kLexicalFeatures, the rest weighing nothing, and with how strong a penalty.
struct Recipe {
  std::size_t features;
  double ridge;
};
// Of two ratings the one that looks more private has to be so much the likelier one: it is the error that flatters.
constexpr double kCaution = 2;
constexpr Recipe kRecipes[] = {{8, 30}, {8, 100}, {6, 10}, {6, 30}, {6, 100}};

// What the lexical judge sees of the pairs.
struct Sample {
  std::vector<text::SupportFeatures> features;
  std::vector<std::uint8_t> grades;  // 2 same, 1 similar, 0 unsupported
  std::vector<std::uint64_t> folds;  // of choosing a recipe; of a record all are the same
};

// A pair without words has no features.
bool wordless(const std::string& claim_text) {
  text::SupportClaim claim;
  claim.assign(claim_text);
  return claim.empty();
}

text::SupportFeatures features_of(const LabelledPair& pair, const text::WordNet* wordnet) {
  text::SupportPassage passage;
  text::SupportClaim claim;
  passage.assign(pair.passage, wordnet);
  claim.assign(pair.claim, wordnet);
  return text::support_features(passage, claim);
}

// `which` are positions in `sample`. Nothing where a rating never occurs in them.
std::optional<LexicalModel> fit(const Sample& sample, const std::vector<std::size_t>& which, const Recipe& recipe) {
  std::vector<double> rows;
  std::vector<std::uint8_t> grades;
  std::array<double, 3> shares{};
  for (const auto i : which) {
    const auto values = lexical_features(sample.features[i]);
    for (std::size_t j = 0; j < recipe.features; ++j) {
      rows.push_back(static_cast<double>(values[j]) / text::kSupportOne);
    }
    grades.push_back(sample.grades[i]);
    shares[sample.grades[i]] += 1.0 / static_cast<double>(which.size());
  }
  if (std::find(shares.begin(), shares.end(), 0.0) != shares.end()) return std::nullopt;
  const numbers::OrdinalFit fitted = numbers::fit_ordinal(rows, grades, recipe.ridge);
  shares[0] *= kCaution * kCaution;
  shares[1] *= kCaution;
  const auto thresholds = numbers::even_thresholds(fitted, shares);
  const auto points = [](double logits) { return static_cast<std::int32_t>(std::lround(logits * 1000)); };
  LexicalModel model = lexical_model();
  model.weights.fill(0);
  for (std::size_t i = 0; i < recipe.features; ++i) model.weights[i] = points(fitted.slopes[i]);
  model.similar = points(thresholds[0]);
  model.same = points(thresholds[1]);
  return model;
}

// The recipe whose scores, out of fold within `which`, agree best with the grades; the first one where a part of them
// is too small to tell.
Recipe choose(const Sample& sample, const std::vector<std::size_t>& which) {
  Recipe best = kRecipes[0];
  double best_agreement = -2;
  for (const Recipe& recipe : kRecipes) {
    std::vector<double> scores, grades;
    for (std::uint64_t fold = 0; fold < kFolds; ++fold) {
      std::vector<std::size_t> others;
      std::copy_if(which.begin(), which.end(), std::back_inserter(others),
                   [&](std::size_t i) { return sample.folds[i] != fold; });
      const auto model = fit(sample, others, recipe);
      if (!model) return kRecipes[0];
      for (const auto i : which) {
        if (sample.folds[i] != fold) continue;
        scores.push_back(lexical_rating(*model, sample.features[i]).score);
        grades.push_back(sample.grades[i]);
      }
    }
    const double agreement = numbers::spearman(scores, grades).value_or(-1);
    if (agreement > best_agreement) best = recipe;
    best_agreement = std::max(best_agreement, agreement);
  }
  return best;
}

// Everything that is chosen, is chosen by `which` alone.
LexicalModel fit(const Sample& sample, const std::vector<std::size_t>& which, const std::string& version) {
  auto model = fit(sample, which, choose(sample, which));
  if (!model) {
    throw Error(Code::kBadInput, "the labels are too similar to learn from: one part of them lacks a rating",
                "add labels of all three ratings, from several records");
  }
  model->version = version;
  return *model;
}

Sample sample_of(const std::vector<LabelledPair>& pairs, const text::WordNet* wordnet) {
  if (pairs.size() < kFewestLabels) {
    throw Error(Code::kBadInput, fmt::format("{} labels are too few to calibrate a judge", pairs.size()),
                fmt::format("at least {} are needed, better {}", kFewestLabels, kFewLabels));
  }
  Sample sample;
  for (const auto& pair : pairs) {
    sample.features.push_back(features_of(pair, wordnet));
    sample.grades.push_back(static_cast<std::uint8_t>(3 - pair.rating));
    sample.folds.push_back(hash_of(numbers::kBootstrapSeed, pair.record, 3) % kFolds);
  }
  return sample;
}

std::uint64_t unit_of(const LabelledPair& pair) { return numbers::resampling_unit(pair.record, pair.person); }

}  // namespace

std::vector<std::optional<Rating>> ratings_of(const Judge& judge, const std::vector<LabelledPair>& pairs) {
  std::vector<std::optional<Rating>> ratings;
  for (const auto& pair : pairs) {
    const Request request{pair.passage, {pair.claim}};
    ratings.push_back(judge.rate({&request, 1})[0][0]);
  }
  return ratings;
}

Agreement agreement_of(const std::vector<LabelledPair>& pairs, const std::vector<std::optional<Rating>>& ratings) {
  Agreement out;
  std::vector<double> labels, scores, rated;
  std::vector<std::uint64_t> units;
  std::set<std::string> records;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!ratings[i]) {
      ++out.unrated;
      continue;
    }
    ++out.pairs;
    ++out.confusion[pairs[i].rating - 1][ratings[i]->rating - 1];
    labels.push_back(3.0 - pairs[i].rating);
    rated.push_back(3.0 - ratings[i]->rating);
    scores.push_back(ratings[i]->score);
    units.push_back(unit_of(pairs[i]));
    records.insert(pairs[i].record);
  }
  out.records = records.size();
  out.spearman = numbers::spearman(scores, labels);
  out.rating_spearman = numbers::spearman(rated, labels);
  out.kappa = numbers::quadratic_kappa(out.confusion);
  out.spearman_interval = numbers::resampled_interval(
      units, [&](std::span<const std::uint16_t> w) { return numbers::spearman(scores, labels, w); });
  out.kappa_interval = numbers::resampled_interval(units, [&](std::span<const std::uint16_t> w) {
    numbers::Confusion weighted{};
    for (std::size_t i = 0; i < w.size(); ++i) {
      weighted[static_cast<std::size_t>(2 - labels[i])][static_cast<std::size_t>(2 - rated[i])] += w[i];
    }
    return numbers::quadratic_kappa(weighted);
  });
  return out;
}

Agreement agreement_with(const Judge& judge, const std::vector<LabelledPair>& pairs) {
  return agreement_of(pairs, ratings_of(judge, pairs));
}

std::vector<std::optional<Rating>> out_of_fold(const std::vector<LabelledPair>& pairs, const text::WordNet* wordnet) {
  const Sample sample = sample_of(pairs, wordnet);
  std::vector<std::optional<Rating>> ratings(pairs.size());
  for (std::uint64_t fold = 0; fold < kFolds; ++fold) {
    std::vector<std::size_t> others, own;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      (hash_of(numbers::kBootstrapSeed, pairs[i].record, 2) % kFolds == fold ? own : others).push_back(i);
    }
    if (own.empty()) continue;
    const LexicalModel model = fit(sample, others, "fold");
    for (const auto i : own) {
      if (!wordless(pairs[i].claim)) ratings[i] = lexical_rating(model, sample.features[i]);
    }
  }
  return ratings;
}

Agreement cross_validate(const std::vector<LabelledPair>& pairs, const text::WordNet* wordnet) {
  return agreement_of(pairs, out_of_fold(pairs, wordnet));
}

LexicalModel fit_lexical(const std::vector<LabelledPair>& pairs, const std::string& version,
                         const text::WordNet* wordnet) {
  const Sample sample = sample_of(pairs, wordnet);
  std::vector<std::size_t> all(pairs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return fit(sample, all, version);
}

std::string labels_digest(const std::vector<LabelledPair>& pairs) {
  std::uint64_t sum = 0;
  for (const auto& pair : pairs) sum += mix(hash_of(hash_of(pair.rating, pair.passage), pair.claim));
  return fmt::format("{:016x}", mix(sum + pairs.size()));
}

}  // namespace residue::query
