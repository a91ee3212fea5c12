// E-mail, web and IP addresses.
#include <algorithm>
#include <array>
#include <cstring>

#include "text/matchers.h"

namespace residue::text::match {

namespace {

constexpr std::size_t kLocalLimit = 64;  // RFC 5321
constexpr std::size_t kHostLimit = 255;

bool local_byte(char c) {
  return is_alnum(c) || !is_ascii(c) || std::string_view("._%+-").find(c) != std::string_view::npos;
}
bool host_byte(char c) { return is_alnum(c) || c == '-' || c == '.' || !is_ascii(c); }

struct Host {
  std::size_t end = 0;         // 0: not a host
  std::string_view top_level;  // "org"
};

// Labels separated by single dots, the last one of at least two letters. A sentence's full stop is left out.
Host host(std::string_view t, std::size_t at) {
  std::size_t end = at;
  while (end < t.size() && end - at < kHostLimit && host_byte(t[end])) {
    if (t[end] == '.' && (end == at || !word_at(t, end + 1))) break;
    // A no-break space, a dash or a quote is not part of a name.
    if (!is_ascii(t[end])) {
      if (!word_at(t, end)) break;
      end = decode(t, end).next;
      continue;
    }
    ++end;
  }
  // A dash after the last label's letters starts something else: "a@b.org-12345678".
  const std::size_t last_dot = t.substr(at, end - at).rfind('.');
  if (last_dot != std::string_view::npos) end = std::min(end, t.find('-', at + last_dot));
  while (end > at && t[end - 1] == '-') --end;
  const std::size_t dot = t.substr(at, end - at).rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  const std::string_view top = t.substr(at + dot + 1, end - at - dot - 1);
  if (top.size() < 2 || top.size() > 24 || !std::ranges::all_of(top, is_alpha)) return {};
  if (word_at(t, end)) return {};
  return {end, top};
}

// The rest of an address: up to a space or a delimiter, less the punctuation of the sentence around it.
std::size_t address_end(std::string_view t, std::size_t from) {
  std::size_t end = from;
  int open = 0;
  while (end < t.size()) {
    const char c = t[end];
    if (static_cast<unsigned char>(c) <= ' ' || c == '\x7F' ||
        std::string_view("<>\"`{}|\\^[]").find(c) != std::string_view::npos)
      break;
    if (c == '(') ++open;
    if (c == ')' && --open < 0) break;
    if (!is_ascii(c)) {
      if (!word_at(t, end)) break;
      end = decode(t, end).next;
      continue;
    }
    ++end;
  }
  while (end > from && std::string_view(".,;:!?'*_").find(t[end - 1]) != std::string_view::npos) --end;
  return end;
}

std::size_t ipv4(std::string_view t, std::size_t at) {
  std::size_t i = at;
  for (int octet = 0; octet < 4; ++octet) {
    if (octet > 0 && peek(t, i++) != '.') return 0;
    const std::size_t end = digits(t, i, 4);
    if (end == i || end - i > 3 || (t[i] == '0' && end - i > 1)) return 0;
    int value = 0;
    for (std::size_t k = i; k < end; ++k) value = value * 10 + (t[k] - '0');
    if (value > 255) return 0;
    i = end;
  }
  return i;
}

std::size_t ipv6(std::string_view t, std::size_t at) {
  std::size_t i = at;
  int groups = 0;
  bool gap = false;
  bool has_digit = false;
  if (peek(t, i) == ':') {
    if (peek(t, i + 1) != ':') return 0;
    gap = true;
    i += 2;
  }
  for (;;) {
    if (groups > 0) {
      if (const std::size_t end = ipv4(t, i); end != 0 && (gap ? groups <= 5 : groups == 6))
        return word_at(t, end) ? 0 : end;
    }
    std::size_t end = i;
    while (end - i < 5 && (is_digit(peek(t, end)) || (to_lower(peek(t, end)) >= 'a' && to_lower(peek(t, end)) <= 'f')))
      ++end;
    if (end - i > 4) return 0;
    if (end == i) {
      if (groups == 0 || !gap) return 0;  // "::" alone, or a trailing colon
      break;
    }
    has_digit = has_digit || std::any_of(t.begin() + static_cast<std::ptrdiff_t>(i),
                                         t.begin() + static_cast<std::ptrdiff_t>(end), is_digit);
    ++groups;
    i = end;
    if (peek(t, i) != ':') break;
    if (groups == 8) return 0;
    if (peek(t, i + 1) == ':') {
      if (gap) return 0;
      gap = true;
      i += 2;
      if (!is_alnum(peek(t, i))) break;
    } else if (is_alnum(peek(t, i + 1))) {
      ++i;
    } else {
      break;  // the colon belongs to the sentence
    }
  }
  if (word_at(t, i) || !has_digit) return 0;
  if (gap ? groups > 7 : groups != 8) return 0;
  return i;
}

}  // namespace

std::size_t email(std::string_view t, std::size_t at) {
  if (std::memchr(t.data() + at, '@', std::min(kLocalLimit + 1, t.size() - at)) == nullptr) return 0;
  std::size_t i = at;
  while (i < t.size() && local_byte(t[i])) {
    if (!is_ascii(t[i]) && !word_at(t, i)) return 0;
    i = is_ascii(t[i]) ? i + 1 : decode(t, i).next;
    if (i - at > kLocalLimit) return 0;
  }
  if (peek(t, i) != '@' || i == at || t[i - 1] == '.' || !word_at(t, i + 1)) return 0;
  return host(t, i + 1).end;
}

std::size_t url(std::string_view t, std::size_t at) {
  for (const std::string_view scheme : {"http://", "https://", "ftp://"}) {
    if (!continues(t, at, scheme)) continue;
    const std::size_t from = at + scheme.size();
    return word_at(t, from) ? address_end(t, from) : 0;
  }
  const bool www = continues(t, at, "www.");
  const std::size_t look = std::min(t.size(), at + 64);
  if (!www) {
    // A bare host counts only with a path, and only under a name that is not also a word after a missing space.
    std::size_t i = at;
    while (i < look && (is_alnum(t[i]) || t[i] == '-' || t[i] == '.')) ++i;
    if (peek(t, i) != '/' || !word_at(t, i + 1)) return 0;
  }
  const Host found = host(t, www ? at + 4 : at);
  if (found.end == 0) return 0;
  if (!www) {
    constexpr auto kTop = std::to_array<std::string_view>(
        {"com", "org", "net", "edu", "gov", "info", "io", "eu", "de", "fr", "es", "uk", "nl", "ch"});
    if (std::ranges::find(kTop, found.top_level) == kTop.end()) return 0;
  }
  if (peek(t, found.end) == '/' || peek(t, found.end) == ':' || peek(t, found.end) == '?')
    return address_end(t, found.end);
  return found.end;
}

std::size_t ip(std::string_view t, std::size_t at) {
  if (at > 0 && (t[at - 1] == '.' || t[at - 1] == ':' || t[at - 1] == '-')) {
    if (t[at - 1] != ':' || (at > 1 && (t[at - 2] == ':' || word_before(t, at - 1)))) return 0;
  }
  if (const std::size_t end = ipv4(t, at)) {
    if (word_at(t, end) || (peek(t, end) == '.' && is_digit(peek(t, end + 1))) || peek(t, end) == '-') return 0;
    return after_version(t, at) ? 0 : end;
  }
  return ipv6(t, at);
}

std::size_t mac(std::string_view t, std::size_t at) {
  const auto hex = [&](std::size_t i) {
    const char c = to_lower(peek(t, i));
    return is_digit(c) || (c >= 'a' && c <= 'f');
  };
  const char separator = peek(t, at + 2);
  if (separator != ':' && separator != '-') return 0;
  std::size_t i = at;
  for (int pair = 0; pair < 6; ++pair, i += 3) {
    if (!hex(i) || !hex(i + 1) || (pair < 5 && peek(t, i + 2) != separator)) return 0;
  }
  const std::size_t end = i - 1;
  const bool longer = (peek(t, end) == separator && hex(end + 1)) || (at > 1 && t[at - 1] == separator && hex(at - 2));
  return word_at(t, end) || longer ? 0 : end;
}

}  // namespace residue::text::match
