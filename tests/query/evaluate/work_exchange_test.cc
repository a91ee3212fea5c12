// What a model would be asked leaves as files, and comes back as if it had been asked.
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/query/exchange_fixture.h"

namespace residue::query::testing {
namespace {

TEST_F(Exchange, AFileHasTheBodiesThatWouldBeSent) {
  stub::Server server;
  add_small();
  use(server.url(), 2);
  const Exported exported = export_to("out");
  EXPECT_EQ(exported.requests, 8U);
  EXPECT_EQ(exported.texts, 6U);  // two linked, two known, two claims
  EXPECT_EQ(exported.before, 0U);
  EXPECT_EQ(server.requests(), 0U);
  std::set<std::string> bodies, ids;
  for (const std::string& line : lines_of("out")) {
    const std::size_t begin = line.find("\"body\":") + 7;
    bodies.insert(line.substr(begin, line.size() - begin - 1));
    ids.insert(Json::parse(line)["custom_id"]);
  }
  EXPECT_EQ(ids.size(), 8U);
  evaluate_with();
  std::set<std::string> sent;
  for (const auto& [body, count] : server.bodies()) sent.insert(body);
  EXPECT_EQ(bodies, sent);
  // What is answered is not exported.
  EXPECT_EQ(export_to("nothing").requests, 0U);
  EXPECT_FALSE(std::filesystem::exists(dir_ / "nothing"));
}

TEST_F(Exchange, SeveralClaimsLeaveAndComeBackAsOneRequest) {
  stub::Server server;
  claims_per_request_ = 2;
  canaries_ = true;
  add_small();
  use(server.url());
  const Exported exported = export_to("out");
  EXPECT_EQ(exported.requests, 8U);  // two linked and two known texts, each with the record's claims and a check
  EXPECT_EQ(exported.texts, 6U);     // two linked, four claims, of which two are what is known
  std::set<std::string> bodies;
  std::vector<std::string> about_claims;
  for (const std::string& line : lines_of("out")) {
    const std::size_t begin = line.find("\"body\":") + 7;
    bodies.insert(line.substr(begin, line.size() - begin - 1));
    for (const char* claims :
         {R"(1. Ann keeps bees.\n2. She has two dogs.)", R"(1. Bob repairs clocks.\n2. He is ill.)"}) {
      if (line.find(claims) != std::string::npos) about_claims.push_back(Json::parse(line)["custom_id"]);
    }
  }
  ASSERT_EQ(about_claims.size(), 4U);
  // One answer lacks a claim: it is none.
  std::vector<std::string> answers;
  for (std::size_t i = 0; i < 4; ++i) answers.push_back(nested(about_claims[i], completion(1, "stop", i == 0 ? 1 : 2)));
  const ingest::ImportedWork imported = import(answers);
  EXPECT_EQ(imported.saved, 3U);
  EXPECT_EQ(imported.invalid, 1U);
  EXPECT_EQ(export_to("again").requests, 5U);
  for (const std::string& line : lines_of("again")) {
    const std::size_t begin = line.find("\"body\":") + 7;
    bodies.insert(line.substr(begin, line.size() - begin - 1));
  }
  EXPECT_EQ(bodies.size(), 9U) << "what was none leaves with another seed";
  EXPECT_EQ(evaluate_with().asked.saved, 5U);  // four checks and the one that was none
  for (const auto& [body, count] : server.bodies()) EXPECT_TRUE(bodies.contains(body));
  EXPECT_EQ(number("SELECT count(*) FROM judgment m JOIN judge j ON j.id = m.judge_id WHERE j.name = 'stub'"), 8);
  expect_proven();
}

TEST_F(Exchange, WhatIsImportedIsNotAskedFor) {
  stub::Server server;
  add_small();
  use(server.url(), 3);
  export_to("out");
  std::vector<std::string> lines;
  const std::vector<std::string> ids = ids_of("out");
  for (std::size_t i = 0; i < ids.size(); ++i) lines.push_back(nested(ids[i], completion(2)));
  std::reverse(lines.begin(), lines.end());
  const ingest::ImportedWork work = import(lines);
  EXPECT_EQ(work.saved, 12U);
  EXPECT_EQ(work.models, std::vector<std::string>{"stub"});
  EXPECT_EQ(evaluate_with().asked.requests, 0U);
  EXPECT_EQ(server.requests(), 0U);
  EXPECT_EQ(asked_metric("m.value || ' ' || m.n || ' ' || m.failed"), "0.5 2 0");
  EXPECT_EQ(rows("SELECT DISTINCT state || n || status || tokens_in || cost FROM attempt"),
            std::vector<std::string>{"saved1200100100000"});
  expect_proven();
  EXPECT_EQ(export_to("again").requests, 0U);
}

// Passages are checked by way of files as well: a server that rates whatever it is asked 3 was led by each of them.
TEST_F(Exchange, ChecksOfPassagesGoOutAndComeBack) {
  stub::Server server;
  canaries_ = true;
  add_small();
  use(server.url());
  EXPECT_EQ(export_to("out").requests, 8U);
  std::vector<std::string> lines;
  for (const std::string& line : lines_of("out")) {
    const Json json = Json::parse(line);
    const std::string user = json["body"]["messages"].back()["content"];
    lines.push_back(nested(json["custom_id"], completion(3, "stop", user.find("\n2. ") == std::string::npos ? 1 : 2)));
  }
  EXPECT_EQ(import(lines).saved, 8U);
  EXPECT_EQ(evaluate_with().asked.requests, 0U);
  EXPECT_EQ(asked_metric("m.value || ' ' || m.n", "injection_suspect"), "1.0 2");
  expect_proven();
}

TEST_F(Exchange, PartOfTheAnswersIsUsedAndTheRestAsked) {
  stub::Server server;
  add_small();
  use(server.url());
  export_to("out");
  const auto ids = ids_of("out");
  import({nested(ids[0], completion(2)), nested(ids[2], completion(2))});
  EXPECT_EQ(export_to("rest").requests, 2U);
  EXPECT_EQ(evaluate_with().asked.requests, 2U);
  expect_proven();
}

TEST_F(Exchange, FilesAreTheSameWhateverTheHistory) {
  add_small();
  use("http://localhost:1/v1", 2);
  EXPECT_EQ(export_to("one", 3).files.size(), 3U);
  EXPECT_EQ(export_to("two", 3).before, 8U);
  EXPECT_EQ(lines_of("one"), lines_of("two"));
  const auto before = lines_of("one");
  // Other numbers of texts, other order.
  store_.reset();
  std::filesystem::remove_all(dir_ / ".residue");
  storage::Store::create(dir_);
  open();
  add_records({record("z", "He is ill. A man repairs clocks."), record("b", "Bob repairs clocks. He is ill.")});
  add_records({record("a", "Ann keeps bees. She has two dogs.")});
  add_claims(
      {claims("b", {"Bob repairs clocks.", "He is ill."}), claims("a", {"Ann keeps bees.", "She has two dogs."})});
  add_run("r", {variant("b", "A man repairs clocks."), variant("a", "Somebody keeps bees. She has two dogs."),
                variant("z", "Nothing.")});
  evaluate_all({"bm25/first:1"}, "lexical", 0, "r");
  use("http://localhost:2/v1", 2);
  export_to("other", 3);
  EXPECT_EQ(lines_of("other"), before);
}

TEST_F(Exchange, NothingIsExportedWithoutLinksPermissionOrAModel) {
  add_records({record("a", "Ann keeps bees. She has two dogs.")});
  add_claims({claims("a", {"Ann keeps bees.", "She has two dogs."})});
  add_run("r", {variant("a", "Somebody keeps bees.")});
  use("http://localhost:1/v1");
  const auto code = [&](const std::string& judge) {
    try {
      export_to("out", 10, judge);
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("bees"), std::string::npos);
      return error.code();
    }
    return Code::kInternal;
  };
  EXPECT_EQ(code("stub"), Code::kNotFound);
  EXPECT_EQ(code("lexical"), Code::kUsage);
  EXPECT_EQ(code("nobody"), Code::kNotFound);
  evaluate_all({"bm25/first:1"}, "lexical", 0, "r");
  use("https://models.invalid/v1");
  EXPECT_EQ(code("stub"), Code::kUsage);
  EXPECT_FALSE(std::filesystem::exists(dir_ / "out"));
  EXPECT_EQ(number("SELECT count(*) FROM attempt"), 0);
  model::allow_egress(store(), "d", "models.invalid");
  EXPECT_EQ(export_to("out").requests, 2U);
  EXPECT_EQ(
      rows("SELECT DISTINCT state || ' ' || reason || ' ' || host || ' ' || loopback || ' ' || dataset FROM attempt"),
      std::vector<std::string>{"unknown exported to a file models.invalid 0 d"});
  EXPECT_EQ(code("stub"), Code::kUsage);  // the folder has parts
}

}  // namespace
}  // namespace residue::query::testing
