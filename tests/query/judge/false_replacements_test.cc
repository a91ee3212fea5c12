// False replacements: a text in which a span became another value of its kind does not say the same any more. Made from
// the spans of the Text Anonymization Benchmark and from what Azure's service starred in SynthPAI; half of the
// documents and persons, by a hash of their names, for developing the judge, the other half for its figures
// (docs/judges.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "query/judge/lexical_judge.h"
#include "text/words/sentences.h"

namespace residue::query {
namespace {

struct Span {
  std::size_t begin = 0, end = 0;  // bytes
  std::string kind, entity;
};

struct Document {
  std::string name, text;
  std::vector<Span> spans;  // ascending, disjoint
};

std::filesystem::path data(const char* file) { return RESIDUE_SOURCE_DIR "/../shared/data/" + std::string(file); }

std::vector<nlohmann::json> rows(const char* file) {
  std::vector<nlohmann::json> out;
  std::ifstream in(data(file));
  for (std::string line; std::getline(in, line);) out.push_back(nlohmann::json::parse(line));
  return out;
}

// Where each code point of `text` begins, and its end.
std::vector<std::size_t> offsets(std::string_view text) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) out.push_back(i);
  }
  out.push_back(text.size());
  return out;
}

std::vector<Span> disjoint(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
  std::vector<Span> out;
  for (auto& span : spans) {
    if (out.empty() || span.begin >= out.back().end) out.push_back(std::move(span));
  }
  return out;
}

std::vector<Document> court_cases() {
  std::vector<Document> out;
  for (const auto& row : rows("tab/tab_gold_visible_72.jsonl")) {
    Document document{row["metadata"]["data_id"], row["text"], {}};
    const auto at = offsets(document.text);
    for (const auto& entity : row["entities"]) {
      const std::size_t begin = entity["start_offset"], end = entity["end_offset"];
      if (end < at.size()) {
        document.spans.push_back({at[begin], at[end], entity["entity_type"], entity["entity_id"]});
      }
    }
    document.spans = disjoint(std::move(document.spans));
    out.push_back(std::move(document));
  }
  return out;
}

// What a span is, where nobody says so: digits, a name inside a sentence, or other words, as many as there are.
std::string surface(std::string_view text, std::size_t begin, std::string_view value) {
  if (std::all_of(value.begin(), value.end(), [](unsigned char c) { return std::isdigit(c) != 0; })) return "digits";
  const bool inside =
      begin > 1 && text[begin - 1] == ' ' && std::isalpha(static_cast<unsigned char>(text[begin - 2])) != 0;
  if (std::isupper(static_cast<unsigned char>(value[0])) != 0) return inside ? "name" : "";
  return "words " + std::to_string(std::count(value.begin(), value.end(), ' '));
}

std::vector<Document> commenters() {
  std::vector<Document> out;
  const auto originals = rows("synthpai/comments_original.jsonl"),
             starred = rows("synthpai/comments_azure_anonymized.jsonl");
  for (std::size_t i = 0; i < std::min(originals.size(), starred.size()); ++i) {
    Document document{originals[i]["username"], "", {}};
    for (std::size_t j = 0; j < originals[i]["comments"].size(); ++j) {
      const std::string text = originals[i]["comments"][j]["text"], stars = starred[i]["comments"][j]["text"];
      const std::size_t base = document.text.size();
      document.text += text + "\n\n";
      const auto at = offsets(text), star_at = offsets(stars);
      if (at.size() != star_at.size()) continue;
      for (std::size_t k = 0; k + 1 < at.size();) {
        std::size_t end = k;
        while (end + 1 < at.size() && stars[star_at[end]] == '*') ++end;
        if (end > k + 2) {
          const std::string_view value = std::string_view(text).substr(at[k], at[end] - at[k]);
          if (const auto kind = surface(text, at[k], value); !kind.empty()) {
            document.spans.push_back({base + at[k], base + at[end], kind, std::string(value)});
          }
        }
        k = std::max(end, k + 1);
      }
    }
    out.push_back(std::move(document));
  }
  return out;
}

