#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/files/dataset.h"
#include "ingest/files/remove.h"
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

// Puts its mark behind each text, and counts what it is given. A text with "fail" in it fails.
class Counting final : public Sanitizer {
 public:
  explicit Counting(std::string mark) : mark_(std::move(mark)) {}

  [[nodiscard]] std::string spec() const override { return R"({"method":"counting","params":")" + mark_ + R"("})"; }
  [[nodiscard]] SanitizeOutput sanitize(const SanitizeInput& input) const override {
    ++calls_;
    if (input.text.find("fail") != std::string_view::npos) return {std::nullopt, "failed", {}};
    return {std::string(input.text) + mark_ + std::string(input.person), std::nullopt, {}};
  }
  [[nodiscard]] int calls() const { return calls_; }

 private:
  const std::string mark_;
  mutable int calls_ = 0;
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
  // How many texts the method was given, and what came of it.
  std::pair<int, Counts> count(const std::string& mark, const std::string& dataset = "d") {
    Counting method(mark);
    Making making(store(), dataset, run_, spec_, method, std::chrono::hours(1), options_);
    making.make(1);
    return {method.calls(), making.counts()};
  }
  void ingest(std::vector<RecordRow> rows) {
    VectorSource<RecordRow> source(std::move(rows));
    ingest_dataset(store(), "d", source, file());
  }
  using Told = std::pair<int, Counts>;
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

TEST_F(MakingARun, MakesNothingAgainOfWhatIsAsItWas) {
  EXPECT_EQ(count("!"), (Told{2, {3, 0, 0, 0}}));
  EXPECT_EQ(count("!"), (Told{0, {0, 3, 0, 0}})) << "neither texts nor settings have changed";
  ingest({record("b", "Bea"), record("e", "Eve")});
  EXPECT_EQ(count("!"), (Told{2, {1, 2, 1, 0}})) << "one record has another text, one is new";
  EXPECT_EQ(texts(), (std::vector<std::string>{"Ann!", "Bea!", "", "Eve!"}));
  EXPECT_EQ(count("?"), (Told{3, {0, 1, 3, 0}})) << "other settings";
  EXPECT_EQ(count("!"), (Told{3, {0, 1, 3, 0}})) << "and back";
}

TEST_F(MakingARun, MakesAgainWhatPersonOrNameOfTheDatasetDecides) {
  count("!");
  RecordRow row = record("a", "Ann");
  row.person = "p";
  ingest({row});
  EXPECT_EQ(count("!"), (Told{1, {0, 2, 1, 0}}));
  EXPECT_EQ(texts(), (std::vector<std::string>{"Ann!p", "Bo!", ""}));
  rename_dataset(store(), "d", "e");
  EXPECT_EQ(count("!", "e"), (Told{2, {0, 3, 0, 0}})) << "replacements are drawn with the name";
}

TEST_F(MakingARun, MakesAgainWhatHasFailedAndWhatOthersChanged) {
  ingest({record("b", "to fail")});
  EXPECT_EQ(count("!"), (Told{2, {3, 0, 0, 0}}));
  EXPECT_EQ(count("!"), (Told{1, {0, 3, 0, 0}})) << "the one that failed";
  EXPECT_EQ(ask(3), (Counts{0, 2, 1, 0})) << "a program that puts the same mark there";
  EXPECT_EQ(count("!"), (Told{2, {0, 2, 1, 0}})) << "these are the program's";
}

TEST_F(MakingARun, CountsWhatStaysAsItWas) {
  const auto none = make_sanitizer("none", {});
  for (int i = 0; i < 2; ++i) {
    Making making(store(), "d", run_, spec_, *none, std::chrono::hours(1), options_);
    making.make(1);
    EXPECT_EQ(making.unchanged(), 2) << "read from the rows or from the texts, round " << i;
  }
}

}  // namespace
}  // namespace residue::ingest::testing
