#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "ingest/files/dataset.h"
#include "ingest/sanitize/making.h"
#include "tests/ingest/store_fixture.h"

namespace residue::ingest::testing {
namespace {

// Answers the first `answers` records with their text and an exclamation mark, then ends with an error.
class Program final : public Sanitizer {
 public:
  explicit Program(std::size_t answers) : answers_(answers) {}

  [[nodiscard]] std::string spec() const override { return R"({"method":"program","params":{},"version":"1"})"; }
  [[nodiscard]] std::string asked() const override { return std::string(32, 'p'); }
  [[nodiscard]] SanitizeOutput sanitize(const SanitizeInput& input) const override {
    return {std::string(input.text) + "!", std::nullopt, {}};
  }
  void sanitize_each(std::span<const SanitizeInput> inputs, OutputSink& sink) const override {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (i == answers_) throw Error(Code::kBadInput, "it fell silent", "");
      sink.take(i, sanitize(inputs[i]));
    }
  }

 private:
  const std::size_t answers_;
};

class MakingARun : public StoreTest {
 protected:
  MakingARun() {
    VectorSource<RecordRow> source({record("a", "Ann"), record("b", "Bo"), record("c", "")});
    ingest_dataset(store(), "d", source, file());
    spec_.sanitizer = "program";
  }

  Counts ask(std::size_t answers) {
    Program program(answers);
    Making making(store(), "d", run_, spec_, program, std::chrono::hours(1), options_);
    making.ask();
    return making.counts();
  }
  std::vector<std::string> texts() { return rows("SELECT text_id AS 'T:t' FROM variant ORDER BY record_id"); }

  const RunOfRound run_{.name = "r", .before = std::nullopt};
  const IngestOptions options_;
  RunSpec spec_;
};

TEST_F(MakingARun, CountsWhatIsAsItWas) {
  const auto none = make_sanitizer("none", {});
  Making making(store(), "d", run_, spec_, *none, std::chrono::hours(1), options_);
  EXPECT_EQ(making.total(), 3U);
  making.make(1);
  EXPECT_EQ(making.counts(), (Counts{3, 0, 0, 0}));
  EXPECT_EQ(making.unchanged(), 2) << "a blank text is nobody's merit";
}

TEST_F(MakingARun, KeepsWhatCameBeforeTheProgramFellSilent) {
  EXPECT_THROW(ask(1), Error);
  EXPECT_EQ(texts(), (std::vector<std::string>{"Ann!", ""}));
  EXPECT_EQ(rows("SELECT target FROM ingest_progress"), (std::vector<std::string>{"run d/r"})) << "it is incomplete";
  EXPECT_EQ(ask(3), (Counts{1, 2, 0, 0})) << "Ann's answer, and that of the empty text, are not asked for again";
  EXPECT_EQ(texts(), (std::vector<std::string>{"Ann!", "Bo!", ""}));
  EXPECT_TRUE(rows("SELECT target FROM ingest_progress").empty());
}

}  // namespace
}  // namespace residue::ingest::testing
