#include "model/replies/suspected.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace residue::model {
namespace {

constexpr std::string_view kNote = "A nurse of 45 from Bristol sleeps badly and takes metformin.";

TEST(SuspectedFailure, IsARefusalAnErrorOrAWordForNothing) {
  struct Case {
    const char* words;
    Suspicion what;
  };
  const Case cases[] = {
      {"I'm sorry, but I can't help with that.", Suspicion::kRefusal},
      {"As an AI language model, I cannot process personal data.", Suspicion::kRefusal},
      {"Error code: 429 - {'error': {'message': 'Rate limit reached'}}", Suspicion::kErrorMessage},
      {"HTTP 502: Bad Gateway", Suspicion::kErrorMessage},
      {"503 Service Unavailable", Suspicion::kErrorMessage},
      {"Traceback (most recent call last):\n  File \"a.py\", line 3", Suspicion::kErrorMessage},
      {"{\"error\": {\"message\": \"overloaded\"}}", Suspicion::kErrorMessage},
      {"Internal Server Error", Suspicion::kErrorMessage},
      {"Error: request timed out after 60 s", Suspicion::kErrorMessage},
      {"nan", Suspicion::kNothing},
      {" None \n", Suspicion::kNothing},
      {"\"null\"", Suspicion::kNothing},
      {"N/A", Suspicion::kNothing},
      {"[object Object]", Suspicion::kNothing},
  };
  for (const Case& one : cases) EXPECT_EQ(suspected_failure(one.words, kNote), one.what) << one.words;
}

TEST(SuspectedFailure, IsNoTextThatSpeaksOfOne) {
  for (const char* words :
       {"A nurse of [AGE] from [PLACE] sleeps badly.", "[REDACTED]", "***", "Error rates fell from 5 % to 3 %.",
        "Error: she took two pills instead of one.", "404 steps a day, he says.", "500 mg twice daily",
        "Nan came to visit on Sunday.", "None of the tests was positive.", "The server crashed with error code 429.",
        "I can't sleep and I'm sorry for the trouble.", "Nana", "HTTP is a protocol that she teaches.", ""}) {
    EXPECT_FALSE(suspected_failure(words, kNote)) << words;
  }
}

TEST(SuspectedFailure, IsNoneWhereTheOriginalReadsSo) {
  EXPECT_FALSE(suspected_failure("N/A", "n/a"));
  EXPECT_FALSE(suspected_failure("Error code: 429 - {}", "Error code: 429 - {'x': 1}"));
  EXPECT_FALSE(suspected_failure("I'm sorry, but I can't help with that.", "I'm sorry, but I can't help with that!"));
  EXPECT_TRUE(suspected_failure("nan", "Error code: 429 - {}"));
}

// At most one in a thousand real originals, put in the place of another one's text, looks like a failure.
TEST(SuspectedFailure, HardlyEverIsARealText) {
  const std::filesystem::path data = std::filesystem::path(RESIDUE_SOURCE_DIR) / ".." / "shared" / "data";
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "no texts in ../shared/data";
  std::vector<std::string> texts;
  const auto take = [&](const Json* value) {
    if (value != nullptr && value->is_string() && !value->string().empty()) texts.push_back(value->string());
  };
  const auto read = [&](const char* file, const std::vector<const char*>& fields) {
    std::ifstream lines(data / file);
    std::string line;
    while (std::getline(lines, line)) {
      const auto json = Json::parse(line);
      if (!json || !json->is_object()) continue;
      for (const char* field : fields) take(json->find(field));
      if (const Json* comments = json->find("comments"); comments != nullptr && comments->is_array()) {
        for (const Json& group : *comments) {
          const Json* inner = group.is_object() ? group.find("comments") : nullptr;
          if (inner == nullptr || !inner->is_array()) continue;
          for (const Json& comment : *inner) {
            if (comment.is_object()) take(comment.find("text"));
          }
        }
      }
    }
  };
  read("synthpai/comments_original.jsonl", {});
  read("tab/tab_texts_dev.jsonl", {"text"});
  read("tab/tab_gold_visible_72.jsonl", {"text"});
  read("rupta_anonymized/db_bio_test.jsonl", {"text"});
  read("rupta_anonymized/db_bio_example.jsonl", {"text"});
  read("rupta_anonymized/personalreddit_example.jsonl", {"response", "question_asked"});
  read("eth_personalreddit_synthetic/synthetic_dataset.jsonl", {"response", "question_asked"});
  read("medqa/medqa_us_4options_test.jsonl", {"question"});
  read("mediq_medqa_facts/imedqa_dev_1272_with_facts.jsonl", {"question"});
  read("abcd_llm_judgments/issue_summaries_gpt4.jsonl", {"text", "summary", "issue", "response"});
  std::size_t suspects = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    suspects += suspected_failure(texts[i], texts[(i + 1) % texts.size()]) ? 1 : 0;
  }
  RecordProperty("texts", static_cast<int>(texts.size()));
  RecordProperty("suspects", static_cast<int>(suspects));
  EXPECT_GT(texts.size(), 3'000U);
  EXPECT_LE(suspects * 1000, texts.size()) << suspects << " of " << texts.size();
}

}  // namespace
}  // namespace residue::model
