#include "query/metric/metrics.h"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "base/error.h"
#include "query/metric/outside_metrics.h"
#include "text/measures/redaction.h"

namespace residue::query {
namespace {

constexpr std::string_view kPrivate = "higher = more private";
constexpr std::string_view kLeaky = "higher = less private";
constexpr std::string_view kUseful = "higher = more useful";
constexpr std::string_view kControl = "higher = others give more of it away";
constexpr std::string_view kChance = "higher = more of the gain is what chance gives";
constexpr std::string_view kLeftOut = "candidates that the absent attack leaves out, the record's own among them";
constexpr std::string_view kLiteral = "higher = the attacker knows more of the record's own words";
constexpr std::string_view kDoubtful = "higher = more ratings are not to be trusted";
constexpr std::string_view kUseless = "higher = less useful";
constexpr std::string_view kBalanced = "higher = more masked of what should be, less of the rest";
constexpr std::string_view kCounts = "counts per tenth of the distance";

constexpr double kUnbounded = -std::numeric_limits<double>::infinity();

constexpr std::array kDefinitionTable = {
    MetricDefinition{MetricId::kSemanticDistance, "semantic_distance", Tier::kJudge, Kind::kMean, true, true, kPrivate,
                     0, 1, "FSP eq. 1, G.4"},
    MetricDefinition{MetricId::kAuxOverlap, "aux_overlap", Tier::kJudge, Kind::kMean, true, true, kPrivate, 0, 1,
                     "FSP D.3"},
    MetricDefinition{MetricId::kExcessLeakage, "excess_leakage", Tier::kJudge, Kind::kMean, false, true, kLeaky, -1, 1,
                     "ours"},
    MetricDefinition{MetricId::kLeakRate, "leak_rate", Tier::kJudge, Kind::kPooled, false, true, kLeaky, 0, 1,
                     "FSP D.2"},
    MetricDefinition{MetricId::kFullLeakRate, "full_leak_rate", Tier::kJudge, Kind::kPooled, false, true, kLeaky, 0, 1,
                     "FSP D.2"},
    MetricDefinition{MetricId::kExposedRate, "exposed_rate", Tier::kJudge, Kind::kShare, false, true, kLeaky, 0, 1,
                     "FSP D.5, ours"},
    MetricDefinition{MetricId::kWorstDecile, "worst_decile", Tier::kJudge, Kind::kWorst, true, false, kPrivate, 0, 1,
                     "FSP D.5, ours"},
    MetricDefinition{MetricId::kCvar05, "cvar_05", Tier::kJudge, Kind::kWorst, true, false, kPrivate, 0, 1,
                     "FSP D.5, ours"},
    MetricDefinition{MetricId::kDistanceHistogram, "distance_histogram", Tier::kJudge, Kind::kHistogram, true, false,
                     kCounts, 0, 1, "FSP Figure 5"},
    MetricDefinition{MetricId::kInjectionSuspect, "injection_suspect", Tier::kJudge, Kind::kShare, false, false,
                     kDoubtful, 0, 1, "ours"},
    MetricDefinition{MetricId::kLeakByCategory, "leak_by_category", Tier::kJudge, Kind::kPooled, false, false, kLeaky,
                     0, 1, "FSP D.2, Table 7, Figure 3", Cuts::kOnly},
    MetricDefinition{MetricId::kLeakRateAbsent, "leak_rate_absent", Tier::kJudge, Kind::kPooled, true, false, kControl,
                     0, 1, "ours; anonymeter's control"},
    MetricDefinition{MetricId::kFullLeakRateAbsent, "full_leak_rate_absent", Tier::kJudge, Kind::kPooled, true, false,
                     kControl, 0, 1, "ours; anonymeter's control"},
    MetricDefinition{MetricId::kSemanticDistanceAbsent, "semantic_distance_absent", Tier::kJudge, Kind::kMean, false,
                     false, "lower = others give more of it away", 0, 1, "ours"},
    MetricDefinition{MetricId::kLeakRateNet, "leak_rate_net", Tier::kJudge, Kind::kNet, false, false, kLeaky, -1, 1,
                     "anonymeter"},
    MetricDefinition{MetricId::kFullLeakRateNet, "full_leak_rate_net", Tier::kJudge, Kind::kNet, false, false, kLeaky,
                     -1, 1, "anonymeter"},
    MetricDefinition{MetricId::kLeakRateGain, "leak_rate_gain", Tier::kJudge, Kind::kGain, false, false, kLeaky, 0, 1,
                     "ours"},
    MetricDefinition{MetricId::kFullLeakRateGain, "full_leak_rate_gain", Tier::kJudge, Kind::kGain, false, false,
                     kLeaky, 0, 1, "ours"},
    MetricDefinition{MetricId::kLeakRateGainChance, "leak_rate_gain_chance", Tier::kJudge, Kind::kPooled, true, false,
                     kChance, 0, 1, "ours"},
    MetricDefinition{MetricId::kFullLeakRateGainChance, "full_leak_rate_gain_chance", Tier::kJudge, Kind::kPooled, true,
                     false, kChance, 0, 1, "ours"},
    MetricDefinition{MetricId::kNetLeakage, "net_leakage", Tier::kJudge, Kind::kMean, false, false, kLeaky, -1, 1,
                     "ours"},
    MetricDefinition{MetricId::kAbsentLeftOut, "absent_left_out", Tier::kJudge, Kind::kMean, false, false, kLeftOut, 0,
                     -kUnbounded, "ours"},
    MetricDefinition{MetricId::kLinkageRatePerson, "linkage_rate_person", Tier::kLink, Kind::kMean, false, false,
                     kLeaky, 0, 1, "ours"},
    MetricDefinition{MetricId::kLinkageRate, "linkage_rate", Tier::kLink, Kind::kShare, false, false, kLeaky, 0, 1,
                     "FSP Table 4"},
    MetricDefinition{MetricId::kMeanRisk, "mean_risk", Tier::kLink, Kind::kMean, false, false, kLeaky, 0, 1, "ours"},
    MetricDefinition{MetricId::kMaxRisk, "max_risk", Tier::kLink, Kind::kGreatest, false, false, kLeaky, 0, 1, "ours"},
    MetricDefinition{MetricId::kAnonymityRank, "anonymity_rank", Tier::kLink, Kind::kWhole, true, false, kPrivate, 1,
                     -kUnbounded, "ours", Cuts::kToo},
    MetricDefinition{MetricId::kRankBits, "rank_bits", Tier::kLink, Kind::kWhole, false, false, kLeaky, kUnbounded,
                     -kUnbounded, "ours"},
    MetricDefinition{MetricId::kOpenRecall90, "open_recall_90", Tier::kLink, Kind::kWhole, false, false, kLeaky, 0, 1,
                     "Lermen et al. 2026; halves, and as many absent targets as present ones: ours", Cuts::kToo},
    MetricDefinition{MetricId::kOpenRecall95, "open_recall_95", Tier::kLink, Kind::kWhole, false, false, kLeaky, 0, 1,
                     "Lermen et al. 2026; halves, and as many absent targets as present ones: ours", Cuts::kToo},
    MetricDefinition{MetricId::kOpenRecall99, "open_recall_99", Tier::kLink, Kind::kWhole, false, false, kLeaky, 0, 1,
                     "Lermen et al. 2026; halves, and as many absent targets as present ones: ours", Cuts::kToo},
    MetricDefinition{MetricId::kMrr, "mrr", Tier::kLink, Kind::kMean, false, false, kLeaky, 0, 1, "top 10"},
    MetricDefinition{MetricId::kHitAt10, "hit_at_10", Tier::kLink, Kind::kShare, false, false, kLeaky, 0, 1, "top 10"},
    MetricDefinition{MetricId::kLexicalDistance, "lexical_distance", Tier::kLink, Kind::kMean, true, true, kPrivate, 0,
                     1, "FSP 2, baseline; of attackers that link by rouge-l"},
    MetricDefinition{MetricId::kLexicalDistanceLinked, "lexical_distance_linked", Tier::kLink, Kind::kMean, true, true,
                     kPrivate, 0, 1, "FSP reference code"},
    MetricDefinition{MetricId::kLexicalDistanceLinkedRecall, "lexical_distance_linked_recall", Tier::kLink, Kind::kMean,
                     true, true, kPrivate, 0, 1, "FSP reference code"},
    MetricDefinition{MetricId::kLexicalDistanceLinkedExclAux, "lexical_distance_linked_excl_aux", Tier::kLink,
                     Kind::kMean, true, true, kPrivate, 0, 1, "FSP reference code"},
    MetricDefinition{MetricId::kAuxBigramPrecision, "aux_bigram_precision", Tier::kLink, Kind::kMean, false, false,
                     kLiteral, 0, 1, "FSP D.6"},
    MetricDefinition{MetricId::kPiiExistence, "pii_existence", Tier::kLink, Kind::kMean, true, true, kPrivate, 0, 1,
                     "FSP D.4, detector text/recognizers.h"},
    MetricDefinition{MetricId::kPiiExistenceReference, "pii_existence_reference", Tier::kLink, Kind::kMean, true, true,
                     kPrivate, 0, 1, "FSP reference code"},
    MetricDefinition{MetricId::kEmbeddingDistance, "embedding_distance", Tier::kVector, Kind::kMean, true, true,
                     kPrivate, 0, 1, "FSP D.4"},
    MetricDefinition{MetricId::kRouge1F, "rouge1_f", Tier::kText, Kind::kMean, true, false, kUseful, 0, 1,
                     "AA 5, LOP Table 3"},
    MetricDefinition{MetricId::kRouge2F, "rouge2_f", Tier::kText, Kind::kMean, true, false, kUseful, 0, 1,
                     "AA 5, LOP Table 3"},
    MetricDefinition{MetricId::kRougeLF, "rougeL_f", Tier::kText, Kind::kMean, true, false, kUseful, 0, 1,
                     "AA 5, LOP Table 3"},
    MetricDefinition{MetricId::kTaskAccuracy, "task_accuracy", Tier::kTask, Kind::kShare, true, false, kUseful, 0, 1,
                     "FSP 3.1.1, G.6.1; AA H.1"},
    MetricDefinition{MetricId::kCoherence, "coherence", Tier::kTask, Kind::kMean, true, false, kUseful, 1, 5,
                     "FSP 3.1.2, G.5"},
    MetricDefinition{MetricId::kCategoryPreservation, "category_preservation", Tier::kTask, Kind::kDistribution, true,
                     false, kUseful, kUnbounded, 1, "FSP 3.1.1, G.6.2"},
    MetricDefinition{MetricId::kReadability, "readability", Tier::kTask, Kind::kMean, true, false, kUseful, 0.1, 1,
                     "AA E.3"},
    MetricDefinition{MetricId::kMeaning, "meaning", Tier::kTask, Kind::kMean, true, false, kUseful, 0.1, 1, "AA E.3"},
    MetricDefinition{MetricId::kNoHallucination, "no_hallucination", Tier::kTask, Kind::kShare, true, false, kUseful, 0,
                     1, "AA E.3"},
    MetricDefinition{MetricId::kUtilityCombined, "utility_combined", Tier::kTask, Kind::kMean, true, false, kUseful, 0,
                     1, "AA 5"},
    MetricDefinition{MetricId::kQaAccuracy, "qa_accuracy", Tier::kTask, Kind::kPooled, true, false, kUseful, 0, 1,
                     "ZSTS Table 2"},
    MetricDefinition{MetricId::kQaAccuracyTrue, "qa_accuracy_true", Tier::kTask, Kind::kPooled, true, false, kUseful, 0,
                     1, "ZSTS Table 2"},
    MetricDefinition{MetricId::kResponseBleu1, "response_bleu1", Tier::kTask, Kind::kMean, true, false, kUseful, 0, 1,
                     "LOP Table 3"},
    MetricDefinition{MetricId::kResponseBleu2, "response_bleu2", Tier::kTask, Kind::kMean, true, false, kUseful, 0, 1,
                     "LOP Table 3"},
    MetricDefinition{MetricId::kResponseBleu3, "response_bleu3", Tier::kTask, Kind::kMean, true, false, kUseful, 0, 1,
                     "LOP Table 3"},
    MetricDefinition{MetricId::kResponseBleu4, "response_bleu4", Tier::kTask, Kind::kMean, true, false, kUseful, 0, 1,
                     "LOP Table 3"},
    MetricDefinition{MetricId::kResponseRouge1F, "response_rouge1_f", Tier::kTask, Kind::kMean, true, false, kUseful, 0,
                     1, "LOP Table 3"},
    MetricDefinition{MetricId::kResponseRouge2F, "response_rouge2_f", Tier::kTask, Kind::kMean, true, false, kUseful, 0,
                     1, "LOP Table 3"},
    MetricDefinition{MetricId::kResponseRougeLF, "response_rougeL_f", Tier::kTask, Kind::kMean, true, false, kUseful, 0,
                     1, "LOP Table 3"},
    MetricDefinition{MetricId::kBleu1, "bleu1", Tier::kText, Kind::kMean, true, false, kUseful, 0, 1, "LOP Table 3"},
    MetricDefinition{MetricId::kBleu2, "bleu2", Tier::kText, Kind::kMean, true, false, kUseful, 0, 1, "LOP Table 3"},
    MetricDefinition{MetricId::kBleu3, "bleu3", Tier::kText, Kind::kMean, true, false, kUseful, 0, 1, "LOP Table 3"},
    MetricDefinition{MetricId::kBleu4, "bleu4", Tier::kText, Kind::kMean, true, false, kUseful, 0, 1, "LOP Table 3"},
    MetricDefinition{MetricId::kSacreBleu13a, "sacrebleu_13a", Tier::kText, Kind::kMean, true, false, kUseful, 0, 1,
                     "sacrebleu 2.6, 13a, exp; LOP Table 3"},
    MetricDefinition{MetricId::kSentimentAccuracy, "sentiment_accuracy", Tier::kText, Kind::kShare, true, false,
                     kUseful, 0, 1, "ZSTS Table 2"},
    MetricDefinition{MetricId::kAttributeAccuracy, "attribute_accuracy", Tier::kTask, Kind::kPooled, false, false,
                     kLeaky, 0, 1, "AA 5, Table 2", Cuts::kToo},
    MetricDefinition{MetricId::kAttributeAccuracyAny, "attribute_accuracy_any", Tier::kTask, Kind::kPooled, false,
                     false, kLeaky, 0, 1, "AA 5", Cuts::kToo},
    MetricDefinition{MetricId::kAttributeAccuracyCertain, "attribute_accuracy_certain", Tier::kTask, Kind::kPooled,
                     false, false, kLeaky, 0, 1, "AA G.1", Cuts::kToo},
    MetricDefinition{MetricId::kAttributeAccuracyHalf, "attribute_accuracy_half", Tier::kTask, Kind::kPooled, false,
                     false, kLeaky, 0, 1, "AA 5, B.2", Cuts::kToo, 2},
    MetricDefinition{MetricId::kAttributeAccuracyAnyHalf, "attribute_accuracy_any_half", Tier::kTask, Kind::kPooled,
                     false, false, kLeaky, 0, 1, "AA 5, B.2", Cuts::kToo, 2},
    MetricDefinition{MetricId::kAttributeAccuracyCertainHalf, "attribute_accuracy_certain_half", Tier::kTask,
                     Kind::kPooled, false, false, kLeaky, 0, 1, "AA G.1, B.2", Cuts::kToo, 2},
    MetricDefinition{MetricId::kAccuracyAtCertainty, "accuracy_at_certainty", Tier::kTask, Kind::kPooled, false, false,
                     kLeaky, 0, 1, "AA Figure 17", Cuts::kToo},
    MetricDefinition{MetricId::kMeanCertainty, "mean_certainty", Tier::kTask, Kind::kPooled, false, false, kLeaky, 0, 1,
                     "AA Figure 18", Cuts::kNone, 4},
    MetricDefinition{MetricId::kAttributeAdvantage, "attribute_advantage", Tier::kTask, Kind::kWhole, false, false,
                     "higher = the text gives more of it away than a guess", kUnbounded, 1, "ours", Cuts::kToo},
    MetricDefinition{MetricId::kTokenRecall, "token_recall", Tier::kLabel, Kind::kPooled, true, false, kPrivate, 0, 1,
                     "AA 3; TAB", Cuts::kToo},
    MetricDefinition{MetricId::kMentionRecall, "mention_recall", Tier::kLabel, Kind::kPooled, true, false, kPrivate, 0,
                     1, "TAB", Cuts::kToo},
    MetricDefinition{MetricId::kEntityRecallDirect, "entity_recall_direct", Tier::kLabel, Kind::kPooled, true, false,
                     kPrivate, 0, 1, "AA 3; TAB", Cuts::kToo},
    MetricDefinition{MetricId::kEntityRecallQuasi, "entity_recall_quasi", Tier::kLabel, Kind::kPooled, true, false,
                     kPrivate, 0, 1, "AA 3; TAB", Cuts::kToo},
    MetricDefinition{MetricId::kTokenPrecision, "token_precision", Tier::kLabel, Kind::kPooled, true, false, kUseful, 0,
                     1, "AA 3; TAB"},
    MetricDefinition{MetricId::kTokenPrecisionWeighted, "token_precision_weighted", Tier::kLabel, Kind::kPooled, true,
                     false, kUseful, 0, 1, "TAB, information content", Cuts::kNone, text::kWeightUnits},
    MetricDefinition{MetricId::kTokenF1, "token_f1", Tier::kLabel, Kind::kHarmonic, true, false, kBalanced, 0, 1,
                     "TAB"},
    MetricDefinition{MetricId::kRedactionRecall, "redaction_recall", Tier::kLabel, Kind::kPooled, true, false, kPrivate,
                     0, 1, "ZSTS Table 1"},
    MetricDefinition{MetricId::kRedactionPrecision, "redaction_precision", Tier::kLabel, Kind::kPooled, true, false,
                     kUseful, 0, 1, "ZSTS Table 1"},
    MetricDefinition{MetricId::kRedactionF1, "redaction_f1", Tier::kLabel, Kind::kPooled, true, false, kBalanced, 0, 1,
                     "ZSTS Table 1"},
    MetricDefinition{MetricId::kPrivacyError, "privacy_error", Tier::kLabel, Kind::kPooled, false, false, kLeaky, 0, 1,
                     "LOP 5.2.1, Figure 5", Cuts::kToo},
    MetricDefinition{MetricId::kUtilityError, "utility_error", Tier::kLabel, Kind::kPooled, false, false, kUseless, 0,
                     1, "LOP 5.2.1", Cuts::kToo},
    MetricDefinition{MetricId::kMauve, "mauve", Tier::kCorpus, Kind::kWhole, true, false, kPrivate, 0, 1, "FSP D.4"},
    MetricDefinition{MetricId::kTopicDistance, "topic_distance", Tier::kCorpus, Kind::kMean, false, false, kUseless, 0,
                     1, "ZSTS Table 2"},
    MetricDefinition{MetricId::kEmbeddingCosine, "embedding_cosine", Tier::kCorpus, Kind::kMean, true, false, kUseful,
                     -1, 1, "AA H.2"},
    MetricDefinition{MetricId::kDetectability, "detectability", Tier::kCorpus, Kind::kPooled, false, false, kUseless, 0,
                     1, "LOP 6.3"},
    MetricDefinition{MetricId::kNearestCopy, "nearest_copy", Tier::kCorpus, Kind::kWhole, false, false, kLeaky, 0, 1,
                     "ours", Cuts::kToo},
    MetricDefinition{MetricId::kCopiedRun, "copied_run", Tier::kCorpus, Kind::kWhole, false, false, kLeaky, 0,
                     std::numeric_limits<std::uint32_t>::max(), "ours", Cuts::kToo},
    MetricDefinition{MetricId::kRarePhraseDensity, "rare_phrase_density", Tier::kCorpus, Kind::kPooled, false, false,
                     kLeaky, 0, 100, "Lison and Anderson 2025, ours", Cuts::kToo},
    MetricDefinition{MetricId::kRarePhraseShare, "rare_phrase_share", Tier::kCorpus, Kind::kShare, false, false, kLeaky,
                     0, 1, "Lison and Anderson 2025, ours"},
    MetricDefinition{MetricId::kSamePersonLinkage, "same_person_linkage", Tier::kCorpus, Kind::kMean, false, false,
                     kLeaky, 0, 1, "WP216, ours"},
    MetricDefinition{MetricId::kSamePersonLinkageNet, "same_person_linkage_net", Tier::kCorpus, Kind::kNet, false,
                     false, kLeaky, -1, 1, "WP216, anonymeter", Cuts::kNone, std::int64_t{1} << 24},
    MetricDefinition{MetricId::kMembershipAuc, "membership_auc", Tier::kOutside, Kind::kWhole, false, false, kLeaky, 0,
                     1, "ours; people who were never released"},
    MetricDefinition{MetricId::kMembershipTpr01, "membership_tpr_01", Tier::kOutside, Kind::kWhole, false, false,
                     kLeaky, 0, 1, "ours; people who were never released"},
    MetricDefinition{MetricId::kAnonymeterRisk, "anonymeter_risk", Tier::kOutside, Kind::kWhole, false, false, kLeaky,
                     0, 1, "anonymeter"},
    MetricDefinition{MetricId::kLeakRateNetOutside, "leak_rate_net_outside", Tier::kOutside, Kind::kWhole, false, false,
                     kLeaky, kUnbounded, 1, "anonymeter"},
    MetricDefinition{MetricId::kFullLeakRateNetOutside, "full_leak_rate_net_outside", Tier::kOutside, Kind::kWhole,
                     false, false, kLeaky, kUnbounded, 1, "anonymeter"},
};

}  // namespace

std::span<const MetricDefinition> metric_definitions() { return kDefinitionTable; }

const MetricDefinition& definition(MetricId id) {
  for (const MetricDefinition& row : kDefinitionTable) {
    if (row.id == id) return row;
  }
  // Ids come from a store, and every one of ours is in the table.
  throw Error(Code::kCorrupt, fmt::format("the catalog names a metric {} that is not known here", static_cast<int>(id)),
              "residue check says whether it is damaged; a store that a newer residue wrote needs that one");
}

std::optional<MetricId> find_metric(std::string_view name) {
  for (const MetricDefinition& row : kDefinitionTable) {
    if (row.name == name) return row.id;
  }
  return std::nullopt;
}

double least_number(const MetricDefinition& metric) { return metric.kind == Kind::kNet ? kUnbounded : metric.low; }

bool optional_for_records(const MetricDefinition& metric) {
  switch (metric.id) {
    case MetricId::kLeakByCategory:
    case MetricId::kInjectionSuspect:
    case MetricId::kPiiExistence:
    case MetricId::kPiiExistenceReference:
    case MetricId::kSentimentAccuracy:
    case MetricId::kSamePersonLinkage:
    case MetricId::kSamePersonLinkageNet:
      return true;
    default:
      return metric.tier == Tier::kLabel || metric.tier == Tier::kTask;
  }
}

bool of_whole_runs(const MetricDefinition& metric) {
  return metric.tier == Tier::kCorpus || metric.kind == Kind::kWhole || metric.kind == Kind::kGreatest;
}

MetricId half_for_less_precise(MetricId id) {
  if (id == MetricId::kAttributeAccuracy) return MetricId::kAttributeAccuracyHalf;
  if (id == MetricId::kAttributeAccuracyAny) return MetricId::kAttributeAccuracyAnyHalf;
  return id == MetricId::kAttributeAccuracyCertain ? MetricId::kAttributeAccuracyCertainHalf : id;
}

std::string_view tier_name(Tier tier) {
  switch (tier) {
    case Tier::kText:
      return "text";
    case Tier::kLink:
      return "link";
    case Tier::kJudge:
      return "judge";
    case Tier::kTask:
      return "task";
    case Tier::kLabel:
      return "label";
    case Tier::kCorpus:
      return "corpus";
    case Tier::kVector:
      return "vector";
    case Tier::kOutside:
      return "outside";
  }
  return "";
}

}  // namespace residue::query
