// Training of p-filter's word model on 100 MB, and the words a second that it filters: CPU seconds and peak memory.
//
//   residue's made vignettes, a fifth of their words others ──> model, vectors ──> p_filter on vignettes not trained on
//
// Checked first: probabilities of all words sum up to 1 in places of the text, the most probable words are those of
// computing all, and what is filtered is what the probabilities say. A fingerprint of all texts that come out is
// printed, to hold versions against each other. Optional arguments: megabytes, number
// of texts to filter.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fingerprint.h"
#include "bench/link_corpus.h"
#include "ingest/mask/p_filter.h"
#include "text/words/words.h"

namespace {

using residue::text::WordId;
using residue::text::WordModel;

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double peak_gb() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) * 1024 / 1e9;
}

void fail(const char* what) {
  fmt::print("wrong answer: {}\n", what);
  std::exit(1);
}

void check_sums(const WordModel& model, const std::vector<std::string>& texts) {
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<WordId> ids;
    residue::text::for_each_word(texts.at(i), [&](std::string_view word) { ids.push_back(model.id(word)); });
    const WordModel::Neighbours beside{ids.at(3), ids.at(4), ids.at(6), ids.at(7)};
    double sum = 0;
    for (WordId word = 0; word < model.words(); ++word) sum += model.probability(word, beside);
    if (std::abs(sum - 1) > 1e-6) fail("probabilities of all words do not sum up to 1");
  }
}

void check_likeliest(const WordModel& model, const std::vector<std::string>& texts) {
  for (std::size_t i = 0; i < 20; ++i) {
    std::vector<WordId> ids;
    residue::text::for_each_word(texts.at(i), [&](std::string_view word) {
      if (ids.size() < 12) ids.push_back(model.id(residue::text::lower(word)));
    });
    const std::size_t at = 2 + i % 8;
    const WordModel::Neighbours beside{ids.at(at - 2), ids.at(at - 1), ids.at(at + 1), ids.at(at + 2)};
    std::vector<std::pair<double, std::string_view>> all;
    for (WordId word = WordModel::kFirst; word < model.words(); ++word) {
      all.emplace_back(-model.probability(word, beside), model.word(word));
    }
    const std::size_t n = 1 + 49 * (i % 2);
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n), all.end());
    const auto found = model.likeliest(beside, n);
    for (std::size_t j = 0; j < n; ++j) {
      if (-all.at(j).first != found.at(j).probability || all.at(j).second != model.word(found.at(j).word)) {
        fail("other words are the most probable ones");
      }
    }
  }
}

void check_filter(const WordModel& model, residue::ingest::PFilter filter, std::string text) {
  for (char& c : text) c = c == '\n' ? ' ' : c;
  std::vector<WordId> ids{WordModel::kBoundary, WordModel::kBoundary};
  residue::text::for_each_word(text,
                               [&](std::string_view word) { ids.push_back(model.id(residue::text::lower(word))); });
  ids.insert(ids.end(), {WordModel::kBoundary, WordModel::kUnknown});
  std::size_t improbable = 0;
  for (std::size_t i = 2; i + 2 < ids.size(); ++i) {
    improbable += model.probability(ids[i], {ids[i - 2], ids[i - 1], ids[i + 1], ids[i + 2]}) < filter.p ? 1 : 0;
  }
  const auto filtered = residue::ingest::p_filter(model, nullptr, filter, {"k", text});
  if (filtered.spans.size() != improbable || improbable == 0) fail("other words went than the improbable ones");
}

}  // namespace

int main(int argc, char** argv) {
  const double megabytes = argc > 1 ? std::atof(argv[1]) : 100;
  const residue::bench::LinkCorpus corpus(1'000'000);
  std::vector<std::string> texts;
  double bytes = 0;
  while (bytes < megabytes * 1e6) {
    texts.push_back(corpus.sanitized(texts.size(), 0.2));
    bytes += static_cast<double>(texts.back().size());
  }
  const double own_gb = peak_gb();
  double start = cpu_seconds();
  residue::text::WordModelTrainer trainer;
  for (const std::string& text : texts) trainer.add(residue::ingest::utterances(text));
  const WordModel model = trainer.finish();
  const double trained = cpu_seconds() - start;
  start = cpu_seconds();
  const residue::text::WordVectors vectors(model, {});
  const double embedded = cpu_seconds() - start;
  fmt::print("{:.0f} MB, {} texts, {} words known\n", bytes / 1e6, texts.size(), model.words());
  fmt::print("training {:.1f} CPU s, vectors {:.1f} CPU s, peak {:.2f} GB ({:.2f} GB of it before: the texts)\n",
             trained, embedded, peak_gb(), own_gb);

  residue::ingest::PFilter filter;
  filter.p = 1e-4;
  check_sums(model, texts);
  check_likeliest(model, texts);
  std::vector<std::string> others;
  const std::size_t filtered = argc > 2 ? static_cast<std::size_t>(std::atoi(argv[2])) : 5000;
  for (std::size_t i = 0; i < filtered; ++i) others.push_back(corpus.text(900'000 + i));
  check_filter(model, filter, others[0] + " zzyzx");
  struct Way {
    bool substitute;
    double p;
  };
  for (const Way& way : {Way{false, 1e-4}, {true, 1e-4}, {true, 1e-3}, {true, 1e-2}, {true, 1e-1}}) {
    filter.substitute = way.substitute;
    filter.p = way.p;
    std::size_t words = 0;
    for (const std::string& text : others) residue::text::for_each_word(text, [&words](std::string_view) { ++words; });
    start = cpu_seconds();
    std::size_t gone = 0;
    std::vector<std::string> outputs;
    for (std::size_t i = 0; i < others.size(); ++i) {
      auto output = residue::ingest::p_filter(model, &vectors, filter, {std::to_string(i), others[i]});
      gone += output.spans.size();
      outputs.push_back(std::move(output.text.value()));
    }
    const double seconds = cpu_seconds() - start;
    residue::Fingerprint print;
    for (std::size_t i = 0; i < others.size(); ++i) print.add(outputs[i], static_cast<std::int64_t>(i));
    fmt::print("{}, p = {:.0e}: {:.0f} words a CPU second, {:.1f} % of {} taken out, texts {}\n",
               way.substitute ? "substitute" : "redact", way.p, static_cast<double>(words) / seconds,
               100.0 * static_cast<double>(gone) / static_cast<double>(words), words, print.hex());
    std::fflush(stdout);
  }
  return 0;
}
