#include "text/encodings/spacing.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "text/characters/unicode.h"

namespace residue::text {
namespace {

constexpr std::string_view kInsideWords = "-/,;";  // Plain texts have several of these in a chunk.
constexpr std::uint8_t kNoSign = 255;
constexpr std::array<std::uint8_t, 256> kSignAt = [] {
  std::array<std::uint8_t, 256> at{};
  at.fill(kNoSign);
  for (std::uint8_t i = 0; i < kSigns.size(); ++i) at[static_cast<unsigned char>(kSigns[i])] = i;
  return at;
}();
std::uint8_t sign_at(char c) { return kSignAt[static_cast<unsigned char>(c)]; }

constexpr std::size_t kFewestWords = 5;
constexpr std::size_t kFewestLetters = 4;

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
// ASCII's, or a byte of a letter of at most two bytes: in scripts beyond, texts without spaces are no disguise.
bool is_letter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return is_alpha(c) || (byte >= 0x80 && byte < 0xE0);
}

// The chunks between white space.
std::vector<Span> chunks_of(std::string_view text) {
  std::vector<Span> out;
  for (std::size_t at = 0; at < text.size();) {
    if (is_blank(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && !is_blank(text[end])) ++end;
    out.push_back({at, end});
    at = end;
  }
  return out;
}

// Addresses, and placeholders.
bool is_whole(std::string_view chunk) {
  return std::string_view("[{<").find(chunk[0]) != std::string_view::npos ||
         chunk.find('@') != std::string_view::npos || chunk.find("://") != std::string_view::npos ||
         chunk.starts_with("www.");
}

bool joins_letters(std::string_view text, std::size_t at) {
  return at > 0 && at + 1 < text.size() && is_letter(text[at - 1]) && is_letter(text[at + 1]);
}
bool joins(std::string_view text, std::size_t at) {
  const auto inside = [](char c) { return is_letter(c) || is_digit(c); };
  return at > 0 && at + 1 < text.size() && inside(text[at - 1]) && inside(text[at + 1]);
}

// How often a sign stands between letters or digits, and how many letters that chunk has.
struct Joints {
  std::array<std::size_t, kSigns.size()> count{};
  std::size_t underscores = 0;  // between letters
  std::size_t letters = 0;
};
Joints joints_of(std::string_view text) {
  Joints out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    out.letters += is_letter(text[at]) ? 1 : 0;
    const auto sign = sign_at(text[at]);
    if (sign == kNoSign || !joins(text, at)) continue;
    ++out.count[sign];
    out.underscores += text[at] == '_' && joins_letters(text, at) ? 1 : 0;
  }
  return out;
}

bool joins_words(const Joints& joints, std::size_t sign) {
  const std::size_t count = joints.count[sign];
  return count + 1 >= kFewestWords && joints.letters >= 2 * (count + 1);
}

// Replaces each `sign` of the chunk for which `which` is true.
template <class Which>
void replace_signs(std::string& text, Span chunk, char sign, const Which& which) {
  const std::string before(slice(text, chunk));
  for (std::size_t at = 0; at < before.size(); ++at) {
    if (before[at] == sign && which(before, at)) text[chunk.begin + at] = ' ';
  }
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, copied)) {
    out.append(text, copied, at - copied);
    out += by;
    copied = at + what.size();
  }
  out.append(text, copied, text.size() - copied);
  text = std::move(out);
}

// What stands in one place of a spaced word: one character.
struct Single {
  Span span;
  std::size_t gap = 0;  // bytes before it
  char letter = 0;      // ASCII's, or another letter ('\x80'), or 0
};

// In the alphabet's order, forwards or backwards, or all the same: a list, no word.
bool is_list(const std::vector<Single>& row, std::size_t begin, std::size_t end) {
  bool rising = true, falling = true;
  for (std::size_t i = begin + 1; i < end; ++i) {
    rising = rising && (row[i].letter | 0x20) >= (row[i - 1].letter | 0x20);
    falling = falling && (row[i].letter | 0x20) <= (row[i - 1].letter | 0x20);
  }
  return rising || falling;
}

