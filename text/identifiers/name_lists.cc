#include "text/identifiers/name_lists.h"

#include <algorithm>
#include <array>

#include "base/embedded.h"
#include "base/error.h"
#include "text/characters/unicode.h"
#include "text/identifiers/matchers.h"

RESIDUE_EMBEDDED(name_lists)

namespace residue::text {

namespace {

using match::after_space;
using match::continues;
using match::name_word;
using match::peek;
using match::same_word;
using match::word_at;
using match::word_behind;

bool one_of(std::string_view word, const auto& words) {
  return std::ranges::any_of(words, [&](std::string_view one) { return same_word(word, one); });
}

bool in_capitals(std::string_view word) {
  return word.size() >= 2 && word.size() <= 5 && std::ranges::all_of(word, residue::is_upper);
}

constexpr auto kParticles =
    std::to_array<std::string_view>({"de",  "la",  "las", "los", "del", "der", "den", "van", "von", "da", "di", "do",
                                     "dos", "das", "du",  "le",  "al",  "bin", "ibn", "ter", "ten", "zu", "el"});
constexpr auto kFirm = std::to_array<std::string_view>(
    {"inc",         "ltd",          "llc",        "llp",      "plc",   "gmbh",     "corp",       "corporation",
     "limited",     "incorporated", "company",    "holdings", "group", "bv",       "nv",         "spa",
     "sarl",        "srl",          "oy",         "pty",      "kg",    "partners", "associates", "technologies",
     "enterprises", "industries",   "consulting", "co",       "ag"});
constexpr auto kInstitution = std::to_array<std::string_view>({"hospital",   "university",  "clinic",
                                                               "college",    "institute",   "school",
                                                               "church",     "foundation",  "ministry",
                                                               "agency",     "association", "airlines",
                                                               "airways",    "hotel",       "museum",
                                                               "academy",    "laboratory",  "laboratories",
                                                               "pharmacy",   "insurance",   "society",
                                                               "council",    "centre",      "center",
                                                               "orchestra",  "library",     "theatre",
                                                               "embassy",    "committee",   "commission",
                                                               "federation", "trust",       "bank",
                                                               "department", "hospice",     "infirmary",
                                                               "cathedral",  "klinikum",    "universit\xC3\xA4t"});
// Titles of persons, who may stand behind their institution.
constexpr auto kBehindNames = std::to_array<std::string_view>({"dr", "mr", "mrs", "ms", "prof", "professor", "sir"});
constexpr auto kPlacesCut = std::to_array<std::string_view>({"U.S.", "U.K.", "U.N.", "E.U.", "D.C.", "U.S.A.", "P.O."});
constexpr auto kOfPlace = std::to_array<std::string_view>({"in", "from", "to", "near", "at"});

constexpr auto kPlaceCues = std::to_array<std::string_view>(
    {"lives in",    "live in",     "living in",  "lived in",        "born in",    "moved to",   "moved from",
     "move to",     "resident of", "city of",    "town of",         "village of", "flew to",    "travelled to",
     "traveled to", "based in",    "located in", "originally from", "grew up in", "comes from", "come from",
     "raised in",   "native of",   "flight to",  "resides in"});
constexpr auto kEmployerCues = std::to_array<std::string_view>(
    {"works at", "works for", "worked at", "worked for", "working at", "working for", "work for", "employed by",
     "employed at", "ceo of", "founder of", "employee of", "employer is", "job at"});
constexpr auto kNameIs = std::to_array<std::string_view>({"name is", "name was", "named", "my name's"});

constexpr auto kBornAs = std::to_array<std::string_view>({"maiden name",
                                                          "n\xC3\xA9"
                                                          "e"});

// Do such letters end at `end` that are no initials?
bool abbreviated_place(std::string_view text, std::size_t end) {
  return std::ranges::any_of(kPlacesCut, [&](std::string_view cut) { return text.substr(0, end).ends_with(cut); });
}

// Is the full stop at `i` of the word before it alone? One that a capital, a line's or the text's end follows may end a
// sentence, and stays.
bool abbreviated(std::string_view text, std::size_t i) {
  if (peek(text, i) != '.') return false;
  const char next = peek(text, i + 1);
  if (next == ',' || next == ';' || next == ')') return true;
  return next == ' ' && (residue::is_lower(peek(text, i + 2)) || residue::is_digit(peek(text, i + 2)));
}

// Calls take(kind, name) for the names of a file, in its order.
template <class Take>
void each_name(std::string_view file, const Take& take) {
  struct Section {
    std::string_view name;
    std::uint8_t kind;
  };
  constexpr std::array kSections{Section{"first", NameBits::kFirst},
                                 Section{"last", NameBits::kLast},
                                 Section{"country", NameBits::kCountry | NameBits::kPlace},
                                 Section{"place", NameBits::kPlace},
                                 Section{"organisation", NameBits::kOrganisation},
                                 Section{"words", NameBits::kWord}};
  // These sections say more of names that others have. name_kinds.cc reads them.
  constexpr auto kOfNames = std::to_array<std::string_view>({"female", "male", "cities of ", "regions of "});
  std::uint8_t kind = 0;
  bool passed_over = false;
  while (!file.empty()) {
    const std::size_t line_end = std::min(file.find('\n'), file.size());
    std::string_view line = file.substr(0, line_end);
    file.remove_prefix(std::min(line_end + 1, file.size()));
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[') {
      const auto* section = std::ranges::find(kSections, line.substr(1, line.size() - 2), &Section::name);
      kind = section == kSections.end() ? std::uint8_t{0} : section->kind;
      passed_over =
          std::ranges::any_of(kOfNames, [&](std::string_view name) { return line.substr(1).starts_with(name); });
      continue;
    }
    if (passed_over) continue;
    if (kind == 0) throw Error(Code::kInternal, "a list of names has a line of no section");
    while (!line.empty()) {
      const std::size_t comma = std::min(line.find(','), line.size());
      take(kind, slice(line, trim(line, {0, comma})));
      line.remove_prefix(std::min(comma + 1, line.size()));
    }
  }
}

}  // namespace

bool is_organisation_word(std::string_view word) { return one_of(word, kFirm) || one_of(word, kInstitution); }

std::string_view own_names_file() { return embedded_name_lists(); }

std::vector<std::string> own_names(std::uint8_t kind) {
  std::vector<std::string> names;
  each_name(embedded_name_lists(), [&](std::uint8_t of, std::string_view name) {
    if (of == kind && !NameLists::own().bits_of(name).has(NameBits::kWord)) names.emplace_back(name);
  });
  return names;
}

const NameLists& NameLists::own() {
  static const NameLists lists = [] {
    NameLists made;
    made.read(embedded_name_lists());
    return made;
  }();
  return lists;
}

void NameLists::read(std::string_view file) {
  each_name(file, [this](std::uint8_t kind, std::string_view name) { add(kind, name); });
}

void NameLists::add(std::uint8_t kind, std::string_view name) {
  const bool letters = std::ranges::any_of(name, [](char c) { return residue::is_alpha(c) || !match::is_ascii(c); });
  const auto spaces = std::ranges::count(name, ' ');
  if (!letters || name.size() > 64 || spaces > 3) return;
  const std::string key = in_capitals(name) ? std::string(name) : lower(name);
  const auto know = [this](const std::string& one, std::uint8_t bits) {
    names_[one] |= bits;
    places_.add(one);
  };
  know(key, kind);
  for (std::size_t space = key.find(' '); space != std::string::npos; space = key.find(' ', space + 1)) {
    know(key.substr(0, space), NameBits::kLonger);
  }
}

std::uint8_t NameLists::bits_of_key(std::string_view key) const {
  const Hashed hashed{key, hash_bytes(key)};
  if (!places_.may_have(hashed.hash)) return 0;
  const auto found = names_.find(hashed);
  return found == names_.end() ? std::uint8_t{0} : found->second;
}

NameBits NameLists::bits_of(std::string_view phrase) const {
  std::array<char, 64> small{};
  if (phrase.size() > small.size()) return {};
  if (in_capitals(phrase)) {
    if (const std::uint8_t bits = bits_of_key(phrase)) return {bits};
  }
  if (!is_ascii(phrase)) return {bits_of_key(lower(phrase))};
  std::ranges::transform(phrase, small.begin(), match::to_lower);
  return {bits_of_key(std::string_view(small.data(), phrase.size()))};
}

// The longest listed place or organisation of one to four words.
NameFound NameLists::phrase(std::string_view text, std::size_t at, std::size_t first_end) const {
  NameFound best;
  std::size_t end = first_end;
  for (int words = 0; words < 4; ++words) {
    const NameBits bits = bits_of(text.substr(at, end - at));
    const bool plain = words > 0 || !bits.has(NameBits::kWord);
    if (bits.has(NameBits::kPlace) && (plain || one_of(word_behind(text, at), kOfPlace)))
      best = {end, NameKind::kPlace};
    if (bits.has(NameBits::kOrganisation) && plain && !bits.has(NameBits::kPlace))
      best = {end, NameKind::kOrganisation};
    if (!bits.has(NameBits::kLonger)) break;
    const std::size_t next = after_space(text, end);
    if (next == 0) break;
    end = next;
    while (word_at(text, end) && end - next < 32) end = match::decode(text, end).next;
    if (end == next) break;
    if (peek(text, end) == '.' && bits_of(text.substr(at, end + 1 - at)).bits != 0) ++end;
  }
  return best;
}

// "Mayo-Walters Ltd", "St. Mary's Hospital", "Ministry of Foreign Affairs": the end of the firm or institution, or 0.
std::size_t NameLists::organisation(std::string_view text, std::size_t at, std::size_t first_end) const {
  std::size_t end = first_end;
  std::size_t result = 0;
  const std::string_view first = text.substr(at, end - at);
  bool institution = one_of(first, kInstitution);  // the word that ends at `end`
  bool of_what = false;                            // behind "of": all capitalized words that follow belong to it
  if (bits_of(first).has(NameBits::kWord) && !bits_of(first).has(NameBits::kLast) && !institution) return 0;
  if (same_word(first, "st") && peek(text, end) == '.') ++end;
  for (int words = 1; words < 8; ++words) {
    if (peek(text, end) == '\'' && peek(text, end + 1) == 's') {
      if (result == end) break;  // "the University's Secretary"
      end += 2;
    }
    const bool comma = peek(text, end) == ',';
    std::size_t next = after_space(text, comma ? end + 1 : end);
    if (next == 0) break;
    bool joined = false;
    for (const std::string_view joint : {"of the ", "of ", "and ", "& ", "for "}) {
      if (joined || !continues(text, next, joint) || comma) continue;
      const bool of = joint[0] == 'o' || joint[0] == 'f';
      if (of && !institution && result == 0) continue;
      if (!of && result != 0 && !of_what) continue;
      joined = true;
      of_what = of_what || of;
      next += joint.size();
    }
    const std::size_t word_end = name_word(text, next);
    if (word_end == 0) break;
    const std::string_view word = text.substr(next, word_end - next);
    const bool state = comma && (word == "CO" || word == "NV") && peek(text, word_end) != '.';  // "Denver, CO 80202"
    const bool firm = one_of(word, kFirm) && !state;
    if (comma && !firm) break;
    const NameBits bits = firm ? NameBits{} : bits_of(word);
    if (bits.has(NameBits::kWord) && !bits.has(NameBits::kLast)) break;
    if (match::is_calendar_word(word) || one_of(word, kBehindNames)) break;
    end = word_end;
    if (firm) return abbreviated(text, end) ? end + 1 : end;
    institution = one_of(word, kInstitution);
    if (institution || of_what) {
      result = end;
    } else if (result != 0) {
      break;
    }
  }
  return result;
}

// The words of a name that follow one: initials, particles, further capitalized words.
std::size_t NameLists::more_of_person(std::string_view text, std::size_t end) const {
  std::size_t i = end;
  int names = text[end - 1] == '.' ? 0 : 1;
  for (int words = 0; words < 4; ++words) {
    const std::size_t next = match::next_of_name(text, i, names);
    if (next == 0) break;
    const std::size_t word_end = name_word(text, next);
    if (word_end == 0) {
      std::size_t particle = next;
      while (particle - next < 4 && residue::is_lower(peek(text, particle))) ++particle;
      if (word_at(text, particle) || !one_of(text.substr(next, particle - next), kParticles)) break;
      i = particle;
      continue;
    }
    const std::string_view word = text.substr(next, word_end - next);
    if (word.back() == '.' || word.size() == 1) {  // an initial counts before another word
      i = word_end;
      continue;
    }
    const NameBits bits = bits_of(word);
    const bool other = bits.has(NameBits::kWord | NameBits::kPlace) && !bits.has(NameBits::kFirst | NameBits::kLast);
    if (other || match::is_calendar_word(word)) break;
    end = i = word_end;
    ++names;
  }
  return end;
}

std::size_t NameLists::person(std::string_view text, std::size_t first_end, NameBits first) const {
  constexpr std::uint8_t kNames = NameBits::kFirst | NameBits::kLast;
  const std::size_t next = match::next_of_name(text, first_end, text[first_end - 1] == '.' ? 0 : 1);
  const std::size_t second_end = next == 0 ? 0 : name_word(text, next);
  const NameBits second = second_end == 0 ? NameBits{} : bits_of(text.substr(next, second_end - next));
  const std::size_t rest = more_of_person(text, first_end);
  if (text[first_end - 1] == '.') return second.has(kNames) && !abbreviated_place(text, first_end) ? rest : 0;
  if (!first.has(NameBits::kWord)) {
    if (first.has(NameBits::kFirst)) return rest;
    if (first.has(NameBits::kLast)) return second.has(kNames) ? rest : first_end;
    return second.has(NameBits::kLast) && !second.has(NameBits::kWord) && !first.has(NameBits::kPlace) ? rest : 0;
  }
  // "Will Smith", "Frank told": a name that is a word too needs a surname.
  if (!first.has(kNames) || rest == first_end) return 0;
  return second.has(NameBits::kLast) || (second.bits == 0 && first.has(NameBits::kFirst)) ? rest : 0;
}

// Capitalized words that no list knows, behind words that say what they are.
NameFound NameLists::announced_name(std::string_view text, std::size_t at, std::size_t first_end) const {
  const auto announced = [&](const auto& cues) { return match::announced(text, at, cues, 2); };
  constexpr std::string_view kQuote = "\xE2\x80\x9C";  // her maiden name, “Tanbay”
  const std::size_t quote = text.substr(0, at).ends_with(kQuote) ? kQuote.size() : 0;
  std::size_t cue = at - quote;
  while (cue > 0 && at - cue < 6 && std::string_view(" ,:\"'").find(text[cue - 1]) != std::string_view::npos) --cue;
  // Most words are refused by their last letter.
  if (cue > 0 && text[cue - 1] == 'e' && match::announced(text, at - quote, kBornAs, 2))
    return {more_of_person(text, first_end), NameKind::kPerson};
  const std::string_view behind = word_behind(text, at);
  if (behind.empty()) return {};
  constexpr auto kLast = std::to_array<std::string_view>({"in", "to", "from", "of", "at", "for", "by", "is"});
  const bool colon = peek(text, at - 1) == ':' || (at > 1 && text[at - 2] == ':');
  if (same_word(behind, "dear") || same_word(behind, "named") || (same_word(behind, "name") && colon) ||
      ((same_word(behind, "is") || same_word(behind, "was") || same_word(behind, "s")) && announced(kNameIs)))
    return {more_of_person(text, first_end), NameKind::kPerson};
  if (!one_of(behind, kLast)) return {};
  if (announced(kPlaceCues)) return {more_of_person(text, first_end), NameKind::kPlace};
  if (announced(kEmployerCues)) return {more_of_person(text, first_end), NameKind::kOrganisation};
  return {};
}

NameFound NameLists::find(std::string_view text, std::size_t at) const {
  const std::size_t first_end = name_word(text, at);
  if (first_end == 0) return {};
  const std::string_view word = text.substr(at, first_end - at);
  const NameBits first = bits_of(word);
  NameFound best = first.has(NameBits::kPlace | NameBits::kOrganisation | NameBits::kLonger)
                       ? phrase(text, at, first_end)
                       : NameFound{};
  const auto take = [&](std::size_t end, NameKind kind) {
    if (end > best.end) best = {end, kind};
  };
  const bool cued_place = best.kind == NameKind::kPlace && one_of(word_behind(text, at), kOfPlace);
  if (const std::size_t end = person(text, first_end, first)) {
    if (end > best.end || (end == best.end && !cued_place)) best = {end, NameKind::kPerson};
  }
  const std::size_t firm = organisation(text, at, first_end);
  if (firm != 0 && firm == best.end && best.kind == NameKind::kPerson) best.kind = NameKind::kOrganisation;
  take(firm, NameKind::kOrganisation);
  if (best.end == 0 && !first.has(NameBits::kWord) && !match::is_calendar_word(word) && word.back() != '.')
    best = announced_name(text, at, first_end);
  const bool treaty = best.end != 0 && best.kind != NameKind::kPerson && match::names_a_treaty(text, at, best.end);
  return treaty ? NameFound{} : best;
}

}  // namespace residue::text
