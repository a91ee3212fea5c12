#include "ingest/surrogates/surrogates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/hash.h"
#include "text/characters/accents.h"
#include "text/characters/folding.h"
#include "text/characters/token_diff.h"
#include "text/characters/unicode.h"
#include "text/following/name_words.h"
#include "text/identifiers/name_lists.h"

namespace residue::ingest {
namespace {

using text::EntityType;
using text::NameBits;

bool small(char c) { return c >= 'a' && c <= 'z'; }
bool capital(char c) { return c >= 'A' && c <= 'Z'; }
bool word_byte(char c) { return small(c) || capital(c) || static_cast<unsigned char>(c) >= 0x80; }

constexpr std::uint8_t kCountry = NameBits::kCountry | NameBits::kPlace;

const std::vector<std::string>& names(std::uint8_t kind) {
  static const auto first = text::own_names(NameBits::kFirst), last = text::own_names(NameBits::kLast),
                    place = text::own_names(NameBits::kPlace), firm = text::own_names(NameBits::kOrganisation);
  static const auto country = text::own_names(kCountry);
  if (kind == kCountry) return country;
  if (kind == NameBits::kPlace) return place;
  if (kind == NameBits::kOrganisation) return firm;
  return kind == NameBits::kFirst ? first : last;
}

// In the letters of `like`: all capitals where that is.
std::string in_case(std::string made, std::string_view like) {
  const bool capitals = std::ranges::count_if(like, capital) > 1 && std::ranges::none_of(like, small);
  if (capitals) {
    for (char& c : made) c = small(c) ? static_cast<char>(c - 32) : c;
  }
  return made;
}

// Words that stay, because they say what a thing is and not which one.
bool generic(std::string_view word) {
  constexpr auto kGeneric = std::to_array<std::string_view>(
      {"street",  "st",       "road",    "rd",       "avenue",    "ave",     "lane",      "ln",      "drive",
       "dr",      "court",    "ct",      "blvd",     "boulevard", "way",     "square",    "squares", "sq",
       "place",   "pl",       "terrace", "parkway",  "pkwy",      "highway", "hwy",       "circle",  "crescent",
       "close",   "grove",    "gardens", "mews",     "row",       "trail",   "alley",     "loop",    "walk",
       "quay",    "hill",     "rise",    "suite",    "ste",       "apt",     "apartment", "unit",    "box",
       "po",      "psc",      "cmr",     "room",     "flat",      "floor",   "post",      "office",  "postbox",
       "rue",     "allee",    "allée",   "chemin",   "via",       "viale",   "corso",     "calle",   "paseo",
       "rua",     "carrer",   "ulica",   "ul",       "strada",    "rruga",   "plaza",     "piazza",  "avenida",
       "mr",      "mrs",      "ms",      "mx",       "miss",      "prof",    "professor", "doctor",  "sir",
       "dame",    "lady",     "rev",     "reverend", "capt",      "captain", "herr",      "frau",    "mme",
       "mlle",    "monsieur", "madame",  "sr",       "sra",       "srta",    "señor",     "señora",  "signor",
       "signora", "doña",     "dra",     "medical",  "north",     "south",   "east",      "west",    "new",
       "san"});
  return text::is_organisation_word(word) || std::ranges::find(kGeneric, text::lower(word)) != kGeneric.end();
}

// A word without a capital.
bool begins_small(std::string_view word) {
  return text::lower(word) == word && (small(word[0]) || std::ranges::any_of(word, small));
}

// A word in small letters that stays: it stands in names ("van", "of") and names nobody. Others are somebody's name,
// written without its capital ("Müller-smith", "cengiz polat").
bool stays_small(std::string_view word) {
  constexpr auto kStay = std::to_array<std::string_view>(
      {"a",   "ab",  "abu", "af",  "al",  "an",  "and",  "at",  "auf", "av",  "bei",  "ben", "bin", "bint", "by",
       "da",  "das", "de",  "del", "den", "der", "des",  "di",  "do",  "dos", "du",   "e",   "el",  "en",   "et",
       "for", "für", "i",   "ibn", "im",  "in",  "la",   "las", "le",  "les", "lo",   "los", "of",  "on",   "or",
       "the", "s",   "ten", "ter", "to",  "und", "upon", "van", "von", "vom", "with", "y",   "zu",  "zum",  "zur"});
  return small(word[0]) && (word.size() == 1 || std::ranges::find(kStay, word) != kStay.end());
}

// What ways to write a name have in common: "NUÑEZ" is "Nunez".
std::string known_as(std::string_view words) {
  std::string plain = text::lower(words);
  if (auto bare = text::without_accents(plain)) return std::move(*bare);
  return plain;
}

// The bytes of an organisation's name without its legal form: "Siemens" of "Siemens AG", "Smith" of "Smith & Co.,
// Ltd.".
std::size_t without_form(std::string_view name) {
  constexpr auto kForms = std::to_array<std::string_view>(
      {"ab",   "ag",  "as",           "asa", "bv",      "co",  "company", "corp", "corporation",
       "gmbh", "inc", "incorporated", "kg",  "limited", "llc", "llp",     "ltd",  "nv",
       "oy",   "plc", "pty",          "sa",  "sarl",    "se",  "spa",     "srl"});
  const auto end_of = [&](std::size_t end) { return name.substr(0, end).find_last_not_of(" .,&") + 1; };
  for (std::size_t stem = end_of(name.size());;) {
    const std::size_t space = name.substr(0, stem).rfind(' ');
    if (space == std::string_view::npos || end_of(space) == 0) return stem;
    if (std::ranges::find(kForms, text::lower(name.substr(space + 1, stem - space - 1))) == kForms.end()) return stem;
    stem = end_of(space);
  }
}

template <class Make>
std::string each_word(std::string_view original, const Make& make) {
  std::string made;
  for (std::size_t i = 0; i < original.size();) {
    std::size_t end = i;
    while (end < original.size() && word_byte(original[end])) ++end;
    if (end == i) {
      made += original[i++];
      continue;
    }
    made += make(original.substr(i, end - i), end < original.size() && original[end] == '.');
    i = end;
  }
  return made;
}

// What `words` are by themselves, without a word before them that says so; nothing where they are no one thing.
std::optional<EntityType> form_of(std::string_view words) {
  const auto found = text::recognize(words);
  if (found.size() != 1 || found[0].begin != 0 || found[0].end != words.size()) return std::nullopt;
  return found[0].type;
}

// The number in [at, end) of `words` as another one of as many digits.
std::string number_moved(std::string_view digits, int step) {
  const int value = std::stoi(std::string(digits));
  constexpr std::array kLeast{1, 10, 100};
  constexpr std::array kMost{9, 99, 129};
  const std::size_t size = std::min<std::size_t>(digits.size(), 3) - 1;
  const int range = kMost[size] - kLeast[size] + 1;
  const int moved = kLeast[size] + ((value - kLeast[size] + step) % range + range) % range;
  return fmt::format("{}", moved);
}

}  // namespace

Surrogates::Surrogates(Draws draws, Consistency consistency, std::string_view text)
    : draws_(std::move(draws)), alone_(consistency == Consistency::kRecord), text_(text) {}

void Surrogates::expect(EntityType type, std::string_view original) {
  if (type == EntityType::kPlace) places_.insert(text::lower(original));
}

// A tag with a number that stands for this original.
std::string Surrogates::tag_of(EntityType type, std::string_view original) {
  const std::string_view tag = text::recognizer(type).tag;
  if (!alone_) return fmt::format("[{}_{}]", tag, draw(original, 0) % 1'000'000);
  const std::string plain = known_as(original);
  for (std::size_t number = made_.size();; ++number) {
    std::string made = fmt::format("[{}_{}]", tag, number);
    if (text_.find(made) == std::string_view::npos && given_.try_emplace(made, plain).second) return made;
  }
}

std::string Surrogates::of(EntityType type, std::string_view original) {
  const auto [at, fresh] = made_.try_emplace({type, std::string(original)});
  if (fresh) at->second = type == EntityType::kOrganisation ? organisation(original) : other_than(type, original);
  return at->second;
}

// The same organisation in whatever letters and legal form: "Siemens AG", "SIEMENS".
std::string Surrogates::organisation(std::string_view original) {
  const std::string_view stem = original.substr(0, without_form(original));
  const std::string known = known_as(stem);
  if (known.empty()) return other_than(EntityType::kOrganisation, original);
  const auto [at, fresh] = firms_.try_emplace(known);
  if (fresh) {
    at->second = other_than(EntityType::kOrganisation, each_word(known, [](std::string_view word, bool) {
                              std::string title(word);
                              if (!stays_small(word) && small(title[0])) title[0] = static_cast<char>(title[0] - 32);
                              return title;
                            }));
  }
  const std::string& other = at->second;
  if (other.starts_with('[')) return other;
  return (begins_small(stem) ? text::lower(other) : in_case(other, stem)).append(original.substr(stem.size()));
}

std::string Surrogates::other_than(EntityType type, std::string_view original) {
  const auto& row = text::recognizer(type);
  const bool named = type == EntityType::kName || type == EntityType::kOrganisation || type == EntityType::kStreet;
  const std::uint64_t attempts = row.valid != nullptr ? 20'000 : named ? 20 : 200;
  std::string other;  // like words that are not found again by themselves
  const std::string plain = known_as(original);
  const bool checked = row.valid != nullptr && row.valid(text::folded(original));
  const auto was = form_of(original);
  for (std::uint64_t attempt = 0; attempt < attempts; ++attempt) {
    for (const std::string& word : fresh_) words_.erase(word);  // of a candidate that was none
    fresh_.clear();
    std::string candidate = made(type, original, attempt);
    const std::string lower = text::lower(candidate);
    if (candidate.empty() || known_as(lower) == plain) continue;
    if (checked && !row.valid(text::folded(candidate))) continue;
    if (const auto form = form_of(candidate); form != type && form != was) {
      if (named && attempt < 2) other = std::move(candidate);
      continue;
    }
    if (taken(lower, plain)) continue;
    fresh_.clear();
    return candidate;
  }
  if (!other.empty() && !taken(text::lower(other), plain)) return other;
  return tag_of(type, original);
}

bool Surrogates::taken(const std::string& surrogate, const std::string& original) {
  return alone_ && given_.try_emplace(surrogate, original).first->second != original;
}

std::string Surrogates::made(EntityType type, std::string_view original, std::uint64_t attempt) {
  using enum EntityType;
  // The same for all dates of the scope: more than a year, no whole weeks.
  const std::uint64_t far = draw("days", 0);
  int days = static_cast<int>(366 + far % 1'460);
  if (days % 365 < 15) days += 30;  // nor whole years
  if (days % 7 == 0) ++days;
  if ((far >> 32U) % 2 == 1) days = -days;
  switch (type) {
    case kEmail:
      return email(original, attempt);
    case kUrl:
      return url(original, attempt);
    case kIp:
      return ip(original, attempt);
    case kDate:
    case kYear: {
      const bool range = type == kYear && original.size() != 4;  // "1990-95", "1990s", "80s"
      std::string moved = range ? shifted_years(original, days) : shifted_date(original, days);
      if (attempt == 0) return moved;
      // Where that is taken or is found as something else: other digits, of another year and month all the same.
      if (moved.empty()) moved = with_other_years(original, days);
      return shaped(moved, attempt, 0, Shape::kDates);
    }
    case kTime:
      if (attempt > 0) return shaped(original, attempt, 0, Shape::kDigits);
      return shifted_time(original, static_cast<int>(far % 719));
    case kAge:
      return age(original, attempt);
    case kName:
      return person(original, attempt);
    case kPlace:
    case kOrganisation:
      return like_name(type, original, attempt);
    case kStreet:
      return street(original, attempt);
    case kIban:
      return shaped(original, attempt, 2);  // the country
    case kCard: {
      const bool few =
          original[0] == '1' || std::ranges::count_if(original, is_digit) == 12;  // such numbers begin alike
      return shaped(original, attempt, few ? 4 : 1);
    }
    case kPhone:
      return shaped(original, attempt, original[0] == '+' ? 3 : 1, Shape::kDigits);
    case kMoney:
      return shaped(original, attempt, 0, Shape::kDigits);
    case kMac:
      return shaped(original, attempt, 0, Shape::kHex);
    case kFile:
      return shaped(original, attempt, 0, Shape::kCapitals);
    default:
      return shaped(original, attempt, 0);
  }
}

// Letters by letters, digits by digits, the first `keep` bytes and all signs as they are; of some shapes letters too.
std::string Surrogates::shaped(std::string_view original, std::uint64_t attempt, std::size_t keep, Shape shape) const {
  std::string made;
  bool number = false;  // the character before is a digit
  const std::uint64_t own = draw(original, attempt);
  for (std::size_t i = 0, bytes = 0; i < original.size(); i += bytes) {
    const text::CodePoint point = text::code_point_at(original, i);
    bytes = point.bytes;
    const std::string_view written = original.substr(i, bytes);
    const std::string read = bytes == 1 ? std::string(written) : text::folded(written);
    const char c = read.size() == 1 ? read[0] : '\0';
    const std::uint64_t drawn = hash_of(own, "", i);
    const bool leads = !number;
    number = is_digit(c);
    if (leads && number && shape == Shape::kDates && is_digit(c)) {  // years say whether a date is one
      std::size_t end = i;
      while (end < original.size() && is_digit(original[end])) ++end;
      if (end - i == 4) bytes = 4;
      if (end - i == 4) made += original.substr(i, 4);
      if (end - i == 4) continue;
    }
    if (i < keep) {
      made += written;
    } else if (number) {
      made += static_cast<char>(leads && c != '0' ? '1' + drawn % 9 : '0' + drawn % 10);
    } else if (shape == Shape::kHex && (small(c) || capital(c))) {
      made += static_cast<char>((small(c) ? 'a' : 'A') + drawn % 6);
    } else if (capital(c) && (shape == Shape::kLetters || shape == Shape::kCapitals)) {
      made += static_cast<char>('A' + drawn % 26);
    } else if (small(c) && shape == Shape::kLetters) {
      made += static_cast<char>('a' + drawn % 26);
    } else if (shape == Shape::kLetters && bytes > 1 && text::is_word_character(point.value)) {
      made += 'x';  // another letter
    } else {
      made += written;
    }
  }
  return made;
}

std::string Surrogates::email(std::string_view original, std::uint64_t attempt) const {
  const auto plain = [&](std::uint8_t kind, std::uint64_t number) {
    const auto& list = names(kind);
    for (std::uint64_t i = number;; i += 1'000) {
      const std::string name = text::lower(list[draw(original, i) % list.size()]);
      if (std::ranges::all_of(name, small)) return name;
    }
  };
  return fmt::format("{}.{}@example.org", plain(NameBits::kFirst, attempt * 2 + 1),
                     plain(NameBits::kLast, attempt * 2 + 2));
}

std::string Surrogates::url(std::string_view original, std::uint64_t attempt) const {
  const std::size_t scheme = original.find("://");
  std::string made(scheme == std::string_view::npos ? std::string_view() : original.substr(0, scheme + 3));
  const std::string_view rest = original.substr(made.size());
  if (text::lower(rest.substr(0, 3)) == "www") made += rest.substr(0, rest.find('.') + 1);
  made += "example.org";
  return made.append("/").append(shaped("abcdefgh", attempt + draw(original, 0) % 1'000'000, 0));
}

// In the blocks that are kept for documentation (RFC 5737, RFC 3849).
std::string Surrogates::ip(std::string_view original, std::uint64_t attempt) const {
  const std::uint64_t drawn = draw(original, attempt);
  if (original.find(':') != std::string_view::npos) {
    const std::size_t zone = std::min(original.find('%'), original.size());
    return fmt::format("2001:db8::{:x}:{:x}{}", drawn % 0xFFFF + 1, (drawn >> 16U) % 0xFFFF + 1, original.substr(zone));
  }
  constexpr std::array kBlocks{"192.0.2", "198.51.100", "203.0.113"};
  return fmt::format("{}.{}", kBlocks[drawn % kBlocks.size()], (drawn >> 8U) % 254 + 1);
}

// All its numbers moved by the same, each by one of as many digits; number words by such of their kind.
std::string Surrogates::age(std::string_view original, std::uint64_t attempt) const {
  using Words = std::vector<std::string_view>;
  static const std::array<Words, 3> kKinds{
      Words{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine"},
      Words{"ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
            "nineteen"},
      Words{"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}};
  const std::uint64_t drawn = draw(original, attempt);
  const int far = static_cast<int>(drawn % (4 + attempt / 4)) + 1;
  const int step = (drawn >> 40U) % 2 == 0 ? far : -far;
  if (std::ranges::any_of(original, is_digit)) {
    std::string made;
    for (std::size_t i = 0; i < original.size();) {
      std::size_t end = i;
      while (end < original.size() && is_digit(original[end])) ++end;
      const bool fraction = i > 1 && original[i - 1] == '.' && is_digit(original[i - 2]);
      if (end == i) {
        made += original[i++];
      } else {
        made += fraction ? std::string(original.substr(i, end - i)) : number_moved(original.substr(i, end - i), step);
        i = end;
      }
    }
    return made;
  }
  return each_word(original, [&](std::string_view word, bool) -> std::string {
    const std::string plain = text::lower(word);
    for (const Words& kind : kKinds) {
      const auto at = std::ranges::find(kind, plain);
      if (at == kind.end()) continue;
      const auto moved = (static_cast<std::size_t>(at - kind.begin()) + drawn % kind.size()) % kind.size();
      std::string made(kind[moved]);
      if (capital(word[0])) made[0] = static_cast<char>(made[0] - 32);
      return in_case(std::move(made), word);
    }
    return std::string(word);
  });
}

// The name that stands for a word of a name, the same throughout the record.
std::string Surrogates::name_for(std::string_view word, std::uint8_t kind, text::Gender gender) {
  const std::string plain = known_as(word);
  const auto [at, fresh] = words_.try_emplace(plain);
  if (fresh) fresh_.push_back(plain);
  std::string& name = at->second;
  const auto& list =
      kind == NameBits::kFirst && gender != text::Gender::kUnknown ? text::first_names_of(gender) : names(kind);
  for (std::uint64_t i = 0; name.empty() && i < list.size(); ++i) {
    const std::string& drawn = list[draw(plain, i) % list.size()];
    if (known_as(drawn) != plain && (!alone_ || used_.insert(text::lower(drawn)).second)) name = drawn;
  }
  if (name.empty()) name = fmt::format("X{}", words_.size());  // a record of more names than there are
  return begins_small(word) ? text::lower(name) : in_case(name, word);
}

std::string Surrogates::person(std::string_view original, std::uint64_t attempt) {
  const std::size_t last = original.rfind(' ');
  text::Gender titled = text::Gender::kUnknown;
  bool leads = last != std::string_view::npos;
  return each_word(original, [&](std::string_view word, bool stop) -> std::string {
    const auto& lists = text::NameLists::own();
    // Across records a name must not depend on who is called what in one of them.
    if (const auto gender = text::gender_of_title(word); alone_ && gender != text::Gender::kUnknown) titled = gender;
    const bool surname = last != std::string_view::npos && word.data() > original.data() + last;
    // What says what a street is ("Hill", "Court") names a person.
    if ((!surname && text::is_title_word(text::lower(word))) || stays_small(word)) return std::string(word);
    if (stop && text::code_points(word) == 1) return std::string(1, static_cast<char>('A' + draw(word, attempt) % 26));
    // What begins a name of several words is a first name, whether a list knows it or not.
    const bool first = !surname && (std::exchange(leads, false) || lists.bits_of(word).has(NameBits::kFirst));
    if (!first) return name_for(word, NameBits::kLast);
    const text::Gender known = text::gender_of(word);
    return name_for(word, NameBits::kFirst, known != text::Gender::kUnknown ? known : titled);
  });
}

std::string Surrogates::like_name(EntityType type, std::string_view original, std::uint64_t attempt) {
  if (type == EntityType::kPlace) {
    if (std::string placed = in_country(original, attempt); !placed.empty()) return placed;
  }
  const auto bits = text::NameLists::own().bits_of(original);
  for (const std::uint8_t kind : {kCountry, NameBits::kPlace, NameBits::kOrganisation}) {
    if ((bits.bits & kind) == kind) return in_case(names(kind)[draw(original, attempt) % names(kind).size()], original);
  }
  if (type == EntityType::kPlace) {
    const auto& list = names(NameBits::kPlace);
    return in_case(list[draw(original, attempt) % list.size()], original);
  }
  // "Mayo-Walters Ltd", "University of Oslo": what it is stays, which one does not.
  bool says = false;
  std::string made = each_word(original, [&](std::string_view word, bool stop) -> std::string {
    const bool kind = text::is_organisation_word(word);
    says = says || kind;
    return kind || stays_small(word) || (stop && word == "St") ? std::string(word) : name_for(word, NameBits::kLast);
  });
  if (says && made != original) return made;
  const auto& list = names(NameBits::kOrganisation);
  const std::string& drawn = list[draw(original, attempt) % list.size()];
  // "eBay" and "McDonald's" are found nowhere by themselves.
  return capital(drawn[0]) && drawn.find('\'') == std::string::npos ? in_case(drawn, original) : std::string();
}

// A country of which cities are known by another such, a city or region by one of its country, or of what stands for
// its country where that is replaced too; empty: no list says what it is, or has enough of them.
std::string Surrogates::in_country(std::string_view original, std::uint64_t attempt) {
  constexpr std::uint64_t kPatience = 100;
  if (attempt >= kPatience) return {};
  const auto drawn = [&](const std::vector<std::string>& list) {
    return list.empty() ? std::string() : in_case(list[draw(original, attempt) % list.size()], original);
  };
  if (text::row_of_country(original, true) != nullptr) {
    const auto is_it = [&](const std::string& name) { return text::lower(name) == text::lower(original); };
    std::vector<std::string> others;
    for (const text::PlacesOfCountry& row : text::places_of_countries()) {
      if (row.cities && std::ranges::none_of(row.country, is_it)) others.push_back(row.country.front());
    }
    return drawn(others);
  }
  const text::PlacesOfCountry* row = text::row_of_place(original);
  if (row == nullptr) return {};
  std::string country = alone_ ? std::string() : row->country.front();
  for (const std::string& name : row->country) {
    if (country.empty() && places_.contains(text::lower(name))) country = name;
  }
  if (!country.empty()) {
    const std::string other = of(EntityType::kPlace, country);
    const text::PlacesOfCountry* there = text::row_of_country(other, row->cities);
    if (there == nullptr) there = text::row_of_country(other, true);
    if (there != nullptr) row = there;
  }
  return drawn(row->places);
}

std::string Surrogates::street(std::string_view original, std::uint64_t attempt) {
  constexpr auto kEndings = std::to_array<std::string_view>(
      {"straße", "strasse", "straat", "gracht", "vænget", "vangen", "bakken", "torget", "stigen", "vägen", "veien",
       "vegen",  "gatan",   "platz",  "allee",  "plein",  "gasse",  "stien",  "gade",   "gata",   "gate",  "gatu",
       "kuja",   "katu",    "utca",   "ring",   "laan",   "allé",   "weg",    "vej",    "tie",    "str",   "tn"});
  const std::string words = each_word(original, [&](std::string_view word, bool) -> std::string {
    const auto at = static_cast<std::size_t>(word.data() - original.data());
    const std::size_t end = at + word.size();
    const bool joined = (at > 0 && original[at - 1] == '-') || (end < original.size() && original[end] == '-');
    const bool stays = joined ? stays_small(word) : small(word[0]);
    if (generic(word) || stays || word.size() == 1) return std::string(word);
    for (const std::string_view ending : kEndings) {
      if (word.size() <= ending.size() + 2 || !text::lower(word).ends_with(ending)) continue;
      const std::string_view stem = word.substr(0, word.size() - ending.size());
      return name_for(stem, NameBits::kLast).append(word.substr(stem.size()));
    }
    return name_for(word, NameBits::kLast);
  });
  std::string made;
  const std::uint64_t own = draw(original, attempt);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint64_t drawn = hash_of(own, "", i);
    const bool leads = i == 0 || !is_digit(words[i - 1]);
    made += is_digit(words[i]) ? static_cast<char>(leads && words[i] != '0' ? '1' + drawn % 9 : '0' + drawn % 10)
                               : words[i];
  }
  return made;
}

}  // namespace residue::ingest
