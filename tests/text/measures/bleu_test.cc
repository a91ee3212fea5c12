#include "text/measures/bleu.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/text/parity.h"
#include "text/characters/python_text.h"

namespace residue::text {
namespace {

using Words = std::vector<std::string>;
using Scores = std::array<double, kBleuOrders>;

Words split(const std::string& text) {
  Words out(1);
  for (const char c : text) {
    if (c == ' ') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

// Counts by definition: a multiset of n-grams for each n.
BleuCounts counts_by_definition(const std::string& reference, const std::string& hypothesis) {
  const Words a = split(reference);
  const Words b = split(hypothesis);
  BleuCounts out;
  out.reference = a.size();
  out.hypothesis = b.size();
  for (std::size_t n = 1; n <= kBleuOrders; ++n) {
    std::map<Words, std::size_t> left;
    for (std::size_t i = 0; i + n <= a.size(); ++i) ++left[Words(a.begin() + i, a.begin() + i + n)];
    for (std::size_t i = 0; i + n <= b.size(); ++i) {
      ++out.total[n - 1];
      std::size_t& free = left[Words(b.begin() + i, b.begin() + i + n)];
      if (free > 0) {
        --free;
        ++out.common[n - 1];
      }
    }
  }
  return out;
}

void expect_near(double ours, double theirs) { EXPECT_NEAR(ours, theirs, 1e-12 * std::abs(theirs)); }

TEST(Bleu, EqualsNltk) {
  const auto cases = parity_cases("bleu.jsonl");
  if (cases.empty()) GTEST_SKIP() << "no parity/bleu.jsonl: set RESIDUE_PARITY";
  const std::vector<std::pair<std::string, NltkSmoothing>> smoothings = {{"none", NltkSmoothing::kNone},
                                                                         {"method1", NltkSmoothing::kMethod1},
                                                                         {"method2", NltkSmoothing::kMethod2},
                                                                         {"method3", NltkSmoothing::kMethod3},
                                                                         {"method4", NltkSmoothing::kMethod4}};
  for (const auto& row : cases) {
    const BleuCounts counts = bleu_counts(row.at("ref").get<std::string>(), row.at("hyp").get<std::string>());
    for (const auto& [name, smoothing] : smoothings) {
      SCOPED_TRACE(row.at("id").dump() + " " + name);
      const auto theirs = row.at("nltk").at(name).get<Scores>();
      const Scores ours = nltk_bleu(counts, smoothing);
      for (std::size_t n = 0; n < kBleuOrders; ++n) expect_near(ours[n], theirs[n]);
    }
  }
}

TEST(Bleu, EqualsSacrebleu) {
  const auto cases = parity_cases("bleu.jsonl");
  if (cases.empty()) GTEST_SKIP() << "no parity/bleu.jsonl: set RESIDUE_PARITY";
  struct Setting {
    std::string name;
    SacreTokenizer tokenizer = SacreTokenizer::k13a;
    SacreSmoothing smoothing = SacreSmoothing::kExp;
    bool lower_case = false;
  };
  const std::vector<Setting> settings = {{"13a_exp"},
                                         {"13a_exp_lc", SacreTokenizer::k13a, SacreSmoothing::kExp, true},
                                         {"13a_floor", SacreTokenizer::k13a, SacreSmoothing::kFloor},
                                         {"13a_addk", SacreTokenizer::k13a, SacreSmoothing::kAddK},
                                         {"13a_none", SacreTokenizer::k13a, SacreSmoothing::kNone},
                                         {"intl_exp", SacreTokenizer::kInternational},
                                         {"char_exp", SacreTokenizer::kCharacters},
                                         {"zh_exp", SacreTokenizer::kChinese},
                                         {"none_exp", SacreTokenizer::kNone}};
  for (const auto& row : cases) {
    const auto reference = row.at("ref").get<std::string>();
    const auto hypothesis = row.at("hyp").get<std::string>();
    EXPECT_EQ(sacre_tokenized(reference, SacreTokenizer::k13a), row.at("tok13a_ref").get<std::string>());
    EXPECT_EQ(sacre_tokenized(hypothesis, SacreTokenizer::k13a), row.at("tok13a_hyp").get<std::string>());
    for (const Setting& setting : settings) {
      SCOPED_TRACE(row.at("id").dump() + " " + setting.name);
      const auto& theirs = row.at("sacrebleu").at(setting.name);
      const SacreBleu ours =
          sacre_bleu(reference, hypothesis, setting.tokenizer, setting.smoothing, setting.lower_case);
      using Numbers = std::array<std::uint64_t, kBleuOrders>;
      EXPECT_EQ(ours.counts.common, theirs.at("counts").get<Numbers>());
      EXPECT_EQ(ours.counts.total, theirs.at("totals").get<Numbers>());
      EXPECT_EQ(ours.counts.hypothesis, theirs.at("sys_len").get<std::uint64_t>());
      EXPECT_EQ(ours.counts.reference, theirs.at("ref_len").get<std::uint64_t>());
      expect_near(ours.brevity, theirs.at("bp").get<double>());
      expect_near(ours.score, theirs.at("score").get<double>());
      const auto precisions = theirs.at("precisions").get<Scores>();
      for (std::size_t n = 0; n < kBleuOrders; ++n) expect_near(ours.precisions[n], precisions[n]);
    }
  }
}

TEST(Bleu, IsWhatAHandComputes) {
  // Of "the cat sat here" 3 words, 2 pairs, 1 triple and no quadruple are in the reference; it is one word shorter.
  const BleuCounts counts = bleu_counts("the cat sat on mats", "the cat sat here");
  EXPECT_EQ(counts, (BleuCounts{{3, 2, 1, 0}, {4, 3, 2, 1}, 4, 5}));
  const double brevity = std::exp(1 - 5.0 / 4);
  const Scores scores = nltk_bleu(counts);
  expect_near(scores[0], brevity * 0.75);
  expect_near(scores[1], brevity * std::sqrt(0.75 * 2 / 3));
  expect_near(scores[2], brevity * std::cbrt(0.75 * 2 / 3 * 0.5));
  // Method 4: the first missing precision counts ln(4) / (2 x 5) n-grams.
  expect_near(scores[3], brevity * std::pow(0.75 * 2 / 3 * 0.5 * std::log(4.0) / 10, 0.25));
}

TEST(Bleu, TakesEmptyTokensBetweenSpaces) {
  EXPECT_EQ(bleu_counts("", ""), (BleuCounts{{1, 0, 0, 0}, {1, 0, 0, 0}, 1, 1}));
  EXPECT_EQ(bleu_counts("a  b ", " a"), (BleuCounts{{2, 0, 0, 0}, {2, 1, 0, 0}, 2, 4}));
  EXPECT_EQ(nltk_bleu(bleu_counts("a b", "c d")), Scores{});
  EXPECT_EQ(sacre_bleu("", "a", SacreTokenizer::k13a, SacreSmoothing::kExp).score, 0);
  EXPECT_EQ(sacre_bleu("a", "", SacreTokenizer::k13a, SacreSmoothing::kExp).brevity, 0);
}

TEST(Bleu, TellsLongTokensApartByTheirEnds) {
  EXPECT_EQ(bleu_counts("internationally", "internationalist").common[0], 0U);
  EXPECT_EQ(bleu_counts("internationally", "international").common[0], 0U);
  EXPECT_EQ(bleu_counts("internationally 12345678", "12345678 internationally").common[0], 2U);
  EXPECT_EQ(bleu_counts("internationalization-a", "internationalization-b").common[0], 0U);
  EXPECT_EQ(bleu_counts(std::string("a\0", 2), "a").common[0], 0U);
}

// The tokenizers of sacrebleu as it writes them: one rewriting behind the other.
std::string by_rewriting(std::string text, bool padded) {
  const auto separated = [](char c) {
    return (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') || c == '/' || (c >= ':' && c <= '@') ||
           (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
  };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto stop = [](char c) { return c == '.' || c == ','; };
  const auto rewrite = [&text](const auto& matches, bool first_alone) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (at + 1 == text.size() || !matches(text[at], text[at + 1])) {
        out += text[at];
        continue;
      }
      out +=
          first_alone ? std::string{' ', text[at], ' ', text[at + 1]} : std::string{text[at], ' ', text[at + 1], ' '};
      ++at;
    }
    text = out;
  };
  if (padded) text = " " + text + " ";
  std::string out;
  for (const char c : text) out += separated(c) ? std::string{' ', c, ' '} : std::string{c};
  text = out;
  rewrite([&](char a, char b) { return !digit(a) && stop(b); }, false);
  rewrite([&](char a, char b) { return stop(a) && !digit(b); }, true);
  rewrite([&](char a, char b) { return digit(a) && b == '-'; }, false);
  out.clear();
  for_each_python_word(text, [&](Span word) { out += (out.empty() ? "" : " ") + std::string(slice(text, word)); });
  return out;
}

RC_GTEST_PROP(Bleu, TokenizesAsByRewriting, ()) {
  const auto part = rc::gen::element<std::string>(".", ".", ",", "-", "5", "5", "07", "a", "word", " ", "!", "\t",
                                                  "\x1c", "é", "\u00a0", "\u2003", "\u2019", "\xff", "$");
  const auto parts = *rc::gen::container<Words>(part);
  std::string text;
  for (const std::string& one : parts) text += one;
  const std::string line(python_rstrip(text));
  RC_ASSERT(sacre_tokenized(text, SacreTokenizer::k13a) == by_rewriting(line, true));
  // Of its own characters this has U+2003 and U+2019 (see kChineseRanges).
  std::string spaced;
  for (const std::string& one : parts) {
    spaced += one == "\u2003" || one == "\u2019" ? " " + one + " " : one == "\xff" ? "\ufffd" : one;
  }
  RC_ASSERT(sacre_tokenized(text, SacreTokenizer::kChinese) == by_rewriting(std::string(python_strip(spaced)), false));
}

RC_GTEST_PROP(Bleu, CountsAsByDefinition, ()) {
  // Few words, so that n-grams repeat; around eight characters, where the scan takes another step.
  const auto word =
      rc::gen::element<std::string>("a", "b", "", "sevenss", "eightttt", "nineninee", "seventeenletters!");
  const auto text = rc::gen::map(rc::gen::container<Words>(word), [](const Words& words) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i) out += (i > 0 ? " " : "") + words[i];
    return out;
  });
  const std::string reference = *text;
  const std::string hypothesis = *text;
  RC_ASSERT(bleu_counts(reference, hypothesis) == counts_by_definition(reference, hypothesis));
}

// Around the numbers of tokens at which sets of places take another word, and where there are too many for sets.
TEST(Bleu, CountsLongTextsAsByDefinition) {
  for (const std::size_t reference : {63, 64, 65, 128, 129, 192, 193, 256, 257, 400}) {
    for (const std::size_t words : {1, 3, 60}) {
      const auto text = [words](std::size_t tokens, std::size_t step) {
        std::string out;
        for (std::size_t i = 0; i < tokens; ++i)
          out += (i > 0 ? " w" : "w") + std::to_string(i * i * step % 97 % words);
        return out;
      };
      const std::string a = text(reference, 1), b = text(reference - 5, 2);
      EXPECT_EQ(bleu_counts(a, b), counts_by_definition(a, b)) << reference << " " << words;
      EXPECT_EQ(bleu_counts(a, a), counts_by_definition(a, a)) << reference << " " << words;
    }
  }
}

}  // namespace
}  // namespace residue::text
