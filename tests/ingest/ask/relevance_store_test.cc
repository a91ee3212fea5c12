// What the answer to a request depends on, by a model that answers over the wire.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/ask/relevance.h"
#include "ingest/files/dataset.h"
#include "ingest/files/labels.h"
#include "ingest/files/run.h"
#include "tests/ingest/store_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::ingest::testing {
namespace {

using Lines = std::vector<std::string>;

class Relevance : public StoreTest {
 protected:
  Relevance() {
    endpoint_.name = "local";
    endpoint_.asking.model = "m";
    endpoint_.transport.timeout_s = 5;
    endpoint_.transport.url = server_.url();
    session_.options.retry.base = model::Millis(1);
    session_.options.retry.cap = model::Millis(5);
    VectorSource<RecordRow> source({record("a", "Ann asks about Graz. Ann is in Graz."),
                                    record("b", "Call Bobby, Bob."), record("c", "UNSPEAKABLE Eve.")});
    ingest_dataset(store(), "d", source, file());
  }
  static LabelRow span(const char* key, std::int64_t start, std::int64_t end, const char* payload) {
    LabelRow label;
    label.record = key;
    label.start = start;
    label.end = end;
    label.payload = payload;
    return label;
  }
  void mark(std::vector<LabelRow> rows) {
    VectorSource<LabelRow> source(std::move(rows));
    ingest_labels(store(), "d", "span", std::nullopt, source, file());
  }
  IngestResult judge(const std::optional<std::string>& run = std::nullopt) {
    model::TaskAsker asker{store(), {model::TaskKind::kRelevance, {}, std::nullopt}, endpoint_, "d", session_};
    return judge_relevance(store(), "d", run, asker, "local");
  }
  // "record entity type relevant" of each label, in order.
  Lines said() {
    Lines lines;
    for (const std::string& row : rows("SELECT r.key, l.payload_id AS 'T:p' FROM label l JOIN record r ON r.id ="
                                       " l.record_id WHERE l.kind = 'entity'")) {
      const std::size_t bar = row.find('|');
      const auto json = nlohmann::json::parse(row.substr(bar + 1));
      lines.push_back(fmt::format("{} {} {} {}", row.substr(0, bar), json["entity"].get<std::string>(),
                                  json.value("type", "-"), json["relevant"].get<bool>()));
    }
    std::ranges::sort(lines);
    return lines;
  }

  stub::Server server_;
  model::Endpoint endpoint_;
  model::AskSession session_;
};

TEST_F(Relevance, IsJudgedOfMarkedWordsOnceARecord) {
  mark({span("a", 0, 3, R"({"type":"PERSON"})"), span("a", 21, 24, R"({"type":"NAME"})"),
        span("a", 15, 19, R"({"type":"CITY"})"), span("a", 4, 8, R"({"weight":1})"), span("b", 12, 15, "{}"),
        span("c", 12, 15, R"({"type":"PERSON"})")});
  const IngestResult result = judge();
  EXPECT_EQ(result.counts, (Counts{2, 0, 0, 1}));
  EXPECT_EQ(said(), (Lines{"a Ann NAME false", "a Graz CITY true", "b Bob - false"}));
  EXPECT_EQ(result.notes.at(1), "1 of 4 entities of d have no label: model local gave no usable answer: refused (1)");
  const auto requests = server_.requests();
  EXPECT_EQ(judge().counts, (Counts{0, 2, 0, 1}));
  EXPECT_EQ(server_.requests(), requests);
}

TEST_F(Relevance, IsJudgedOfWhatARunReplaced) {
  VariantRow row = variant("b", "Call [PERSON_1].");
  row.substitutions = R"([["Bobby","[PERSON_1]"],["Carl","[PERSON_2]"]])";
  VectorSource<VariantRow> source({row});
  ingest_run(store(), "d", "r", {}, source, file());
  EXPECT_EQ(judge("r").counts, (Counts{1, 0, 0, 0}));
  EXPECT_EQ(said(), (Lines{"b Bobby - false"}));
  EXPECT_EQ(server_.requests(), 1U);
}

TEST_F(Relevance, IsJudgedAnewWithOtherSettings) {
  mark({span("a", 0, 3, "{}")});
  judge();
  endpoint_.asking.temperature = 0.5;
  EXPECT_EQ(judge().counts, (Counts{0, 0, 1, 0}));
  EXPECT_EQ(said().size(), 1U);
}

TEST_F(Relevance, NeedsEntities) {
  EXPECT_EQ(error_of([&] { judge(); }),
            (std::pair<int, std::string>{2, "no entity of d is known: it has no labels of the kind span"}));
  VectorSource<VariantRow> source({variant("a", "x")});
  ingest_run(store(), "d", "r", {}, source, file());
  EXPECT_EQ(error_of([&] { judge("r"); }).second, "the run d/r does not say what it replaced");
}

}  // namespace
}  // namespace residue::ingest::testing
