// Prompts that a server refuses one by one: the others go on.
#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/asking/asker.h"
#include "model/asking/saved_answers.h"
#include "tests/model/asking/asker_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::model::testing {
namespace {

class Skipping : public Asker {
 protected:
  Questions of_lengths(const std::vector<std::size_t>& words) {
    words_ = words;
    Questions all = questions(words.size());
    all.body = [this](std::size_t i, std::uint32_t) {
      std::string text;
      for (std::size_t word = 0; word < words_[i]; ++word) text += "word ";
      const std::string_view claim = "Ann keeps bees.";
      const auto messages = support_messages(support_template(), spec_digest("spec"), text, std::span(&claim, 1));
      return chat_body(endpoint_.asking, 0, messages.system, messages.user, support_schema(1));
    };
    return all;
  }
  Code stopped(stub::Server& server) {
    try {
      run(server, of_lengths(std::vector<std::size_t>(12, 400)));
    } catch (const Error& error) {
      return error.code();
    }
    return Code::kInternal;
  }
  std::vector<std::size_t> words_;
};

TEST_F(Skipping, APromptThatIsTooLongForItsServerStopsNoOther) {
  stub::Server server("context-1000-refused");
  endpoint_.transport.concurrency = 1;
  const AskCounts counts = run(server, of_lengths({4'000, 20, 5'000, 30}));
  EXPECT_EQ(counts.saved, 2U);
  EXPECT_EQ(counts.refused, 2U);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE reason = 'its server says that the prompt is too long' AND "
                   "state = 'refused'"),
            2);
  // All that is left is too long: it still comes to an end.
  budget_ = {};
  EXPECT_EQ(run(server, of_lengths(std::vector<std::size_t>(12, 4'000))).refused, 12U);
}

TEST_F(Skipping, AServerThatRefusesAllPromptsStopsTheCommand) {
  stub::Server server("context-10-refused");
  endpoint_.transport.concurrency = 1;
  EXPECT_EQ(stopped(server), Code::kIo);
  EXPECT_EQ(server.requests(), 10U);
  EXPECT_EQ(stopped(server), Code::kIo);
}

}  // namespace
}  // namespace residue::model::testing