std::string folded(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// No word of one is in the other: not "May 2001" for "May 1999".
bool share_a_word(const std::string& one, const std::string& other) {
  std::string word;
  const std::string text = folded(one) + " ", against = folded(other);
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0) {
      word += c;
    } else {
      if (!word.empty() && against.find(word) != std::string::npos) return true;
      word.clear();
    }
  }
  return false;
}

struct Count {
  std::uint64_t pairs = 0;
  std::array<std::uint64_t, 3> rated{};
};

// Every entity of every document of the half becomes a value of another document: is its first sentence still said?
Count count(const std::vector<Document>& documents, bool reported, std::map<std::string, Count>* kinds = nullptr) {
  struct Value {
    std::string text;
    std::size_t document;
  };
  std::map<std::string, std::vector<Value>> values;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    for (const auto& span : documents[i].spans) {
      values[span.kind].push_back({documents[i].text.substr(span.begin, span.end - span.begin), i});
    }
  }
  const LexicalJudge judge;
  Count out;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const Document& document = documents[i];
    if ((hash_bytes(document.name) % 2 == 1) != reported) continue;
    const auto sentences = text::sentences(document.text);
    std::map<std::string, bool> done;
    for (const auto& span : document.spans) {
      if (std::exchange(done[span.entity], true)) continue;
      const std::string value = document.text.substr(span.begin, span.end - span.begin);
      const auto& others = values[span.kind];
      const std::uint64_t draw = hash_of(42, document.name + "/" + span.entity);
      std::optional<std::string> by;
      for (std::size_t n = 0; n < others.size() && !by; ++n) {
        const Value& other = others[(draw + n) % others.size()];
        if (other.document != i && !share_a_word(value, other.text) && !share_a_word(other.text, value))
          by = other.text;
      }
      const auto sentence =
          std::find_if(sentences.begin(), sentences.end(), [&](const auto& s) { return s.end >= span.end; });
      if (!by || sentence == sentences.end() || sentence->begin > span.begin) continue;
      std::string passage;
      std::size_t from = 0;
      for (const auto& other : document.spans) {
        if (other.entity != span.entity) continue;
        passage.append(document.text, from, other.begin - from).append(*by);
        from = other.end;
      }
      passage.append(document.text, from);
      const std::string claim = document.text.substr(sentence->begin, sentence->end - sentence->begin);
      const Request request{passage, {claim}};
      const auto rating = judge.rate({&request, 1})[0][0];
      if (!rating) continue;
      ++out.pairs;
      ++out.rated[rating->rating - 1U];
      if (kinds != nullptr) {
        ++(*kinds)[span.kind].pairs;
        ++(*kinds)[span.kind].rated[rating->rating - 1U];
      }
    }
  }
  return out;
}

void check(const char* name, const std::vector<Document>& documents) {
  for (const bool reported : {false, true}) {
    std::map<std::string, Count> kinds;
    const Count all = count(documents, reported, &kinds);
    std::cout << name << (reported ? ", reported half: " : ", developed half: ") << all.rated[0] << " of " << all.pairs
              << " false replacements are rated same, " << all.rated[1] << " similar, " << all.rated[2]
              << " unsupported\n";
    for (const auto& [kind, c] : kinds) {
      std::cout << "  " << kind << ": " << c.rated[0] << " of " << c.pairs << "\n";
    }
    EXPECT_GT(all.pairs, 300U);
    EXPECT_LE(all.rated[0] * 10, all.pairs) << name << (reported ? " reported" : " developed");
  }
}

TEST(FalseReplacements, OfCourtCasesAreHardlyEverTheSame) {
  if (!std::filesystem::exists(data("tab/tab_gold_visible_72.jsonl"))) GTEST_SKIP() << "no TAB in ../shared/data";
  check("TAB", court_cases());
}

TEST(FalseReplacements, OfCommentsAreHardlyEverTheSame) {
  if (!std::filesystem::exists(data("synthpai/comments_original.jsonl")))
    GTEST_SKIP() << "no SynthPAI in ../shared/data";
  check("SynthPAI", commenters());
}

}  // namespace
}  // namespace residue::query
