#include "text/characters/as_read.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <random>
#include <string>

#include "text/characters/token_diff.h"
#include "text/measures/redaction.h"

namespace residue::text {
namespace {

std::string normalized(const icu::Normalizer2& form, const std::string& text) {
  UErrorCode status = U_ZERO_ERROR;
  std::string out;
  form.normalize(icu::UnicodeString::fromUTF8(text), status).toUTF8String(out);
  EXPECT_TRUE(U_SUCCESS(status));
  return out;
}

std::string nfc(const std::string& text) {
  UErrorCode status = U_ZERO_ERROR;
  return normalized(*icu::Normalizer2::getNFCInstance(status), text);
}

std::string nfd(const std::string& text) {
  UErrorCode status = U_ZERO_ERROR;
  return normalized(*icu::Normalizer2::getNFDInstance(status), text);
}

std::string nfkc_casefold(const std::string& text) {
  UErrorCode status = U_ZERO_ERROR;
  return normalized(*icu::Normalizer2::getNFKCCasefoldInstance(status), text);
}

std::string utf8(char32_t c) {
  std::string out;
  append_utf8(out, c);
  return out;
}

TEST(AsRead, IsWhatAReaderSees) {
  const struct {
    const char* name;
    const char* written;
    const char* folded;
    const char* kept;
  } cases[] = {
      {"empty", "", "", ""},
      {"ASCII", "John 5'9\" [NAME]", "john 5'9\" [name]", "John 5'9\" [NAME]"},
      {"zero-width space", "Jo\u200Bhn", "john", "John"},
      {"soft hyphen", "Jo\u00ADhn", "john", "John"},
      {"joiners, word joiner, byte order mark", "\uFEFFJ\u200Do\u200Ch\u2060n\uFE0F", "john", "John"},
      {"full width", "\uFF2Aohn\u3000\uFF33mith", "john smith", "John Smith"},
      {"half width with a voiced mark", "\uFF76\uFF9E", "\u30AC", "\u30AC"},
      {"decomposed", "Jose\u0301", "jos\u00E9", "Jos\u00E9"},
      {"decomposed around a joiner", "Jose\u200D\u0301", "jos\u00E9", "Jos\u00E9"},
      {"Hangul letters", "\u1112\u1161\u11AB", "\uD55C", "\uD55C"},
      {"mathematical bold", "\U0001D409\U0001D428\U0001D421\U0001D427", "john", "John"},
      {"ligatures", "o\uFB03ce \u2163", "office iv", "office IV"},
      {"no-break space", "John\u00A0Smith", "john smith", "John Smith"},
      {"sharp s", "STRASSE Stra\u00DFe", "strasse strasse", "STRASSE Stra\u00DFe"},
      {"final sigma", "\u039F\u03A3 \u03BF\u03C2", "\u03BF\u03C3 \u03BF\u03C3", "\u039F\u03A3 \u03BF\u03C2"},
      // These say something else, or are something of their own.
      {"superscript, circled, fraction", "m\u00B2 \u2460 \u00BD", "m\u00B2 \u2460 \u00BD", "m\u00B2 \u2460 \u00BD"},
      {"trade mark", "Nike\u2122", "nike\u2122", "Nike\u2122"},
      {"Cyrillic that looks Latin", "J\u043Ehn", "j\u043Ehn", "J\u043Ehn"},
      {"Thai am", "\u0E19\u0E49\u0E33", "\u0E19\u0E49\u0E33", "\u0E19\u0E49\u0E33"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.name);
    EXPECT_EQ(as_read(one.written), one.folded);
    EXPECT_EQ(as_read(one.written, Letters::kKept), one.kept);
  }
  EXPECT_EQ(as_read("a\xFF"
                    "b"),
            "a\uFFFDb");
}

// Against ICU: of every character alone and behind a letter, what is canonically equivalent reads the same, what
// Unicode folds away reads as nothing, and nothing is folded that NFKC_Casefold keeps.
TEST(AsRead, AgreesWithUnicodeOnEveryCharacter) {
  for (char32_t c = 1; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    for (const std::string& front : {std::string(), std::string("e")}) {
      const std::string text = front + utf8(c);
      const std::string read = as_read(text);
      const auto where = [&] { return fmt::format("U+{:04X} behind \"{}\"", static_cast<unsigned>(c), front); };
      ASSERT_EQ(read, as_read(nfd(text))) << where();
      ASSERT_EQ(read, as_read(nfc(text))) << where();
      ASSERT_EQ(as_read(text, Letters::kKept), as_read(nfd(text), Letters::kKept)) << where();
      ASSERT_EQ(nfkc_casefold(read), nfkc_casefold(text)) << where();
      ASSERT_EQ(read.empty(), front.empty() && nfkc_casefold(text).empty()) << where();
    }
  }
}

// Letters, marks that compose and reorder, Hangul, ignored and wide ones, all mixed.
std::string random_text(std::mt19937& dice) {
  static constexpr char32_t kAlphabet[] = {U'a',   U'E',   U' ',   U'o',   U'\'',  0x00E9, 0x0301, 0x0323, 0x0308,
                                           0x200B, 0x00AD, 0xFE0F, 0x200D, 0xFF21, 0xFF76, 0xFF9E, 0x1100, 0x1161,
                                           0x11A8, 0xAC00, 0x00C5, 0x212B, 0x1E9B, 0x0345, 0x03B1, 0xFB01, 0x4E2D};
  std::string out;
  for (auto i = dice() % 12; i > 0; --i) append_utf8(out, kAlphabet[dice() % std::size(kAlphabet)]);
  return out;
}

TEST(AsRead, OfEquivalentTextsIsTheSame) {
  std::mt19937 dice(7);
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = random_text(dice);
    SCOPED_TRACE(text);
    for (const Letters letters : {Letters::kFolded, Letters::kKept}) {
      const std::string read = as_read(text, letters);
      ASSERT_EQ(as_read(nfc(text), letters), read);
      ASSERT_EQ(as_read(nfd(text), letters), read);
      std::string sprinkled;
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t bytes = code_point_at(text, at).bytes;
        sprinkled += text.substr(at, bytes) + "\u200B";
        at += bytes;
      }
      ASSERT_EQ(as_read(sprinkled, letters), read);
    }
  }
}

