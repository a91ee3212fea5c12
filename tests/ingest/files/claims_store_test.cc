#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/files/claims.h"
#include "ingest/files/dataset.h"
#include "tests/ingest/store_fixture.h"

namespace residue::ingest::testing {
namespace {

ClaimsRow single(std::string record, std::string text, std::optional<std::uint32_t> n = std::nullopt) {
  ClaimsRow row;
  row.record = std::move(record);
  row.claims.push_back({std::move(text), n, std::nullopt});
  return row;
}

class IngestClaims : public StoreTest {
 protected:
  IngestClaims() {
    VectorSource<RecordRow> source({record("a", "one"), record("b", "two")});
    ingest_dataset(store(), "d", source, file());
  }
  IngestResult ingest(std::vector<ClaimsRow> rows) {
    VectorSource<ClaimsRow> source(std::move(rows));
    return ingest_claims(store(), "d", "claims", source, file());
  }
  std::vector<std::string> stored() {
    return rows("SELECT r.key, n, c.text_id AS 'T:t' FROM claim c JOIN record r ON r.id = record_id ORDER BY 1, 2");
  }
};

// Nobody learns "nan" from any text: it would look like privacy.
TEST_F(IngestClaims, RefusesWhatIsNoClaim) {
  for (const char* claim : {"nan", "None", "N/A", "I'm sorry, but I can't help with that.", "KeyError: 'choices'"}) {
    SCOPED_TRACE(claim);
    EXPECT_THROW(ingest({single("a", "x"), single("a", claim)}), Error);
    EXPECT_THROW(ingest({claims("a", {"x", claim})}), Error);
  }
  EXPECT_TRUE(stored().empty());
  VectorSource<RecordRow> source({record("c", "I'm sorry, but I can't help with that. N/A")});
  ingest_dataset(store(), "d", source, file());
  EXPECT_EQ(ingest({single("c", "I'm sorry, but I can't help with that.")}).counts.fresh, 1U)
      << "the text itself says so";
}

TEST_F(IngestClaims, ReplacesArraysAndKeepsTheFingerprintOfAFreshStore) {
  EXPECT_EQ(ingest({claims("a", {"x", "y", "z", "u"})}).notes,
            (std::vector<std::string>{"1 of 2 records of d have no claims in the set \"claims\""}));
  EXPECT_EQ(ingest({claims("a", {"x", "w"}), claims("b", {"v"})}).counts, (Counts{1, 0, 1, 0}));
  EXPECT_EQ(stored(), (std::vector<std::string>{"a|1|x", "a|2|w", "b|1|v"}));
  const auto before = catalog();
  EXPECT_EQ(ingest({claims("a", {"x", "w"}), claims("b", {"v"})}).counts, (Counts{0, 2, 0, 0}));
  EXPECT_EQ(catalog(), before);
  VectorSource<ClaimsRow> source({claims("b", {"v"}), claims("a", {"x", "w"})});
  ingest_claims(store(), "d", "again", source, file());
  EXPECT_EQ(rows("SELECT DISTINCT hex(content) FROM claim_set").size(), 1U);
}

TEST_F(IngestClaims, NumbersSinglesWithinTheFileAndUpserts) {
  ingest({single("a", "x"), single("b", "v"), single("a", "y"), single("a", "q", 7)});
  EXPECT_EQ(stored(), (std::vector<std::string>{"a|1|x", "a|2|y", "a|7|q", "b|1|v"}));
  EXPECT_EQ(ingest({single("a", "x2")}).counts, (Counts{0, 0, 1, 0}));
  EXPECT_EQ(stored()[0], "a|1|x2");
  EXPECT_EQ(stored().size(), 4U);
  // An array over numbers with a gap.
  ingest({claims("a", {"1", "2", "3"})});
  EXPECT_EQ(stored(), (std::vector<std::string>{"a|1|1", "a|2|2", "a|3|3", "b|1|v"}));
  VectorSource<ClaimsRow> source({claims("a", {"1", "2", "3"}), claims("b", {"v"})});
  ingest_claims(store(), "d", "again", source, file());
  EXPECT_EQ(rows("SELECT DISTINCT hex(content) FROM claim_set").size(), 1U);
}

TEST_F(IngestClaims, RefusesUnknownRecordsBlanksAndRepeats) {
  struct Case {
    std::vector<ClaimsRow> rows;
    std::string message;
  };
  for (const Case& c : {Case{{claims("x", {"y"})}, "rows.jsonl:1: no record with this id in dataset d"},
                        Case{{claims("a", {"y", " \t"})}, "rows.jsonl:1: a claim is blank"},
                        Case{{claims("a", {"y"}), claims("a", {"y"})},
                             "rows.jsonl:2: the claims of this record were on an earlier line already"},
                        Case{{claims("a", {"y"}), single("a", "z")},
                             "rows.jsonl:2: the claims of this record were on an earlier line already"},
                        Case{{single("a", "y", 2), single("a", "z", 2)},
                             "rows.jsonl:2: a claim with this number was on an earlier line already"},
                        Case{{single("a", "y", 0)}, "rows.jsonl:1: a claim's number is out of range"}}) {
    SCOPED_TRACE(c.message);
    EXPECT_EQ(error_of([&] { ingest(c.rows); }), (std::pair<int, std::string>{6, c.message}));
    EXPECT_TRUE(stored().empty());
  }
}

TEST_F(IngestClaims, KeepsASetOfTheAtomizerApart) {
  store().db().run(
      "INSERT INTO claim_set (dataset_id, name, source, content) VALUES (1, 'claims', 'sentences/1', x'')");
  EXPECT_EQ(error_of([&] { ingest({claims("a", {"x"})}); }).first, 2);
}

TEST_F(IngestClaims, KeepTheCategoriesOfUnchangedWords) {
  ClaimsRow row = single("a", "He is a nurse.", 1);
  row.claims[0].category = R"(["Occupation"])";
  ingest({row});
  EXPECT_EQ(ingest({single("a", "He is a nurse.", 1)}).counts, (Counts{0, 1, 0, 0}));
  EXPECT_EQ(ingest({claims("a", {"He is a nurse."})}).counts, (Counts{0, 1, 0, 0}));
  EXPECT_EQ(rows("SELECT category FROM claim"), (std::vector<std::string>{R"(["Occupation"])"}));
  row.claims[0].category = "[]";
  ingest({row});
  EXPECT_EQ(rows("SELECT category FROM claim"), (std::vector<std::string>{"[]"}));
  ingest({single("a", "He sings.", 1)});
  EXPECT_EQ(rows("SELECT category IS NULL FROM claim"), (std::vector<std::string>{"1"}));
}

}  // namespace
}  // namespace residue::ingest::testing
