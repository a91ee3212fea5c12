// Tier label: a sanitized text against what people marked in the original. Pure functions, one record at a time.
//
//   original, sanitized text, labels ──> tokens that are gone ──> text::compare_spans, compare_terms ──> contributions
//
// AA 3; TAB; ZSTS; LOP 5.2.1. Needs no attack and no judge.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/metric/contribution.h"
#include "query/score/scores.h"
#include "text/measures/redaction.h"

namespace residue::query {

// An entity that somebody labelled, and whether the text's purpose needs it.
struct EntityLabel {
  std::string name;
  std::string type;
  bool relevant = false;
  bool outdated = false;  // its words are no longer in the text; they were when it was ingested
};

struct RecordLabels {
  std::vector<text::GoldMention> mentions;
  std::vector<EntityLabel> entities;
  std::vector<text::WordWeight> weights;
  bool outdated = false;                                 // some mention is not a part of the text any more
  bool outdated_direct = false, outdated_quasi = false;  // and such a mention is of an entity of this kind

  [[nodiscard]] bool empty() const { return mentions.empty() && entities.empty(); }
};

// What a sanitizer says that it replaced.
struct ReplacedSpan {
  text::Span span;  // bytes of the original
  std::string type;
  std::string replacement{};
};

// From variant.spans_id; rows of another shape are left out.
std::vector<ReplacedSpan> replaced_spans(std::string_view json);

// The spans whose replacements read otherwise than what they replace. Nothing where the sanitized text is not the
// original with just these replaced: the original was changed since, or the spans are not of this text.
std::optional<std::vector<text::Span>> exact_masks(std::span<const ReplacedSpan> replaced, std::string_view original,
                                                   std::string_view sanitized);

// A label of the kind span (one with a weight is no mention, but what its words tell) or entity, as ingest keeps it
// (canonical JSON, offsets in bytes of `original`), into `out`.
void add_label(std::string_view kind, std::string_view payload, std::string_view original, RecordLabels& out);

// All metrics of the tier. If `replaced` is exact, it says what is masked; otherwise the differences of the texts'
// tokens do. Metrics of mentions are not applicable without mentions, and so are those of entities without entities. If
// the text failed, nothing was masked (leaked). Outdated mentions and entities make their metrics missing.
std::vector<Contribution> label_scores(const RecordCase& record, const RecordLabels& labels, std::string_view original,
                                       std::string_view sanitized, std::span<const ReplacedSpan> replaced = {});

}  // namespace residue::query
