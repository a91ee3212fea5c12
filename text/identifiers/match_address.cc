// E-mail, web and IP addresses.
#include <algorithm>
#include <array>
#include <cstring>
#include <ranges>
#include <string_view>

#include "text/identifiers/matchers.h"

namespace residue::text::match {

namespace {

constexpr std::size_t kLocalLimit = 64;  // RFC 5321
constexpr std::size_t kHostLimit = 255;

bool local_byte(char c) {
  return is_alnum(c) || !is_ascii(c) || std::string_view("._%+-").find(c) != std::string_view::npos;
}
bool host_byte(char c) { return is_alnum(c) || c == '-' || c == '.' || !is_ascii(c); }

// A letter of a script without spaces: word_at() says no to it.
bool unspaced(std::string_view t, std::size_t i) {
  if (i >= t.size() || is_ascii(t[i])) return false;
  const UChar32 point = decode(t, i).point;
  return point >= 0x2E80 && u_isalpha(point) != 0;
}

// The last label of a name: letters of any script, or their ASCII form.
bool top_level(std::string_view label) {
  if (label.starts_with("xn--")) return label.size() > 4;
  for (std::size_t i = 0; i < label.size();) {
    const Decoded letter = decode(label, i);
    if (letter.point < 0 || (u_isalpha(letter.point) == 0 && (U_GET_GC_MASK(letter.point) & U_GC_M_MASK) == 0))
      return false;
    i = letter.next;
  }
  return label.size() >= 2 && label.size() <= 63;
}

struct Host {
  std::size_t end = 0;         // 0: not a host
  std::string_view top_level;  // "org"
};

// Labels separated by single dots, the last one of at least two letters. A sentence's full stop is left out, and so are
// letters of scripts without spaces behind a label of others.
Host host(std::string_view t, std::size_t at) {
  std::size_t end = at;
  bool starts = true;  // a label
  bool east = false;   // it is of a script without spaces
  while (end < t.size() && end - at < kHostLimit && host_byte(t[end])) {
    if (t[end] == '.') {
      if (starts || (!word_at(t, end + 1) && !unspaced(t, end + 1))) break;
      starts = true;
      ++end;
      continue;
    }
    if (starts) east = unspaced(t, end);
    starts = false;
    // A no-break space, a dash or a quote is not part of a name.
    if (is_ascii(t[end]) ? east && is_alpha(t[end]) : !(east ? unspaced(t, end) : word_at(t, end))) break;
    end = decode(t, end).next;
  }
  // A dash after the last label's letters starts something else: "a@b.org-12345678".
  const std::size_t last_dot = t.substr(at, end - at).rfind('.');
  if (last_dot != std::string_view::npos && !continues(t, at + last_dot + 1, "xn--"))
    end = std::min(end, t.substr(0, end).find('-', at + last_dot));
  while (end > at && t[end - 1] == '-') --end;
  const std::size_t dot = t.substr(at, end - at).rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  const std::string_view top = t.substr(at + dot + 1, end - at - dot - 1);
  if (!top_level(top) || word_at(t, end)) return {};
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

// The end of "%eth0" behind an address that ends at `i` (RFC 4007), or `i`.
std::size_t with_zone(std::string_view t, std::size_t i) {
  if (peek(t, i) != '%' || !is_alnum(peek(t, i + 1))) return i;
  std::size_t end = i + 1;
  while (end - i < 17 && (is_alnum(peek(t, end)) || peek(t, end) == '-' || peek(t, end) == '_')) ++end;
  return word_at(t, end) ? i : end;
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
    if (groups > 0 || gap) {
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
  return with_zone(t, i);
}

// The '@' behind what stands before it in an address, or 0: a quoted string, letters of a script without spaces, or
// letters, digits and some signs.
std::size_t local_part(std::string_view t, std::size_t at) {
  const bool quoted = t[at] == '"';
  const bool east = unspaced(t, at);
  std::size_t i = quoted ? at + 1 : at;
  while (i < t.size() && i - at <= kLocalLimit) {
    const char c = t[i];
    if (quoted) {
      if (c == '"' || c == '\n') break;
      i += c == '\\' ? 2 : 1;
      continue;
    }
    if (is_ascii(c)) {
      const bool apostrophe = c == '\'' && i > at && is_alpha(t[i - 1]) && is_alpha(peek(t, i + 1));
      if (!(local_byte(c) || apostrophe) || (east && is_alpha(c))) break;
    } else if (!(east ? unspaced(t, i) : word_at(t, i))) {
      break;
    }
    i = decode(t, i).next;
  }
  if (quoted) {
    if (peek(t, i) != '"' || i < at + 2) return 0;
    ++i;
  }
  const std::size_t limit = kLocalLimit + (quoted ? 2 : 0);
  return peek(t, i) != '@' || i == at || i - at > limit || t[i - 1] == '.' ? 0 : i;
}

}  // namespace

std::size_t email(std::string_view t, std::size_t at) {
  if (std::memchr(t.data() + at, '@', std::min(kLocalLimit + 4, t.size() - at)) == nullptr) return 0;
  const std::size_t sign = local_part(t, at);
  if (sign == 0) return 0;
  if (peek(t, sign + 1) == '[') {  // someone@[192.0.2.1]
    const std::size_t from = sign + (continues(t, sign + 2, "ipv6:") ? 7 : 2);
    const std::size_t four = ipv4(t, from);
    const std::size_t end = four != 0 ? four : ipv6(t, from);
    return end != 0 && peek(t, end) == ']' ? end + 1 : 0;
  }
  return word_at(t, sign + 1) || unspaced(t, sign + 1) ? host(t, sign + 1).end : 0;
}

std::size_t url(std::string_view t, std::size_t at) {
  std::size_t scheme = at;
  while (scheme - at < 16 && is_alpha(peek(t, scheme))) ++scheme;
  if (scheme - at > 1 && continues(t, scheme, "://")) {
    const std::size_t from = scheme + 3;
    return word_at(t, from) ? address_end(t, from) : 0;
  }
  const std::size_t behind = digits(t, at + 3, 2);  // www2.
  const bool www = continues(t, at, "www") && peek(t, behind) == '.';
  const std::size_t look = std::min(t.size(), at + 64);
  if (!www) {
    // A bare host counts only with a path, and only under a name that is not also a word after a missing space.
    std::size_t i = at;
    while (i < look && (is_alnum(t[i]) || t[i] == '-' || t[i] == '.')) ++i;
    if (peek(t, i) != '/' || !word_at(t, i + 1)) return 0;
  }
  const Host found = host(t, www ? behind + 1 : at);
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
  constexpr auto kCues = std::to_array<std::string_view>({"mac", "ethernet", "ether", "hwaddr", "bssid"});
  const auto group = [&](std::size_t i, std::size_t size) {
    return std::ranges::all_of(std::views::iota(i, i + size), hex);
  };
  const auto lettered = [&](std::size_t end) { return std::ranges::any_of(t.substr(at, end - at), is_alpha); };
  if (group(at, 4) && peek(t, at + 4) == '.' && group(at + 5, 4) && peek(t, at + 9) == '.' && group(at + 10, 4)) {
    const std::size_t end = at + 14;  // 001A.2B3C.4D5E, as routers print it
    const bool longer = (peek(t, end) == '.' && hex(end + 1)) || (at > 1 && t[at - 1] == '.' && hex(at - 2));
    return word_at(t, end) || longer || !(lettered(end) || announced(t, at, kCues, 3)) ? 0 : end;
  }
  if (group(at, 12) && !word_at(t, at + 12)) return announced(t, at, kCues, 3) ? at + 12 : 0;
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
