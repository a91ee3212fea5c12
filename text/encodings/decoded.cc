#include "text/encodings/decoded.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/ascii.h"
#include "text/characters/accents.h"
#include "text/characters/as_read.h"
#include "text/characters/eight_bytes.h"
#include "text/characters/unicode.h"
#include "text/encodings/escaped/entities.h"
#include "text/encodings/escaped/escapes.h"
#include "text/encodings/escaped/markup.h"
#include "text/encodings/escaped/mojibake.h"
#include "text/encodings/fonts.h"
#include "text/encodings/joined_words.h"
#include "text/encodings/leet.h"
#include "text/encodings/look_alikes.h"
#include "text/encodings/marks.h"
#include "text/encodings/separators.h"
#include "text/encodings/signs.h"
#include "text/encodings/spacing.h"
#include "text/encodings/wide.h"

namespace residue::text {

namespace {

constexpr int kDeepest = 4;  // What one step uncovers is another's to undo.

// What a byte may be part of.
enum Class : std::uint8_t { kOther, kBlank, kSmall, kCapital, kDigit, kSign, kLeetSign, kSignOfBoth, kBeyond };
constexpr unsigned kBits = 4;
constexpr std::array<std::uint8_t, 256> kClassOf = [] {
  std::array<std::uint8_t, 256> classes{};
  for (unsigned c = 0; c < 256; ++c) {
    const char byte = static_cast<char>(c);
    classes[c] = c >= 0x80        ? kBeyond
                 : is_lower(byte) ? kSmall
                 : is_upper(byte) ? kCapital
                 : is_digit(byte) ? kDigit
                                  : kOther;
  }
  for (const char c : {' ', '\t', '\n', '\v', '\f', '\r'}) classes[static_cast<unsigned char>(c)] = kBlank;
  for (const char c : kSigns) classes[static_cast<unsigned char>(c)] = kSign;
  for (const char c : {'@', '$', '!'}) classes[static_cast<unsigned char>(c)] = kLeetSign;
  for (const char c : {'+', '|'}) classes[static_cast<unsigned char>(c)] = kSignOfBoth;
  return classes;
}();

enum Trait : std::uint8_t { kJoint = 1, kMixed = 2, kSingle = 4, kHump = 8, kLone = 16 };
// Of three bytes in a row, the last one lowest.
constexpr std::array<std::uint8_t, 1U << (3 * kBits)> kTraits = [] {
  std::array<std::uint8_t, 1U << (3 * kBits)> traits{};
  constexpr unsigned kMask = (1U << kBits) - 1;
  const auto letter = [](unsigned c) { return c == kSmall || c == kCapital; };
  const auto word = [letter](unsigned c) { return letter(c) || c == kDigit || c == kBeyond; };
  const auto leet = [](unsigned c) { return c == kDigit || c == kLeetSign || c == kSignOfBoth; };
  const auto sign = [](unsigned c) { return c == kSign || c == kSignOfBoth; };
  for (unsigned i = 0; i < traits.size(); ++i) {
    const unsigned a = i >> (2 * kBits), b = (i >> kBits) & kMask, c = i & kMask;
    unsigned found = 0;
    if (word(a) && sign(b) && (word(c) || sign(c))) found |= kJoint;
    if ((letter(b) && leet(c)) || (leet(b) && letter(c))) found |= kMixed;
    if (a == kBlank && b != kBlank && c == kBlank) found |= kSingle;
    // White space beyond ASCII.
    if ((a == kBeyond || c == kBeyond) && (a == kBeyond || a == kBlank) && (c == kBeyond || c == kBlank) &&
        b != kBeyond && b != kBlank && b != kOther) {
      found |= kSingle;
    }
    if ((b == kSmall || b == kDigit) && c == kCapital) found |= kHump;
    if (a == kBlank && sign(b) && c == kBlank) found |= kLone;
    traits[i] = static_cast<std::uint8_t>(found);
  }
  return traits;
}();

// Bytes without which a step finds nothing.
enum Byte : std::uint8_t {
  kAmpersand = 1,
  kEscape = 2,
  kLess = 4,
  kRead = 8,
  kMark = 16,
  kWide = 32,
  kFont = 64,
  kNoAscii = 128
};
constexpr std::array<std::uint8_t, 256> kBytes = [] {
  std::array<std::uint8_t, 256> bytes{};
  for (unsigned c = 0x80; c < 256; ++c) bytes[c] = kNoAscii;
  bytes['&'] = kAmpersand;
  for (const char c : {'\\', '%', '='}) bytes[static_cast<unsigned char>(c)] = kEscape;
  bytes['<'] = kLess;
  bytes[0xC3] |= kRead;  // Of letters that are lead bytes.
  for (const unsigned c : {0xCCU, 0xCDU}) bytes[c] |= kMark;
  for (const unsigned c : {0xEFU, 0xF3U}) bytes[c] |= kWide;
  for (const unsigned c : {0xE2U, 0xF0U}) bytes[c] |= kFont;
  return bytes;
}();

// Which steps may find something: one look at each byte, where most texts have nothing.
struct Hints {
  unsigned bytes = 0;
  bool joined = false;
  bool separators = false, spacing = false, leet = false;
};

// Signs between letters or digits, as joints_of counts them or more.
class JointHints {
 public:
  void add(char sign, std::size_t at) {
    constexpr std::string_view kInsideWords = "-/,;";
    constexpr std::size_t kWidestLetter = 5;  // and its sign
    Count& count = counts_[sign_at(sign)];
    ++count.all;
    count.in_row = at - count.last <= kWidestLetter ? count.in_row + 1 : 1;
    count.in_chunk = count.chunk == blanks_ ? count.in_chunk + 1 : 1;
    count.last = at;
    count.chunk = blanks_;
    spelled_ = spelled_ || count.in_row >= kFewestSpelled;
    separators_ = separators_ || sign == '_' ||
                  (count.in_chunk >= kFewestSeparators && kInsideWords.find(sign) == std::string_view::npos);
    most_ = std::max(most_, count.all);
  }
  void blanks(std::size_t count) { blanks_ += count; }