std::size_t letters_in(const std::vector<Single>& row, std::size_t begin, std::size_t end) {
  return static_cast<std::size_t>(std::count_if(row.begin() + static_cast<std::ptrdiff_t>(begin),
                                                row.begin() + static_cast<std::ptrdiff_t>(end),
                                                [](const Single& one) { return one.letter != 0; }));
}

// A word spelled by itself: nothing but letters, after the first small ones, or capitals alone.
bool is_spelled(const std::vector<Single>& row) {
  if (row.size() < kFewestLetters || letters_in(row, 0, row.size()) < row.size() || is_list(row, 0, row.size())) {
    return false;
  }
  const auto small = std::count_if(row.begin() + 1, row.end(), [](const Single& one) { return !is_upper(one.letter); });
  return small + 1 == static_cast<std::ptrdiff_t>(row.size()) || (small == 0 && row.size() > kFewestLetters);
}

// Appends the row with its letters together.
void close_gaps(const std::vector<Single>& row, std::string_view text, std::string& out) {
  std::size_t least = row[1].gap, most = row[1].gap;
  for (std::size_t i = 2; i < row.size(); ++i) {
    least = std::min(least, row[i].gap);
    most = std::max(most, row[i].gap);
  }
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0 && row[i].gap > least) out += ' ';
    out += slice(text, row[i].span);
  }
}

// Letters of `chunk` that one sign joins, it may stand at both ends too: "J-o-h-n", "-l-i-v-e-s-". Empty where they are
// not, or it is more than that.
std::vector<Single> signed_letters(std::string_view text, Span chunk, char& sign) {
  std::vector<Single> row;
  sign = 0;
  bool wants_letter = true;
  for (std::size_t at = chunk.begin; at < chunk.end;) {
    const CodePoint c = code_point_at(text, at);
    const bool is_sign = c.bytes == 1 && sign_at(text[at]) != kNoSign;
    if (is_sign && (sign == 0 || text[at] == sign) && (!wants_letter || at == chunk.begin)) {
      sign = text[at];
      wants_letter = true;
    } else if (!is_sign && wants_letter && is_letter(text[at])) {
      row.push_back({{at, at + c.bytes}, 1, c.bytes == 1 ? text[at] : '\x80'});
      wants_letter = false;
    } else {
      return {};
    }
    at += c.bytes;
  }
  return row;
}

bool is_signed_word(const std::vector<Single>& row, char sign) {
  if (!is_spelled(row)) return false;
  const bool capitals = row.size() > 1 && is_upper(row[1].letter);
  return sign == '.' ? row.size() > kFewestLetters && !capitals : sign != '/' || row.size() > kFewestLetters;
}

std::optional<std::string> without_signs(std::string_view text) {
  const Joints joints = joints_of(text);
  if (std::all_of(joints.count.begin(), joints.count.end(), [](auto count) { return count + 1 < kFewestLetters; })) {
    return std::nullopt;
  }
  const std::vector<Span> chunks = chunks_of(text);
  std::array<std::size_t, 128> words{};  // by sign
  for (const Span chunk : chunks) {
    if (chunk.end - chunk.begin < 2 * kFewestLetters - 1) continue;
    char sign = 0;
    const std::vector<Single> row = signed_letters(text, chunk, sign);
    if (is_signed_word(row, sign)) ++words[static_cast<unsigned char>(sign)];
  }
  if (std::all_of(words.begin(), words.end(), [](std::size_t count) { return count == 0; })) return std::nullopt;
  constexpr std::size_t kMany = 3;  // Then short words are spelled that way too.
  std::string out;
  std::size_t copied = 0;
  for (const Span chunk : chunks) {
    char sign = 0;
    const std::vector<Single> row = signed_letters(text, chunk, sign);
    if (row.empty() || !(is_signed_word(row, sign) || words[static_cast<unsigned char>(sign)] >= kMany)) continue;
    out += text.substr(copied, chunk.begin - copied);
    for (const Single& one : row) out += slice(text, one.span);
    copied = chunk.end;
  }
  out += text.substr(copied);
  return out;
}

