// Small corpora for the tests of this layer, on disk and in memory.
#pragma once

#include <rapidcheck.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "index/bm25/segment.h"
#include "index/candidates.h"
#include "tests/index/bm25/bm25_oracle.h"
#include "text/words/analyzer.h"

namespace residue::index::testing {

// An empty directory for one test.
class IndexDir {
 public:
  IndexDir() {
    std::string name = (std::filesystem::temp_directory_path() / "residue-index-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~IndexDir() { std::filesystem::remove_all(path_); }
  IndexDir(const IndexDir&) = delete;
  IndexDir& operator=(const IndexDir&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Texts with ids 1, 2, ... and keys whose byte order is not the order of the ids.
struct Corpus {
  std::vector<std::string> texts;
  std::vector<std::string> keys;

  explicit Corpus(std::vector<std::string> t) : texts(std::move(t)) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto n = std::to_string(i * 7919 % 10007);
      keys.push_back((i % 3 == 0 ? "é" : i % 3 == 1 ? "r-" : "Z") + n + "/" + std::to_string(i));
    }
  }

  static CandidateId id(std::size_t i) { return {static_cast<std::int64_t>(i) + 1}; }

  CandidateTable table() const {
    std::vector<Candidate> all;
    for (std::size_t i = 0; i < texts.size(); ++i) all.push_back({id(i), keys[i]});
    return std::make_shared<const Candidates>(all);
  }

  Bm25Oracle oracle(const text::Analyzer& analyzer, Bm25Options options = {}) const {
    std::vector<Bm25Oracle::Document> all;
    for (std::size_t i = 0; i < texts.size(); ++i) all.push_back({id(i), keys[i], texts[i]});
    return Bm25Oracle(all, analyzer, options);
  }

  // Text i goes to segment part[i] of `segments`.
  std::vector<Segment> build(const std::filesystem::path& dir, const text::Analyzer& analyzer,
                             const std::vector<std::size_t>& part, std::size_t segments) const {
    std::vector<Segment> result;
    for (std::size_t s = 0; s < segments; ++s) {
      SegmentBuilder builder(dir, RunId{static_cast<std::int64_t>(s) + 1}, analyzer);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        if (part[i] == s) builder.add(id(i), texts[i]);
      }
      result.push_back(builder.publish());
    }
    return result;
  }

  Segment build(const std::filesystem::path& dir, const text::Analyzer& analyzer) const {
    return build(dir, analyzer, std::vector<std::size_t>(texts.size(), 0), 1).front();
  }
};

inline std::vector<std::filesystem::path> paths(const std::filesystem::path& dir,
                                                const std::vector<Segment>& segments) {
  std::vector<std::filesystem::path> result;
  for (const Segment& segment : segments) result.push_back(dir / segment.file);
  return result;
}

// A text of a few words of a small vocabulary, so that terms, texts and scores coincide often; also nothing, words too
// long for an index, emoji, and words that no other text has.
inline rc::Gen<std::string> text_gen() {
  static const std::vector<std::string> kWords = {"fever",
                                                  "male",
                                                  "pain",
                                                  "knee",
                                                  "nurse",
                                                  "Oslo",
                                                  "the",
                                                  "a",
                                                  "45",
                                                  "running",
                                                  "runs",
                                                  "naïve",
                                                  "fever",
                                                  "clinic",
                                                  "\U0001F468\u200D\U0001F469\u200D\U0001F467",
                                                  "\U0001F600",
                                                  "患者",
                                                  "wine",
                                                  "[NAME]",
                                                  "x",
                                                  std::string(244, 'y'),
                                                  std::string(246, 'z'),
                                                  std::string(3000, 'q')};
  const auto word = rc::gen::weightedOneOf<std::string>(
      {{30, rc::gen::elementOf(kWords)},
       {1, rc::gen::map(rc::gen::inRange(0, 500), [](int n) { return "word" + std::to_string(n); })}});
  const auto many =
      rc::gen::map(rc::gen::container<std::vector<std::string>>(word), [](const std::vector<std::string>& ws) {
        std::string text;
        for (const std::string& w : ws) text += (text.empty() ? "" : " ") + w;
        return text;
      });
  return rc::gen::weightedOneOf<std::string>(
      {{6, many}, {2, word}, {1, rc::gen::just(std::string())}, {1, rc::gen::just(std::string("[REDACTED] patient"))}});
}

}  // namespace residue::index::testing
