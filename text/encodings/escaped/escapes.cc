#include "text/encodings/escaped/escapes.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "text/characters/unicode.h"
#include "text/encodings/escaped/bytes.h"

namespace residue::text {
namespace {

// Numbers of bytes, one behind the other.
struct Run {
  Span span;
  std::string bytes;
};

std::vector<Run> runs_of(std::string_view text, std::string_view prefix, bool capitals) {
  std::vector<Run> runs;
  const auto byte_at = [&](std::size_t at) -> std::optional<char32_t> {
    if (!text.substr(at).starts_with(prefix)) return std::nullopt;
    const auto value = hex_at(text, at + prefix.size(), 2);
    const std::string_view digits = text.substr(std::min(text.size(), at + prefix.size()), 2);
    if (capitals && std::any_of(digits.begin(), digits.end(), is_lower)) return std::nullopt;
    return value;
  };
  for (std::size_t at = text.find(prefix); at != std::string_view::npos; at = text.find(prefix, at)) {
    Run run{{at, at}, {}};
    while (const auto value = byte_at(run.span.end)) {
      run.bytes += static_cast<char>(static_cast<unsigned char>(*value));
      run.span.end += prefix.size() + 2;
    }
    at = std::max(run.span.end, at + 1);
    if (!run.bytes.empty()) runs.push_back(std::move(run));
  }
  return runs;
}

// The chunk around a byte is the address of a page, where such numbers belong.
class Addresses {
 public:
  explicit Addresses(std::string_view text) : text_(text) {}

  // `at` does not fall from call to call.
  bool holds(std::size_t at) {
    if (at >= end_) {
      std::size_t begin = at;
      while (begin > end_ && !is_blank(text_[begin - 1])) --begin;
      end_ = at;
      while (end_ < text_.size() && !is_blank(text_[end_])) ++end_;
      const std::string_view chunk = text_.substr(begin, end_ - begin);
      holds_ = chunk.find("://") != std::string_view::npos || chunk.starts_with("www.");
    }
    return holds_;
  }

 private:
  std::string_view text_;
  std::size_t end_ = 0;
  bool holds_ = false;
};

bool is_beyond(const Run& run) { return !is_ascii(run.bytes) && valid_utf8(run.bytes); }

std::string replaced(std::string_view text, const std::vector<Run>& runs) {
  std::string out;
  std::size_t copied = 0;
  for (const Run& run : runs) {
    const auto said = said_by(run.bytes);
    if (!said) continue;
    out.append(text, copied, run.span.begin - copied);
    out += *said;
    copied = run.span.end;
  }
  out.append(text, copied);
  return out;
}

std::optional<std::string> undone(std::string_view text, const std::vector<Run>& runs) {
  if (runs.empty()) return std::nullopt;
  std::string out = replaced(text, runs);
  if (out == text) return std::nullopt;
  return out;
}

void keep_beyond(std::vector<Run>& runs) {
  std::erase_if(runs, [](const Run& run) { return !is_beyond(run); });
}

constexpr std::size_t kFewest = 3;

std::optional<std::string> without_percents(std::string_view text) {
  std::vector<Run> runs = runs_of(text, "%", false);
  Addresses addresses(text);
  std::erase_if(runs, [&](const Run& run) { return addresses.holds(run.span.begin); });
  const auto is_percentage = [&](const Run& run) { return run.span.begin > 0 && is_digit(text[run.span.begin - 1]); };
  std::size_t count = 0, spaces = 0;
  for (const Run& run : runs) {
    if (is_percentage(run)) continue;
    count += run.bytes.size();
    spaces += run.bytes == " " ? 1 : 0;
  }
  const bool full = count >= kFewest || spaces > 1;
  if (!full) {
    std::erase_if(runs, [&](const Run& run) { return !is_beyond(run) && (run.bytes != " " || is_percentage(run)); });
  }
  return undone(text, runs);
}

std::optional<std::string> without_hex(std::string_view text) {
  std::vector<Run> runs = runs_of(text, "\\x", false);
  std::size_t count = 0;
  for (const Run& run : runs) count += run.bytes.size();
  if (count < kFewest) keep_beyond(runs);
  return undone(text, runs);
}

std::optional<std::string> without_quoted_printable(std::string_view text) {
  std::vector<Run> runs = runs_of(text, "=", true);
  Addresses addresses(text);
  std::erase_if(runs, [&](const Run& run) { return addresses.holds(run.span.begin); });
  std::size_t woven = 0, values = 0;
  for (const Run& run : runs) {
    const bool letter = run.span.end < text.size() && is_alpha(text[run.span.end]);
    (letter || run.bytes.size() > 1 ? woven : values) += run.bytes.size();
  }
  const bool full = woven > kFewest && woven > values;
  if (!full) keep_beyond(runs);
  auto out = undone(text, runs);
  if (!full || !out) return out;
  std::string joined;  // without soft ends of lines
  for (std::size_t at = 0; at < out->size(); ++at) {
    const std::string_view rest = std::string_view(*out).substr(at);
    if (rest.starts_with("=\n")) {
      ++at;
    } else if (rest.starts_with("=\r\n")) {
      at += 2;
    } else {
      joined += rest[0];
    }
  }
  return joined;
}

// A character by its number behind a backslash, in `bytes` bytes; 0: none.
struct Numbered {
  char32_t value = 0;
  std::size_t bytes = 0;
};
bool is_character(char32_t c) { return c >= 0x20 && c != 0x7F && c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF); }

Numbered numbered_at(std::string_view text, std::size_t at) {
  constexpr std::size_t kMostDigits = 6;
  const auto plain = [&](std::size_t digits) -> Numbered {
    const auto value = hex_at(text, at + 2, digits);
    return value ? Numbered{*value, digits + 2} : Numbered{};
  };
  if (at + 2 >= text.size()) return {};
  if (text[at + 1] == 'U') return plain(8);
  if (text[at + 1] != 'u') return {};
  if (text[at + 2] == '{') {
    const std::size_t end = text.substr(0, at + kMostDigits + 4).find('}', at + 3);
    if (end == std::string_view::npos || end == at + 3) return {};
    const auto value = hex_at(text, at + 3, end - at - 3);
    return value ? Numbered{*value, end + 1 - at} : Numbered{};
  }
  const Numbered first = plain(4);
  if (first.value < 0xD800 || first.value > 0xDBFF || !text.substr(at + 6).starts_with("\\u")) return first;
  const auto second = hex_at(text, at + 8, 4);
  if (!second || *second < 0xDC00 || *second > 0xDFFF) return first;
  return {0x10000 + ((first.value - 0xD800) << 10) + (*second - 0xDC00), 12};
}

// The character that a backslash and `c` are in JSON, or 0.
char simple(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
    case 'r':
    case 'b':
    case 'f':
      return ' ';
    case '"':
    case '/':
    case '\\':
      return c;
    default:
      return 0;
  }
}

