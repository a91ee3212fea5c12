// What the `content` of datasets, claim sets, runs and evaluations is made of: one place, so that whoever maintains one
// and whoever recomputes it agree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fingerprint.h"
#include "base/hash.h"
#include "base/ids.h"

struct sqlite3;

namespace residue::storage {

// Everything of a record beside its key and text, as one number.
struct RecordRest {
  std::optional<std::string_view> person, label;
  std::optional<TextId> task, meta;

  [[nodiscard]] std::int64_t hash() const {
    std::uint64_t h = 0;
    for (const auto& text : {person, label}) h = mix(h) ^ (text ? hash_of(1, *text) : 0);
    for (const auto& id : {task, meta}) h = mix(h) ^ (id ? mix(static_cast<std::uint64_t>(id->value)) : 0);
    return static_cast<std::int64_t>(h);
  }
};

// The number of a variant's row: its text, or -1 where it failed; with what says which spans were replaced, both.
inline std::int64_t variant_number(std::optional<TextId> text, std::optional<TextId> spans) {
  if (!text) return -1;
  if (!spans) return text->value;
  return static_cast<std::int64_t>(
      mix(mix(static_cast<std::uint64_t>(text->value)) ^ static_cast<std::uint64_t>(spans->value)));
}

//   dataset:   add(record key, text id, RecordRest::hash())
//   claim set: add(record key, text id, n)
//   run's claim set: add(record key | variant key, text id, n)
//   embedder:  add(the digest's 8 bytes, text id)
//   run:       add(record key | variant key, variant_number())      the automatic controls: the empty fingerprint;
//              add(kTextsAreMeant, 1) where the run's texts are (run.texts_are_meant); no key holds a NUL
inline constexpr std::string_view kTextsAreMeant("\0texts are meant", 16);

// What evaluation.claims_content is, from its parts; the views of schema.sql call the same functions, so that what
// makes a number stale is written once.

// Of an attack: the judged claims' content, and those of its other inputs (the view attack_extra); empty: there are
// none.
std::string content_of_attack(std::string_view claims, std::string_view extra);
// Of tier judge: with the categories of the claims (claim_set.categories); empty: there are none.
std::string content_with_categories(std::string_view attack, std::string_view categories);
// And with the judgments' revision (judge.revision); 0: the first.
std::string content_at_revision(std::string_view judged, std::int64_t revision);

// Makes these known to SQL under their names.
void attach_content_functions(sqlite3* db);

}  // namespace residue::storage
