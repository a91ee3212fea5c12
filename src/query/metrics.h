// The table of metrics: what each number is called, how it is aggregated, which way is good, and where it comes from.
// Adding a metric: a row here, a contribution in scores.cc, a hand-computed test.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace residue::query {

// Changes whenever a definition changes: rows computed under another version are stale, never mixed.
inline constexpr std::string_view kDefinitions = "5";

// What a metric depends on (schema.sql, table evaluation).
enum class Tier : std::uint8_t { kText, kLink, kJudge, kTask, kCorpus };

enum class Kind : std::uint8_t {
  kMean,          // mean over records of a value in units of 2^-32
  kShare,         // share of records: numerator 0 or 1
  kPooled,        // units (claims) pooled over records: sum of num / sum of den
  kWorst,         // mean of the worst share of records of another metric
  kHistogram,     // ten counts
  kDistribution,  // of two distributions over all records: made from the scores
  kWhole,         // of all texts together: nothing that single records add up to
};

// Whether a metric has named parts (Contribution::cut), which may overlap: a claim may have several categories.
enum class Cuts : std::uint8_t { kNone, kToo, kOnly };

enum class MetricId : std::int16_t {
  kRouge1F = 1,
  kRouge2F = 2,
  kRougeLF = 3,
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
  kTaskAccuracy = 60,
  kCoherence = 61,
  kCategoryPreservation = 62,
  kReadability = 63,
  kMeaning = 64,
  kNoHallucination = 65,
  kUtilityCombined = 66,
  kMauve = 70,
  kTopicDistance = 71,
  kEmbeddingCosine = 72,
  kDetectability = 73,
};

struct MetricDefinition {
  MetricId id;
  std::string_view name;
  Tier tier;
  Kind kind;
  bool higher_is_private;  // the value that a leak pushes down
  bool split;              // also by linked right / wrong / not linked
  std::string_view direction;
  double low, high;  // range
  std::string_view source;
  Cuts cuts = Cuts::kNone;
};

std::span<const MetricDefinition> metric_definitions();
const MetricDefinition& definition(MetricId id);
std::optional<MetricId> find_metric(std::string_view name);

std::string_view tier_name(Tier tier);

}  // namespace residue::query
