#include "text/following/names_in_tokens.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "text/characters/unicode.h"
#include "text/identifiers/matchers.h"

namespace residue::text {
namespace {

constexpr std::size_t kLetters = 4;   // of a name that is found by itself
constexpr std::size_t kPieces = 256;  // of a token: longer ones are data
constexpr auto kPrefixes = std::to_array<std::string_view>({"mc", "mac", "de", "la", "le", "di", "van", "von", "fitz"});

// The class of a sign: what words are made of, capitals among them.
enum class Sign : unsigned char { kOther, kJoint, kMark, kSmall, kCapital, kNotAscii };

constexpr std::array<Sign, 256> kSigns = [] {
  std::array<Sign, 256> signs{};
  for (std::size_t i = 0; i < signs.size(); ++i) {
    const char c = static_cast<char>(i);
    signs[i] = i >= 128                  ? Sign::kNotAscii
               : is_lower(c)             ? Sign::kSmall
               : is_upper(c)             ? Sign::kCapital
               : is_digit(c) || c == '_' ? Sign::kMark
               : c == '-' || c == '\''   ? Sign::kJoint
                                         : Sign::kOther;
  }
  return signs;
}();

Sign sign_at(std::string_view text, std::size_t at) {
  if (const Sign sign = kSigns[static_cast<unsigned char>(text[at])]; sign != Sign::kNotAscii) return sign;
  if (!match::word_at(text, at)) return Sign::kOther;
  return u_isUUppercase(match::decode(text, at).point) != 0 ? Sign::kCapital : Sign::kSmall;
}

// Which signs side by side say that a token may have parts with letters in it: a mark beside a letter or a joint, a
// capital behind a letter, and what is more than ASCII; a bit for each pair, the one before in the higher three bits.
constexpr std::uint64_t kMayPart = [] {
  std::uint64_t pairs = 0;
  for (unsigned before = 0; before < 6; ++before) {
    for (unsigned sign = 0; sign < 6; ++sign) {
      const auto is = [](unsigned one, Sign other) { return one == static_cast<unsigned>(other); };
      const auto letter = [&](unsigned one) { return is(one, Sign::kSmall) || is(one, Sign::kCapital); };
      const auto beside_mark = [&](unsigned one) { return letter(one) || is(one, Sign::kJoint); };
      const bool may = is(sign, Sign::kNotAscii) || (is(sign, Sign::kCapital) && letter(before)) ||
                       (is(before, Sign::kMark) && beside_mark(sign)) || (is(sign, Sign::kMark) && beside_mark(before));
      if (may) pairs |= std::uint64_t{1} << (before * 8 + sign);
    }
  }
  return pairs;
}();

// Where the next such sign is, from `at` on; the size of the text where there is none.
std::size_t next_parting(std::string_view text, std::size_t at) {
  auto before = static_cast<unsigned>(at == 0 ? Sign::kOther : kSigns[static_cast<unsigned char>(text[at - 1])]);
  while (at < text.size()) {
    const std::size_t end = std::min(at + 16, text.size());  // without a branch at each sign
    std::uint64_t may = 0;
    unsigned last = before;
    for (std::size_t i = at; i < end; ++i) {
      const auto sign = static_cast<unsigned>(kSigns[static_cast<unsigned char>(text[i])]);
      may |= kMayPart >> (last * 8 + sign);
      last = sign;
    }
    if ((may & 1U) == 0) {
      before = last;
      at = end;
      continue;
    }
    for (;; ++at) {
      const auto sign = static_cast<unsigned>(kSigns[static_cast<unsigned char>(text[at])]);
      if ((kMayPart >> (before * 8 + sign) & 1U) != 0) return at;
      before = sign;
    }
  }
  return at;
}

std::size_t next_of(std::string_view text, std::size_t at) {
  return match::is_ascii(text[at]) ? at + 1 : match::decode(text, at).next;
}

struct Piece {
  Span span;
  std::string key;
  const NamePart* part = nullptr;
};

class Tokens {
 public:
  Tokens(std::string_view text, const NameParts& parts, const std::function<bool(Span)>& is_free)
      : text_(text), parts_(parts), is_free_(is_free) {}

  std::vector<NameInToken> names() {
    for (std::size_t at = 0; at < text_.size();) {
      // Most tokens have no parts: only those around such a sign are looked at.
      const std::size_t sign = next_parting(text_, at);
      const std::size_t done = at;
      for (at = sign; at > done && !is_ascii(at - 1, Sign::kOther);) --at;
      while (at <= sign && at < text_.size()) at = behind(at);
    }
    return std::move(found_);
  }

 private:
  // Behind the token or the sign at `at`.
  std::size_t behind(std::size_t at) {
    if (is_ascii(at, Sign::kOther)) return at + 1;
    if (const std::size_t end = plain_word(at); end != 0) return end;
    return sign_at(text_, at) == Sign::kOther ? next_of(text_, at) : token(at);
  }

  [[nodiscard]] bool is_ascii(std::size_t at, Sign sign) const {
    return kSigns[static_cast<unsigned char>(text_[at])] == sign;
  }

  // Most tokens: small letters, behind a capital or not. The byte behind them where the token ends, too; 0: it does
  // not.
  [[nodiscard]] std::size_t plain_word(std::size_t at) const {
    std::size_t end = is_ascii(at, Sign::kCapital) ? at + 1 : at;
    while (end < text_.size() && is_ascii(end, Sign::kSmall)) ++end;
    return end > at && (end == text_.size() || is_ascii(end, Sign::kOther)) ? end : 0;
  }

