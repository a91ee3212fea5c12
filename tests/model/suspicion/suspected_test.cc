#include "model/suspicion/suspected.h"

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
      {"Error 500", Suspicion::kErrorMessage},
      {"ERROR: 503", Suspicion::kErrorMessage},
      {"Timeout", Suspicion::kErrorMessage},
      {"Request failed (17)", Suspicion::kErrorMessage},
      {"requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='x', port=443): Read timed out.",
       Suspicion::kErrorMessage},
      {"java.lang.NullPointerException", Suspicion::kErrorMessage},
      {"java.lang.NullPointerException at a.b.C.d(C.java:17)", Suspicion::kErrorMessage},
      {"panic: runtime error: index out of range [5] with length 3", Suspicion::kErrorMessage},
      {"<html><head><title>403 Forbidden</title></head><body>17</body></html>", Suspicion::kErrorMessage},
      {"<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>", Suspicion::kErrorMessage},
      {"{\"detail\":\"Not Found\"}", Suspicion::kErrorMessage},
      {"{'status': 500, 'id': 17}", Suspicion::kErrorMessage},
      {"{\"message\": \"Endpoint request timed out\"}", Suspicion::kErrorMessage},
      {"CUDA out of memory.", Suspicion::kErrorMessage},
      {"CUDA out of memory. Tried to allocate 17 MiB", Suspicion::kErrorMessage},
      {"KeyError: 'choices'", Suspicion::kErrorMessage},
      {"json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)", Suspicion::kErrorMessage},
      {"Traceback (most recent call last)", Suspicion::kErrorMessage},
      {"[ERROR] request 17 failed: timeout", Suspicion::kErrorMessage},
      {"2024-03-01 10:00:17 ERROR model overloaded", Suspicion::kErrorMessage},
      {"An error occurred while processing record r17.", Suspicion::kErrorMessage},
      {"Failed to process record 17", Suspicion::kErrorMessage},
      {"Processing of record 5 failed.", Suspicion::kErrorMessage},
      {"[Errno 111] Connection refused", Suspicion::kErrorMessage},
      {"Input too long (17)", Suspicion::kErrorMessage},
      {"I don't see any text to anonymize.", Suspicion::kRefusal},
      {"I must respectfully decline to process this text.", Suspicion::kRefusal},
      {"This content may violate our usage policies.", Suspicion::kRefusal},
      {"I'm sorry, but I can't help with request 17 of 2024-03-01.", Suspicion::kRefusal},
      {"Es tut mir leid, aber ich kann diesen Text nicht verarbeiten.", Suspicion::kRefusal},
      {"Ich kann diese Anfrage nicht bearbeiten.", Suspicion::kRefusal},
      {"Lo siento, pero no puedo ayudar con eso.", Suspicion::kRefusal},
      {"Je suis d\u00e9sol\u00e9, mais je ne peux pas traiter ce texte.", Suspicion::kRefusal},
      {"\u0418\u0437\u0432\u0438\u043d\u0438\u0442\u0435, \u043d\u043e \u044f \u043d\u0435 \u043c\u043e\u0433\u0443 "
       "\u043f\u043e\u043c\u043e\u0447\u044c \u0441 \u044d\u0442\u0438\u043c.",
       Suspicion::kRefusal},  // "Izvinite, no ya ne mogu pomoch s etim."
      {"\u62b1\u6b49\uff0c\u6211\u65e0\u6cd5\u5904\u7406\u6b64\u6587\u672c\u3002",
       Suspicion::kRefusal},  // "Sorry, I cannot process this text."
      {"\u5bf9\u4e0d\u8d77\uff0c\u6211\u4e0d\u80fd\u5e2e\u52a9\u60a8\u3002",
       Suspicion::kRefusal},  // "Sorry, I cannot help you."
      {"Sure! Please provide the text you would like me to anonymize.", Suspicion::kRefusal},
      {"Sure! Please provide text number 17.", Suspicion::kRefusal},
      {"NA", Suspicion::kNothing},
      {"NaT", Suspicion::kNothing},
      {"(empty)", Suspicion::kNothing},
      {"nan", Suspicion::kNothing},
      {" None \n", Suspicion::kNothing},
      {"\"null\"", Suspicion::kNothing},
      {"N/A", Suspicion::kNothing},
      {"[object Object]", Suspicion::kNothing},
  };
  for (const Case& one : cases) EXPECT_EQ(suspected_failure(one.words, kNote), one.what) << one.words;
}

TEST(SuspectedFailure, IsNoTextThatSpeaksOfOne) {
  for (const char* words : {"A nurse of [AGE] from [PLACE] sleeps badly.",
                            "[REDACTED]",
                            "***",
                            "Error rates fell from 5 % to 3 %.",
                            "Error: she took two pills instead of one.",
                            "404 steps a day, he says.",
                            "500 mg twice daily",
                            "Nan came to visit on Sunday.",
                            "None of the tests was positive.",
                            "The server crashed with error code 429.",
                            "I can't sleep and I'm sorry for the trouble.",
                            "Nana",
                            "Timeout was called in the last minute.",
                            "Error 500 is what she saw on her screen.",
                            "Forbidden fruit tastes sweet.",
                            "Killed in action in 1944, his father left a farm.",
                            "Terror Error",
                            "<b>A nurse</b> of [AGE]",
                            "{\"message\": \"A nurse sleeps badly.\"}",
                            "Na is the sign of sodium.",
                            "He was denied asylum: error of law.",
                            "Failed to thrive as an infant.",
                            "His request for leave failed because the job was needed.",
                            "Processing grief takes time.",
                            "HTTP is a protocol that she teaches.",
                            ""}) {
    EXPECT_FALSE(suspected_failure(words, kNote)) << words;
  }
}

TEST(SuspectedFailure, IsNoneWhereTheOriginalReadsSo) {
  EXPECT_FALSE(suspected_failure("N/A", "n/a"));
  EXPECT_FALSE(suspected_failure("Error code: 429 - {}", "Error code: 429 - {'x': 1}"));
  EXPECT_FALSE(suspected_failure("I'm sorry, but I can't help with that.", "I'm sorry, but I can't help with that!"));
  EXPECT_TRUE(suspected_failure("nan", "Error code: 429 - {}"));
  EXPECT_FALSE(suspected_failure("KeyError: 'x'", "KeyError: 'choices'"));
  EXPECT_FALSE(suspected_failure("Lo siento, no puedo ayudar con la mudanza de [NOMBRE].",
                                 "Lo siento, no puedo ayudar con la mudanza de Ana."));
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
