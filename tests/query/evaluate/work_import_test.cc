// Files of answers that come again, late, in part, or with refusals.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/server/endpoint.h"
#include "tests/query/exchange_fixture.h"

namespace residue::query::testing {
namespace {

TEST_F(Exchange, ImportCountsAndChangesNothingTheSecondTime) {
  stub::Server server;
  add_small();
  use(server.url(), 2);
  export_to("out");
  const auto ids = ids_of("out");
  std::string upper = ids[1];
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  Json flat = completion(1);
  flat["custom_id"] = ids[2];
  const std::vector<std::string> lines = {
      nested(ids[0], completion(1)),
      nested(upper, completion(2)),
      flat.dump(),
      nested(ids[2], completion(1)),  // the same, written otherwise
      nested(ids[0], completion(3)),  // another answer to the same
      nested(ids[3], completion(7)),  // a rating that there is not
      nested(ids[4], completion(1, "length")),
      nested(ids[5], {{"error", {{"message", "Ann keeps bees"}}}}, 429),
      Json{{"custom_id", ids[6]}, {"response", nullptr}, {"error", {{"code", "batch_expired"}}}}.dump(),
      nested(std::string(64, 'a'), completion(1)),
      nested("mine", completion(1)),
      "{\"custom_id\": \"",
      lines_of("out")[7],
  };
  const ingest::ImportedWork work = import(lines);
  EXPECT_EQ(work.lines, 13U);
  EXPECT_EQ(work.saved, 4U);
  EXPECT_EQ(work.unused, 1U);
  EXPECT_EQ(work.same, 1U);
  EXPECT_EQ(work.invalid, 2U);
  EXPECT_EQ(work.failed, 2U);
  EXPECT_EQ(work.unknown, 2U);
  EXPECT_EQ(work.unreadable, 2U);
  EXPECT_EQ(work.reasons,
            (std::map<std::string, std::uint64_t>{
                {"HTTP 429", 1}, {"a rating out of range", 1}, {"error batch_expired", 1}, {"truncated", 1}}));
  ASSERT_EQ(work.notes.size(), 4U);
  EXPECT_EQ(work.notes[0].line, 10U);
  EXPECT_EQ(work.notes[2].line, 12U);
  EXPECT_EQ(work.notes[3].what, "a request, not an answer");
  EXPECT_EQ(rows("SELECT group_concat(state || n) FROM (SELECT state, n FROM attempt WHERE n > 1)").front(), "saved2");
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'refused' AND reason LIKE 'exported to a file: %'"), 2);

  const std::string before = state();
  const ingest::ImportedWork again = import(lines);
  EXPECT_EQ(again.saved + again.invalid, 0U);
  EXPECT_EQ(again.same, 9U);
  EXPECT_EQ(again.failed, 0U);
  EXPECT_EQ(state(), before);
  // The first answer counts, however many came; the others are asked for.
  EXPECT_EQ(evaluate_with().asked.requests, 5U);
  expect_proven();
}

// Prompts of these lengths in words, each record's own text; a reply that counted `tokens`.
class LongExchange : public Exchange {
 protected:
  void add_long(const std::vector<std::size_t>& words) {
    std::vector<RecordRow> records;
    std::vector<VariantRow> variants;
    std::vector<ClaimsRow> facts;
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::string text = fmt::format("Ann keeps bees{}. Bob has gout{}.", i, i);
      for (std::size_t word = 0; word < words[i]; ++word) text += fmt::format(" w{}{:05}", i, word);
      const std::string key = fmt::format("r{}", i);
      records.push_back(record(key, text));
      variants.push_back(variant(key, text));
      facts.push_back(claims(key, {fmt::format("Ann keeps bees{}.", i), fmt::format("Bob has gout{}.", i)}));
    }
    add_records(records);
    add_claims(facts);
    add_run("r", variants);
    evaluate_all({"bm25/first:1"}, "lexical", 0, "r");
  }
  // Answers to all long prompts of a folder; the short ones are read whole.
  std::vector<std::string> answers(const std::string& folder, std::int64_t tokens, int rating = 3) {
    std::vector<std::string> lines;
    for (const std::string& line : lines_of(folder)) {
      Json reply = completion(rating);
      reply["usage"]["prompt_tokens"] = line.size() > 3'000 ? tokens : 300;
      lines.push_back(nested(Json::parse(line)["custom_id"], reply));
    }
    return lines;
  }
};

TEST_F(LongExchange, AnAnswerThatCountedLessThanItsPromptHasWordsIsOfNoUse) {
  add_long({800, 1'000});
  use("http://localhost:1/v1");
  export_to("out");
  const ingest::ImportedWork work = import(answers("out", 700));
  EXPECT_EQ(work.saved, 2U);
  EXPECT_EQ(work.invalid, 2U);
  EXPECT_EQ(work.reasons, (std::map<std::string, std::uint64_t>{{"the model did not read all of the prompt", 2}}));
  EXPECT_EQ(export_to("again").requests, 2U) << "such an answer is not final";
}

TEST_F(LongExchange, ACountThatStopsGrowingTakesBackWhatIsThereAndItsJudgments) {
  use("http://localhost:1/v1");
  add_long({800, 900});
  export_to("out");
  EXPECT_EQ(import(answers("out", 1'500)).saved, 4U);
  EXPECT_EQ(evaluate_with().asked.requests, 0U);
  EXPECT_EQ(asked_metric("m.value || ' ' || m.failed", "leak_rate"), "0.0 0");
  add_long({800, 900, 1'000, 1'200});
  export_to("more");
  const ingest::ImportedWork work = import(answers("more", 1'500));
  EXPECT_EQ(work.taken_back, 2U);
  EXPECT_EQ(work.withdrawn.judgments, 2U);
  EXPECT_EQ(work.invalid, 2U);
  EXPECT_EQ(work.saved, 2U);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'saved'"), 4) << "what the attacker knows is short";
  const Exported rest = export_to("rest");
  EXPECT_EQ(rest.requests, 0U) << "the server is known to cut such prompts";
  EXPECT_EQ(rest.too_long, 4U);
}

TEST_F(LongExchange, PromptsOfAboutAsManyWordsWithTheVerySameCountWereCut) {
  use("http://localhost:1/v1");
  add_long({700, 712, 724, 736, 748, 760});
  export_to("out");
  const ingest::ImportedWork work = import(answers("out", 1'500));
  EXPECT_EQ(work.invalid, 6U);
  EXPECT_EQ(work.saved, 6U) << "what the attacker knows is short";
  EXPECT_TRUE(model::find_endpoint(store().db(), "stub").transport.cut_from);
}

// A prompt that asking would not send is not written either, and stands in the ledger as not sent, once.
TEST_F(LongExchange, WhatIsKnownToBeTooLongIsInNoFile) {
  use("http://localhost:1/v1");
  add_long({100, 900});
  EXPECT_EQ(export_to("all").requests, 4U);
  const auto know = [&](const auto& set) {
    model::Endpoint endpoint = model::find_endpoint(store().db(), "stub");
    endpoint.transport.longest_prompt = endpoint.transport.context = endpoint.transport.cut_from = std::nullopt;
    set(endpoint.transport);
    const auto batch = store().write();
    model::save_endpoint(batch->db(), endpoint);
    batch->commit();
  };
  const std::set<std::string> all = [&] {
    const auto lines = lines_of("all");
    return std::set<std::string>(lines.begin(), lines.end());
  }();
  know([](model::Transport& transport) { transport.longest_prompt = 900; });
  Exported exported = export_to("longest");
  EXPECT_EQ(exported.too_long, 1U);
  EXPECT_EQ(exported.requests, 3U);
  EXPECT_EQ(exported.texts, 5U) << "those of the files";
  for (const std::string& line : lines_of("longest")) {
    EXPECT_LT(line.size(), 5'000U);
    EXPECT_TRUE(all.contains(line));
  }
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE bytes = 0 AND state = 'refused'"), 1);
  know([](model::Transport& transport) { transport.context = 900; });
  EXPECT_EQ(export_to("context").too_long, 1U);
  know([](model::Transport& transport) { transport.cut_from = 900; });
  EXPECT_EQ(export_to("cut").too_long, 1U);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE bytes = 0 AND state = 'refused'"), 1) << "once";
  EXPECT_EQ(rows("SELECT reason FROM attempt WHERE bytes = 0").front(), model::kTooLong);
  // The user knows better; or all are too long.
  know([](model::Transport& transport) {
    transport.cut_from = 900;
    transport.longest_prompt = 5'000;
  });
  EXPECT_EQ(export_to("better").requests, 4U);
  know([](model::Transport& transport) { transport.longest_prompt = 10; });
  exported = export_to("nothing");
  EXPECT_EQ(exported.too_long, 4U);
  EXPECT_EQ(exported.requests + exported.texts + exported.files.size(), 0U);
  EXPECT_FALSE(std::filesystem::exists(dir_ / "nothing"));
}

// What was exported before a limit was known, and whose answers say no counts.
TEST_F(LongExchange, AnswersThatNobodyCountedAreHeldAgainstTheLimitThatIsKnown) {
  use("http://localhost:1/v1");
  add_long({100, 900});
  export_to("out");
  std::vector<std::string> silent;
  for (const std::string& line : lines_of("out")) {
    Json reply = completion(3);
    reply.erase("usage");
    silent.push_back(nested(Json::parse(line)["custom_id"], reply));
  }
  model::Endpoint endpoint = model::find_endpoint(store().db(), "stub");
  endpoint.transport.cut_from = 900;
  {
    const auto batch = store().write();
    model::save_endpoint(batch->db(), endpoint);
    batch->commit();
  }
  ingest::ImportedWork work = import(silent);
  EXPECT_EQ(work.saved, 3U);
  EXPECT_EQ(work.invalid, 1U);
  EXPECT_EQ(work.reasons, (std::map<std::string, std::uint64_t>{{"the model did not read all of the prompt", 1}}));
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'saved'"), 3);
  work = import(silent);
  EXPECT_EQ(work.same, 4U);
  EXPECT_EQ(work.saved + work.invalid + work.taken_back, 0U);
  EXPECT_EQ(export_to("again").too_long, 1U) << "it has no answer";
  // A count that says that all was read is believed: somebody may have asked another server.
  work = import(answers("out", 2'000));
  EXPECT_EQ(work.saved, 4U);
  EXPECT_EQ(work.unused, 3U);
  EXPECT_EQ(number("SELECT count(DISTINCT vote) FROM attempt WHERE state = 'saved'"), 4);
  EXPECT_EQ(export_to("nothing").too_long, 0U);
}

// A limit that a file shows holds for answers that were there without counts.
TEST_F(LongExchange, ALimitThatAFileShowsTakesBackWhatNobodyCounted) {
  use("http://localhost:1/v1");
  add_long({750});
  export_to("silent");
  std::vector<std::string> silent;
  for (const std::string& line : lines_of("silent")) {
    Json reply = completion(3);
    reply.erase("usage");
    silent.push_back(nested(Json::parse(line)["custom_id"], reply));
  }
  EXPECT_EQ(import(silent).saved, 2U);
  EXPECT_EQ(evaluate_with().asked.requests, 0U);
  EXPECT_EQ(asked_metric("m.value || ' ' || m.failed", "leak_rate"), "0.0 0");
  add_long({750, 700, 712, 724, 736, 748, 760});
  export_to("out");
  const ingest::ImportedWork work = import(answers("out", 1'500));
  EXPECT_EQ(work.taken_back, 1U);
  EXPECT_EQ(work.withdrawn.judgments, 1U);
  EXPECT_EQ(work.invalid, 6U);
}

TEST_F(Exchange, AnOldFileOfRefusalsSaysNothingOfALaterExport) {
  add_small();
  use("http://localhost:1/v1");
  export_to("out");
  std::vector<std::string> old;
  for (const std::string& id : ids_of("out")) old.push_back(nested(id, Json::object(), 429));
  EXPECT_EQ(import(old).failed, 4U);
  EXPECT_EQ(export_to("second").before, 0U);
  for (std::string& line : old) line.insert(1, "  ");  // the same, whoever wrote it down
  const ingest::ImportedWork again = import(old);
  EXPECT_EQ(again.failed, 0U);
  EXPECT_EQ(again.same, 4U);
  EXPECT_EQ(export_to("third").before, 4U) << "the second export still waits for its answers";
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'refused'"), 4);
  for (std::string& line : old) line.replace(line.find("429"), 3, "500");
  EXPECT_EQ(import(old).failed, 4U);
}

TEST_F(Exchange, AnAnswerToALaterExportLeavesTheRefusedOneRefused) {
  add_small();
  use("http://localhost:1/v1");
  export_to("out");
  const auto ids = ids_of("out");
  std::vector<std::string> refused, answered;
  for (const std::string& id : ids) {
    refused.push_back(nested(id, Json::object(), 429));
    answered.push_back(nested(id, completion(2)));
  }
  import(refused);
  export_to("second");
  EXPECT_EQ(import(answered).saved, 4U);
  EXPECT_EQ(rows("SELECT DISTINCT group_concat(state || n) FROM (SELECT vote, state, n FROM attempt ORDER BY vote, n) "
                 "GROUP BY vote"),
            (std::vector<std::string>{"refused1,saved2"}));
  // Without a later export somebody else asked again: a request of its own.
  add_run("r", {variant("a", "Ann rows."), variant("b", "Bob rows.")});
  evaluate_all({"bm25/first:1"}, "lexical", 0, "r");
  export_to("third");
  const auto fresh = ids_of("third");
  ASSERT_FALSE(fresh.empty());
  import({nested(fresh[0], Json::object(), 500)});
  EXPECT_EQ(import({nested(fresh[0], Json::object(), 503)}).failed, 0U) << "no export waits for it any more";
  EXPECT_EQ(import({nested(fresh[0], completion(3))}).saved, 1U);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'refused'"), 5);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'saved'"), 5);
}

TEST_F(Exchange, ImportingAgainTellsTheLedgerWhatAKilledImportCouldNot) {
  add_small();
  use("http://localhost:1/v1");
  export_to("out");
  std::vector<std::string> lines;
  for (const std::string& id : ids_of("out")) lines.push_back(nested(id, completion(2)));
  lines.back() = nested(ids_of("out").back(), completion(9));
  import(lines);
  const std::string before = state();
  {
    const auto batch = store().write();  // as it was between the two commits
    batch->db().run(
        "UPDATE attempt SET state = 'unknown', reason = 'exported to a file', tokens_in = NULL, cost = NULL");
    batch->commit();
  }
  const ingest::ImportedWork again = import(lines);
  EXPECT_EQ(again.same, 4U);
  EXPECT_EQ(again.saved + again.invalid, 0U);
  EXPECT_EQ(state(), before);
}

TEST_F(Exchange, AnswersThatComeAfterOthersWereReadChangeNoNumber) {
  stub::Server server("refused");
  add_small();
  use(server.url());
  export_to("out");
  const auto ids = ids_of("out");
  EXPECT_EQ(evaluate_with().asked.invalid, 12U);  // each vote is closed: it has failed
  EXPECT_EQ(asked_metric("m.failed"), "2");
  std::vector<std::string> lines;
  for (const std::string& id : ids) lines.push_back(nested(id, completion(3)));
  const ingest::ImportedWork late = import(lines);
  EXPECT_EQ(late.saved, 4U);
  EXPECT_EQ(late.unused, 4U);
  evaluate_with();
  EXPECT_EQ(asked_metric("m.failed"), "2");
  expect_proven();

  // The same the other way round: the answer used first stays the one that counts.
  server.always("ok");
  use(server.url(), 2);
  export_to("more");
  evaluate_with();
  const std::string value = asked_metric("group_concat(m.value)");
  lines.clear();
  for (const std::string& id : ids_of("more")) lines.push_back(nested(id, completion(1)));
  import(lines);
  evaluate_with();
  EXPECT_EQ(asked_metric("group_concat(m.value)"), value);
  expect_proven();
}

TEST_F(Exchange, RecordsThatHadNoRatingGetOneFromWhatCameLater) {
  stub::Server server;
  add_small();
  use(server.url());
  export_to("out");
  const auto ids = ids_of("out");
  {
    const auto batch = store().write();
    model::remove_endpoint(batch->db(), "stub");
    batch->commit();
  }
  evaluate_with();  // knows nothing, and cannot ask
  EXPECT_EQ(asked_metric("m.n || ' ' || m.failed"), "0 2");
  std::vector<std::string> lines;
  for (const std::string& id : ids) lines.push_back(nested(id, completion(3)));
  EXPECT_EQ(import(lines).saved, 4U);
  EXPECT_EQ(evaluate_with().asked.requests, 0U);
  EXPECT_EQ(asked_metric("m.n || ' ' || m.failed || ' ' || m.value"), "2 0 1.0");
  expect_proven();
}

}  // namespace
}  // namespace residue::query::testing
