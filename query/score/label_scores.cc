#include "query/score/label_scores.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "base/json.h"
#include "text/characters/accents.h"
#include "text/characters/as_read.h"
#include "text/characters/token_diff.h"
#include "text/characters/unicode.h"
#include "text/encodings/decoded.h"

namespace residue::query {
namespace {

using M = MetricId;

constexpr std::string_view kNoType = "no type";
constexpr auto kOneWeight = static_cast<std::uint64_t>(text::kWeightUnits);

constexpr std::array kSpanMetrics = {M::kTokenRecall,       M::kMentionRecall,  M::kEntityRecallDirect,
                                     M::kEntityRecallQuasi, M::kTokenPrecision, M::kTokenPrecisionWeighted};
constexpr std::array kTermMetrics = {M::kRedactionRecall, M::kRedactionPrecision, M::kRedactionF1};

std::set<M> all_of(std::span<const M> metrics) { return {metrics.begin(), metrics.end()}; }

std::string string_field(const Json& payload, const char* name) {
  const Json* found = payload.find(name);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

text::Identifier identifier_of(const std::string& spelled) {
  const std::string name = text::lower(spelled);
  if (name == "direct") return text::Identifier::kDirect;
  if (name == "quasi") return text::Identifier::kQuasi;
  return name == "no_mask" ? text::Identifier::kNoMask : text::Identifier::kMask;
}

std::string type_of(const Json& payload) {
  std::string type = string_field(payload, "type");
  return type.empty() ? std::string(kNoType) : type;
}

// Collects the contributions of one record.
class Scores {
 public:
  // `outdated`: metrics of which the record had further units, nobody knows how many.
  explicit Scores(State state, std::set<M> outdated = {}) : state_(state), outdated_(std::move(outdated)) {}

  // A share of units. Of a lost record `worst` and `best` are the hits if everything that is not known went wrong, and
  // if nothing did. Without a unit the record says nothing about the metric.
  void share(M metric, const text::Share& share, std::uint64_t worst, std::uint64_t best, std::string cut) {
    const auto signed_of = [](std::uint64_t count) { return static_cast<std::int64_t>(count); };
    if (share.of == 0) {
      if (!cut.empty()) return;
      if (!outdated_.contains(metric)) return none(metric);
      out_.push_back({metric, Outcome::kNone, state_, 0, 0, 0, {}});
      return;
    }
    const bool known = state_ == State::kValue;
    out_.push_back({metric, Outcome::kNone, state_, signed_of(known ? share.hits : worst), signed_of(share.of),
                    signed_of(known ? share.hits : best), std::move(cut)});
  }

  // Hits protect: none if everything leaked.
  void protection(M metric, const text::Share& part, std::string cut = {}) {
    share(metric, part, 0, part.of, std::move(cut));
  }

  // Hits are errors.
  void error(M metric, const text::Share& part, std::string cut = {}) {
    share(metric, part, part.of, 0, std::move(cut));
  }

  // A share of what was masked. Of a lost text nobody knows how much that is: it is counted, without units. Where the
  // text is there, but not what it is held against, all of it was wrong or right.
  void precision(M metric, const text::Share& part) {
    if (state_ == State::kFailed || (state_ == State::kMissing && part.of == 0)) {
      out_.push_back({metric, Outcome::kNone, state_, 0, 0, 0, {}});
    } else {
      share(metric, part, 0, part.of, {});
    }
  }

  // A share of weights. What has none weighs at most what the record's heaviest word does, in vain or not.
  void weighted(M metric, const text::SpanCounts& counts) {
    const std::uint64_t unknown = counts.weightless * (counts.heaviest == 0 ? kOneWeight : counts.heaviest);
    const text::Share all{counts.weighted->hits, counts.weighted->of + unknown};
    if (state_ != State::kValue || unknown == 0) return precision(metric, all);
    const auto signed_of = [](std::uint64_t count) { return static_cast<std::int64_t>(count); };
    out_.push_back({metric,
                    Outcome::kNone,
                    State::kMissing,
                    signed_of(all.hits),
                    signed_of(all.of),
                    signed_of(all.hits + unknown),
                    {}});
  }

  void none(M metric) { out_.push_back({metric, Outcome::kNone, State::kNotApplicable, 0, 0, 0, {}}); }

  std::vector<Contribution> take() { return std::move(out_); }

 private:
  State state_;
  std::set<M> outdated_;
  std::vector<Contribution> out_;
};

// Of labels that do not fit any more: what they were of.
std::set<M> outdated_units(const RecordLabels& labels) {
  std::set<M> metrics;
  if (labels.outdated) metrics = {M::kTokenRecall, M::kMentionRecall};
  if (labels.outdated_direct) metrics.insert(M::kEntityRecallDirect);
  if (labels.outdated_quasi) metrics.insert(M::kEntityRecallQuasi);
  return metrics;
}

void put_recall(Scores& scores, const text::RecallCounts& counts, const std::string& cut) {
  scores.protection(M::kTokenRecall, counts.tokens, cut);
  scores.protection(M::kMentionRecall, counts.mentions, cut);
  scores.protection(M::kEntityRecallDirect, counts.direct, cut);
  scores.protection(M::kEntityRecallQuasi, counts.quasi, cut);
}

void put_spans(Scores& scores, const text::SpanCounts& counts) {
  put_recall(scores, counts.recall, {});
  for (const auto& [type, part] : counts.by_type) put_recall(scores, part, type);
  scores.precision(M::kTokenPrecision, counts.precision);
  if (counts.weighted) {
    scores.weighted(M::kTokenPrecisionWeighted, counts);
  } else {
    scores.none(M::kTokenPrecisionWeighted);
  }
}

// `outdated`: there are terms that are not in the text any more.
void put_terms(Scores& scores, const text::TermCounts& counts, bool outdated, bool lost) {
  if (counts.unsafe == 0 && !outdated) {
    for (const M metric : kTermMetrics) scores.none(metric);
    return;
  }
  scores.protection(M::kRedactionRecall, {counts.both, counts.unsafe});
  scores.precision(M::kRedactionPrecision, {counts.both, counts.redacted});
  // 2 both / (unsafe + redacted), the harmonic mean of the two. At best what is lost redacted the unsafe ones.
  scores.protection(M::kRedactionF1, {2 * counts.both, counts.unsafe + (lost ? counts.unsafe : counts.redacted)});
}

// Distinct entities that are relevant or not, in all and by type: those that are errors.
void put_entities(Scores& scores, std::span<const EntityLabel> entities, bool relevant, std::string_view sanitized) {
  struct Part {
    std::set<std::string> all, kept;
  };
  std::map<std::string, Part> parts;  // by type; "" is the whole
  std::string store, name_store;
  const std::string_view reads = text::compared(sanitized, store);
  const auto is_kept = [&](std::string_view name) {
    return text::has_term(sanitized, name) || ((reads.data() != sanitized.data() || !text::is_ascii(name)) &&
                                               text::has_term(reads, text::without_accents(name, name_store)));
  };
  for (const EntityLabel& entity : entities) {
    if (entity.relevant != relevant) continue;
    const bool kept = is_kept(entity.name);
    for (const std::string& type : {std::string(), entity.type}) {
      Part& part = parts[type];
      part.all.insert(entity.name);
      if (kept) part.kept.insert(entity.name);
    }
  }
  const M metric = relevant ? M::kUtilityError : M::kPrivacyError;
  if (parts.empty()) scores.none(metric);
  for (const auto& [type, part] : parts) {
    const std::uint64_t kept = part.kept.size();
    scores.error(metric, {relevant ? part.all.size() - kept : kept, part.all.size()}, type);
  }
}

}  // namespace

void add_label(std::string_view kind, std::string_view payload, std::string_view original, RecordLabels& out) {
  const Json json = Json::parse(payload).value_or(Json());
  if (!json.is_object()) return;
  if (kind == "entity") {
    const Json* relevant = json.find("relevant");
    std::string name = string_field(json, "entity");
    const bool outdated = !text::has_term(original, name);
    out.entities.push_back({std::move(name), type_of(json),
                            relevant != nullptr && relevant->is_boolean() && relevant->boolean(), outdated});
    return;
  }
  const auto offset = [&](const char* name) {
    const Json* found = json.find(name);
    return found != nullptr && found->is_unsigned() ? found->get<std::size_t>() : std::string::npos;
  };
  text::GoldMention mention;
  mention.span = {offset("start"), offset("end")};
  const std::string covered = string_field(json, "text");
  if (mention.span.begin >= mention.span.end || mention.span.end > original.size() ||
      (!covered.empty() && slice(original, mention.span) != covered)) {
    if (json.contains("weight")) return;
    out.outdated = true;
    const text::Identifier identifier = identifier_of(string_field(json, "identifier"));
    out.outdated_direct = out.outdated_direct || identifier == text::Identifier::kDirect;
    out.outdated_quasi = out.outdated_quasi || identifier == text::Identifier::kQuasi;
    return;
  }
  if (const Json* weight = json.find("weight")) {
    const double amount = weight->is_number() ? weight->get<double>() : 0;
    out.weights.push_back({mention.span, static_cast<std::uint64_t>(std::llround(amount * text::kWeightUnits))});
    return;
  }
  mention.identifier = identifier_of(string_field(json, "identifier"));
  mention.entity = string_field(json, "entity");
  mention.annotator = string_field(json, "annotator");
  mention.type = type_of(json);
  out.mentions.push_back(std::move(mention));
}

std::vector<ReplacedSpan> replaced_spans(std::string_view json) {
  std::vector<ReplacedSpan> spans;
  for (const Json& row : Json::parse(json).value_or(Json())) {
    if (!row.is_array() || row.size() < 3 || !row[0].is_unsigned() || !row[1].is_unsigned() || !row[2].is_string()) {
      continue;
    }
    const bool says = row.size() > 3 && row[3].is_string();
    spans.push_back({{row[0].get<std::size_t>(), row[1].get<std::size_t>()},
                     row[2].get<std::string>(),
                     says ? row[3].get<std::string>() : std::string()});
  }
  return spans;
}

std::optional<std::vector<text::Span>> exact_masks(std::span<const ReplacedSpan> replaced, std::string_view original,
                                                   std::string_view sanitized) {
  std::vector<text::Span> masks;
  std::string made;
  std::size_t copied = 0;
  for (const ReplacedSpan& one : replaced) {
    if (one.span.begin < copied || one.span.end < one.span.begin || one.span.end > original.size()) return std::nullopt;
    made += original.substr(copied, one.span.begin - copied);
    made += one.replacement;
    copied = one.span.end;
    if (text::as_read(slice(original, one.span)) != text::as_read(one.replacement)) masks.push_back(one.span);
  }
  made += original.substr(copied);
  if (replaced.empty() || made != sanitized) return std::nullopt;
  return masks;
}

std::vector<Contribution> label_scores(const RecordCase& record, const RecordLabels& labels, std::string_view original,
                                       std::string_view sanitized, std::span<const ReplacedSpan> replaced) {
  const bool applicable = record.aligned && !record.empty_original;
  const State own = record.failed ? State::kFailed : State::kValue;
  std::vector<text::Span> masked;
  if (applicable && !record.failed && !labels.empty()) {
    auto exact = exact_masks(replaced, original, sanitized);
    masked = exact ? *std::move(exact) : text::masked_spans(text::token_diff(original, sanitized), original.size());
  }
  Scores spans(own == State::kValue && labels.outdated ? State::kMissing : own, outdated_units(labels));
  if (applicable && (labels.outdated || !labels.mentions.empty())) {
    put_spans(spans, text::compare_spans(original, labels.mentions, masked, labels.weights));
  } else {
    for (const M metric : kSpanMetrics) spans.none(metric);
  }
  const auto outdated = [&labels](bool relevant) {
    return std::any_of(labels.entities.begin(), labels.entities.end(),
                       [&](const EntityLabel& entity) { return entity.outdated && entity.relevant == relevant; });
  };
  const bool no_privacy = outdated(false), no_utility = outdated(true);
  const auto state = [own](bool unknown) { return own == State::kValue && unknown ? State::kMissing : own; };
  Scores privacy(state(no_privacy), no_privacy ? all_of(kTermMetrics) : std::set<M>());
  Scores utility(state(no_utility));
  if (applicable && !labels.entities.empty()) {
    std::vector<std::string> unsafe;
    for (const EntityLabel& entity : labels.entities) {
      if (!entity.relevant) unsafe.push_back(entity.name);
    }
    const bool lost = record.failed || no_privacy;
    put_terms(privacy, text::compare_terms(original, unsafe, masked), no_privacy, lost);
    put_entities(privacy, labels.entities, false, sanitized);
    put_entities(utility, labels.entities, true, sanitized);
  } else {
    for (const M metric : kTermMetrics) privacy.none(metric);
    privacy.none(M::kPrivacyError);
    utility.none(M::kUtilityError);
  }
  std::vector<Contribution> out = spans.take();
  for (Scores* part : {&privacy, &utility}) {
    for (Contribution& c : part->take()) out.push_back(std::move(c));
  }
  return out;
}

}  // namespace residue::query