  // Looks at the token at `at`; the byte behind it.
  std::size_t token(std::size_t at) {
    const std::size_t begin = at;
    bool parted = false;
    int capitals = 0;  // in a row
    for (Sign last = Sign::kOther; at < text_.size(); at = next_of(text_, at)) {
      const Sign sign = sign_at(text_, at);
      if (sign == Sign::kOther) break;
      parted = parted || sign == Sign::kMark || (last == Sign::kSmall && sign == Sign::kCapital) ||
               (capitals > 1 && sign == Sign::kSmall);
      capitals = sign == Sign::kCapital ? capitals + 1 : 0;
      last = sign;
    }
    if (parted && at - begin > kLetters) look_into(begin, at);
    return at;
  }

  void look_into(std::size_t begin, std::size_t end) {
    pieces_.clear();
    for (std::size_t at = begin; at < end && pieces_.size() < kPieces;) {
      const Sign sign = sign_at(text_, at);
      if (sign != Sign::kSmall && sign != Sign::kCapital) {
        at = next_of(text_, at);
        continue;
      }
      const std::size_t stop = piece_end(at, end);
      add_piece(at, stop);
      at = stop;
    }
    for (std::size_t i = 0; i < pieces_.size();) i = take(i);
  }

  // The end of the letters at `at` that are one piece.
  [[nodiscard]] std::size_t piece_end(std::size_t at, std::size_t end) const {
    Sign last = sign_at(text_, at);
    for (std::size_t next = next_of(text_, at); next < end; next = next_of(text_, next)) {
      const Sign sign = sign_at(text_, next);
      if (sign != Sign::kSmall && sign != Sign::kCapital) return next;
      if (last == Sign::kSmall && sign == Sign::kCapital) return next;
      const std::size_t after = next_of(text_, next);
      if (sign == Sign::kCapital && after < end && sign_at(text_, after) == Sign::kSmall) return next;
      last = sign;
    }
    return end;
  }

  void add_piece(std::size_t begin, std::size_t end) {
    Piece piece{{begin, end}, {}, nullptr};
    std::string store;
    const std::string key = name_key(text_.substr(begin, end - begin));
    piece.key = plain_name_key(key, store);
    piece.part = parts_.find(piece.key);
    if (piece.part == nullptr && piece.key.size() > kLetters && piece.key.ends_with('s')) {
      piece.part = parts_.find(std::string_view(piece.key).substr(0, piece.key.size() - 1));
    }
    const bool hung = !pieces_.empty() && pieces_.back().span.end == begin &&
                      std::ranges::find(kPrefixes, pieces_.back().key) != kPrefixes.end();
    if (hung || (piece.part != nullptr && !is_free_(piece.span))) piece.part = nullptr;
    pieces_.push_back(std::move(piece));
  }

  [[nodiscard]] static bool of(const Piece& piece, EntityType type) {
    return piece.part != nullptr && piece.part->named && piece.part->type == type;
  }

  [[nodiscard]] static bool names_alone(const Piece& piece) {
    if (!of(piece, EntityType::kName) && !of(piece, EntityType::kOrganisation)) return false;
    return !piece.part->common && !piece.part->bare && code_points(piece.key) >= kLetters;
  }

  // Takes the name that begins with the piece `i`, if one does; the piece behind it.
  std::size_t take(std::size_t i) {
    if (const auto [end, type] = whole(i); end != 0) return put(i, end, type);
    if (!of(pieces_[i], EntityType::kName))
      return names_alone(pieces_[i]) ? put(i, i + 1, pieces_[i].part->type) : i + 1;
    std::size_t end = i;
    bool sure = false;
    for (; end < pieces_.size() && of(pieces_[end], EntityType::kName) && (end == i || beside(end)); ++end) {
      sure = sure || names_alone(pieces_[end]);
    }
    return sure ? put(i, end, EntityType::kName) : end;
  }

  // Whether a low line, hyphen or nothing stands before the piece.
  [[nodiscard]] bool beside(std::size_t i) const {
    const std::string_view gap = text_.substr(pieces_[i - 1].span.end, pieces_[i].span.begin - pieces_[i - 1].span.end);
    return gap.empty() || gap == "_" || gap == "-";
  }

  // The whole name of several words that begins with the piece: the piece behind it, or 0.
  [[nodiscard]] std::pair<std::size_t, EntityType> whole(std::size_t i) const {
    std::pair<std::size_t, EntityType> best{0, EntityType::kName};
    if (pieces_[i].part == nullptr || !pieces_[i].part->begins) return best;
    std::string phrase = pieces_[i].key;
    for (std::size_t n = i + 1; n < pieces_.size() && n < i + kMostNameWords && beside(n) && is_free_(pieces_[n].span);
         ++n) {
      phrase.append(" ").append(pieces_[n].key);
      const EntityType* type = parts_.whole(phrase);
      if (type != nullptr && *type != EntityType::kPlace) best = {n + 1, *type};
    }
    return best;
  }

  std::size_t put(std::size_t begin, std::size_t end, EntityType type) {
    found_.push_back({{pieces_[begin].span.begin, pieces_[end - 1].span.end}, type});
    return end;
  }

  std::string_view text_;
  const NameParts& parts_;
  const std::function<bool(Span)>& is_free_;
  std::vector<Piece> pieces_;
  std::vector<NameInToken> found_;
};

}  // namespace

std::vector<NameInToken> names_in_tokens(const RecordWords& record, const NameParts& parts,
                                         const std::function<bool(Span)>& is_free) {
  return Tokens(record.text(), parts, is_free).names();
}

}  // namespace residue::text
