#include "text/encodings/spacing.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "text/characters/unicode.h"
#include "text/encodings/signs.h"

namespace residue::text {
namespace {

constexpr std::size_t kFewestLetters = 4;

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

bool is_wide(const std::vector<Single>& row) {
  return std::any_of(row.begin() + (row.empty() ? 0 : 1), row.end(),
                     [&](const Single& one) { return one.gap != row[1].gap; });
}

// "A n n a H o l t": a capital begins each word, two small letters or more follow.
bool are_names(const std::vector<Single>& row) {
  constexpr std::size_t kFewestSmall = 2;
  if (row.size() < kFewestLetters || is_list(row, 0, row.size())) return false;
  std::size_t small = kFewestSmall;
  for (const Single& one : row) {
    if (one.letter == 0 || (is_upper(one.letter) && small < kFewestSmall)) return false;
    small = is_upper(one.letter) ? 0 : small + 1;
  }
  return small >= kFewestSmall;
}

// Appends the row with its letters together; `names`: a capital begins a word.
void close_gaps(const std::vector<Single>& row, std::string_view text, bool names, std::string& out) {
  std::size_t least = row[1].gap;
  for (std::size_t i = 2; i < row.size(); ++i) least = std::min(least, row[i].gap);
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0 && (row[i].gap > least || (names && is_upper(row[i].letter)))) out += ' ';
    out += slice(text, row[i].span);
  }
}

// Characters of `chunk` that one sign joins, it may stand at both ends too: "J-o-h-n", "-l-i-v-e-s-". Empty where they
// are not, or it is more than that.
std::vector<Single> signed_letters(std::string_view text, Span chunk, char& sign) {
  std::vector<Single> row;
  sign = 0;
  bool wants_letter = true;
  for (std::size_t at = chunk.begin; at < chunk.end;) {
    const CodePoint c = code_point_at(text, at);
    const bool is_sign = c.bytes == 1 && sign_at(text[at]) != kNoSign;
    const bool leads = at == chunk.begin && is_sign && at + 1 < chunk.end;
    if (is_sign && (sign == 0 || text[at] == sign) && (!wants_letter || leads)) {
      sign = text[at];
      wants_letter = true;
    } else if (wants_letter) {
      const char letter = !is_letter(text[at]) ? '\0' : c.bytes == 1 ? text[at] : '\x80';
      row.push_back({{at, at + c.bytes}, 1, letter});
      wants_letter = false;
    } else {
      return {};
    }
    at += c.bytes;
  }
  return row;
}

bool is_signed_word(std::vector<Single> row, char sign) {
  while (row.size() > kFewestLetters && row.back().letter == 0) row.pop_back();  // "s-m-i-t-h-."
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
  std::array<std::size_t, 128> words{}, joined{};  // by sign: those that are words, and all
  std::size_t others = 0;                          // chunks of several characters that no sign joins
  for (const Span chunk : chunks) {
    if (chunk.end - chunk.begin < 2) continue;
    char sign = 0;
    const std::vector<Single> row = signed_letters(text, chunk, sign);
    if (row.empty() || sign == 0) {
      ++others;
      continue;
    }
    ++joined[static_cast<unsigned char>(sign)];
    if (is_signed_word(row, sign)) ++words[static_cast<unsigned char>(sign)];
  }
  if (std::all_of(words.begin(), words.end(), [](std::size_t count) { return count == 0; })) return std::nullopt;
  constexpr std::size_t kMany = 3;  // Then short words are spelled that way too, and where most are numbers.
  const auto is_joined = [&](const std::vector<Single>& row, char sign) {
    const auto at = static_cast<unsigned char>(sign);
    if (row.empty() || sign == 0) return false;
    if (is_signed_word(row, sign)) return true;
    if (words[at] < kMany) return false;
    return joined[at] > others || letters_in(row, 0, row.size()) == row.size();
  };
  std::string out;
  std::size_t copied = 0;
  for (const Span chunk : chunks) {
    char sign = 0;
    const std::vector<Single> row = signed_letters(text, chunk, sign);
    if (!is_joined(row, sign)) continue;
    out += text.substr(copied, chunk.begin - copied);
    for (const Single& one : row) out += slice(text, one.span);
    copied = chunk.end;
  }
  out += text.substr(copied);
  return out;
}

