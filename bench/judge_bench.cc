// Pairs a second and core of the embedded judges: passages of 116 words, 11 claims each. Answers are checked before
// anything is timed: a passage's own sentences are supported, a stranger's are not. Words are made up, or WordNet's
// where it is installed: those have meanings to look for.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "base/hash.h"
#include "query/judge/dictionary.h"
#include "query/judge/judge.h"

namespace {

using residue::query::Request;

struct Corpus {
  std::vector<std::string> passages;
  std::vector<std::vector<std::string>> claims;
  std::vector<Request> requests;
};

// Words of pronounceable syllables, so that stemming and the word cache have real work; skewed as text is.
std::string word(std::uint64_t seed) {
  static constexpr const char* kSyllables[] = {"ta", "rin", "mo", "lec", "su", "pan",  "vi",  "dor",
                                               "ke", "hal", "in", "ers", "ab", "tion", "ing", "ed"};
  const auto h = residue::mix(seed);
  const auto rank = (h % 60) * (h / 64 % 60);
  std::string out;
  for (auto rest = residue::mix(rank) % 4096 + 16; rest > 0; rest /= 16) out += kSyllables[rest % 16];
  return out;
}

// WordNet's own, of letters alone; none where it is not installed.
const std::vector<std::string>& dictionary_words() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> found;
    if (!residue::query::installed_judge(residue::query::kLexicalWordNet)) return found;
    std::istringstream index(residue::query::installed_dictionary()->wordnet.files().index[0]);
    for (std::string line; std::getline(index, line);) {
      const std::string lemma = line.substr(0, line.find(' '));
      if (lemma.size() > 3 && std::all_of(lemma.begin(), lemma.end(), [](char c) { return c >= 'a' && c <= 'z'; })) {
        found.push_back(lemma);
      }
    }
    return found;
  }();
  return words;
}

std::string dictionary_word(std::uint64_t seed) {
  const auto h = residue::mix(seed);
  const auto& words = dictionary_words();
  return words[residue::mix((h % 60) * (h / 64 % 60)) % words.size()];
}

Corpus make_corpus(std::string (*word)(std::uint64_t)) {
  constexpr std::size_t kPassages = 500;
  constexpr std::size_t kClaims = 11;
  Corpus c;
  c.passages.resize(kPassages);
  c.claims.resize(kPassages);
  std::uint64_t seed = 0;
  for (std::size_t i = 0; i < kPassages; ++i) {
    std::vector<std::string> sentences;
    for (std::size_t s = 0; s < kClaims; ++s) {
      std::string sentence = "The " + std::to_string(residue::mix(++seed) % 90 + 10);
      const std::size_t length = s < 6 ? 9 : 8;  // with the two words before: 116 in all
      for (std::size_t w = 0; w < length; ++w) sentence += " " + word(++seed);
      sentences.push_back(sentence + ".");
    }
    for (const auto& sentence : sentences) c.passages[i] += sentence + " ";
    c.claims[i] = sentences;
  }
  for (std::size_t i = 0; i < kPassages; ++i) {
    // Half the passages get their own claims, half those of a stranger.
    const auto& claims = c.claims[i % 2 == 0 ? i : (i + 7) % kPassages];
    c.requests.push_back({c.passages[i], {claims.begin(), claims.end()}});
  }
  return c;
}

const Corpus& corpus(bool dictionary) {
  static const Corpus made_up = make_corpus(word);
  static const Corpus listed = dictionary_words().empty() ? Corpus{} : make_corpus(dictionary_word);
  return dictionary ? listed : made_up;
}

void rate(benchmark::State& state, const char* name, bool dictionary) {
  const auto judge = residue::query::installed_judge(name);
  const auto& requests = corpus(dictionary).requests;
  if (!judge || requests.empty()) {
    state.SkipWithError("the package wordnet-base is not installed");
    return;
  }
  const auto answers = judge->rate(requests);
  std::size_t pairs = 0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    for (const auto& answer : answers[i]) {
      ++pairs;
      wrong += !answer || (i % 2 == 0 ? answer->rating != 1 : answer->rating == 1);
    }
  }
  if (wrong * 100 > pairs) {
    std::cerr << name << ": " << wrong << " of " << pairs << " answers are wrong\n";
    std::exit(1);
  }
  for (auto _ : state) benchmark::DoNotOptimize(judge->rate(requests));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(pairs));
}

BENCHMARK_CAPTURE(rate, lexical, "lexical", false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rate, rouge, "rouge", false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rate, lexical_listed_words, "lexical", true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rate, lexical_wordnet_listed_words, "lexical-wordnet", true)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