std::optional<std::string> without_blanks(std::string_view text) {
  std::string out;
  std::size_t copied = 0;
  std::vector<Single> row;
  const auto close = [&] {
    // "I" and "a" are words before one that is spelled.
    if (row.size() > kFewestLetters && !is_spelled(row) && is_spelled({row.begin() + 1, row.end()})) {
      row.erase(row.begin());
    }
    if (row.size() >= kFewestLetters) {
      const std::size_t letters = letters_in(row, 0, row.size());
      bool wide = false;
      for (std::size_t i = 2; i < row.size(); ++i) wide = wide || row[i].gap != row[1].gap;
      if ((wide && letters >= kFewestLetters && letters * 4 >= row.size() * 3 && !is_list(row, 0, row.size())) ||
          (!wide && is_spelled(row))) {
        out += text.substr(copied, row.front().span.begin - copied);
        close_gaps(row, text, out);
        copied = row.back().span.end;
      }
    }
    row.clear();
  };
  std::size_t before = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (is_blank(text[at])) {
      if (text[at] == '\n') close();
      ++at;
      continue;
    }
    std::size_t end = at + code_point_at(text, at).bytes;
    if (end < text.size() && !is_blank(text[end])) {
      close();
      while (end < text.size() && !is_blank(text[end])) ++end;
    } else {
      const char letter = end == at + 1 ? (is_letter(text[at]) ? text[at] : '\0') : is_letter(text[at]) ? '\x80' : '\0';
      row.push_back({{at, end}, at - before, letter});
    }
    at = before = end;
  }
  close();
  if (copied == 0) return std::nullopt;
  out += text.substr(copied);
  return out;
}

}  // namespace

std::optional<std::string> without_separators(std::string_view text) {
  const bool encoded = text.find("%20") != std::string_view::npos;
  const auto blanks = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_blank));
  const Joints joints = joints_of(text);
  if (!encoded && std::all_of(joints.count.begin(), joints.count.end(), [](std::size_t count) { return count == 0; })) {
    return std::nullopt;
  }
  std::string out(text);
  if (encoded) replace_all(out, "%20", " ");
  // One sign stands for all spaces.
  const auto sign =
      static_cast<std::size_t>(std::max_element(joints.count.begin(), joints.count.end()) - joints.count.begin());
  if (joins_words(joints, sign) && joints.count[sign] > 2 * blanks) {
    // After a full stop too.
    replace_signs(out, {0, out.size()}, kSigns[sign], [](std::string_view all, std::size_t at) {
      return joins(all, at) || (at + 1 < all.size() && !is_blank(all[at + 1]) && all[at + 1] != all[at]);
    });
  }
  for (const Span chunk : chunks_of(out)) {
    const std::string_view words = slice(out, chunk);
    if (is_whole(words)) continue;
    const bool small = std::any_of(words.begin(), words.end(), is_lower);
    const Joints inside = joints_of(words);
    for (std::size_t i = 0; i < kSigns.size(); ++i) {
      if (inside.count[i] == 0 || kInsideWords.find(kSigns[i]) != std::string_view::npos) continue;
      if (joins_words(inside, i)) {
        replace_signs(out, chunk, kSigns[i], joins);
      } else if (kSigns[i] == '_' && small && inside.letters > 2 * inside.underscores + 1) {
        replace_signs(out, chunk, '_', joins_letters);
      }
    }
  }
  if (out == text) return std::nullopt;
  return out;
}

std::optional<std::string> without_spacing(std::string_view text) {
  auto out = without_signs(text);
  if (auto closed = without_blanks(out ? std::string_view(*out) : text)) out = std::move(closed);
  return out;
}

}  // namespace residue::text
