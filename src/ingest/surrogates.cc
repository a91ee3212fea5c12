#include "ingest/surrogates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/hash.h"
#include "text/unicode.h"

namespace residue::ingest {
namespace {

using text::EntityType;
using text::NameBits;

bool digit(char c) { return c >= '0' && c <= '9'; }
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
      {"street",     "st",        "road",     "rd",     "avenue",      "ave",      "lane",        "ln",
       "drive",      "dr",        "court",    "blvd",   "boulevard",   "way",      "square",      "place",
       "terrace",    "parkway",   "highway",  "circle", "close",       "suite",    "apt",         "apartment",
       "unit",       "box",       "po",       "psc",    "room",        "flat",     "floor",       "rue",
       "via",        "calle",     "rua",      "plaza",  "piazza",      "avenida",  "mr",          "mrs",
       "ms",         "mx",        "miss",     "prof",   "professor",   "doctor",   "sir",         "dame",
       "lady",       "rev",       "reverend", "capt",   "captain",     "herr",     "frau",        "mme",
       "mlle",       "monsieur",  "madame",   "sr",     "sra",         "hospital", "university",  "clinic",
       "college",    "institute", "school",   "church", "bank",        "inc",      "ltd",         "llc",
       "llp",        "plc",       "gmbh",     "corp",   "corporation", "limited",  "company",     "group",
       "centre",     "center",    "hotel",    "museum", "foundation",  "agency",   "association", "insurance",
       "department", "medical",   "north",    "south",  "east",        "west",     "new",         "san"});
  const std::string lower = text::lower(word);
  return std::ranges::find(kGeneric, lower) != kGeneric.end();
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

}  // namespace

Surrogates::Surrogates(std::uint64_t seed, std::string_view key) : seed_(hash_of(seed, key)) {}

std::uint64_t Surrogates::draw(std::string_view words, std::uint64_t number) const {
  return hash_of(seed_, words, number);
}

std::string Surrogates::of(EntityType type, std::string_view original) {
  const auto [at, fresh] = made_.try_emplace({type, std::string(original)});
  if (!fresh) return at->second;
  const auto& row = text::recognizer(type);
  const std::uint64_t attempts = row.valid != nullptr ? 20'000 : 200;
  const std::string plain = text::lower(original);
  for (std::uint64_t attempt = 0; attempt < attempts; ++attempt) {
    std::string candidate = made(type, original, attempt);
    const bool checks = row.valid == nullptr || !row.valid(original) || row.valid(candidate);
    const std::string lower = text::lower(candidate);
    if (candidate.empty() || !checks || lower == plain) continue;
    if (given_.try_emplace(lower, plain).first->second != plain) continue;
    return at->second = std::move(candidate);
  }
  return at->second = fmt::format("[{}_{}]", row.tag, made_.size());
}

std::string Surrogates::made(EntityType type, std::string_view original, std::uint64_t attempt) {
  using enum EntityType;
  // Per record, the same for all its dates: more than a year, no whole weeks.
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
      std::string moved = attempt == 0 ? shifted_date(original, days) : std::string();
      return moved.empty() && attempt > 0 ? shaped(original, attempt, 0) : moved;
    }
    case kTime:
      return attempt == 0 ? shifted_time(original, static_cast<int>(far % 719)) : shaped(original, attempt, 0);
    case kAge:
      return age(original, attempt);
    case kName:
      return person(original, attempt);
    case kPlace:
    case kOrganisation:
      return like_name(original, attempt);
    case kStreet:
      return street(original, attempt);
    case kIban:
      return shaped(original, attempt, 2);  // the country
    case kCard:
      return shaped(original, attempt, 1);
    case kPhone:
      return shaped(original, attempt, original[0] == '+' ? 3 : 1);
    default:
      return shaped(original, attempt, 0);
  }
}

