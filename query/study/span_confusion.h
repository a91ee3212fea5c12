// What a sanitizer replaced against what people marked, type by type.
//
//   gold mentions (labels of the kind span) ┐
//   span table of a run (variant.spans_id) ─┴─> of each gold type: masked, and as what; of each type: gold, and of what
//
// Ours: the figure behind token_recall and token_precision where a run knows the types of its spans.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/score/label_scores.h"
#include "storage/store.h"
#include "text/measures/redaction.h"

namespace residue::query {

// Of all spans of a type: `hits` of them, and what lies there on the other side, by its type.
struct TypeCounts {
  std::uint64_t spans = 0;
  std::uint64_t hits = 0;
  std::map<std::string, std::uint64_t> others;  // "": nothing lies there

  TypeCounts& operator+=(const TypeCounts& other);
  friend bool operator==(const TypeCounts&, const TypeCounts&) = default;
};

struct SpanConfusion {
  // Mentions that must be masked, each annotator's; a hit is one all of whose letters and digits were replaced. The
  // other side is the type that took most of them, of equals the first by name.
  std::map<std::string, TypeCounts> marked;
  // Spans that were replaced; a hit touches such a mention. The other side is the type of the one that they share most
  // letters and digits with, of equals the first by name.
  std::map<std::string, TypeCounts> replaced;

  SpanConfusion& operator+=(const SpanConfusion& other);
  friend bool operator==(const SpanConfusion&, const SpanConfusion&) = default;
};

// Of one text. Pure; spans must lie inside it. Cost: |gold| times |replaced|, and their letters.
SpanConfusion compare_types(std::string_view original, std::span<const text::GoldMention> gold,
                            std::span<const ReplacedSpan> replaced);

struct RunSpans {
  std::string run;
  std::uint64_t failed = 0;    // records with mentions that the run has no text of: nothing of them counts as masked
  std::uint64_t outdated = 0;  // records whose marks no longer fit their text: left out
  SpanConfusion counts;
};

// Of every run of the dataset that knows its spans, by name. Throws Error{not found} where the dataset has no labels of
// the kind span, or no run knows its spans.
std::vector<RunSpans> load_span_confusion(storage::Store& store, const std::string& dataset);

}  // namespace residue::query
