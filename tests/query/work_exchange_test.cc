// What a model would be asked leaves as files, and comes back as if it had been asked.
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/error.h"
#include "ingest/work_import.h"
#include "model/egress.h"
#include "query/model_judge.h"
#include "query/work_export.h"
#include "tests/query/store_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::query::testing {
namespace {

using Json = nlohmann::json;

Json completion(int rating, const std::string& finish = "stop", int claims = 1) {
  Json ratings = Json::array();
  for (int i = 1; i <= claims; ++i) ratings.push_back({{"claim", i}, {"reason", "r"}, {"rating", rating}});
  const Json content = {{"ratings", ratings}};
  return {{"choices", {{{"finish_reason", finish}, {"message", {{"content", content.dump()}}}}}},
          {"model", "m"},
          {"usage", {{"prompt_tokens", 100}, {"completion_tokens", 10}}}};
}

class Exchange : public QueryStore {
 protected:
  bool canaries_ = false;
  std::uint32_t claims_per_request_ = 1;

  void add_small() {
    add_records({record("a", "Ann keeps bees. She has two dogs."), record("b", "Bob repairs clocks. He is ill.")});
    add_claims(
        {claims("a", {"Ann keeps bees.", "She has two dogs."}), claims("b", {"Bob repairs clocks.", "He is ill."})});
    add_run("r", {variant("a", "Somebody keeps bees. She has two dogs."), variant("b", "A man repairs clocks.")});
    evaluate_all({"bm25/first:1"}, "lexical", 0, "r");
  }
  void use(const std::string& url, std::uint32_t votes = 1) {
    model::Endpoint endpoint;
    endpoint.name = "stub";
    endpoint.asking.model = "m";
    endpoint.asking.seed = 0;
    endpoint.votes = votes;
    endpoint.canaries = canaries_;
    endpoint.claims_per_request = claims_per_request_;
    endpoint.transport.url = url;
    endpoint.transport.price_in = 1;
    const auto batch = store().write();
    model::save_endpoint(batch->db(), endpoint);
    batch->commit();
  }
  EvalCounts evaluate_with() {
    EvalOptions options;
    options.protocols = {parse_protocol("bm25/first:1")};
    options.judge = "stub";
    options.retry.base = model::Millis(1);
    return evaluate(store(), {{"d", "r"}}, options);
  }
  Exported export_to(const std::string& folder, std::uint64_t lines = model::kBatchLines,
                     const std::string& judge = "stub") {
    ExportOptions options;
    options.eval.protocols = {parse_protocol("bm25/first:1")};
    options.eval.judge = judge;
    options.folder = dir_ / folder;
    options.lines_per_file = lines;
    return export_work(store(), {{"d", "r"}}, options);
  }
  std::vector<std::string> lines_of(const std::string& folder) {
    std::vector<std::string> lines;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(dir_ / folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      std::ifstream in(file);
      for (std::string line; std::getline(in, line);) lines.push_back(line);
    }
    return lines;
  }
  std::vector<std::string> ids_of(const std::string& folder) {
    std::vector<std::string> ids;
    for (const std::string& line : lines_of(folder)) ids.push_back(Json::parse(line)["custom_id"]);
    return ids;
  }
  static std::string nested(const std::string& id, const Json& body, int status = 200) {
    return Json{{"custom_id", id}, {"response", {{"status_code", status}, {"body", body}}}, {"error", nullptr}}.dump();
  }
  ingest::ImportedWork import(const std::vector<std::string>& lines) {
    const std::filesystem::path file = dir_ / "done.jsonl";
    std::ofstream out(file);
    for (const std::string& line : lines) out << line << '\n';
    out.close();
    return ingest::import_work(store(), file.string());
  }
  std::string metric(const std::string& columns, const std::string& name = "semantic_distance") {
    const std::string sql = "SELECT " + columns +
                            " FROM metric m JOIN metric_definition f ON f.id = m.metric "
                            "JOIN evaluation e ON e.id = m.evaluation_id JOIN judge j ON j.id = e.judge_id "
                            "WHERE f.name = '" +
                            name + "' AND m.slice = '' AND NOT j.embedded";
    return rows(sql.c_str()).front();
  }
  // The ledger and the answers, to be held against themselves.
  std::string state() {
    std::string all;
    for (const std::string& row :
         rows("SELECT hex(vote) || n || state || coalesce(reason, '-') || bytes || "
              "coalesce(tokens_in, '-') || coalesce(cost, '-') FROM attempt ORDER BY vote, n")) {
      all += row + "\n";
    }
    store().facts().read()->each_answer([&](const storage::SavedAnswer& answer) {
      all += fmt::format("{} {}\n", answer.attempt, answer.envelope.substr(answer.envelope.find('\n')));
    });
    return all;
  }
};

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
  // One answer lacks a claim: nobody knows until it is read, and then it is none.
  std::vector<std::string> answers;
  for (std::size_t i = 0; i < 4; ++i) answers.push_back(nested(about_claims[i], completion(1, "stop", i == 0 ? 1 : 2)));
  EXPECT_EQ(import(answers).saved, 4U);
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
  EXPECT_EQ(metric("m.value || ' ' || m.n || ' ' || m.failed"), "0.5 2 0");
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
  EXPECT_EQ(metric("m.value || ' ' || m.n", "injection_suspect"), "1.0 2");
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
  EXPECT_EQ(metric("m.failed"), "2");
  std::vector<std::string> lines;
  for (const std::string& id : ids) lines.push_back(nested(id, completion(3)));
  const ingest::ImportedWork late = import(lines);
  EXPECT_EQ(late.saved, 4U);
  EXPECT_EQ(late.unused, 4U);
  evaluate_with();
  EXPECT_EQ(metric("m.failed"), "2");
  expect_proven();

  // The same the other way round: the answer used first stays the one that counts.
  server.always("ok");
  use(server.url(), 2);
  export_to("more");
  evaluate_with();
  const std::string value = metric("group_concat(m.value)");
  lines.clear();
  for (const std::string& id : ids_of("more")) lines.push_back(nested(id, completion(1)));
  import(lines);
  evaluate_with();
  EXPECT_EQ(metric("group_concat(m.value)"), value);
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
  EXPECT_EQ(metric("m.n || ' ' || m.failed"), "0 2");
  std::vector<std::string> lines;
  for (const std::string& id : ids) lines.push_back(nested(id, completion(3)));
  EXPECT_EQ(import(lines).saved, 4U);
  EXPECT_EQ(evaluate_with().asked.requests, 0U);
  EXPECT_EQ(metric("m.n || ' ' || m.failed || ' ' || m.value"), "2 0 1.0");
  expect_proven();
}

}  // namespace
}  // namespace residue::query::testing
