#include "text/characters/as_read.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <cstdint>

#include "base/error.h"
#include "text/characters/token_diff.h"

namespace residue::text {
namespace {

[[noreturn]] void fail() { throw Error(Code::kInternal, "ICU could not normalize a text", "please report this"); }

struct Forms {
  const icu::Normalizer2* nfc;
  const icu::Normalizer2* nfd;
  const icu::Normalizer2* nfkd;
};

// Asked for once per process: ICU's own handing over is not visible to ThreadSanitizer.
const Forms& forms() {
  static const Forms all = [] {
    UErrorCode status = U_ZERO_ERROR;
    const Forms found{icu::Normalizer2::getNFCInstance(status), icu::Normalizer2::getNFDInstance(status),
                      icu::Normalizer2::getNFKDInstance(status)};
    if (U_FAILURE(status)) fail();
    return found;
  }();
  return all;
}

bool is_ignored(UChar32 c) { return u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0; }

// Whether it is another character, or several, in another shape.
bool is_shape(UChar32 c) {
  switch (u_getIntPropertyValue(c, UCHAR_DECOMPOSITION_TYPE)) {
    case U_DT_FONT:
    case U_DT_WIDE:
    case U_DT_NARROW:
    case U_DT_NOBREAK:
    case U_DT_INITIAL:
    case U_DT_MEDIAL:
    case U_DT_FINAL:
    case U_DT_ISOLATED:
      return true;
    case U_DT_COMPAT: {
      // Of the others Latin letters and numerals alone: Thai am, taken apart, is not found in a dictionary of words.
      UErrorCode status = U_ZERO_ERROR;
      return uscript_getScript(c, &status) == USCRIPT_LATIN && is_word_character(static_cast<char32_t>(c));
    }
    default:
      return false;
  }
}

icu::UnicodeString shapeless(UChar32 c) {
  icu::UnicodeString out;
  if (!is_shape(c) || !forms().nfkd->getDecomposition(c, out)) out.setTo(c);
  return out;
}

// Whether `c` may change what stands in front of it: it is read together with that.
bool joins(UChar32 c) {
  if (is_ignored(c)) return true;
  const UChar32 first = is_shape(c) ? shapeless(c).char32At(0) : c;
  return forms().nfc->hasBoundaryBefore(first) == 0;
}

// Hands over the parts that are read together, in order.
class Reader {
 public:
  Reader(std::string_view text, Letters letters) : text_(text), folds_(letters == Letters::kFolded) {}

  // Calls `take(Span, std::string_view)`: where a part is written, and how it is read.
  template <class F>
  void run(F&& take) {
    for (std::size_t at = 0; at < text_.size();) {
      const Span part = part_at(at);
      take(part, read(part));
      at = part.end;
    }
  }

  // All that is read.
  std::string all() {
    std::string out;
    out.reserve(text_.size());
    for (std::size_t at = 0; at < text_.size();) {
      // An ASCII character is read alone if another one follows.
      std::size_t alone = at;
      while (alone + 1 < text_.size() && is_ascii_at(alone) && is_ascii_at(alone + 1)) ++alone;
      if (alone > at) {
        const std::string_view run = text_.substr(at, alone - at);
        out += folds_ ? lower(run) : std::string(run);
        at = alone;
      }
      const Span part = part_at(at);
      out += read(part);
      at = part.end;
    }
    return out;
  }

 private:
  [[nodiscard]] bool is_ascii_at(std::size_t at) const { return static_cast<unsigned char>(text_[at]) < 0x80; }

  [[nodiscard]] Span part_at(std::size_t at) const {
    std::size_t end = at + code_point_at(text_, at).bytes;
    while (end < text_.size() && !is_ascii_at(end)) {
      const CodePoint next = code_point_at(text_, end);
      if (!joins(static_cast<UChar32>(next.value))) break;
      end += next.bytes;
    }
    return {at, end};
  }

  std::string_view read(Span part) {
    out_.clear();
    if (part.end - part.begin == 1 && static_cast<unsigned char>(text_[part.begin]) < 0x80) {
      const char c = text_[part.begin];
      out_ += folds_ && c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
      return out_;
    }
    icu::UnicodeString written;
    for (std::size_t at = part.begin; at < part.end;) {
      const CodePoint c = code_point_at(text_, at);
      const auto value = static_cast<UChar32>(c.value);
      if (!is_ignored(value)) written.append(value);
      at += c.bytes;
    }
    // Neither shapes nor letters are seen to the end where they are composed with marks (Unicode, D145).
    UErrorCode status = U_ZERO_ERROR;
    const icu::UnicodeString taken_apart = forms().nfd->normalize(written, status);
    written.remove();
    for (std::int32_t at = 0; at < taken_apart.length(); at = taken_apart.moveIndex32(at, 1)) {
      written.append(shapeless(taken_apart.char32At(at)));
    }
    if (folds_) written = forms().nfd->normalize(written, status).foldCase();
    forms().nfc->normalize(written, status).toUTF8String(out_);
    if (U_FAILURE(status)) fail();
    return out_;
  }

  std::string_view text_;
  bool folds_;
  std::string out_;
};

}  // namespace

std::string as_read(std::string_view text, Letters letters) {
  if (is_ascii(text)) return letters == Letters::kFolded ? lower(text) : std::string(text);
  return Reader(text, letters).all();
}

std::size_t ignored_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && static_cast<unsigned char>(text[end]) >= 0x80) {
    const CodePoint c = code_point_at(text, end);
    if (!is_ignored(static_cast<UChar32>(c.value))) break;
    end += c.bytes;
  }
  return end - at;
}

std::vector<ReadToken> read_tokens(std::string_view text) {
  std::vector<ReadToken> tokens;
  if (is_ascii(text)) {
    for (const Span span : word_tokens(text)) tokens.push_back({span, lower(slice(text, span))});
    return tokens;
  }
  std::string read;
  std::vector<Span> written;  // of each byte that is read
  Reader(text, Letters::kFolded).run([&](Span part, std::string_view bytes) {
    read += bytes;
    written.insert(written.end(), bytes.size(), part);
  });
  for (const Span span : word_tokens(read)) {
    const Span source{written[span.begin].begin, written[span.end - 1].end};
    if (!tokens.empty() && source.begin < tokens.back().span.end) {  // two words in one character
      tokens.back().span.end = source.end;
      tokens.back().word += slice(read, span);
    } else {
      tokens.push_back({source, std::string(slice(read, span))});
    }
  }
  return tokens;
}

}  // namespace residue::text
