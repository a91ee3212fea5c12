#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/atomize/atomize_run.h"
#include "ingest/files/claims.h"
#include "ingest/files/dataset.h"
#include "ingest/files/run.h"
#include "ingest/files/vectors.h"
#include "storage/check.h"
#include "storage/disk/fault.h"
#include "storage/vectors.h"
#include "tests/ingest/store_fixture.h"

namespace residue::ingest::testing {
namespace {

VectorRow vector_of(std::string key, std::vector<float> values) {
  VectorRow row;
  row.key = std::move(key);
  row.values = std::move(values);
  return row;
}

VectorRow vector_of_variant(std::string key, std::string run, std::vector<float> values) {
  VectorRow row = vector_of(std::move(key), std::move(values));
  row.of = VectorOf::kVariant;
  row.run = std::move(run);
  return row;
}

VectorRow vector_of_claim(std::string key, std::uint32_t n, std::vector<float> values) {
  VectorRow row = vector_of(std::move(key), std::move(values));
  row.of = VectorOf::kClaim;
  row.claim = n;
  return row;
}

class IngestVectors : public StoreTest {
 protected:
  IngestVectors() {
    VectorSource<RecordRow> records({record("a", "Ann"), record("b", "Bob"), record("c", "Ann")});
    ingest_dataset(store(), "d", records, file());
    VectorSource<ClaimsRow> claim({claims("a", {"one", "two"})});
    ingest_claims(store(), "d", "claims", claim, file());
    VariantRow failed = variant("b", "");
    VectorSource<VariantRow> variants({variant("a", "A."), failed});
    ingest_run(store(), "d", "r", {}, variants, file());
    RunSpec synthetic;
    synthetic.synthetic = true;
    VectorSource<VariantRow> made({variant("s-1", "Sue")});
    ingest_run(store(), "d", "syn", synthetic, made, file());
  }
  IngestResult ingest(std::vector<VectorRow> rows, const IngestOptions& options = {}, const char* model = "m") {
    VectorSource<VectorRow> source(std::move(rows));
    return ingest_vectors(store(), "d", model, "claims", source, file("/data/v.jsonl"), options);
  }
  std::string refusal(std::vector<VectorRow> rows) {
    const auto before = rows_of_vectors();
    const auto [code, message] = error_of([&] { ingest(std::move(rows)); });
    EXPECT_EQ(code, 6);
    EXPECT_EQ(rows_of_vectors(), before);
    return message.substr(message.find(':') + 1);
  }
  std::vector<std::string> rows_of_vectors() {
    auto all = rows(
        "SELECT name, text_id AS 'T:t', vector_id FROM vector JOIN embedder e ON e.id = embedder_id"
        " ORDER BY name, text_id");
    for (auto& row : rows("SELECT name, dimension, hex(content) FROM embedder ORDER BY name")) all.push_back(row);
    return all;
  }
  std::string content() { return storage::find_embedder(store().db(), "m").content; }
  // The vectors of texts, zeros where there is none.
  std::vector<float> values(const std::vector<std::string>& texts) {
    const auto facts = store().facts().read();
    std::vector<TextId> ids;
    for (const auto& text : texts) ids.push_back(facts->find(text).value());
    return storage::load_vectors(store().db(), *facts, storage::find_embedder(store().db(), "m"), ids);
  }
  std::size_t problems() { return storage::check_store(store()).problems.size(); }
};

TEST_F(IngestVectors, BelongToTheTextsOfRecordsVariantsAndClaims) {
  EXPECT_EQ(ingest({vector_of("a", {1, 2}), vector_of("b", {3, 4}), vector_of_variant("a", "r", {5, 6}),
                    vector_of_variant("s-1", "syn", {7, 8}), vector_of_claim("a", 2, {9, 10})})
                .counts,
            (Counts{5, 0, 0, 0}));
  EXPECT_EQ(values({"Ann", "Bob", "A.", "Sue", "two", "one"}),
            (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0}));
  EXPECT_EQ(storage::check_store(store()).vectors, 5U);
  EXPECT_EQ(problems(), 0U);
}

TEST_F(IngestVectors, CountsWhatIsNewSameAndChanged) {
  ingest({vector_of("a", {1, 2}), vector_of("b", {3, 4})});
  const std::string before = content();
  EXPECT_EQ(ingest({vector_of("b", {3, 4}), vector_of("a", {1, 2})}).counts, (Counts{0, 2, 0, 0}));
  EXPECT_EQ(content(), before);
  EXPECT_EQ(ingest({vector_of("a", {2, 1})}).counts, (Counts{0, 0, 1, 0}));
  EXPECT_NE(content(), before);
  EXPECT_EQ(values({"Ann"}), (std::vector<float>{2, 1}));
  EXPECT_EQ(problems(), 0U);
  ingest({vector_of("a", {1, 2})});
  EXPECT_EQ(content(), before);
}

TEST_F(IngestVectors, OfOneTextTheFirstOfAFileCounts) {
  const std::vector<VectorRow> rows = {vector_of("a", {1, 2}), vector_of("c", {1, 2.5F})};
  const IngestResult first = ingest(rows);
  EXPECT_EQ(first.counts, (Counts{1, 1, 0, 0}));
  EXPECT_EQ(first.notes, (std::vector<std::string>{"rows with the text of an earlier row, whose vector was kept: 1"}));
  EXPECT_EQ(values({"Ann"}), (std::vector<float>{1, 2}));
  EXPECT_EQ(ingest(rows).counts, (Counts{0, 2, 0, 0}));
}

TEST_F(IngestVectors, RefusesWhatTheDatasetDoesNotHave) {
  EXPECT_EQ(refusal({vector_of("a", {1}), vector_of("x", {1})}), "2: no record with this id in dataset d");
  EXPECT_EQ(refusal({vector_of_variant("a", "nine", {1})}),
            "1: no run with this name in dataset d; did you mean \"none\"?");
  EXPECT_EQ(refusal({vector_of_variant("c", "r", {1})}), "1: the run has no variant with this id");
  EXPECT_EQ(refusal({vector_of_variant("a", "none", {1})}), "1: the run has no variant with this id");
  EXPECT_EQ(refusal({vector_of_variant("b", "r", {1})}), "1: the variant failed: it has no text");
  EXPECT_EQ(refusal({vector_of_claim("a", 3, {1})}), "1: the record has no claim with this number in the set claims");
  EXPECT_EQ(refusal({vector_of_claim("x", 1, {1})}), "1: no record with this id in dataset d");
  EXPECT_EQ(refusal({vector_of("a", {1}), vector_of("a", {1})}),
            "2: a vector of this id was on an earlier line already");
  EXPECT_EQ(refusal({vector_of("a", {1}), vector_of("b", {1, 2})}),
            "2: the vector has 2 values, those of model m have 1");
  EXPECT_TRUE(rows_of_vectors().empty());
  ingest({vector_of("a", {1, 2})});
  EXPECT_EQ(refusal({vector_of("b", {1})}), "1: the vector has 1 values, those of model m have 2");
  EXPECT_EQ(error_of([&] { ingest({vector_of("a", {1})}, {}, "no model"); }).first, 2);
}

TEST_F(IngestVectors, ARecordAVariantAndAClaimOfOneIdAreThree) {
  EXPECT_EQ(ingest({vector_of("a", {1}), vector_of_variant("a", "r", {2}), vector_of_claim("a", 1, {3}),
                    vector_of_claim("a", 2, {4})})
                .counts.fresh,
            4U);
}

TEST_F(IngestVectors, SkipsBadRowsWhenAsked) {
  IngestOptions options;
  options.skip_bad = true;
  const auto result = ingest({vector_of("x", {1, 2}), vector_of("a", {1, 2}), vector_of("b", {1})}, options);
  EXPECT_EQ(result.counts, (Counts{1, 0, 0, 2}));
  EXPECT_EQ(result.rejected.at(1).line, 3U);
  EXPECT_EQ(values({"Ann", "Bob"}), (std::vector<float>{1, 2, 0, 0}));
}

TEST_F(IngestVectors, GoesOnBehindTheBatchesThatAreStored) {
  IngestOptions options;
  options.batch_rows = 1;
  EXPECT_EQ(refusal({vector_of("x", {1})}), "1: no record with this id in dataset d");
  error_of([&] { ingest({vector_of("a", {1, 2}), vector_of("b", {3, 4}), vector_of("c", {1})}, options); });
  EXPECT_EQ(rows("SELECT target, lines FROM ingest_progress"), (std::vector<std::string>{"vectors d/m|2"}));
  EXPECT_EQ(error_of([&] {
              ingest({vector_of("a", {1, 2}), vector_of("b", {3, 4}), vector_of("a", {1, 2})}, options);
            }).second,
            "v.jsonl:3: a vector of this id was on an earlier line already");
  EXPECT_EQ(ingest({vector_of("a", {1, 2}), vector_of("b", {3, 4}), vector_of("c", {9, 9})}, options).counts,
            (Counts{2, 1, 0, 0}));
  EXPECT_EQ(values({"Ann", "Bob"}), (std::vector<float>{1, 2, 3, 4}));
}

// Dies when the new vector is durable and its row is not: the old one must still be there, under the old fingerprint.
TEST_F(IngestVectors, ACrashBetweenTheEnginesChangesNothing) {
  ingest({vector_of("a", {1, 2})});
  const auto before = rows_of_vectors();
  store_.reset();
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("RESIDUE_FAULT", "facts.commit.after", 1);
    storage::reset_fault_points();
    open();
    ingest({vector_of("a", {5, 6}), vector_of("b", {7, 8})});
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  open();
  EXPECT_EQ(rows_of_vectors(), before);
  EXPECT_EQ(values({"Ann", "Bob"}), (std::vector<float>{1, 2, 0, 0}));
  EXPECT_EQ(store().collect_garbage().vectors, 2U);
  EXPECT_EQ(ingest({vector_of("a", {5, 6}), vector_of("b", {7, 8})}).counts, (Counts{1, 0, 1, 0}));
  EXPECT_EQ(values({"Ann", "Bob"}), (std::vector<float>{5, 6, 7, 8}));
  EXPECT_EQ(problems(), 0U);
}

TEST_F(IngestVectors, GarbageIsWhatNoTextHasAnyMore) {
  ingest({vector_of("a", {1, 2}), vector_of("b", {3, 4}), vector_of_variant("a", "r", {5, 6})});
  ingest({vector_of("a", {2, 1})});
  const std::string before = content();
  EXPECT_EQ(store().collect_garbage().vectors, 1U);  // the replaced one
  EXPECT_EQ(content(), before);
  {
    const auto batch = store().write();
    batch->db().run("DELETE FROM variant");
    batch->commit();
  }
  EXPECT_EQ(store().collect_garbage().vectors, 1U);
  EXPECT_NE(content(), before);
  EXPECT_EQ(values({"Ann", "Bob"}), (std::vector<float>{2, 1, 3, 4}));
  EXPECT_EQ(problems(), 0U);
  EXPECT_EQ(store().collect_garbage().vectors, 0U);
}

TEST_F(IngestVectors, ReachesTheClaimsOfARun) {
  VectorRow row = vector_of_claim("a", 1, {1, 2});
  row.run = "r";
  EXPECT_EQ(refusal({row}), "1: the run's text has no claim with this number in the set claims");
  atomize_run(store(), "d", "r", "claims", 1, {});
  EXPECT_EQ(ingest({row}).counts.fresh, 1U);
  EXPECT_EQ(rows_of_vectors().front().substr(0, 5), "m|A.|");
  row.run = "nine";
  EXPECT_EQ(refusal({row}), "1: no run with this name in dataset d; did you mean \"none\"?");
}

}  // namespace
}  // namespace residue::ingest::testing
