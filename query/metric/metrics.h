// The table of metrics: what each number is called, how it is aggregated, which way is good, and where it comes from.
// Adding a metric: a row here, a contribution in scores.cc, a hand-computed test.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace residue::query {

// Changes whenever a definition changes: rows computed under another version are stale, never mixed.
inline constexpr std::string_view kDefinitions = "17";

// What a metric depends on (schema.sql, table evaluation).
enum class Tier : std::uint8_t { kText, kLink, kJudge, kTask, kLabel, kCorpus, kVector, kOutside };

// Whether there are numbers for each attacker; the others are the same for all.
constexpr bool needs_attack(Tier tier) { return tier == Tier::kLink || tier == Tier::kJudge || tier == Tier::kVector; }

enum class Kind : std::uint8_t {
  kMean,          // mean over records of a value in units of 2^-32
  kShare,         // share of records: numerator 0 or 1
  kPooled,        // units (claims) pooled over records: sum of num / sum of den
  kNet,           // likewise: what an attack has more than its control, of what the control has not; den 0 is no unit
  kWorst,         // mean of the worst share of records of another metric
  kGreatest,      // the greatest of another metric's records
  kHistogram,     // ten counts
  kHarmonic,      // harmonic mean of two pooled ones
  kDistribution,  // of two distributions over all records: made from the scores
  kWhole,         // of all texts, or all attacked records, together: nothing that single records add up to
  kGain,          // as kNet: of what the control has not, the share that the attack has
};

// Whether units of records are pooled: bounds and clusters count them.
constexpr bool counts_units(Kind kind) { return kind == Kind::kPooled || kind == Kind::kNet || kind == Kind::kGain; }

// Whether a metric has named parts (Contribution::cut), which may overlap: a claim may have several categories.
enum class Cuts : std::uint8_t { kNone, kToo, kOnly };

enum class MetricId : std::int16_t {
  kRouge1F = 1,
  kRouge2F = 2,
  kRougeLF = 3,
  kBleu1 = 4,
  kBleu2 = 5,
  kBleu3 = 6,
  kBleu4 = 7,
  kSentimentAccuracy = 8,
  kSacreBleu13a = 9,
  kLinkageRate = 10,
  kMrr = 11,
  kHitAt10 = 12,
  kLexicalDistanceLinked = 13,
  kLexicalDistanceLinkedRecall = 14,
  kLexicalDistanceLinkedExclAux = 15,
  kAuxBigramPrecision = 16,
  kPiiExistence = 17,
  kPiiExistenceReference = 18,
  kLexicalDistance = 19,
  kSemanticDistance = 20,
  kAuxOverlap = 21,
  kExcessLeakage = 22,
  kLeakRate = 23,
  kFullLeakRate = 24,
  kExposedRate = 25,
  kWorstDecile = 26,
  kCvar05 = 27,
  kDistanceHistogram = 28,
  kInjectionSuspect = 29,
  kLeakByCategory = 30,
  kEmbeddingDistance = 31,
  kLinkageRatePerson = 32,
  kLeakRateAbsent = 33,
  kFullLeakRateAbsent = 34,
  kSemanticDistanceAbsent = 35,
  kLeakRateNet = 36,
  kFullLeakRateNet = 37,
  kLeakRateGain = 38,
  kFullLeakRateGain = 39,
  kNetLeakage = 40,
  kTokenRecall = 41,
  kMentionRecall = 42,
  kEntityRecallDirect = 43,
  kEntityRecallQuasi = 44,
  kTokenPrecision = 45,
  kTokenF1 = 46,
  kRedactionRecall = 47,
  kRedactionPrecision = 48,
  kRedactionF1 = 49,
  kPrivacyError = 50,
  kUtilityError = 51,
  kTokenPrecisionWeighted = 55,
  kTaskAccuracy = 60,
  kCoherence = 61,
  kCategoryPreservation = 62,
  kReadability = 63,
  kMeaning = 64,
  kNoHallucination = 65,
  kUtilityCombined = 66,
  kQaAccuracy = 67,
  kQaAccuracyTrue = 68,
  kAttributeAccuracy = 70,
  kAttributeAccuracyAny = 71,
  kAttributeAccuracyCertain = 72,
  kAccuracyAtCertainty = 73,
  kMeanCertainty = 74,
  kAttributeAccuracyHalf = 75,
  kAttributeAccuracyAnyHalf = 76,
  kAttributeAccuracyCertainHalf = 77,
  kMauve = 80,
  kTopicDistance = 81,
  kEmbeddingCosine = 82,
  kDetectability = 83,
  kNearestCopy = 84,
  kCopiedRun = 85,
  kResponseBleu1 = 90,
  kResponseBleu2 = 91,
  kResponseBleu3 = 92,
  kResponseBleu4 = 93,
  kResponseRouge1F = 94,
  kResponseRouge2F = 95,
  kResponseRougeLF = 96,
  kAbsentLeftOut = 100,
  kMeanRisk = 101,
  kMaxRisk = 102,
  kAnonymityRank = 103,
  kRankBits = 104,
  kOpenRecall90 = 105,
  kOpenRecall95 = 106,
  kOpenRecall99 = 107,
  kRarePhraseDensity = 110,
  kRarePhraseShare = 111,
  kSamePersonLinkage = 112,
  kSamePersonLinkageNet = 113,
  kAttributeAdvantage = 114,
  kMembershipAuc = 115,
  kMembershipTpr01 = 116,
  kAnonymeterRisk = 117,
  kLeakRateGainChance = 118,
  kFullLeakRateGainChance = 119,
  kLeakRateNetOutside = 120,
  kFullLeakRateNetOutside = 121,
};

struct MetricDefinition {
  MetricId id;
  std::string_view name;
  Tier tier;
  Kind kind;
  bool higher_is_private;  // the value that a leak pushes down
  bool split;              // also by linked right / wrong / not linked
  std::string_view direction;
  double low, high;  // range; infinite: it has no bound
  std::string_view source;
  Cuts cuts = Cuts::kNone;
  double parts = 1;  // pooled rates: what one of the units that people are told of is in numerators and denominators
};

std::span<const MetricDefinition> metric_definitions();
const MetricDefinition& definition(MetricId id);
std::optional<MetricId> find_metric(std::string_view name);

// Whether a record to which the metric does not apply says nothing against it: it has no such label, task, category or
// identifier. Elsewhere it was not covered: it has too few claims, or no text.
bool optional_for_records(const MetricDefinition& metric);

// The least that a number of the metric can be; infinite: it has no bound. Nets have none, whatever `low` is of a unit.
double least_number(const MetricDefinition& metric);

// What a metric of attribute guesses is called where a less precise guess counts one half; itself for all others.
MetricId half_for_less_precise(MetricId id);

// Whether runs are compared by their values alone: nothing of it can be paired record by record.
bool of_whole_runs(const MetricDefinition& metric);

std::string_view tier_name(Tier tier);

}  // namespace residue::query
