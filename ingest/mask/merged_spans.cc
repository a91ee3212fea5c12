#include "ingest/mask/merged_spans.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "ingest/mask/scrub.h"
#include "text/identifiers/recognizers.h"

namespace residue::ingest {

namespace {

struct TypeName {
  std::string_view name;
  text::EntityType type;
};
// What taggers call them: CoNLL, OntoNotes, Presidio, Azure, AWS.
constexpr std::array kTypeNames{
    TypeName{"per", text::EntityType::kName},         TypeName{"person", text::EntityType::kName},
    TypeName{"org", text::EntityType::kOrganisation}, TypeName{"organization", text::EntityType::kOrganisation},
    TypeName{"loc", text::EntityType::kPlace},        TypeName{"gpe", text::EntityType::kPlace},
    TypeName{"location", text::EntityType::kPlace}};

std::optional<text::EntityType> type_of(std::string_view tagged) {
  const auto* row = std::ranges::find(kTypeNames, tagged, &TypeName::name);
  return row != kTypeNames.end() ? std::optional(row->type) : text::entity_type(tagged);
}

}  // namespace

std::vector<MaskedSpan> merged_with_scrub(std::string_view text, std::vector<MaskedSpan> tagged) {
  std::vector<text::Entity> known;
  for (MaskedSpan& span : tagged) {
    const auto type = type_of(span.type);
    if (!type) continue;
    span.type = text::recognizer(*type).name;
    if (span.begin < span.end) known.push_back({span.begin, span.end, *type});
  }
  // Of two equal spans the first one counts: the tagger's, which may have words of its own.
  std::vector<MaskedSpan> all = std::move(tagged);
  for (const text::Entity& entity : scrub_entities(text, known)) {
    all.push_back({entity.begin, entity.end, std::string(text::recognizer(entity.type).name), std::nullopt});
  }
  return all;
}

}  // namespace residue::ingest