TEST(ReadTokens, AreDisjointWordsOfWhatIsRead) {
  const std::string text = "Jo\u200Bse\u0301, \uFF2A!";
  const auto tokens = read_tokens(text);
  ASSERT_EQ(tokens.size(), 2U);
  EXPECT_EQ(tokens[0].word, "jos\u00E9");
  EXPECT_EQ(slice(text, tokens[0].span), "Jo\u200Bse\u0301");
  EXPECT_EQ(tokens[1].word, "j");
  std::mt19937 dice(11);
  for (int i = 0; i < 20'000; ++i) {
    const std::string any = random_text(dice);
    SCOPED_TRACE(any);
    std::size_t behind = 0;
    std::string together, expected;
    for (const ReadToken& token : read_tokens(any)) {
      ASSERT_LE(behind, token.span.begin);
      ASSERT_LT(token.span.begin, token.span.end);
      behind = token.span.end;
      together += token.word;
    }
    ASSERT_LE(behind, any.size());
    const std::string read = as_read(any);
    for (const Span span : word_tokens(read)) expected += slice(read, span);
    ASSERT_EQ(together, expected);
  }
}

// What can still be read is neither masked nor redacted nor gone.
TEST(Redaction, IsNotWhatReadsTheSame) {
  const struct {
    const char* original;
    const char* sanitized;
  } cases[] = {
      {"John Smith met Mary.", "Jo\u200Bhn Smi\u200Bth met Mary."},
      {"John Smith met Mary.", "Jo\u00ADhn Smi\u00ADth met Mary."},
      {"John Smith met Mary.", "\uFF2Aohn \uFF33mith met Mary."},
      {"Jos\u00E9 Mu\u00F1oz met Mary.", "Jose\u0301 Mun\u0303oz met Mary."},
      {"Jose\u0301 Mun\u0303oz met Mary.", "Jos\u00E9 Mu\u00F1oz met Mary."},
      {"Jo\u00ADhn Smith met Mary.", "John Smith met Mary."},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.sanitized);
    const std::string original = one.original;
    const TokenDiff diff = token_diff(original, one.sanitized);
    for (const Fate fate : diff.fate) EXPECT_EQ(fate, Fate::kKept);
    const auto masked = masked_spans(diff, original.size());
    EXPECT_TRUE(masked.empty());
    const std::string name = original.substr(0, original.find(" met"));
    EXPECT_TRUE(has_term(one.sanitized, name));
    const std::string terms[] = {name};
    EXPECT_EQ(compare_terms(original, terms, masked), (TermCounts{2, 0, 0}));
    GoldMention mention;
    mention.span = {0, name.size()};
    mention.identifier = Identifier::kDirect;
    EXPECT_EQ(compare_spans(original, {&mention, 1}, masked).recall.direct, (Share{0, 1}));
  }
  // And what is gone is, whatever the original is made of.
  const std::string original = "Jose\u0301 Mu\u200Bn\u0303oz met Mary.";
  const auto masked = masked_spans(token_diff(original, "[NAME] met Mary."), original.size());
  ASSERT_EQ(masked.size(), 1U);
  GoldMention mention;
  mention.span = {0, original.find(" met")};
  mention.identifier = Identifier::kDirect;
  const RecallCounts recall = compare_spans(original, {&mention, 1}, masked).recall;
  EXPECT_EQ(recall.direct, (Share{1, 1}));
  EXPECT_EQ(recall.tokens.hits, recall.tokens.of);
  EXPECT_FALSE(has_term("Jose Mu\u00F1oz", "Jos\u00E9"));  // another name
  EXPECT_TRUE(has_term("a \u2764\uFE0F b", "\u2764"));
  EXPECT_FALSE(has_term("abc", "\u200B"));
}

}  // namespace
}  // namespace residue::text
