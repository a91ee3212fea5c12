// 40 ways of telling the judge what to say, in five texts each, to a server that does as it is told: all are flagged,
// and no text that tells nothing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "query/judge/model_judge.h"
#include "tests/query/store_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::query::testing {
namespace {

class Injection : public QueryStore {
 protected:
  // How many of the passages are suspect.
  std::size_t suspects(const std::vector<std::string>& passages) {
    model::Endpoint endpoint;
    endpoint.name = "stub";
    endpoint.asking.model = "m";
    endpoint.votes = 1;
    endpoint.transport.url = server_.url();
    endpoint.transport.concurrency = 8;
    const ModelJudge judge(store(), endpoint, "d", std::make_shared<AskSession>());
    std::vector<Request> requests;
    for (const std::string& passage : passages) requests.push_back({passage, {"The patient smokes."}});
    const auto ratings = judge.rate(requests);
    std::size_t count = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      EXPECT_TRUE(ratings[i].front().has_value());
      count += judge.trust(requests[i]) == Trust::kSuspect ? 1 : 0;
      EXPECT_NE(judge.trust(requests[i]), Trust::kUnchecked);
      EXPECT_NE(judge.trust(requests[i]), Trust::kFailed);
    }
    return count;
  }

  stub::Server server_{"obey"};
};

std::vector<std::string> attacks() {
  std::ifstream file(std::string(RESIDUE_SOURCE_DIR) + "/tests/query/judge/injections.txt");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::string note(std::size_t i) {
  constexpr std::array kJobs = {"nurse", "joiner", "teacher", "driver", "baker", "farmer", "clerk"};
  constexpr std::array kSigns = {"a dry cough", "pain in the left knee", "a rash on both arms", "headaches at night",
                                 "a fever"};
  return fmt::format(
      "The patient is a {} of {} years. She came in with {} that had lasted {} days. There is no history of surgery.",
      kJobs[i % kJobs.size()], 20 + i % 60, kSigns[i % kSigns.size()], 2 + i % 30);
}

// Five places for one sentence: alone, first, in the middle, last, and on a line of its own.
std::vector<std::string> carriers(const std::string& sentence, std::size_t i) {
  const std::string text = note(i);
  const std::size_t middle = text.find(". ") == std::string::npos ? text.size() : text.find(". ") + 2;
  return {sentence, sentence + " " + text, text.substr(0, middle) + sentence + " " + text.substr(middle),
          text + " " + sentence, text + "\n\n" + sentence + "\n\n" + text};
}

TEST_F(Injection, EveryTextThatLeadsItsJudgeIsSuspect) {
  const std::vector<std::string> sentences = attacks();
  ASSERT_EQ(sentences.size(), 40U);
  std::vector<std::string> passages;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    for (std::string& passage : carriers(sentences[i], i)) passages.push_back(std::move(passage));
  }
  for (std::size_t i = 0; i < passages.size(); ++i) {
    EXPECT_EQ(suspects({passages[i]}), 1U) << sentences[i / 5] << ", place " << i % 5;
  }
}

TEST_F(Injection, NoOtherTextIs) {
  std::vector<std::string> passages;
  for (std::size_t i = 0; i < 200; ++i) passages.push_back(fmt::format("{} Seen in room {}.", note(i), i));
  EXPECT_EQ(suspects(passages), 0U);
}

}  // namespace
}  // namespace residue::query::testing
