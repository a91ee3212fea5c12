// Claims and other words by a model that answers over the wire: asked once, in order, failures counted and never empty.
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/atomize/atomize.h"
#include "ingest/atomize/atomize_run.h"
#include "ingest/atomize/categorize.h"
#include "ingest/atomize/paraphrase.h"
#include "ingest/files/claims.h"
#include "ingest/files/dataset.h"
#include "ingest/files/run.h"
#include "tests/ingest/store_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::ingest::testing {
namespace {

using Lines = std::vector<std::string>;

class ModelClaims : public StoreTest {
 protected:
  ModelClaims() {
    endpoint_.name = "local";
    endpoint_.asking.model = "m";
    endpoint_.transport.timeout_s = 5;
    endpoint_.transport.concurrency = 2;
    session_.options.retry.base = model::Millis(1);
    session_.options.retry.cap = model::Millis(5);
  }
  void add_records(std::vector<RecordRow> rows) {
    VectorSource<RecordRow> source(std::move(rows));
    ingest_dataset(store(), "d", source, file());
  }
  void add_claims(std::vector<ClaimsRow> rows, const char* set = "claims") {
    VectorSource<ClaimsRow> source(std::move(rows));
    ingest_claims(store(), "d", set, source, file());
  }
  IngestResult atomize(const stub::Server& server, const char* set = "local") {
    endpoint_.transport.url = server.url();
    ModelMaker maker(store(), endpoint_, "d", session_);
    return atomize_dataset(store(), "d", set, maker);
  }
  IngestResult atomize_r(const stub::Server& server, const char* set = "local") {
    endpoint_.transport.url = server.url();
    ModelMaker maker(store(), endpoint_, "d", session_);
    return atomize_run(store(), "d", "r", set, maker);
  }
  IngestResult paraphrase(const stub::Server& server, const char* into = "said") {
    endpoint_.transport.url = server.url();
    return paraphrase_claims(store(), "d", "claims", into, endpoint_, session_);
  }
  Lines claims_of(const std::string& set) {
    return rows(
        ("SELECT r.key, n, c.text_id AS 'T:t' FROM claim c JOIN record r ON r.id = c.record_id JOIN claim_set s "
         "ON s.id = c.claim_set_id WHERE s.name = '" +
         set + "' ORDER BY 1, 2")
            .c_str());
  }
  void refuse(const stub::Server& server, int code) {
    EXPECT_EQ(error_of([&] { paraphrase(server); }).first, code);
  }

