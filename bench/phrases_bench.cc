// Rare phrases of all lengths: which runs of 1 to 8 words of a release one person's originals alone have.
//
//   phrases_bench [--records N] [--words N] [--memory-mib N]
//
// Made-up texts with a Zipf-like use of 60,000 words, two records a person; of a released text one word in ten is
// another and one in twenty a tag. The answer for the first 200 records is compared with the definition before anything
// is timed. CPU time of the process; making the texts is not counted.
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/parallel_ranges.h"
#include "bench/cpu_time.h"
#include "tests/text/measures/rare_phrase_oracle.h"
#include "text/measures/rare_phrases.h"
#include "text/words/phrase_words.h"

namespace residue::bench {
namespace {

constexpr std::uint64_t kWords = 60'000;

// A word like "bakelu": the frequent ones are short.
std::string word(std::uint64_t number) {
  constexpr std::string_view kConsonants = "bcdfglmnprstv", kVowels = "aeiou";
  std::string out;
  for (std::uint64_t rest = number + 1; rest > 0; rest /= 65) {
    out += kConsonants[rest % 65 / 5];
    out += kVowels[rest % 5];
  }
  return out;
}

// The n-th word of a record's original.
std::uint64_t drawn(std::uint64_t record, std::uint64_t n) {
  const double u = unit_draw(mix(record * 1'000'003 + n));
  return static_cast<std::uint64_t>(std::pow(static_cast<double>(kWords), u)) - 1;  // as Zipf: log-uniform ranks
}

std::string original(std::uint64_t record, std::size_t words) {
  std::string text;
  for (std::size_t n = 0; n < words; ++n) text += word(drawn(record, n)) + (n % 12 == 11 ? ". " : " ");
  return text;
}

std::string released(std::uint64_t record, std::size_t words) {
  std::string text;
  for (std::size_t n = 0; n < words; ++n) {
    const double u = unit_draw(mix(~record * 1'000'003 + n));
    text += u < 0.05 ? "[NAME]" : word(u < 0.15 ? drawn(~record, n) : drawn(record, n));
    text += n % 12 == 11 ? ". " : " ";
  }
  return text;
}

struct Corpus {
  text::PhraseVocabulary vocabulary;
  text::WordRuns originals, released;
  std::vector<std::uint32_t> persons;
  double seconds = 0;  // of cutting texts into words

  // Calls use(PhraseText) for the texts in order.
  template <class Make, class Use>
  void each(std::size_t records, const Make& make, const Use& use) {
    constexpr std::size_t kAtOnce = 8192;
    for (std::size_t begin = 0; begin < records; begin += kAtOnce) {
      const std::size_t count = std::min(kAtOnce, records - begin);
      std::vector<std::string> texts(count);
      parallel_ranges(count, 64, [&](const TaskRange& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) texts[i] = make(begin + i);
      });
      const double before = cpu_seconds();
      std::vector<text::PhraseText> cut;
      for (const std::string& one : texts) cut.emplace_back(one);
      for (const text::PhraseText& one : cut) use(one);
      seconds += cpu_seconds() - before;
    }
  }

  Corpus(std::size_t records, std::size_t words) {
    std::vector<std::uint32_t> numbers;
    each(
        records, [&](std::size_t i) { return original(i, words); },
        [&](const text::PhraseText& text) {
          vocabulary.add(text, numbers);
          originals.add(numbers);
          persons.push_back(static_cast<std::uint32_t>(persons.size() / 2));
        });
    each(
        records, [&](std::size_t i) { return bench::released(i, words); },
        [&](const text::PhraseText& text) {
          vocabulary.find(text, numbers);
          released.add(numbers);
        });
  }
};

bool equals_definition(std::size_t words) {
  const Corpus corpus(200, words);
  text::RarePhraseOptions options;
  options.memory_bytes = 1 << 16;
  const auto reach = text::rare_phrases(corpus.originals, corpus.persons, corpus.released, options);
  const auto owners = text::testing::owners_by_definition(corpus.originals, corpus.persons, 1, text::kLongestPhrase);
  for (std::size_t text = 0; text < corpus.released.texts(); ++text) {
    const auto until = corpus.released.words().first(corpus.released.end(text));
    for (std::size_t at = corpus.released.begin(text); at < corpus.released.end(text); ++at) {
      const text::Reach expected = text::testing::reach_by_definition(owners, until, at, 1, text::kLongestPhrase);
      if (reach[at].alone != expected.alone || reach[at].longest != expected.longest) return false;
    }
  }
  return true;
}

int run(std::size_t records, std::size_t words, std::size_t memory_mib) {
  if (!equals_definition(words)) {
    std::fprintf(stderr, "rare phrases of 200 records are not those of the definition\n");
    return 1;
  }
  const Corpus corpus(records, words);
  text::RarePhraseOptions options;
  options.memory_bytes = memory_mib << 20;
  const double before = cpu_seconds();
  const auto reach = text::rare_phrases(corpus.originals, corpus.persons, corpus.released, options);
  std::size_t listed = 0;
  for (std::size_t text = 0; text < corpus.released.texts(); ++text) {
    const std::size_t begin = corpus.released.begin(text);
    listed += text::listed_phrases(std::span(reach).subspan(begin, corpus.released.end(text) - begin)).size();
  }
  const double all_lengths = cpu_seconds() - before;
  options.least = options.most = 3;
  const double before_three = cpu_seconds();
  const auto of_three = text::rare_phrases(corpus.originals, corpus.persons, corpus.released, options);
  const double three = cpu_seconds() - before_three;
  const auto rare = std::count_if(of_three.begin(), of_three.end(), [](text::Reach one) { return one.alone > 0; });
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf(
      "%zu records of %zu words: cut into words %.1f CPU s, all phrases of 1 to 8 words %.1f CPU s, of 3 words "
      "alone %.1f CPU s; peak %.2f GB; %zu phrases listed, %lld of 3 words rare\n",
      records, words, corpus.seconds, all_lengths, three, static_cast<double>(usage.ru_maxrss) / (1 << 20), listed,
      static_cast<long long>(rare));
  return 0;
}

}  // namespace
}  // namespace residue::bench

int main(int argc, char** argv) {
  std::size_t records = 1'000'000, words = 150, memory_mib = 1024;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const auto value = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--records") records = value;
    if (name == "--words") words = value;
    if (name == "--memory-mib") memory_mib = value;
  }
  return residue::bench::run(records, words, memory_mib);
}
