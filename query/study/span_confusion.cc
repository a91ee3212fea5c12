#include "query/study/span_confusion.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "query/inputs/labels.h"
#include "query/inputs/snapshot.h"
#include "query/score/label_scores.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/variant.h"
#include "text/characters/token_diff.h"
#include "text/characters/unicode.h"

namespace residue::query {
namespace {

// Letters and digits of [from, to): what is masked or not.
std::uint64_t letters_in(std::string_view text, std::size_t from, std::size_t to) {
  std::uint64_t count = 0;
  while (from < to) {
    const text::CodePoint point = text::code_point_at(text, from);
    count += text::is_word_character(point.value) ? 1U : 0U;
    from += point.bytes;
  }
  return count;
}

std::uint64_t shared(std::string_view text, text::Span a, text::Span b) {
  return letters_in(text, std::max(a.begin, b.begin), std::min(a.end, b.end));
}

// The type with most letters; of equals the first by name.
std::string most(const std::map<std::string, std::uint64_t>& letters) {
  std::string best;
  std::uint64_t count = 0;
  for (const auto& [type, its] : letters) {
    if (its > count) best = type, count = its;
  }
  return best;
}

void add(std::map<std::string, TypeCounts>& to, const std::map<std::string, TypeCounts>& from) {
  for (const auto& [type, counts] : from) to[type] += counts;
}

}  // namespace

TypeCounts& TypeCounts::operator+=(const TypeCounts& other) {
  spans += other.spans;
  hits += other.hits;
  for (const auto& [type, count] : other.others) others[type] += count;
  return *this;
}

SpanConfusion& SpanConfusion::operator+=(const SpanConfusion& other) {
  add(marked, other.marked);
  add(replaced, other.replaced);
  return *this;
}

SpanConfusion compare_types(std::string_view original, std::span<const text::GoldMention> gold,
                            std::span<const ReplacedSpan> replaced) {
  SpanConfusion confusion;
  for (const text::GoldMention& mention : gold) {
    if (mention.identifier == text::Identifier::kNoMask) continue;
    std::map<std::string, std::uint64_t> by_type;
    std::uint64_t masked = 0;
    for (const ReplacedSpan& span : replaced) {
      const std::uint64_t letters = shared(original, mention.span, span.span);
      if (letters > 0) by_type[span.type] += letters;
      masked += letters;
    }
    const std::uint64_t all = letters_in(original, mention.span.begin, mention.span.end);
    confusion.marked[mention.type] += {1, all > 0 && masked >= all ? 1U : 0U, {{most(by_type), 1}}};
  }
  for (const ReplacedSpan& span : replaced) {
    std::map<std::string, std::uint64_t> by_type;
    for (const text::GoldMention& mention : gold) {
      if (mention.identifier == text::Identifier::kNoMask) continue;
      const std::uint64_t letters = shared(original, mention.span, span.span);
      if (letters > 0) by_type[mention.type] += letters;
    }
    confusion.replaced[span.type] += {1, by_type.empty() ? 0U : 1U, {{most(by_type), 1}}};
  }
  return confusion;
}

std::vector<RunSpans> load_span_confusion(storage::Store& store, const std::string& dataset) {
  const DatasetId id = storage::find_dataset(store.db(), dataset);
  const storage::Lock held = store.hold_texts();
  const DatasetView view = load_dataset(store, id, dataset, ClaimSetHead{});
  const Labels labels = load_labels(store.db(), view);
  const auto texts = store.facts().read();
  std::vector<RecordLabels> marks(view.records.size());
  std::map<std::int64_t, std::size_t> places;
  bool any = false;
  for (std::size_t i = 0; i < view.records.size(); ++i) {
    places[view.records[i].id.value] = i;
    if (labels.by_record[i].empty()) continue;
    const std::string original = texts->text(view.records[i].text);
    for (const LabelView& label : labels.by_record[i])
      add_label(label.kind, texts->text(label.payload), original, marks[i]);
    any = any || !marks[i].mentions.empty();
  }
  if (!any) {
    throw Error(Code::kNotFound, fmt::format("dataset {} has no labels of the kind span", dataset),
                "residue ingest labels DATASET FILE --kind span brings them in");
  }
  std::vector<RunSpans> runs;
  storage::Statement rows = store.db().prepare(storage::sql::kVariantSpansOfRun);
  storage::Statement known = store.db().prepare(storage::sql::kVariantAnyOfRunWithSpans);
  for (const RunHead& head : list_runs(store.db(), id)) {
    const bool knows = known.bind(head.id).step();
    known.reset();
    if (!knows) continue;
    RunSpans& run = runs.emplace_back();
    run.run = head.name;
    std::vector<bool> seen(view.records.size());
    const auto count = [&](std::size_t i, bool failed, TextId table) {
      if (marks[i].outdated) {
        ++run.outdated;
        return;
      }
      if (failed && !marks[i].mentions.empty()) ++run.failed;
      const auto spans = table.value == 0 || failed ? std::vector<ReplacedSpan>() : replaced_spans(texts->text(table));
      if (spans.empty() && marks[i].mentions.empty()) return;
      run.counts += compare_types(texts->text(view.records[i].text), marks[i].mentions, spans);
    };
    rows.bind(head.id);
    while (rows.step()) {
      const auto place = places.find(rows.integer(0));
      if (place == places.end()) continue;
      seen[place->second] = true;
      count(place->second, rows.integer(1) != 0, rows.id<TextId>(2));
    }
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (!seen[i]) count(i, true, TextId{});
    }
  }
  if (!runs.empty()) return runs;
  throw Error(Code::kNotFound, fmt::format("no run of {} says which spans it replaced", dataset),
              "runs of residue sanitize that replace spans do: --with scrub");
}

}  // namespace residue::query
