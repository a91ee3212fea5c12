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

#include "text/identifiers/checksums.h"
#include "text/identifiers/name_lists.h"

namespace residue::text {

// In order of priority: the earlier one wins among equally long matches.
enum class EntityType : std::uint8_t {
  kEmail,
  kUrl,
  kIp,
  kMac,
  kIban,
  kCard,
  kSsn,
  kItin,
  kNhs,
  kNino,
  kSteuerId,
  kNir,
  kDni,
  kCodiceFiscale,
  kBsn,
  kPesel,
  kPersonnummer,
  kAadhaar,
  kPan,
  kTfn,
  kMedicare,
  kSin,
  kCpf,
  kDate,
  kYear,
  kTime,
  kAge,
  kPhone,
  kMoney,
  kUsername,
  kStreet,
  kPostcode,
  kPassport,
  kLicence,
  kFile,
  kName,
  kOrganisation,
  kPlace,
  kNumber
};
inline constexpr std::size_t kEntityTypes = 39;

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
  bool (*valid)(std::string_view written) = nullptr;  // its check digits, where it has some
};

// All recognizers, one of each type, in order of priority. Names, places and organisations are found by lists besides
// (text/name_lists.h).
std::span<const Recognizer> recognizers();

// The row of a type, by value and by name.
const Recognizer& recognizer(EntityType type);
std::optional<EntityType> entity_type(std::string_view name);

// A subset of the types, as bits.
class EntitySet {
 public:
  static constexpr EntitySet all() { return EntitySet((std::uint64_t{1} << kEntityTypes) - 1); }
  constexpr EntitySet() = default;
  constexpr void insert(EntityType type) { bits_ |= bit(type); }
  constexpr void erase(EntityType type) { bits_ &= ~bit(type); }
  [[nodiscard]] constexpr bool contains(EntityType type) const { return (bits_ & bit(type)) != 0; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }

 private:
  constexpr explicit EntitySet(std::uint64_t bits) : bits_(bits) {}
  static constexpr std::uint64_t bit(EntityType type) { return std::uint64_t{1} << static_cast<unsigned>(type); }
  std::uint64_t bits_ = 0;
};

// The identifiers of `text`, in text order, never overlapping. All types compete for the text, then those outside
// `wanted` are dropped: asking for fewer types never changes what the others are. Tags ("[EMAIL]", "[EMAIL_1]") are
// passed over.
std::vector<Entity> recognize(std::string_view text, EntitySet wanted = EntitySet::all(),
                              const NameLists& lists = NameLists::own());

}  // namespace residue::text
