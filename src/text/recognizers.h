// Structured identifiers in running text: e-mail addresses, phone numbers, dates ... found by hand-written scanners.
//
//   text ──> positions where a token starts ──> every matcher of the table ──> longest wins ──> spans
//
// Pure, linear in the text, no locale. Any bytes are accepted; on UTF-8 every span lies on code point boundaries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace residue::text {

enum class EntityType : std::uint8_t { kEmail, kUrl, kIp, kIban, kCard, kDate, kAge, kPhone, kName, kNumber };

// One identifier: bytes [begin, end) of the text, never empty.
struct Entity {
  std::size_t begin = 0;
  std::size_t end = 0;
  EntityType type = EntityType::kNumber;
  friend bool operator==(const Entity&, const Entity&) = default;
};

// A row of the table. `match(text, at)` is called only where a token starts and `starts` holds of text[at]; it returns
// the end of the identifier that begins at `at`, or 0. It looks at a bounded stretch unless it matches, so that the
// whole scan stays linear.
struct Recognizer {
  EntityType type;
  std::string_view name;         // "email": what users write
  std::string_view tag;          // "EMAIL": what replaces it
  std::string_view description;  // one line for help
  bool (*starts)(unsigned char first);
  std::size_t (*match)(std::string_view text, std::size_t at);
};

// All recognizers in order of priority: the earlier one wins among equally long matches.
std::span<const Recognizer> recognizers();

// The row of a type, by value and by name.
const Recognizer& recognizer(EntityType type);
std::optional<EntityType> entity_type(std::string_view name);

// A subset of the types, as bits.
class EntitySet {
 public:
  static constexpr EntitySet all() { return EntitySet((1U << 10) - 1); }
  constexpr EntitySet() = default;
  constexpr void insert(EntityType type) { bits_ |= 1U << static_cast<unsigned>(type); }
  [[nodiscard]] constexpr bool contains(EntityType type) const {
    return (bits_ >> static_cast<unsigned>(type) & 1U) != 0;
  }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }

 private:
  constexpr explicit EntitySet(unsigned bits) : bits_(bits) {}
  unsigned bits_ = 0;
};

// The identifiers of `text`, in text order, never overlapping. All types compete for the text, then those outside
// `wanted` are dropped: asking for fewer types never changes what the others are.
std::vector<Entity> recognize(std::string_view text, EntitySet wanted = EntitySet::all());

// ISO/IEC 7812 check digit over the digits of `number` (other bytes are skipped).
bool luhn_valid(std::string_view number);

// ISO 13616: country, length for the country, and mod 97 = 1. Spaces are skipped; letters of either case.
bool iban_valid(std::string_view iban);

}  // namespace residue::text