  model::Endpoint endpoint_;
  model::AskSession session_;
};

TEST_F(ModelClaims, AreNeverARefusal) {
  stub::Server server("sorry");
  endpoint_.asking.form = model::AnswerForm::kText;
  add_records({record("a", "Ann keeps bees. She has two dogs.")});
  add_claims({claims("a", {"Ann keeps bees.", "She has two dogs."})});
  EXPECT_EQ(atomize(server).counts, (Counts{0, 0, 0, 1}));
  EXPECT_EQ(paraphrase(server).counts.bad, 1U);
  EXPECT_EQ(claims_of("local"), Lines());
  EXPECT_EQ(claims_of("said"), Lines());
  EXPECT_EQ(server.requests(), 9U) << "three times each";
  EXPECT_EQ(rows("SELECT DISTINCT state || ' ' || reason FROM attempt"), Lines{"invalid a refusal"});
}

TEST_F(ModelClaims, AreAskedForWithTheUsersInstructions) {
  stub::Server server;
  add_records({record("a", "Ann keeps bees. She has two dogs.")});
  add_claims({claims("a", {"Ann keeps bees."})});
  atomize(server);
  paraphrase(server);
  EXPECT_EQ(server.requests(), 2U);
  const auto told = [&] {
    std::uint64_t count = 0;
    for (const auto& [body, times] : server.bodies()) count += body.find("as the handbook says") != std::string::npos;
    return count;
  };
  EXPECT_EQ(told(), 0U);
  for (int round = 0; round < 2; ++round) {
    ModelMaker maker(store(), endpoint_, "d", session_, "Split as the handbook says.");
    EXPECT_EQ(atomize_dataset(store(), "d", "mine", maker).counts.bad, 0U);
    paraphrase_claims(store(), "d", "claims", "own", endpoint_, session_, {}, "Rephrase as the handbook says.");
    EXPECT_EQ(server.requests(), 4U) << "another template is another question, asked once";
    EXPECT_EQ(told(), 2U);
  }
  EXPECT_EQ(claims_of("mine"), claims_of("local"));
  EXPECT_EQ(error_of([&] { ModelMaker(store(), endpoint_, "d", session_, " "); }).first, 6);
}

TEST_F(ModelClaims, AreMadeInOrderAndAskedForOnce) {
  stub::Server server;
  add_records({record("a", "Ann keeps bees. She has two dogs."), record("b", " "),
               record("c", "Ann keeps bees. She has two dogs."), record("d", "Dan cooks.")});
  EXPECT_EQ(atomize(server).counts, (Counts{3, 1, 0, 0}));
  EXPECT_EQ(server.requests(), 2U) << "of equal texts one, of a blank one none";
  EXPECT_EQ(claims_of("local"), (Lines{"a|1|Ann keeps bees.", "a|2|She has two dogs.", "c|1|Ann keeps bees.",
                                       "c|2|She has two dogs.", "d|1|Dan cooks."}));
  const std::string source = rows("SELECT source FROM claim_set")[0];
  EXPECT_EQ(source.rfind("model local/", 0), 0U);
  EXPECT_EQ(rows("SELECT substr(lower(hex(digest)), 1, 16) FROM asked_with")[0], source.substr(12, 16));
  EXPECT_EQ(rows("SELECT s.made_from = d.content FROM claim_set s JOIN dataset d"), (Lines{"1"}));
  const auto before = catalog();
  EXPECT_EQ(atomize(server).counts, (Counts{0, 4, 0, 0}));
  EXPECT_EQ(catalog(), before);
  EXPECT_EQ(server.requests(), 2U);
  add_records({record("d", "Dan cooks. He sings.")});
  EXPECT_EQ(atomize(server).counts, (Counts{0, 3, 1, 0}));
  EXPECT_EQ(server.requests(), 3U);
}

TEST_F(ModelClaims, AreTheSameInEveryFormOfAnswer) {
  add_records({record("a", "Ann keeps bees. She has two dogs. It is 2.5 km."), record("b", "Bob sings.")});
  Lines first;
  for (const char* behaviour : {"ok", "numbered", "fenced", "think"}) {
    for (const model::AnswerForm form : {model::AnswerForm::kSchema, model::AnswerForm::kText}) {
      if (form == model::AnswerForm::kSchema && std::string(behaviour) == "numbered") continue;
      SCOPED_TRACE(fmt::format("{} {}", behaviour, model::form_name(form)));
      stub::Server server(behaviour);
      endpoint_.asking.form = form;
      endpoint_.asking.revision = behaviour;
      const std::string set = fmt::format("{}-{}", behaviour, model::form_name(form));
      EXPECT_EQ(atomize(server, set.c_str()).counts.bad, 0U);
      if (first.empty()) first = claims_of(set);
      EXPECT_EQ(claims_of(set), first);
    }
  }
  EXPECT_EQ(first.size(), 4U);
}

TEST_F(ModelClaims, OfUnusableAnswersAreNoneAndCounted) {
  add_records({record("a", "Ann keeps bees."), record("b", "UNSPEAKABLE."), record("c", "Cid cooks. He sings.")});
  stub::Server server;
  const IngestResult result = atomize(server);
  EXPECT_EQ(result.counts, (Counts{2, 0, 0, 1}));
  ASSERT_FALSE(result.notes.empty());
  EXPECT_EQ(result.notes[0],
            "1 of 3 records of d failed and have no claims: model local gave no usable answer: refused (1)");
  EXPECT_EQ(server.requests(), 5U);  // three tries
  EXPECT_EQ(claims_of("local").size(), 3U);
  EXPECT_EQ(atomize(server).counts, (Counts{0, 2, 0, 1}));
  EXPECT_EQ(server.requests(), 5U);
  struct Case {
    const char* behaviour;
    const char* reason;
  };
  for (const Case& one : {Case{"no-claims", "no claim (2), refused (1)"}, Case{"length", "refused (1), truncated (2)"},
                          Case{"empty-content", "empty content (2), refused (1)"}}) {
    SCOPED_TRACE(one.behaviour);
    server.always(one.behaviour);
    endpoint_.asking.revision = one.behaviour;
    session_.budget = {};  // another command
    const IngestResult failed = atomize(server);
    EXPECT_EQ(failed.counts.bad, 3U);
    EXPECT_NE(failed.notes[0].find(one.reason), std::string::npos) << failed.notes[0];
    EXPECT_EQ(claims_of("local"), Lines{}) << "claims of other settings do not stay";
  }
}

TEST_F(ModelClaims, GoOnWhereABudgetStoppedThem) {
  std::vector<RecordRow> many;
  for (int i = 0; i < 30; ++i)
    many.push_back(record(fmt::format("r{}", i), fmt::format("Number {} sings. It is so.", i)));
  add_records(many);
  stub::Server server;
  session_.budget.max_calls = 7;
  EXPECT_EQ(error_of([&] { atomize(server); }).first, 75);
  session_.budget = {};
  session_.options.interrupted = [&] { return server.requests() > 15; };
  EXPECT_EQ(error_of([&] { atomize(server); }).first, 130);
  session_.options.interrupted = nullptr;
  EXPECT_EQ(atomize(server).counts, (Counts{30, 0, 0, 0}));
  EXPECT_EQ(server.requests(), 30U);
  EXPECT_EQ(claims_of("local").size(), 60U);
}

TEST_F(ModelClaims, NeverReplaceThoseOfAnotherMaker) {
  add_records({record("a", "Ann keeps bees.")});
  stub::Server server;
  atomize_dataset(store(), "d", "sentences", 1U);
  add_claims({claims("a", {"x"})});
  for (const char* set : {"sentences", "claims"}) EXPECT_EQ(error_of([&] { atomize(server, set); }).first, 2);
  atomize(server);
  EXPECT_EQ(error_of([&] { atomize_dataset(store(), "d", "local", 1U); }).first, 2);
  endpoint_.name = "ingested";
  EXPECT_EQ(error_of([&] { atomize(server, "claims"); }).first, 2);
  EXPECT_EQ(error_of([&] { atomize(server, "local"); }).first, 2);
  EXPECT_EQ(error_of([&] { paraphrase(server, "local"); }).first, 2);
  endpoint_.embedding = model::Embedding{"m", std::nullopt, std::nullopt, "", ""};
  EXPECT_EQ(error_of([&] { atomize(server, "new"); }).first, 2);
}

TEST_F(ModelClaims, OfARunThatLackSomeAreRefusedToThoseWhoVote) {
  add_records({record("a", "x"), record("b", "y"), record("c", "z")});
  RunSpec spec;
  const auto put = [&](std::vector<VariantRow> variants) {
    VectorSource<VariantRow> source(std::move(variants));
    ingest_run(store(), "d", "r", spec, source, file());
  };
  put({variant("a", "One. Two."), variant("b", "UNSPEAKABLE."), variant("c", "")});
  stub::Server server;
  const IngestResult result = atomize_r(server);
  EXPECT_EQ(result.counts, (Counts{1, 1, 0, 1}));
  EXPECT_NE(
      result.notes[0].find("1 of 3 variants of d/r have no claims: model local gave no usable answer: refused (1)"),
      std::string::npos)
      << result.notes[0];
  EXPECT_EQ(rows("SELECT made_from IS NULL FROM run_claim_set"), (Lines{"1"}));
  put({variant("b", "Three.")});
  EXPECT_EQ(atomize_r(server).counts, (Counts{1, 2, 0, 0}));
  EXPECT_EQ(rows("SELECT s.made_from = r.content FROM run_claim_set s JOIN run r ON r.id = run_id"), (Lines{"1"}));
  EXPECT_EQ(rows("SELECT n, text_id AS 'T:t' FROM run_claim ORDER BY variant_id, n"),
            (Lines{"1|One.", "2|Two.", "1|Three."}));
  EXPECT_EQ(error_of([&] { atomize_run(store(), "d", "r", "local", 1U); }).first, 2);
  put({variant("b", "UNSPEAKABLE.")});
  atomize_r(server);
  EXPECT_EQ(rows("SELECT made_from IS NULL FROM run_claim_set"), (Lines{"1"}));
}

TEST_F(ModelClaims, InOtherWordsKeepTheirNumbers) {
  add_records({record("a", "x"), record("b", "y"), record("c", "z")});
  add_claims({claims("a", {"Ann keeps bees.", "UNSPEAKABLE.", "She sings."}), claims("b", {"She sings."})});
  stub::Server server;
  const IngestResult result = paraphrase(server);
  EXPECT_EQ(result.counts, (Counts{1, 1, 0, 1}));
  EXPECT_EQ(result.notes,
            (Lines{"1 of 4 claims of d have no paraphrase, because model local gave no usable answer: refused (1); a "
                   "record whose attack needs one of them is missing, and counts as leaked"}));
  const Lines said = {"a|1|Somebody says: Ann keeps bees.", "a|3|Somebody says: She sings.",
                      "b|1|Somebody says: She sings."};
  EXPECT_EQ(claims_of("said"), said);
  EXPECT_EQ(server.requests(), 5U);  // equal claims once, the refused one three times
  EXPECT_EQ(rows("SELECT s.words_of, s.made_from = o.content FROM claim_set s JOIN claim_set o ON o.name = s.words_of"),
            (Lines{"claims|1"}));
  const auto before = catalog();
  EXPECT_EQ(paraphrase(server).counts, (Counts{0, 2, 0, 1}));
  EXPECT_EQ(catalog(), before);
  EXPECT_EQ(server.requests(), 5U);
  add_claims({claims("a", {"Ann keeps wasps."})});
  EXPECT_EQ(rows("SELECT s.made_from = o.content FROM claim_set s JOIN claim_set o ON o.name = s.words_of"),
            (Lines{"0"}));
  EXPECT_EQ(paraphrase(server).counts, (Counts{0, 2, 1, 0}));
  EXPECT_EQ(claims_of("said"), (Lines{"a|1|Somebody says: Ann keeps wasps.", "b|1|Somebody says: She sings."}));
  // The fingerprint is that of the claims, whatever the way there.
  add_claims({claims("a", {"Somebody says: Ann keeps wasps."}), claims("b", {"Somebody says: She sings."})}, "same");
  EXPECT_EQ(rows("SELECT DISTINCT hex(content) FROM claim_set WHERE name IN ('said', 'same')").size(), 1U);
}

TEST_F(ModelClaims, InOtherWordsNeedWholeClaimsAndASetOfTheirOwn) {
  add_records({record("a", "x")});
  stub::Server server;
  refuse(server, 3);
  add_claims({claims("a", {"Ann keeps bees."})});
  EXPECT_EQ(error_of([&] { paraphrase(server, "claims"); }).first, 2);
  EXPECT_EQ(error_of([&] { paraphrase(server, "no name"); }).first, 2);
  store().db().run("INSERT INTO ingest_progress VALUES ('claims d/claims', '/f', 1, 1, 1, '{}')");
  refuse(server, 6);
  EXPECT_EQ(server.requests(), 0U);
}

TEST_F(ModelClaims, HaveCategoriesAsLabels) {
  add_records({record("a", "x"), record("b", "y")});
  add_claims({claims("a", {"Ann is 45.", "UNSPEAKABLE.", "She sings."}), claims("b", {"Bob, 30, repairs clocks."})});
  stub::Server server;
  const auto categorize = [&](model::TextTask task = model::TextTask::kGeneralCategories) {
    endpoint_.transport.url = server.url();
    return categorize_claims(store(), "d", "claims", task, endpoint_, Categories::kKeepIngested, session_);
  };
  const IngestResult result = categorize();
  EXPECT_EQ(result.counts, (Counts{1, 0, 0, 1}));
  EXPECT_EQ(result.notes, (Lines{"1 of 4 claims of d have no label: model local gave no usable answer: refused (1)"}));
  const std::string annotator = rows("SELECT DISTINCT annotator FROM label")[0];
  EXPECT_EQ(annotator.rfind("model local, general categories of claims/", 0), 0U);
  const auto payload = [&](const char* names, const char* claim) {
    return fmt::format(R"({{"annotator":"{}","category":[{}],"claim":"{}"}})", annotator, names, claim);
  };
  const char* all = "SELECT payload_id AS 'T:p' FROM label WHERE kind = 'category' ORDER BY record_id, id";
  EXPECT_EQ(rows(all),
            (Lines{payload(R"("Age")", "a#1"), payload("", "a#3"), payload(R"("Age","Occupation")", "b#1")}));
  EXPECT_EQ(server.requests(), 6U);
  const auto before = catalog();
  EXPECT_EQ(categorize().counts, (Counts{0, 1, 0, 1}));
  EXPECT_EQ(catalog(), before);
  EXPECT_EQ(server.requests(), 6U);
  add_claims({claims("a", {"Ann is a nurse."})});
  EXPECT_EQ(categorize().counts, (Counts{0, 1, 1, 0}));
  EXPECT_EQ(rows(all), (Lines{payload("", "a#1"), payload(R"("Age","Occupation")", "b#1")}));
  // Another list adds its own; other settings of the same model replace theirs.
  EXPECT_EQ(categorize(model::TextTask::kMedicalCategories).counts, (Counts{2, 0, 0, 0}));
  endpoint_.asking.revision = "r";
  EXPECT_EQ(categorize().counts, (Counts{0, 0, 2, 0}));
  EXPECT_EQ(rows("SELECT count(*) FROM label"), (Lines{"4"}));
  server.always("unknown-category");
  endpoint_.asking.revision = "s";
  EXPECT_EQ(categorize().counts, (Counts{0, 0, 0, 2}));
  EXPECT_EQ(rows("SELECT count(*) FROM label"), (Lines{"2"})) << "labels of other settings do not stay";
}

TEST_F(ModelClaims, AreAskedOfNoHostThatTheDatasetDoesNotAllow) {
  add_records({record("a", "Ann keeps bees.")});
  endpoint_.transport.url = "https://models.invalid/v1";
  ModelMaker maker(store(), endpoint_, "d", session_);
  EXPECT_EQ(error_of([&] { atomize_dataset(store(), "d", "local", maker); }),
            (std::pair<int, std::string>{2, "texts of dataset d may not be sent to models.invalid"}));
  EXPECT_EQ(rows("SELECT count(*) FROM attempt"), (Lines{"0"}));
}

}  // namespace
}  // namespace residue::ingest::testing
