// Vectors by a server, and attacks over them: nothing needed is left out, queries stay apart, nothing is asked twice.
#include "query/link/embedding.h"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/atomize/atomize_run.h"
#include "ingest/atomize/paraphrase.h"
#include "ingest/files/vectors.h"
#include "storage/disk/fault.h"
#include "storage/vectors.h"
#include "tests/query/child.h"
#include "tests/query/store_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::query::testing {
namespace {

class Embedding : public QueryStore {
 protected:
  Embedding() {
    add_records({record("a", "Ann keeps bees in Graz"), record("b", "Bob repairs old clocks"), record("c", "")});
    add_claims({claims("a", {"Ann keeps bees", "Ann is in Graz", "Ann lives"}),
                claims("b", {"Bob repairs clocks", "clocks are old", "Bob lives"}), claims("c", {"Cid lives"})});
    add_run("r", {variant("a", "Somebody keeps bees"), variant("b", "Somebody repairs clocks"), variant("c", "gone")});
    endpoint_.name = "emb";
    endpoint_.asking.model = "m";
    endpoint_.embedding = model::Embedding{"m", std::nullopt, 64, "", ""};
    endpoint_.transport.timeout_s = 5;
    session_.options.retry.base = model::Millis(1);
  }
  model::EmbedCounts embed(const stub::Server& server, const std::optional<std::string>& run = std::nullopt,
                           const std::vector<std::string>& protocols = {}) {
    endpoint_.transport.url = server.url();
    EmbedPlan plan{"d", run, {}, {}};
    for (const std::string& protocol : protocols) plan.protocols.push_back(parse_protocol(protocol));
    return embed_for_attacks(store(), plan, endpoint_, session_);
  }
  std::vector<std::string> links(const std::string& protocol) {
    return rows(
        ("SELECT r.key, o.key FROM link l JOIN run u ON u.id = l.run_id JOIN protocol p ON p.id = l.protocol_id "
         "JOIN record r ON r.id = l.record_id LEFT JOIN record o ON o.id = l.linked_id WHERE u.name = 'r' AND "
         "p.name = '" +
         protocol + "' ORDER BY 1")
            .c_str());
  }
  int refused(const std::string& protocol, const std::optional<std::string>& run = std::nullopt) {
    try {
      evaluate_all({protocol}, "lexical", 0, run);
    } catch (const Error& error) {
      hint_ = error.hint();
      return static_cast<int>(error.code());
    }
    return 0;
  }

