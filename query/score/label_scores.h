// Tier label: a sanitized text against what people marked in the original. Pure functions, one record at a time.
//
//   original, sanitized text, labels ──> tokens that are gone ──> text::compare_spans, compare_terms ──> contributions
//
// METRICS section 3 (AA 3; TAB; ZSTS; LOP 5.2.1). Needs no attack and no judge.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "query/metric/contribution.h"
#include "query/score/scores.h"
#include "text/measures/redaction.h"

namespace residue::query {

// An entity that somebody labelled: whether the text's purpose needs it.
struct EntityLabel {
  std::string name;
  std::string type;
  bool relevant = false;
  bool outdated = false;  // its words are not in the text any more: ingest took none that were not
};

struct RecordLabels {
  std::vector<text::GoldMention> mentions;
  std::vector<EntityLabel> entities;
  std::vector<text::WordWeight> weights;
  bool outdated = false;                                 // some mention is not a part of the text any more
  bool outdated_direct = false, outdated_quasi = false;  // and such a one is of an entity of this kind

  [[nodiscard]] bool empty() const { return mentions.empty() && entities.empty(); }
};

// A label of the kind span (one with a weight is no mention, but what its words tell) or entity, as ingest keeps it
// (canonical JSON, offsets in bytes of `original`), into `out`.
void add_label(std::string_view kind, std::string_view payload, std::string_view original, RecordLabels& out);

// All metrics of the tier. Without mentions or entities those of them are not applicable; where the record's text
// failed nothing was masked (leaked); mentions and entities that are outdated make theirs missing.
std::vector<Contribution> label_scores(const RecordCase& record, const RecordLabels& labels, std::string_view original,
                                       std::string_view sanitized);

}  // namespace residue::query
