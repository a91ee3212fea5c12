// What replacements are drawn with: a secret, so that nobody else can draw the same ones and undo them.
//
//   store's key | --seed ──> secret of the run ── record, person or dataset ──> draws of the scope ──> numbers
//
// Without the secret a number says nothing about the words that it was drawn for, not even to somebody who tries all
// words. A seed is no secret: it is kept with the run, and people choose small ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/keyed_hash.h"
#include "ingest/method/sanitizer.h"

namespace residue::ingest {

// Within what equal originals get equal replacements.
enum class Consistency : std::uint8_t { kRecord, kPerson, kDataset };

// The draws of one scope.
class Draws {
 public:
  explicit Draws(std::string_view key) : hash_(key) {}  // kDigestBytes

  // Uniform over 64 bits; equal for equal words and numbers.
  [[nodiscard]] std::uint64_t operator()(std::string_view words, std::uint64_t number) const;

 private:
  KeyedHash hash_;
};

// The draws of all records of a run. Immutable, thread-safe.
class DrawSource {
 public:
  // `purpose`: what is drawn ("surrogates"); other purposes draw otherwise. By the seed of the setting, else by the key
  // of its store; Error{usage} where it has neither.
  DrawSource(const SanitizerSetting& setting, std::string_view purpose, Consistency consistency = Consistency::kRecord);

  [[nodiscard]] Draws of(const SanitizeInput& input) const;
  [[nodiscard]] Consistency consistency() const { return consistency_; }

  // For Sanitizer::notes(): whether somebody else could undo the replacements.
  [[nodiscard]] std::vector<std::string> notes() const;

  // For the spec of a sanitizer: {"seed": N} or {"drawn_with": "store key"}.
  void describe(Json& spec) const;

 private:
  KeyedHash secret_;
  std::string dataset_;
  Consistency consistency_;
  std::optional<std::uint64_t> seed_;
};

// The parameter `consistent`: record, person or dataset. Error{usage} for another word.
Consistency consistency_named(std::string_view word, std::string_view method);
inline constexpr SanitizerParam kConsistentParam{
    "consistent", "record",
    "within what equal originals get equal surrogates: record, person, or dataset (weaker: docs/sanitizers.md)"};

}  // namespace residue::ingest
