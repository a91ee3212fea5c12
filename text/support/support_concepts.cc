#include "text/support/support_concepts.h"

#include <algorithm>
#include <string>

#include "base/hash.h"
#include "text/support/support_words.h"

namespace residue::text {
namespace {

constexpr std::size_t kPhraseWords = 4;

enum class Tag : std::uint8_t { kMeans, kIsKindOf, kPertainsTo };

std::uint64_t key_of(Synset synset, Tag tag) { return mix(std::uint64_t{synset} * 4 + static_cast<std::uint8_t>(tag)); }

// What a word, or a phrase, brings to either side.
struct Concepts {
  std::vector<ConceptWanted> wanted;  // relations best first
  std::vector<std::uint64_t> had;
};

Concepts concepts_of(const WordNet& wordnet, std::string_view word) {
  Concepts out;
  const auto lemmas = wordnet.lemmas(word);
  const auto senses = wordnet.senses(lemmas, kConceptSenses);
  const auto want = [&](std::span<const Synset> synsets, Tag tag, Relation relation) {
    for (const Synset synset : synsets) out.wanted.push_back({key_of(synset, tag), relation});
  };
  const auto above = wordnet.hypernyms(senses, kConceptLevels);
  const auto pertains = wordnet.related(senses, lemmas, "\\");
  want(senses, Tag::kMeans, Relation::kSynonym);
  want(wordnet.related(senses, lemmas, "+"), Tag::kMeans, Relation::kDerived);
  want(pertains, Tag::kMeans, Relation::kDerived);
  want(senses, Tag::kPertainsTo, Relation::kDerived);
  want(senses, Tag::kIsKindOf, Relation::kNarrower);
  want(wordnet.related(senses, lemmas, "&"), Tag::kMeans, Relation::kSimilar);
  want(above, Tag::kMeans, Relation::kBroader);
  want(wordnet.related(senses, lemmas, "!"), Tag::kMeans, Relation::kOpposite);
  for (const Synset synset : senses) out.had.push_back(key_of(synset, Tag::kMeans));
  for (const Synset synset : above) out.had.push_back(key_of(synset, Tag::kIsKindOf));
  for (const Synset synset : pertains) out.had.push_back(key_of(synset, Tag::kPertainsTo));
  return out;
}

// Direct-mapped, of the calling thread and of one WordNet at a time: the word itself is compared.
const Concepts& cached_concepts(const WordNet& wordnet, std::string_view word) {
  struct Line {
    std::string word;
    Concepts concepts;
  };
  constexpr std::size_t kLines = 8192;
  thread_local std::vector<Line> cache(kLines);
  thread_local std::uint64_t serial = 0;
  if (serial != wordnet.serial()) {
    cache.assign(kLines, Line{});
    serial = wordnet.serial();
  }
  Line& line = cache[hash_bytes(word) % kLines];
  if (line.word != word) {
    line.concepts = concepts_of(wordnet, word);
    line.word = word;
  }
  return line.concepts;
}

// The token's letters in lower case, without a trailing 's; false where there are others.
bool plain_word(std::string_view text, const SupportToken& token, std::string& out) {
  out.clear();
  for (const char c : text.substr(token.begin, token.end - token.begin)) {
    if (static_cast<unsigned char>(c) >= 0x80 || c == '_') return false;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  }
  if (out.ends_with("'s")) out.resize(out.size() - 2);
  return !out.empty();
}

bool has_concepts(const SupportToken& token) {
  return token.weight > kFrameWeight && !token.number && !token.name && token.kin == 0;
}

// Calls visit(concepts, first token, one past the last) for words and phrases, each where it begins.
template <class F>
void each_concept(const WordNet& wordnet, std::string_view text, std::span<const SupportToken> tokens, F&& visit) {
  thread_local std::string word, next, phrase;
  const auto joined = [&](std::size_t i) {  // with the token before it, by one space or hyphen
    const auto gap = text.substr(tokens[i - 1].end, tokens[i].begin - tokens[i - 1].end);
    return gap == " " || gap == "-";
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].weight == 0 || tokens[i].number || !plain_word(text, tokens[i], word)) continue;
    if (has_concepts(tokens[i])) visit(cached_concepts(wordnet, word), i, i + 1);
    if (i + 1 >= tokens.size() || !joined(i + 1) || !plain_word(text, tokens[i + 1], next) ||
        !wordnet.may_begin_phrase(word, next)) {
      continue;
    }
    phrase = word;
    for (std::size_t end = i + 1; end < std::min(tokens.size(), i + kPhraseWords) && joined(end); ++end) {
      if (!plain_word(text, tokens[end], next)) break;
      phrase.append("_").append(next);
      if (const Concepts& found = cached_concepts(wordnet, phrase); !found.had.empty()) visit(found, i, end + 1);
    }
  }
}

}  // namespace

void ClaimConcepts::assign(const WordNet& wordnet, std::string_view text, std::span<const SupportToken> tokens) {
  struct Found {
    std::uint32_t token;
    ConceptWanted wanted;
  };
  thread_local std::vector<Found> found;
  found.clear();
  each_concept(wordnet, text, tokens, [&](const Concepts& concepts, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!has_concepts(tokens[i])) continue;
      for (const auto& wanted : concepts.wanted) {
        // A phrase's opposite is not each word's.
        if (end - begin > 1 && wanted.relation == Relation::kOpposite) continue;
        found.push_back({static_cast<std::uint32_t>(i), wanted});
      }
    }
  });
  const auto before = [](const Found& a, const Found& b) {
    return a.token != b.token ? a.token < b.token : a.wanted.relation < b.wanted.relation;
  };
  // Without a phrase it is in order.
  if (!std::is_sorted(found.begin(), found.end(), before)) std::stable_sort(found.begin(), found.end(), before);
  wanted_.clear();
  from_.assign(tokens.size() + 1, 0);
  for (const auto& one : found) {
    wanted_.push_back(one.wanted);
    ++from_[one.token + 1];
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) from_[i + 1] += from_[i];
}

void passage_concepts(const WordNet& wordnet, std::string_view text, std::span<const SupportToken> tokens,
                      std::vector<std::pair<std::uint64_t, std::uint32_t>>& out) {
  each_concept(wordnet, text, tokens, [&](const Concepts& concepts, std::size_t begin, std::size_t /*end*/) {
    for (const auto key : concepts.had) out.emplace_back(key, static_cast<std::uint32_t>(begin));
  });
}

}  // namespace residue::text