  model::Endpoint endpoint_;
  model::AskSession session_;
  std::string hint_;
};

TEST_F(Embedding, LacksNothingThatDenseAttackersNeed) {
  stub::Server server;
  ingest::atomize_run(store(), "d", "r", "sentences", 1U);
  EXPECT_EQ(embed(server).embedded, 2U + 3U + 7U) << "originals, variants (which are their claims), claims";
  EXPECT_EQ(refused("dense[model=emb]/first:2"), 0);
  EXPECT_EQ(refused("dense-vote[model=emb]/first:2"), 0);
  const std::vector<std::string> found = links("dense[model=emb]/first:2/claims");
  EXPECT_EQ(found.at(0), "a|a");
  EXPECT_EQ(found.at(1), "b|b");
  EXPECT_EQ(embed(server).embedded, 0U);
  expect_proven();
  add_run("r", {variant("b", "Another text")});
  EXPECT_EQ(refused("dense[model=emb]/first:2"), 6);
  EXPECT_EQ(hint_, "residue embed d/r --with emb");
  EXPECT_EQ(embed(server, "r").embedded, 1U);
  EXPECT_EQ(refused("dense[model=emb]/first:2"), 0);
}

TEST_F(Embedding, OfARunLeavesOutTheOthersAndTheOriginals) {
  stub::Server server;
  add_run("s", {variant("a", "something else"), variant("b", "nothing"), variant("c", "no more")});
  EXPECT_EQ(embed(server, "r").embedded, 3U + 7U);
  EXPECT_EQ(refused("dense[model=emb]/first:2", "r"), 0);
  EXPECT_EQ(refused("dense[model=emb]/first:2", "s"), 6);
  EXPECT_EQ(refused("dense[model=emb]/first:2", "none"), 6);
  EXPECT_EQ(hint_, "residue embed d --with emb");
  EXPECT_THROW(embed(server, "nobody"), Error);
}

TEST_F(Embedding, OfJoinedClaimsReplacesTheirCommonDirection) {
  stub::Server server;
  embed(server);
  evaluate_all({"dense[model=emb]/first:2"}, "lexical", 0, "r");
  const std::int64_t before = number("SELECT count(*) FROM vector");
  EXPECT_EQ(embed(server, "r", {"bm25/first:2"}).embedded, 2U) << "c's one claim has a vector";
  EXPECT_EQ(number("SELECT count(*) FROM vector"), before + 2);
  EXPECT_EQ(evaluate_all({"dense[model=emb]/first:2"}, "lexical", 0, "r").current, 2U) << "the controls";
  expect_proven();
}

TEST_F(Embedding, ComparesQueriesWithPassagesWhereThePrefixesDiffer) {
  stub::Server server;
  endpoint_.embedding->query_prefix = "bees bees bees bees bees bees ";
  ingest::atomize_run(store(), "d", "r", "sentences", 1U);
  embed(server);
  EXPECT_EQ(number("SELECT count(*) FROM vector v JOIN embedder e ON e.id = v.embedder_id WHERE e.name = 'emb/query'"),
            7);
  EXPECT_EQ(refused("dense[model=emb]/first:2"), 0);
  EXPECT_EQ(refused("dense-vote[model=emb]/first:2"), 0) << "the claims of the originals are passages as well";
  // Whoever is asked for, the query speaks of bees.
  EXPECT_EQ(links("dense[model=emb]/first:2/claims"), (std::vector<std::string>{"a|a", "b|a", "c|a"}));
  expect_proven();
  const std::int64_t current = static_cast<std::int64_t>(evaluate_all({"dense[model=emb]/first:2"}).current);
  store().db().run("DELETE FROM vector WHERE embedder_id = (SELECT id FROM embedder WHERE name = 'emb/query')");
  store().db().run("UPDATE embedder SET content = x'00' WHERE name = 'emb/query'");
  EXPECT_EQ(refused("dense[model=emb]/first:2"), 6) << "never the vectors of passages instead; " << current;
  EXPECT_EQ(hint_, "residue embed d --with emb");
}

TEST_F(Embedding, AndFilesNeverFillOneModel) {
  stub::Server server;
  embed(server, "r");
  ingest::VectorRow row;
  row.key = "a";
  row.values = {1, 2};
  VectorSource<ingest::VectorRow> source({row});
  EXPECT_EQ(ingest::testing::error_of(
                [&] { ingest::ingest_vectors(store(), "d", "emb", "claims", source, ingest::testing::file()); }),
            (std::pair<int, std::string>{2, "a server makes the vectors of \"emb\""}));
}

TEST_F(Embedding, IsNoJudge) {
  const auto batch = store().write();
  endpoint_.transport.url = "http://localhost/v1";
  model::save_endpoint(batch->db(), endpoint_);
  batch->commit();
  EXPECT_THROW(evaluate_all({"bm25/first:2"}, "emb"), Error);
}

// Killed before and after each durable step: what was stored is not asked for again, and the ledger knows of every
// request.
TEST_F(Embedding, KilledAtAnyStepKeepsWholeBatchesAndAsksForTheRest) {
  const auto run = [&](const std::string& name, const std::string& url) {
    endpoint_.name = name;
    endpoint_.transport.url = url;
    endpoint_.transport.concurrency = 1;
    return embed_for_attacks(store(), {"d", std::nullopt, {}, {}}, endpoint_, session_);
  };
  if (const char* dir = std::getenv("RESIDUE_EMBED_DIR")) {
    store_.reset();
    store_ = std::make_unique<storage::Store>(dir);
    ::setenv("RESIDUE_FAULT", std::getenv("RESIDUE_EMBED_STEP"), 1);
    storage::reset_fault_points();
    run(std::getenv("RESIDUE_EMBED_NAME"), std::getenv("RESIDUE_EMBED_URL"));
    return;
  }
  stub::Server server;
  add_many(0, 20);
  const std::uint64_t texts = run("whole", server.url()).embedded;
  const std::int64_t batches = number("SELECT count(*) FROM attempt");
  ASSERT_GE(batches, 4);
  int step = 1;
  for (bool died = true; died; ++step) {
    ASSERT_LT(step, 200);
    SCOPED_TRACE(step);
    const std::string name = fmt::format("emb{}", step);
    store_.reset();
    const int status = run_child("Embedding.KilledAtAnyStepKeepsWholeBatchesAndAsksForTheRest",
                                 {"RESIDUE_EMBED_DIR=" + (dir_ / ".residue").string(), "RESIDUE_EMBED_NAME=" + name,
                                  "RESIDUE_EMBED_URL=" + server.url(), fmt::format("RESIDUE_EMBED_STEP={}", step)});
    died = killed(status);
    ASSERT_TRUE(died || succeeded(status));
    open();
    const model::EmbedCounts counts = run(name, server.url());
    EXPECT_EQ(counts.known + counts.embedded, texts);
    EXPECT_EQ(counts.known % model::kTextsPerRequest == 0 || counts.known == texts, true) << counts.known;
    EXPECT_EQ(
        number(("SELECT count(*) FROM vector v JOIN embedder e ON e.id = v.embedder_id WHERE name = '" + name + "'")
                   .c_str()),
        static_cast<std::int64_t>(texts));
    const std::string of = " FROM attempt WHERE model = '" + name + "' AND state = ";
    EXPECT_EQ(number(("SELECT count(*)" + of + "'saved'").c_str()), batches);
    EXPECT_LE(number(("SELECT count(*)" + of + "'unknown'").c_str()), 1);
    EXPECT_EQ(number(("SELECT count(*)" + of + "'sent'").c_str()), 0);
  }
  EXPECT_GT(step, 4 * batches);
  std::vector<std::string> problems;
  storage::check_vectors(store(), [&](const std::string& problem) { problems.push_back(problem); });
  EXPECT_EQ(problems, std::vector<std::string>{});
}

class Paraphrased : public Embedding {
 protected:
  ingest::IngestResult paraphrase(const stub::Server& server) {
    endpoint_.embedding.reset();
    endpoint_.name = "local";
    endpoint_.transport.url = server.url();
    return ingest::paraphrase_claims(store(), "d", "claims", "said", endpoint_, session_);
  }
};

TEST_F(Paraphrased, WordsOfAFailedClaimAreMissingAndNeverItsOwn) {
  stub::Server server;
  add_claims({claims("b", {"UNSPEAKABLE bees", "clocks are old", "Bob lives"})});
  paraphrase(server);
  evaluate_all({"bm25/first:2~said/claims"}, "lexical", 0, "r");
  EXPECT_EQ(rows("SELECT r.key, q.text_id AS 'T:q' FROM auxiliary_query q JOIN record r ON r.id = q.record_id JOIN "
                 "auxiliary a ON a.id = q.auxiliary_id WHERE a.policy = 'first:2~said' ORDER BY 1"),
            (std::vector<std::string>{"a|Somebody says: Ann keeps bees Somebody says: Ann is in Graz",
                                      "c|Somebody says: Cid lives"}));
  EXPECT_EQ(number("SELECT m.missing FROM metric m JOIN metric_definition f ON f.id = m.metric JOIN evaluation e ON "
                   "e.id = m.evaluation_id JOIN protocol p ON p.id = e.protocol_id WHERE f.name = 'exposed_rate' AND "
                   "m.slice = '' AND p.name = 'bm25/first:2~said/claims'"),
            1);
  expect_proven();
}

TEST_F(Paraphrased, WordsAreRefusedForOtherClaimsThanTheirs) {
  stub::Server server;
  add_claims({claims("a", {"Ann keeps bees", "Ann lives", "x"})}, "others");
  paraphrase(server);
  EXPECT_EQ(refused("bm25/first:2~said/claims", "r"), 0);
  EXPECT_EQ(refused("bm25/first:2~said/others", "r"), 2);
  EXPECT_EQ(hint_, "name the set that is judged: POLICY~said/claims");
  EXPECT_EQ(refused("bm25/given:said/others", "r"), 0) << "what is known, not how it is said";
  add_claims({claims("b", {"Bob repairs watches"})});
  EXPECT_EQ(refused("bm25/first:2~said/claims", "r"), 6);
  EXPECT_EQ(hint_, "residue paraphrase d --set claims --with MODEL --into said");
  paraphrase(server);
  EXPECT_EQ(refused("bm25/first:2~said/claims", "r"), 0);
}

}  // namespace
}  // namespace residue::query::testing