// "C:" of a path.
bool behind_drive(std::string_view text, std::size_t at) {
  return at > 1 && text[at - 1] == ':' && is_alpha(text[at - 2]) && (at == 2 || !is_alpha(text[at - 3]));
}

// Whether the backslashes are those of JSON, and what they stand for.
struct Backslashes {
  bool json = true;
  std::size_t numbered = 0;  // characters
  std::size_t blanks = 0;    // \n, \t and \r
  bool sure = false;         // No small letter follows one of these.
};
Backslashes backslashes_of(std::string_view text) {
  Backslashes out;
  for (std::size_t at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at)) {
    const Numbered number = numbered_at(text, at);
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (number.bytes > 0 && is_character(number.value)) {
      ++out.numbered;
      at += number.bytes;
    } else if (simple(next) != 0) {
      // Of a backslash that is one itself: made JSON once more.
      const bool again = next == '\\' && at > 0 && !is_blank(text[at - 1]) && at + 2 < text.size() &&
                         std::string_view("ntru\"").find(text[at + 2]) != std::string_view::npos;
      if (is_alpha(next) || again) {
        const std::size_t end = at + (again ? 3 : 2);
        ++out.blanks;
        out.sure = out.sure || end >= text.size() || !is_lower(text[end]);
        out.json = out.json && !behind_drive(text, at);
      }
      at += 2;
    } else {
      out.json = false;
      ++at;
    }
  }
  return out;
}

std::optional<std::string> without_backslashes(std::string_view text) {
  const Backslashes found = backslashes_of(text);
  const bool json = found.json && (found.blanks > 1 || (found.blanks == 1 && found.sure) || found.numbered > 0);
  if (!json && found.numbered == 0) return std::nullopt;
  // Where lines end behind each word, the ends stand for spaces.
  const auto spaces = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_blank));
  const char line_end = found.blanks > kFewest * (spaces + 1) ? ' ' : '\n';
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at)) {
    const Numbered number = numbered_at(text, at);
    const char plain = json && at + 1 < text.size() ? simple(text[at + 1]) : '\0';
    const bool numbered = number.bytes > 0 && is_character(number.value);
    if (!numbered && plain == 0) {
      ++at;
      continue;
    }
    out.append(text, copied, at - copied);
    if (numbered) {
      append_utf8(out, number.value);
    } else {
      out += plain == '\n' ? line_end : plain;
    }
    at += numbered ? number.bytes : 2;
    copied = at;
  }
  if (copied == 0) return std::nullopt;
  out.append(text, copied);
  return out;
}

}  // namespace

std::optional<std::string> without_escapes(std::string_view text) {
  std::optional<std::string> out;
  const auto undo = [&](char sign, auto how) {
    const std::string_view now = out ? std::string_view(*out) : text;
    if (now.find(sign) == std::string_view::npos) return;
    if (auto found = how(now)) out = std::move(found);
  };
  undo('\\', without_hex);
  undo('\\', without_backslashes);
  undo('%', without_percents);
  undo('=', without_quoted_printable);
  return out;
}

}  // namespace residue::text
