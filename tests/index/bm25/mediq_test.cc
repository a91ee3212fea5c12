// The linker on real records: MedQA vignettes and their claims (FSP's own data). Not part of the project: skipped where
// the file is absent.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "index/bm25/bm25_linker.h"
#include "tests/index/corpus.h"

namespace residue::index {
namespace {

TEST(Bm25Linker, FindsMedicalRecordsByTheirFirstThreeFacts) {
  const std::string path = RESIDUE_SOURCE_DIR "/../shared/data/mediq_medqa_facts/imedqa_dev_1272_with_facts.jsonl";
  std::ifstream file(path);
  if (!file) GTEST_SKIP() << "no MediQ data beside the project";
  static const std::regex kNumber(R"(^(\d+\.|-)\s*)");
  std::vector<std::string> texts;
  std::vector<std::string> facts;
  for (std::string line; std::getline(file, line);) {
    const auto row = nlohmann::json::parse(line);
    std::string text;
    for (const std::string sentence : row.at("context")) text += (text.empty() ? "" : " ") + sentence;
    std::string query;
    std::size_t used = 0;
    for (const std::string fact : row.at("facts")) {
      if (used++ < 3) query += (query.empty() ? "" : " ") + std::regex_replace(fact, kNumber, "");
    }
    texts.push_back(text);
    facts.push_back(query);
  }
  ASSERT_EQ(texts.size(), 1'272U);

  const testing::Corpus corpus(texts);
  const testing::IndexDir dir;
  for (const auto* analyzer : {&text::Analyzer::fsp(), &text::Analyzer::plain()}) {
    SCOPED_TRACE(analyzer->name());
    const auto segment = corpus.build(dir.path(), *analyzer);
    std::vector<Query> queries;
    for (const std::string& fact : facts) queries.push_back({fact, "", {}});
    const auto file_path = dir.path() / segment.file;
    const auto hits = Bm25Linker({file_path}, corpus.table(), *analyzer).top(queries, 10);
    const auto matched =
        Bm25Linker({file_path}, corpus.table(), *analyzer, {}, Bm25Linker::Way::kMatcher).top(queries, 10);
    EXPECT_EQ(hits, matched);
    std::size_t right = 0;
    std::size_t asked = 0;
    for (std::size_t i = 0; i < hits.size(); ++i) {
      asked += facts[i].empty() ? 0 : 1;
      right += !hits[i].empty() && hits[i][0].candidate == testing::Corpus::id(i) ? 1 : 0;
    }
    std::printf("MediQ, %s: %zu of %zu\n", std::string(analyzer->name()).c_str(), right, asked);
    EXPECT_GE(static_cast<double>(right), 0.98 * static_cast<double>(asked));
  }
}

}  // namespace
}  // namespace residue::index
