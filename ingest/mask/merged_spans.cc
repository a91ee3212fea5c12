#include "ingest/mask/merged_spans.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "ingest/mask/scrub.h"
#include "text/characters/unicode.h"
#include "text/identifiers/recognizers.h"

namespace residue::ingest {

namespace {

struct TypeName {
  std::string_view name;  // "name_*": all that begin so
  text::EntityType type;
};
using enum text::EntityType;
// What taggers call them: CoNLL, OntoNotes, i2b2, Presidio, Azure, AWS, Ai4Privacy. docs/sanitizers.md has the same.
constexpr std::array kTypeNames{TypeName{"per", kName},
                                TypeName{"pers", kName},
                                TypeName{"person", kName},
                                TypeName{"person_*", kName},
                                TypeName{"name_*", kName},
                                TypeName{"givenname*", kName},
                                TypeName{"given_name", kName},
                                TypeName{"surname*", kName},
                                TypeName{"firstname*", kName},
                                TypeName{"first_name", kName},
                                TypeName{"lastname*", kName},
                                TypeName{"last_name", kName},
                                TypeName{"middlename*", kName},
                                TypeName{"middle_name", kName},
                                TypeName{"full_name", kName},
                                TypeName{"fullname", kName},
                                TypeName{"patient", kName},
                                TypeName{"patient_name", kName},
                                TypeName{"doctor", kName},
                                TypeName{"doctor_name", kName},
                                TypeName{"staff", kName},
                                TypeName{"org", kOrganisation},
                                TypeName{"organization*", kOrganisation},
                                TypeName{"company*", kOrganisation},
                                TypeName{"hospital", kOrganisation},
                                TypeName{"hosp", kOrganisation},
                                TypeName{"vendor", kOrganisation},
                                TypeName{"loc", kPlace},
                                TypeName{"gpe", kPlace},
                                TypeName{"location*", kPlace},
                                TypeName{"city", kPlace},
                                TypeName{"town", kPlace},
                                TypeName{"state", kPlace},
                                TypeName{"county", kPlace},
                                TypeName{"country", kPlace},
                                TypeName{"region", kPlace}};

std::optional<text::EntityType> type_of(std::string_view tagged) {
  std::string small = text::lower(tagged);
  if (small.starts_with("b_") || small.starts_with("i_")) small.erase(0, 2);
  const auto is = [&](const TypeName& row) {
    const bool begins = row.name.ends_with('*');
    return begins ? small.starts_with(row.name.substr(0, row.name.size() - 1)) : small == row.name;
  };
  const auto* row = std::ranges::find_if(kTypeNames, is);
  return row != kTypeNames.end() ? std::optional(row->type) : text::entity_type(small);
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