// Letters by letters, digits by digits, the first `keep` bytes and all other signs as they are.
std::string Surrogates::shaped(std::string_view original, std::uint64_t attempt, std::size_t keep) const {
  std::string made;
  for (std::size_t i = 0; i < original.size(); ++i) {
    const char c = original[i];
    const std::uint64_t drawn = draw(original, attempt * 131 + i + 1);
    const bool leads = i == 0 || !digit(original[i - 1]);
    if (i < keep) {
      made += c;
    } else if (digit(c)) {
      made += static_cast<char>(leads && c != '0' ? '1' + drawn % 9 : '0' + drawn % 10);
    } else if (small(c) || capital(c)) {
      made += static_cast<char>((small(c) ? 'a' : 'A') + drawn % 26);
    } else if ((static_cast<unsigned char>(c) & 0xC0U) == 0xC0U) {
      made += 'x';  // a letter of more than one byte
    } else if (static_cast<unsigned char>(c) < 0x80) {
      made += c;
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
  if (text::lower(rest.substr(0, 4)) == "www.") made += "www.";
  made += "example.org";
  return made.append("/").append(shaped("abcdefgh", attempt + draw(original, 0) % 1'000'000, 0));
}

// In the blocks that are kept for documentation (RFC 5737, RFC 3849).
std::string Surrogates::ip(std::string_view original, std::uint64_t attempt) const {
  const std::uint64_t drawn = draw(original, attempt);
  if (original.find(':') != std::string_view::npos) {
    return fmt::format("2001:db8::{:x}:{:x}", drawn % 0xFFFF + 1, (drawn >> 16U) % 0xFFFF + 1);
  }
  constexpr std::array kBlocks{"192.0.2", "198.51.100", "203.0.113"};
  return fmt::format("{}.{}", kBlocks[drawn % kBlocks.size()], (drawn >> 8U) % 254 + 1);
}

std::string Surrogates::age(std::string_view original, std::uint64_t attempt) const {
  constexpr std::array<std::string_view, 19> kWords{
      "two",     "three",   "four",     "five",   "six",    "seven", "eight", "nine",  "eleven", "twelve",
      "sixteen", "fifteen", "eighteen", "twenty", "thirty", "forty", "fifty", "sixty", "seventy"};
  const std::uint64_t drawn = draw(original, attempt);
  std::string made;
  bool changed = false;
  for (std::size_t i = 0; i < original.size();) {
    std::size_t end = i;
    while (end < original.size() && digit(original[end])) ++end;
    if (end == i || changed) {
      made += original[i++];
      continue;
    }
    const int value = std::stoi(std::string(original.substr(i, end - i)));
    const int step = static_cast<int>(drawn % 4) + 1;
    const int moved = (drawn >> 8U) % 2 == 0 && value > step ? value - step : value + step;
    made += fmt::format("{}", moved);
    changed = true;
    i = end;
  }
  if (changed) return made;
  // No digits: the first number word is another one.
  bool replaced = false;
  return each_word(original, [&](std::string_view word, bool) -> std::string {
    const bool number = std::ranges::find(kWords, text::lower(word)) != kWords.end();
    if (replaced || !number) return std::string(word);
    replaced = true;
    return std::string(kWords[drawn % kWords.size()]);
  });
}

// The name that stands for a word of a name, the same throughout the record.
std::string Surrogates::name_for(std::string_view word, std::uint8_t kind) {
  const std::string plain = text::lower(word);
  std::string& name = words_[plain];
  const auto& list = names(kind);
  for (std::uint64_t i = 0; name.empty() && i < list.size(); ++i) {
    const std::string& drawn = list[draw(plain, i) % list.size()];
    if (text::lower(drawn) != plain && used_.insert(text::lower(drawn)).second) name = drawn;
  }
  if (name.empty()) name = fmt::format("X{}", words_.size());  // a record of more names than there are
  return in_case(name, word);
}

std::string Surrogates::person(std::string_view original, std::uint64_t attempt) {
  const std::size_t last = original.rfind(' ');
  return each_word(original, [&](std::string_view word, bool stop) -> std::string {
    const auto& lists = text::NameLists::own();
    if (generic(word) || small(word[0])) return std::string(word);
    if (word.size() == 1 && stop) return std::string(1, static_cast<char>('A' + draw(word, attempt) % 26));
    const bool surname = last != std::string_view::npos && word.data() > original.data() + last;
    const bool first = !surname && lists.bits_of(word).has(NameBits::kFirst);
    return name_for(word, first ? NameBits::kFirst : NameBits::kLast);
  });
}

std::string Surrogates::like_name(std::string_view original, std::uint64_t attempt) {
  const auto bits = text::NameLists::own().bits_of(original);
  for (const std::uint8_t kind : {kCountry, NameBits::kPlace, NameBits::kOrganisation}) {
    if ((bits.bits & kind) == kind) return in_case(names(kind)[draw(original, attempt) % names(kind).size()], original);
  }
  // "Mayo-Walters Ltd", "University of Oslo", a place that no list knows: what it is stays, which one does not.
  return each_word(original, [&](std::string_view word, bool) -> std::string {
    return generic(word) || small(word[0]) ? std::string(word) : name_for(word, NameBits::kLast);
  });
}

std::string Surrogates::street(std::string_view original, std::uint64_t attempt) {
  constexpr auto kEndings = std::to_array<std::string_view>({"strasse",
                                                             "stra\xC3\x9F"
                                                             "e",
                                                             "gasse", "weg", "allee", "platz", "straat", "laan", "gade",
                                                             "vej", "gata", "gatan", "katu", "tie", "veien", "utca"});
  const std::string words = each_word(original, [&](std::string_view word, bool) -> std::string {
    if (generic(word) || small(word[0]) || word.size() == 1) return std::string(word);
    for (const std::string_view ending : kEndings) {
      if (word.size() > ending.size() + 2 && word.ends_with(ending))
        return name_for(word.substr(0, word.size() - ending.size()), NameBits::kLast).append(ending);
    }
    return name_for(word, NameBits::kLast);
  });
  std::string made;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint64_t drawn = draw(original, attempt * 131 + i + 1);
    const bool leads = i == 0 || !digit(words[i - 1]);
    made +=
        digit(words[i]) ? static_cast<char>(leads && words[i] != '0' ? '1' + drawn % 9 : '0' + drawn % 10) : words[i];
  }
  return made;
}

}  // namespace residue::ingest