  // "J-o-h-n"
  [[nodiscard]] bool spelled() const { return spelled_; }
  // "John_lives", "John.lives.in.the.house", and that throughout
  [[nodiscard]] bool separators() const { return separators_ || (most_ >= kFewestSeparators && most_ > 2 * blanks_); }

 private:
  static constexpr std::size_t kFewestSpelled = 3, kFewestSeparators = 4;
  struct Count {
    std::size_t all = 0, in_row = 0, last = 0, in_chunk = 0, chunk = 0;
  };
  std::array<Count, kSigns.size()> counts_{};
  std::size_t blanks_ = 0, most_ = 0;
  bool spelled_ = false, separators_ = false;
};

unsigned class_at(std::string_view text, std::size_t at) { return kClassOf[static_cast<unsigned char>(text[at])]; }

// Small letters and spaces in a row, of which none is a letter by itself: they have no trait and no byte of interest.
struct Plain {
  std::size_t bytes = 0;
  std::size_t blanks = 0;
};

// Up to eight of them. `before`: the classes of the two bytes in front.
Plain plain_at(std::string_view text, std::size_t at, unsigned before) {
  constexpr unsigned kMask = (1U << kBits) - 1;
  const unsigned second = before >> kBits, first = before & kMask;
  if (at + 8 > text.size() || (first != kSmall && first != kBlank) || (second != kSmall && second != kBlank)) return {};
  const std::uint64_t word = load_eight(text.data() + at);
  const std::uint64_t blanks = in_range(word, ' ', ' ');
  const std::uint64_t others = ~(in_range(word, 'a', 'z') | blanks) & (kEachByte * 0x80);
  const std::size_t bytes = bytes_before(others);
  const std::uint64_t inside = blanks & kFirstBytes[bytes];
  const std::uint64_t one_before = blanks << 8 | (first == kBlank ? 0x80U : 0U);
  const std::uint64_t two_before = one_before << 8 | (second == kBlank ? 0x80U : 0U);
  if ((two_before & ~one_before & inside) != 0) return {};
  return {bytes, static_cast<std::size_t>(((inside >> 7U) * kEachByte) >> 56U)};
}

Hints hints_of(std::string_view text) {
  constexpr std::size_t kFewestSingles = 2, kWidestGap = 8, kFewestHumps = 3, kFewestLone = 8;
  Hints hints;
  JointHints joints;
  std::size_t singles = 0, last_single = 0, humps = 0, lone = 0;
  unsigned before = kBlank << kBits | kBlank;
  constexpr unsigned kMask = (1U << (2 * kBits)) - 1;
  const auto look = [&](unsigned next, std::size_t at) {
    const unsigned three = before << kBits | next;
    before = three & kMask;
    const std::uint8_t found = kTraits[three];
    if (found == 0) return;
    if ((found & kMixed) != 0) hints.leet = true;
    if ((found & kHump) != 0) hints.joined = ++humps >= kFewestHumps;
    if ((found & kLone) != 0) hints.separators = hints.separators || ++lone >= kFewestLone;
    if ((found & kJoint) != 0) joints.add(text[at - 1], at);
    if ((found & kSingle) != 0) {
      singles = at - last_single <= kWidestGap ? singles + 1 : 1;
      last_single = at;
      hints.spacing = hints.spacing || singles >= kFewestSingles;
    }
  };
  for (std::size_t at = 0; at < text.size();) {
    if (const Plain plain = plain_at(text, at, before); plain.bytes > 0) {
      joints.blanks(plain.blanks);
      before = plain.bytes == 1 ? (before << kBits & kMask) | class_at(text, at)
                                : class_at(text, at + plain.bytes - 2) << kBits | class_at(text, at + plain.bytes - 1);
      at += plain.bytes;
      continue;
    }
    hints.bytes |= kBytes[static_cast<unsigned char>(text[at])];
    const unsigned next = class_at(text, at);
    look(next, at);
    if (next == kBlank) joints.blanks(1);
    ++at;
  }
  look(kBlank, text.size());
  hints.separators = hints.separators || joints.separators();
  hints.spacing = hints.spacing || joints.spelled();
  return hints;
}

std::optional<std::string> decoded_once(std::string_view text) {
  std::optional<std::string> out;
  const Hints hints = hints_of(text);
  const auto undo = [&](bool hinted, auto how) {
    if (!hinted && !out) return;
    if (auto found = how(out ? std::string_view(*out) : text)) out = std::move(found);
  };
  const auto has = [&](Byte byte) { return (hints.bytes & byte) != 0; };
  undo(has(kAmpersand), without_entities);
  undo(has(kEscape), without_escapes);
  undo(has(kRead), without_mojibake);
  undo(has(kLess), without_markup);
  undo(has(kWide), without_wide);
  undo(has(kFont), without_fonts);
  undo(has(kMark), without_marks);
  undo(hints.spacing, without_spacing);
  undo(hints.joined, without_joined_words);
  undo(hints.separators, without_separators);
  undo(has(kNoAscii), without_look_alikes);
  undo(hints.leet, without_leet);
  return out;
}

}  // namespace

std::optional<std::string> decoded(std::string_view text) {
  std::optional<std::string> out = decoded_once(text);
  for (int deep = 1; out && deep < kDeepest; ++deep) {
    auto further = decoded_once(*out);
    if (!further) break;
    out = std::move(further);
  }
  return out;
}

std::string_view compared(std::string_view text, std::string& store) {
  auto found = decoded(text);
  if (const std::string_view reads = found ? std::string_view(*found) : text; !is_ascii(reads)) {
    found = as_read(reads, Letters::kKept);
  }
  if (auto plain = without_accents(found ? std::string_view(*found) : text)) found = std::move(plain);
  if (!found) return text;
  store = std::move(*found);
  return store;
}

}  // namespace residue::text