// Whether lines are letters: then their ends are gaps.
bool is_vertical(std::string_view text) {
  constexpr std::size_t kFewestLines = 8;
  std::size_t ends = 0, letters = 0, begin = 0;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', begin)) {
    const std::size_t last = at > begin && text[at - 1] == '\r' ? at - 1 : at;
    ++ends;
    letters += last > begin && begin + code_point_at(text, begin).bytes >= last ? 1 : 0;
    begin = at + 1;
  }
  return letters >= kFewestLines && letters * 2 > ends;
}

// A row in which gaps between words are wider: mostly letters, or with signs and digits for letters.
bool is_spaced_text(const std::vector<Single>& row, std::string_view text) {
  constexpr std::size_t kFewestLeet = 16, kFewestToWord = 2;
  const std::size_t letters = letters_in(row, 0, row.size());
  if (letters < kFewestLetters || is_list(row, 0, row.size())) return false;
  if (letters * 4 >= row.size() * 3) return true;
  std::size_t alike = 0, wide = 0, least = row[1].gap;
  for (std::size_t i = 1; i < row.size(); ++i) least = std::min(least, row[i].gap);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const char c = text[row[i].span.begin];
    alike += is_digit(c) || std::string_view("@$!|+").find(c) != std::string_view::npos ? 1 : 0;
    wide += i > 0 && row[i].gap > least ? 1 : 0;
  }
  return row.size() >= kFewestLeet && letters * 3 >= row.size() && (letters + alike) * 8 >= row.size() * 7 &&
         row.size() > kFewestToWord * (wide + 1);
}

std::optional<std::string> without_blanks(std::string_view text) {
  constexpr std::size_t kFewestLines = 8;
  const bool vertical = is_vertical(text);
  std::string out;
  std::size_t copied = 0;
  std::vector<Single> row;
  const auto put = [&](const std::vector<Single>& letters, bool names) {
    out += text.substr(copied, letters.front().span.begin - copied);
    close_gaps(letters, text, names, out);
    copied = letters.back().span.end;
  };
  // Letters with equal gaps: words by themselves.
  const auto put_words = [&](std::vector<Single> letters) {
    // "I" and "a" are words before one that is spelled.
    if (letters.size() > kFewestLetters && !is_spelled(letters) && is_spelled({letters.begin() + 1, letters.end()})) {
      letters.erase(letters.begin());
    }
    const bool names = are_names(letters);
    if ((names || is_spelled(letters)) && (!vertical || letters.size() >= kFewestLines)) put(letters, names);
  };
  const auto close = [&] {
    if (row.size() >= kFewestLetters && is_wide(row) && is_spaced_text(row, text)) {
      put(row, false);
    } else if (!is_wide(row)) {
      std::vector<Single> letters;  // between signs
      for (const Single& one : row) {
        if (one.letter != 0) {
          letters.push_back(one);
        } else {
          put_words(std::exchange(letters, {}));
        }
      }
      put_words(std::move(letters));
    }
    row.clear();
  };
  std::size_t before = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t blank = blank_at(text, at); blank > 0) {
      if (text[at] == '\n' && !vertical) close();
      at += blank;
      continue;
    }
    const bool ascii = static_cast<unsigned char>(text[at]) < 0x80;
    std::size_t end = at + (ascii ? 1 : code_point_at(text, at).bytes);
    if (end < text.size() && blank_at(text, end) == 0) {
      close();
      while (end < text.size() && blank_at(text, end) == 0) ++end;
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

std::optional<std::string> without_spacing(std::string_view text) {
  auto out = without_signs(text);
  if (auto closed = without_blanks(out ? std::string_view(*out) : text)) out = std::move(closed);
  return out;
}

}  // namespace residue::text
