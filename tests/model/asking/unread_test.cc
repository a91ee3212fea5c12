// A server that reads a part of what it is sent, or is known to read less than it would be sent.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/asking/asker.h"
#include "model/asking/egress.h"
#include "model/asking/saved_answers.h"
#include "model/limits/read_whole.h"
#include "model/limits/withdrawn.h"
#include "model/probe/beyond.h"
#include "model/server/endpoint.h"
#include "tests/model/asking/asker_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::model::testing {
namespace {

class Unread : public Asker {
 protected:
  // About `words` words, and then what the claim says.
  static std::string passage_of(std::size_t words) {
    std::string text;
    for (std::size_t i = 0; i < words; ++i) text += fmt::format("word{} ", i % 1'000);
    return text + "Ann keeps bees.";
  }

  Questions of_lengths(const std::vector<std::size_t>& words) {
    words_ = words;
    Questions all = questions(words.size());
    all.body = [this](std::size_t i, std::uint32_t) {
      const std::string_view claim = "Ann keeps bees.";
      const auto messages =
          support_messages(support_template(), spec_digest("spec"), passage_of(words_[i]), std::span(&claim, 1));
      return chat_body(endpoint_.asking, 0, messages.system, messages.user, support_schema(1));
    };
    return all;
  }

  KnownAnswer known(const Questions& all, std::size_t i) {
    return look_up(*store().facts().read(), all.list[i].vote, 0,
                   [](std::size_t, std::string_view content) { return parse_support(content, 1).problem; });
  }

  // Question `i` of all, in a command of its own.
  AskCounts run_alone(stub::Server& server, const Questions& all, std::size_t i) {
    Questions one = all;
    one.list = {all.list[i]};
    one.list[0].last = known(all, i).last;
    budget_ = {};
    return run(server, one);
  }

  std::vector<std::size_t> words_;
};

TEST_F(Unread, AnAnswerWithFewerTokensThanThePromptHasWordsIsOfNoUse) {
  stub::Server server("context-700");
  const Questions all = of_lengths({20, 3'000});
  const AskCounts counts = run(server, all);
  EXPECT_EQ(counts.saved, 1U);
  EXPECT_EQ(counts.invalid, 3U);
  EXPECT_EQ(saved_answers(), 4U);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE reason = 'the model did not read all of the prompt'"), 3);
  EXPECT_TRUE(known(all, 0).content);
  const KnownAnswer cut = known(all, 1);
  EXPECT_FALSE(cut.content);
  EXPECT_EQ(cut.problem, kUnread);
  EXPECT_FALSE(cut.settled(options_.retry)) << "a server with a larger context may be asked later";
}

TEST_F(Unread, CountsOfServersThatDoNotCountPromptsAreLeftAlone) {
  for (const char* behaviour : {"ok", "counted", "context-700-silent"}) {
    SCOPED_TRACE(behaviour);
    stub::Server server(behaviour);
    EXPECT_EQ(run(server, of_lengths({20, 3'000, 1'000, 1'500, 2'000})).invalid, 0U);
  }
  stub::Server server("context-700");
  endpoint_.transport.counts_prompts = false;
  EXPECT_EQ(run(server, of_lengths({20, 3'000})).invalid, 0U);
}

// Words of 8 bytes have two tokens here: a prompt that is cut by a fifth still has more tokens than words.
TEST_F(Unread, ACountThatStopsGrowingShowsAFixedContextAndTakesBackWhatWasBelieved) {
  stub::Server server("context-2000");
  endpoint_.transport.concurrency = 1;
  const Questions all = of_lengths({20, 900, 910, 1'000, 1'200, 1'300});
  const AskCounts counts = run(server, all);
  EXPECT_GT(counts.invalid, 0U);
  EXPECT_TRUE(known(all, 0).content);
  for (const std::size_t i : {3U, 4U, 5U}) {
    SCOPED_TRACE(i);
    EXPECT_FALSE(known(all, i).content);
    // Not even sent where one before it has shown it.
    EXPECT_TRUE(known(all, i).problem == kUnread || known(all, i).replies == 0) << known(all, i).problem;
    EXPECT_FALSE(known(all, i).settled(options_.retry));
  }
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'saved'"), static_cast<std::int64_t>(counts.saved));
  // The user knows better.
  endpoint_.transport.longest_prompt = 100'000;
  stub::Server again("context-2000");
  Questions later = of_lengths(words_);
  for (std::size_t i = 0; i < later.list.size(); ++i) later.list[i].last = known(all, i).last;
  later.list.erase(later.list.begin(), later.list.begin() + 3);
  budget_ = {};
  EXPECT_EQ(run(again, later).saved, 3U);
  for (const std::size_t i : {3U, 4U, 5U}) EXPECT_TRUE(known(all, i).content) << "the answer after the one taken back";
}

// The same questions, a few with each command: what the earlier ones saw tells more than one of them can.
TEST_F(Unread, ACountThatStopsGrowingIsFoundOverSmallCommands) {
  stub::Server server("context-1700");
  endpoint_.transport.concurrency = 1;
  const Questions all = of_lengths({20, 900, 910, 1'000, 1'100, 1'200, 1'300, 1'400});
  AskCounts sum;
  for (std::size_t from = 0; from < all.list.size(); from += 2) {
    Questions two = all;
    two.list = {all.list[from], all.list[from + 1]};
    budget_ = {};
    sum += run(server, two);
  }
  EXPECT_GT(sum.taken_back, 0U);
  EXPECT_TRUE(known(all, 0).content);
  for (std::size_t i = 1; i < all.list.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_FALSE(known(all, i).content) << "the first one as well";
    // Not even sent where one before it has shown it.
    EXPECT_TRUE(known(all, i).problem == kUnread || known(all, i).replies == 0) << known(all, i).problem;
    EXPECT_FALSE(known(all, i).settled(options_.retry));
  }
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'saved'"), 1);
  // Nor one at a time after they were refused.
  for (std::size_t i = 1; i < all.list.size(); ++i) {
    EXPECT_EQ(run_alone(server, all, i).saved, 0U) << i;
    EXPECT_FALSE(known(all, i).content) << i;
  }
  // A server that reads all.
  stub::Server whole("counted");
  for (std::size_t i = all.list.size() - 1; i > 0; --i) {
    EXPECT_EQ(run_alone(whole, all, i).saved, 1U) << i;
    EXPECT_TRUE(known(all, i).content) << i;
  }
}

// The mark that an answer is not believed stands behind whatever was brought in after it.
TEST_F(Unread, WhatWasBroughtInBehindAnAnswerDoesNotKeepItFromBeingTakenBack) {
  stub::Server server("context-1700");
  endpoint_.transport.concurrency = 1;
  const Questions all = of_lengths({1'000, 1'100, 1'200, 1'300, 1'400, 1'500});
  Questions first = all;
  first.list.resize(1);
  run(server, first);
  {
    Envelope other;
    other.status = 200;
    const auto batch = store().write();
    ASSERT_TRUE(batch->facts().put_answer(all.list[0].vote, 2, encode(other)));
    batch->commit();
  }
  EXPECT_TRUE(known(all, 0).content);
  Questions rest = all;
  rest.list.erase(rest.list.begin());
  budget_ = {};
  EXPECT_EQ(run(server, rest).taken_back, 1U);
  EXPECT_FALSE(known(all, 0).content);
}

TEST_F(Unread, WhatIsLongerThanTheModelReadsIsNotSent) {
  stub::Server server;
  endpoint_.transport.longest_prompt = 1'000;
  const Questions all = of_lengths({20, 3'000, 5'000});
  for (int i = 0; i < 2; ++i) {
    const AskCounts counts = run(server, all);
    EXPECT_EQ(counts.too_long, 2U);
    EXPECT_EQ(counts.saved, 1U);
    EXPECT_EQ(counts.refused, 0U);
  }
  EXPECT_EQ(server.requests(), 2U);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'refused' AND bytes = 0"), 2) << "each once";
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'sent'"), 0);
  EXPECT_EQ(egress_ledger(store(), 0)[0].reason, kTooLong);
  EXPECT_EQ(egress_sums(store().db())[0].not_sent, 2U);
  EXPECT_FALSE(known(all, 1).content);
  EXPECT_FALSE(known(all, 1).settled(options_.retry));
  endpoint_.transport.longest_prompt.reset();
  endpoint_.transport.context = 4'000;
  EXPECT_EQ(run(server, all).too_long, 1U);
  EXPECT_TRUE(known(all, 1).content);
}

TEST_F(Unread, TheReasonIsGivenForQuestionsThatWereNotSent) {
  stub::Server server;
  endpoint_.transport.url = server.url();
  endpoint_.transport.longest_prompt = 1'000;
  const Questions all = of_lengths({20, 3'000});
  Task task{spec_digest("spec"), all.body,
            [](std::size_t, std::string_view content) { return parse_support(content, 1).problem; }};
  const std::vector<VoteKey> votes = {all.list[0].vote, all.list[1].vote};
  AskSession session;
  const std::vector<KnownAnswer> answers = ask_all(store(), endpoint_, "d", task, votes, session);
  EXPECT_TRUE(answers[0].content);
  EXPECT_FALSE(answers[1].content);
  EXPECT_EQ(answers[1].problem, kTooLong);
  EXPECT_EQ(session.counts.too_long, 1U);
}

// About as many words, a tenth more bytes: with the very same count they were cut, and nobody pays for such again.
TEST_F(Unread, PromptsOfAboutAsManyWordsShowACapThatIsKeptWithTheModel) {
  stub::Server server("context-950");
  endpoint_.transport.concurrency = 1;
  endpoint_.transport.url = server.url();
  {
    const auto batch = store().write();
    save_endpoint(batch->db(), endpoint_);
    batch->commit();
  }
  const Questions all = of_lengths({20, 560, 580, 600, 620, 640, 660});
  const AskCounts counts = run(server, all);
  EXPECT_TRUE(known(all, 0).content);
  for (std::size_t i = 1; i < all.list.size(); ++i) EXPECT_FALSE(known(all, i).content) << i;
  EXPECT_GT(counts.too_long, 0U) << "those that came after it was known";
  endpoint_ = find_endpoint(store().db(), "stub");
  EXPECT_TRUE(endpoint_.transport.cut_from);
  budget_ = {};
  Questions again = all;
  again.list.erase(again.list.begin());
  for (std::size_t i = 0; i < again.list.size(); ++i) again.list[i].last = known(all, i + 1).last;
  const AskCounts later = run(server, again);
  EXPECT_EQ(later.requests, 0U);
  EXPECT_EQ(later.too_long, 6U);
  // The user knows better.
  endpoint_.transport.longest_prompt = 100'000;
  EXPECT_EQ(run(server, again).too_long, 0U);
}

// A server that counts nothing answered before another one of its name showed that such prompts are cut.
TEST_F(Unread, WhatNobodyCountedIsTakenBackWhereALimitIsFound) {
  stub::Server silent("context-950-silent"), server("context-950");
  endpoint_.transport.concurrency = 1;
  {
    const auto batch = store().write();
    save_endpoint(batch->db(), endpoint_);
    batch->commit();
  }
  const Questions all = of_lengths({20, 400, 630, 900, 560, 580, 600, 620, 640, 660});
  Questions before = all, after = all;
  before.list.resize(4);
  after.list.erase(after.list.begin(), after.list.begin() + 4);
  EXPECT_EQ(run(silent, before).saved, 4U);
  VoteSet withdrawn;
  options_.withdraw = [&](storage::Store&, storage::WriteBatch&, const VoteSet& votes) {
    withdrawn.insert(votes.begin(), votes.end());
    return Withdrawn{};
  };
  budget_ = {};
  const AskCounts counts = run(server, after);
  EXPECT_EQ(counts.taken_back, 2U);
  EXPECT_TRUE(known(all, 0).content);
  EXPECT_TRUE(known(all, 1).content) << "shorter than what is cut";
  for (const std::size_t i : {2U, 3U}) {
    EXPECT_FALSE(known(all, i).content) << i;
    EXPECT_FALSE(known(all, i).settled(options_.retry)) << i;
    EXPECT_TRUE(withdrawn.contains(all.list[i].vote)) << i;
  }
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'saved'"), 2);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'invalid' AND tokens_in IS NULL"), 2);
  // Within one command, and of a store whose limit is known from before.
  endpoint_ = find_endpoint(store().db(), "stub");
  ASSERT_TRUE(endpoint_.transport.cut_from);
  endpoint_.transport.cut_from.reset();
  const Questions more = of_lengths({910, 30});
  Questions one = all;
  one.list = {Question{3, all.list[3].vote, 0, known(all, 3).last}};
  of_lengths({20, 400, 630, 900});
  budget_ = {};
  EXPECT_EQ(run(silent, one).saved, 1U);
  EXPECT_TRUE(known(all, 3).content);
  endpoint_ = find_endpoint(store().db(), "stub");
  one.list = {Question{0, more.list[1].vote, 0, 0}};
  one.list[0].vote = VoteKey(std::string(kDigestBytes, 'x'));
  budget_ = {};
  EXPECT_EQ(run(server, one).taken_back, 1U);
  EXPECT_FALSE(known(all, 3).content);
}

TEST_F(Unread, WhatIsLongerThanALimitThatIsFoundLaterIsTakenBack) {
  stub::Server server("context-2000-silent");
  const Questions all = of_lengths({20, 900, 3'000});
  EXPECT_EQ(run(server, all).saved, 3U);
  VoteSet withdrawn;
  const auto withdraw = [&](storage::Store&, storage::WriteBatch&, const VoteSet& votes) {
    withdrawn = votes;
    return Withdrawn{.judgments = 7};
  };
  const BeyondReach beyond = take_back_beyond(store(), endpoint_, 1'500, withdraw);
  EXPECT_EQ(beyond.answers, 1U);
  EXPECT_EQ(beyond.withdrawn.judgments, 7U);
  EXPECT_EQ(withdrawn, VoteSet{all.list[2].vote});
  EXPECT_TRUE(known(all, 1).content);
  EXPECT_FALSE(known(all, 2).content);
  EXPECT_FALSE(known(all, 2).settled(options_.retry));
  EXPECT_EQ(take_back_beyond(store(), endpoint_, 1'500, withdraw).answers, 0U) << "once";
}

}  // namespace
}  // namespace residue::model::testing
