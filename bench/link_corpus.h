// Corpora for linking benchmarks: records, their sanitized texts and what an attacker knows, from 1,272 real ones to
// any number made from them.
//
//   vignettes ── random walk over their words ──> text(i) ──┬── tokens dropped or replaced ──> sanitized(i, noise)
//                                                           └── three claims of it ──> query(i)
//
// The seed is MedQA (../shared/data, never committed) or, with a message, examples/clinic. Every text is computed from
// (seed, i) alone: nothing is stored, any thread may ask, and all benchmarks see the same corpus.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace residue::bench {

class LinkCorpus {
 public:
  // `n` records, all made; but with MedQA there, 1,272 gives the real texts and claims of the 1,269 that have any.
  explicit LinkCorpus(std::size_t n, std::uint64_t seed = 42) : n_(n), seed_(seed) {
    read();
    real_ = medqa_ && n_ == kRealRecords;
    if (real_) n_ = vignettes_.size();
    chain();
  }

  [[nodiscard]] std::size_t size() const { return n_; }
  [[nodiscard]] bool real() const { return real_; }

  // Words of the seed keep their punctuation and case, so that analyzers have something to do.
  [[nodiscard]] std::string text(std::size_t i) const { return joined(words_of(i)); }

  // `noise`: the share of tokens changed, half of them dropped and half replaced by a random word of the seed.
  [[nodiscard]] std::string sanitized(std::size_t i, double noise) const {
    Draws draws{mix(hash_of(seed_, "noise", i))};
    std::vector<std::string> kept;
    for (std::string& word : words_of(i)) {
      const double u = draws.unit();
      if (u < noise / 2) continue;
      kept.push_back(u < noise ? stream_[draws.below(stream_.size())] : std::move(word));
    }
    return kept.empty() ? "empty" : joined(kept);
  }

  // Three claims about record i, about 35 tokens. Made ones quote 7 to 13 words, with an eighth of them changed.
  [[nodiscard]] std::string query(std::size_t i) const {
    Draws draws{mix(hash_of(seed_, "query", i))};
    return real_ ? real_query(i, draws) : made_query(words_of(i), draws);
  }

