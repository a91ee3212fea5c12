// Nobody without the store's key can say what was replaced, whatever else they have: the program, the record's id, the
// released text, a list of names that has the right one in it, and a store of their own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/files/dataset.h"
#include "ingest/mask/scrub.h"
#include "ingest/sanitize/sanitize.h"
#include "ingest/surrogates/surrogates.h"
#include "tests/ingest/store_fixture.h"
#include "tests/ingest/surrogates/seeded_draws.h"

namespace residue::ingest::testing {
namespace {

using enum text::EntityType;
using Days = std::chrono::sys_days;

constexpr int kPatients = 200;

Days day_of(const std::string& date) {
  return std::chrono::year(std::stoi(date.substr(0, 4))) / std::stoi(date.substr(5, 2)) / std::stoi(date.substr(8, 2));
}

struct Patient {
  std::string key, first, born;
  [[nodiscard]] std::string text() const { return fmt::format("{} Weber, born {}, rides a bicycle.", first, born); }
};

std::vector<Patient> patients() {
  const std::vector<std::string> names = {"Anna", "Boris", "Clara", "David", "Elena", "Frank", "Greta", "Hugo"};
  std::vector<Patient> all;
  for (int i = 0; i < kPatients; ++i) {
    all.push_back({fmt::format("r-{}", i), names[static_cast<std::size_t>(i * 5 + i / 8) % names.size()],
                   fmt::format("{}-{:02}-{:02}", 1950 + i % 50, 1 + i % 12, 1 + i % 28)});
  }
  return all;
}

class KeyedReplacements : public StoreTest {
 protected:
  void ingest(std::vector<RecordRow> rows) {
    VectorSource<RecordRow> source(std::move(rows));
    ingest_dataset(store(), "d", source, file());
  }
  IngestResult sanitize(const std::string& run, std::map<std::string, std::string> params,
                        std::optional<std::uint64_t> seed = std::nullopt) {
    SanitizePlan plan;
    plan.method = "scrub";
    plan.params = std::move(params);
    plan.params.emplace("replacement", "surrogate");
    plan.seed = seed;
    return sanitize_dataset(store(), "d", run, plan, 2);
  }
  std::map<std::string, std::string> released(const std::string& run) {
    std::map<std::string, std::string> texts;
    const std::string sql =
        "SELECT r.key, v.text_id AS 'T:t' FROM variant v JOIN run ON run.id = v.run_id JOIN record r ON r.id = "
        "v.record_id WHERE run.name = '" +
        run + "'";
    for (const std::string& row : rows(sql.c_str()))
      texts[row.substr(0, row.find('|'))] = row.substr(row.find('|') + 1);
    return texts;
  }
};

struct Guessed {
  int names = 0, dates = 0;
};

// Of each released text, what somebody guesses who draws with `source`.
Guessed guess(const DrawSource& source, const std::vector<Patient>& truth,
              const std::map<std::string, std::string>& released) {
  std::set<std::string> candidates;
  for (const Patient& patient : truth) candidates.insert(patient.first);
  Guessed right;
  for (const Patient& patient : truth) {
    const std::string& text = released.at(patient.key);
    for (const std::string& candidate : candidates) {
      Surrogates own(source.of({patient.key, {}}), source.consistency());
      if (text.starts_with(own.of(kName, candidate + " Weber")) && candidate == patient.first) ++right.names;
    }
    Surrogates own(source.of({patient.key, {}}), source.consistency());
    const auto moved = day_of(own.of(kDate, "2000-01-01")) - day_of("2000-01-01");
    const std::string date = text.substr(text.find("born ") + 5, 10);
    right.dates += day_of(date) - moved == day_of(patient.born) ? 1 : 0;
  }
  return right;
}

TEST_F(KeyedReplacements, SayNothingToAnAttackerWithAStoreOfHisOwn) {
  const std::vector<Patient> truth = patients();
  std::vector<RecordRow> rows;
  for (const Patient& patient : truth) rows.push_back(record(patient.key, patient.text()));
  ingest(rows);
  EXPECT_TRUE(sanitize("keyed", {}).notes.empty());
  const auto keyed = released("keyed");
  for (const Patient& patient : truth) {
    EXPECT_FALSE(keyed.at(patient.key).starts_with(patient.first + " "));  // it may be a part of a drawn surname
    EXPECT_EQ(keyed.at(patient.key).find(patient.born), std::string::npos);
  }

  const auto other = dir_ / "attacker";
  storage::Store::create(other);
  storage::Store his(other / ".residue");
  SanitizerSetting setting;
  setting.store = &his;
  setting.dataset_name = "d";
  std::vector<DrawSource> tried;
  tried.emplace_back(setting, "surrogates");
  setting.seeded = true;
  for (setting.seed = 0; setting.seed < 5; ++setting.seed) tried.emplace_back(setting, "surrogates");
  for (const DrawSource& source : tried) {
    const Guessed right = guess(source, truth, keyed);
    // By chance: one date in 2,920, one name in some hundred times as many.
    EXPECT_LE(right.names, 2);
    EXPECT_LE(right.dates, 2);
  }

  // The attack is one: it undoes what was drawn with a seed, and the command says so.
  EXPECT_EQ(sanitize("seeded", {}, 3).notes.size(), 1U);
  const Guessed right = guess(tried[4], truth, released("seeded"));
  EXPECT_EQ(right.names, kPatients);
  EXPECT_EQ(right.dates, kPatients);
}

TEST_F(KeyedReplacements, AreTheSameOverRunsAndDifferBetweenRecordsUnlessTheyShallNot) {
  const auto of = [](const char* key, const char* person, const char* text) {
    RecordRow row = record(key, text);
    if (*person != '\0') row.person = person;
    return row;
  };
  ingest({of("a", "p", "Anna Weber, born 1970-02-03, has gout."), of("b", "p", "Then on 1970-02-03 Anna Weber fell."),
          of("c", "q", "Anna Weber, born 1970-02-03, has gout."),
          of("d", "", "Anna Weber, born 1970-02-03, has gout.")});
  const auto name = [](const std::string& text) { return text.substr(0, text.find(',')); };
  sanitize("one", {});
  sanitize("two", {});
  const auto record = released("one");
  EXPECT_EQ(released("two"), record);
  EXPECT_NE(name(record.at("a")), name(record.at("c")));
  EXPECT_NE(name(record.at("a")), name(record.at("d")));

  sanitize("person", {{"consistent", "person"}});
  const auto person = released("person");
  const std::string born = person.at("a").substr(name(person.at("a")).size() + 7, 10);
  EXPECT_EQ(person.at("b"), "Then on " + born + " " + name(person.at("a")) + " fell.");
  EXPECT_NE(name(person.at("a")), name(person.at("c")));
  EXPECT_NE(name(person.at("c")), name(person.at("d")));

  sanitize("dataset", {{"consistent", "dataset"}});
  const auto dataset = released("dataset");
  EXPECT_EQ(dataset.at("a"), dataset.at("c"));
  EXPECT_EQ(dataset.at("a"), dataset.at("d"));
  EXPECT_NE(dataset.at("a"), person.at("a"));

  EXPECT_THROW(sanitize("x", {{"consistent", "family"}}), Error);
  EXPECT_THROW(sanitize("x", {{"consistent", "person"}, {"replacement", "tag"}}), Error);
}

}  // namespace
}  // namespace residue::ingest::testing