 private:
  struct Draws {
    std::uint64_t state;
    std::uint64_t next() { return mix(state++); }
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(unit() * static_cast<double>(n)); }
  };
  using Words = std::vector<std::string>;

  static constexpr std::size_t kRealRecords = 1272;

  // Chances per word of made texts.
  static constexpr double kJumpAfterPair = 0.12, kJumpAfterWord = 0.03, kJumpAnywhere = 0.012;
  static constexpr double kRareWord = 0.03;    // a made-up word, Zipf-distributed over 4 * n of them
  static constexpr double kRepetition = 0.02;  // a word again that the text already has

  static Words split(std::string_view text) {
    Words words;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      if (end > at) words.emplace_back(text.substr(at, end - at));
      at = end + 1;
    }
    return words;
  }

  static std::string joined(const Words& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
  }

  static std::string sentences(const nlohmann::json& list) {
    std::string text;
    for (const auto& sentence : list) text += (text.empty() ? "" : " ") + sentence.get<std::string>();
    return text;
  }

  void read() {
    const std::string root = RESIDUE_SOURCE_DIR;
    std::ifstream file(root + "/../shared/data/mediq_medqa_facts/imedqa_dev_1272_with_facts.jsonl");
    medqa_ = file.is_open();
    if (!medqa_) {
      std::fprintf(stderr, "MedQA is not in ../shared/data: corpora are made from examples/clinic, figures differ\n");
      file.open(root + "/examples/clinic/notes.jsonl");
    }
    for (std::string line; std::getline(file, line);) {
      const auto row = nlohmann::json::parse(line);
      if (medqa_ && row.at("context").empty()) continue;
      vignettes_.push_back(split(medqa_ ? sentences(row.at("context")) : row.at("text").get<std::string>()));
      claims_.push_back(medqa_ ? row.at("facts").get<Words>() : Words());
      for (std::string& claim : claims_.back()) claim.erase(0, claim.find_first_not_of("0123456789. -"));
    }
  }

  // The words one after another, and where each word and each pair of words occurs.
  void chain() {
    for (const Words& words : vignettes_) {
      starts_.push_back(static_cast<std::uint32_t>(stream_.size()));
      stream_.insert(stream_.end(), words.begin(), words.end());
    }
    for (std::uint32_t at = 0; at < stream_.size(); ++at) {
      after_word_[stream_[at]].push_back(at);
      after_pair_[pair_at(at)].push_back(at);
    }
  }

  [[nodiscard]] std::string pair_at(std::uint32_t at) const {
    return (at == 0 ? "" : stream_[at - 1]) + " " + stream_[at];
  }

  [[nodiscard]] Words words_of(std::size_t i) const {
    if (real_) return vignettes_[i];
    Draws draws{mix(hash_of(seed_, "text", i))};
    const auto length = static_cast<double>(vignettes_[draws.below(vignettes_.size())].size());
    const auto wanted = std::max<std::size_t>(15, static_cast<std::size_t>(length * (0.85 + 0.3 * draws.unit())));
    Words words;
    auto at = starts_[draws.below(starts_.size())];
    while (words.size() < wanted) {
      const double kind = draws.unit();
      if (kind < kRareWord) {
        words.push_back(rare_word(draws));
      } else if (kind < kRareWord + kRepetition && words.size() > 10) {
        words.push_back(words[draws.below(words.size())]);
      } else {
        words.push_back(stream_[at]);
      }
      at = next_place(at, draws);
    }
    return words;
  }

  [[nodiscard]] std::string rare_word(Draws& draws) const {
    const double rank = std::pow(4.0 * static_cast<double>(n_), draws.unit());
    auto rest = mix(static_cast<std::uint64_t>(rank));
    std::string word = "x";
    for (int i = 0; i < 8; ++i, rest /= 18) word += "abcdefghiklmnoprtu"[rest % 18];
    return word;
  }

  [[nodiscard]] std::uint32_t next_place(std::uint32_t at, Draws& draws) const {
    const double kind = draws.unit();
    const auto one_of = [&](const std::vector<std::uint32_t>& places) { return places[draws.below(places.size())]; };
    if (kind < kJumpAfterPair) {
      at = one_of(after_pair_.at(pair_at(at)));
    } else if (kind < kJumpAfterPair + kJumpAfterWord) {
      at = one_of(after_word_.at(stream_[at]));
    } else if (kind < kJumpAfterPair + kJumpAfterWord + kJumpAnywhere) {
      return one_of(starts_);
    }
    return at + 1 < stream_.size() ? at + 1 : 0;
  }

  [[nodiscard]] std::string real_query(std::size_t i, Draws& draws) const {
    Words claims = claims_[i];
    std::string text;
    for (int c = 0; c < 3 && !claims.empty(); ++c) {
      const std::size_t chosen = draws.below(claims.size());
      text += (text.empty() ? "" : " ") + claims[chosen];
      claims.erase(claims.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
    return text;
  }

  [[nodiscard]] std::string made_query(const Words& words, Draws& draws) const {
    static constexpr const char* kOpenings[] = {"The patient has", "The patient is", "The patient was",
                                                "The patient reports"};
    Words query;
    for (int c = 0; c < 3; ++c) {
      if (draws.unit() < 0.6) query.emplace_back(kOpenings[draws.below(4)]);
      const std::size_t length = std::min(7 + draws.below(7), words.size());
      const std::size_t first = draws.below(words.size() - length + 1);
      for (std::size_t j = first; j < first + length; ++j) {
        const double u = draws.unit();
        if (u < 0.06) continue;
        query.push_back(u < 0.12 ? stream_[draws.below(stream_.size())] : words[j]);
      }
    }
    return joined(query);
  }

  std::size_t n_;
  std::uint64_t seed_;
  bool medqa_ = false, real_ = false;
  std::vector<Words> vignettes_, claims_;
  Words stream_;
  std::vector<std::uint32_t> starts_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> after_word_, after_pair_;
};

}  // namespace residue::bench
