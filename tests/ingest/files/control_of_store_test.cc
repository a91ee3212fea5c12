#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/files/control_of.h"
#include "ingest/files/dataset.h"
#include "ingest/files/remove.h"
#include "tests/ingest/store_fixture.h"

namespace residue::ingest::testing {
namespace {

class ControlOf : public StoreTest {
 protected:
  // The error's words; empty: none.
  std::string ingest(const std::string& dataset, std::vector<RecordRow> rows, const std::string& of = {},
                     IngestOptions options = {}) {
    VectorSource<RecordRow> source(std::move(rows));
    try {
      of.empty() ? ingest_dataset(store(), dataset, source, file(), options)
                 : ingest_control(store(), dataset, of, source, file(), options);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

  static RecordRow of_person(const std::string& key, const std::string& text, const std::string& person) {
    RecordRow row = record(key, text);
    row.person = person;
    return row;
  }

  std::vector<std::string> datasets() {
    return rows(
        "SELECT d.name, o.name, (SELECT count(*) FROM record r WHERE r.dataset_id = d.id) FROM dataset d LEFT JOIN "
        "dataset o ON o.id = d.control_of ORDER BY d.name");
  }
};

TEST_F(ControlOf, PeopleWhoWereNeverReleasedAreADatasetThatSaysSo) {
  ingest("d", {record("a", "one"), record("b", "two")});
  EXPECT_EQ(ingest("o", {record("c", "three")}, "d"), "");
  EXPECT_EQ(datasets(), (std::vector<std::string>{"d||2", "o|d|1"}));
  EXPECT_EQ(ingest("o", {record("e", "five")}), "");
  EXPECT_EQ(datasets(), (std::vector<std::string>{"d||2", "o|d|2"}));
}

TEST_F(ControlOf, OneWhoIsInBothIsRefusedWithTheFile) {
  ingest("d", {record("a", "One two."), of_person("b", "Three.", "p"), record("x", "")});
  struct Case {
    const char* what;
    std::vector<RecordRow> rows;
    const char* error;
  };
  for (const Case& c :
       {Case{"an id", {record("new", "n"), record("a", "other")}, "1 id would be in d and in o"},
        Case{"a text", {record("n", "one  TWO.\n"), record("m", "three.")}, "2 texts would be in d and in o"},
        Case{"a text twice", {record("n", "one two."), record("m", "onetwo.")}, "1 text would be in d and in o"},
        Case{"a person", {of_person("n", "n", "p"), of_person("m", "m", "p")}, "1 person would be in d and in o"},
        Case{"all", {of_person("b", "Three.", "p")}, "1 id, 1 text, 1 person would be in d and in o"}}) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(ingest("o", c.rows, "d").find(c.error), 0U);
    EXPECT_EQ(datasets(), std::vector<std::string>{"d||3"});
  }
  EXPECT_EQ(ingest("o", {record("n", "")}, "d"), "") << "two empty texts are nobody's";
}

TEST_F(ControlOf, NorMayOneBeAddedLaterToEither) {
  ingest("d", {record("a", "one")});
  ingest("o", {record("b", "two"), record("c", "three")}, "d");
  const auto before = catalog();
  EXPECT_NE(ingest("d", {record("n", "n"), record("b", "other")}), "");
  EXPECT_NE(ingest("d", {record("n", "TWO")}), "");
  EXPECT_NE(ingest("d", {record("a", "two")}), "") << "nor by an edit";
  EXPECT_NE(ingest("o", {record("n", "one")}), "");
  IngestOptions in_two_batches;
  in_two_batches.batch_rows = 1;
  in_two_batches.skip_bad = true;
  EXPECT_NE(ingest("o", {record("n", "n"), record("a", "m")}, {}, in_two_batches), "");
  EXPECT_EQ(catalog(), before);
}

TEST_F(ControlOf, ADatasetThatIsThereIsComparedWhenItBecomesOne) {
  ingest("d", {record("a", "one")});
  ingest("o", {record("a", "two")});
  EXPECT_EQ(ingest("o", {record("b", "three")}, "d"), "1 id would be in d and in o, whose people were never in it");
  EXPECT_EQ(datasets(), (std::vector<std::string>{"d||1", "o||1"}));
}

TEST_F(ControlOf, ControlsAreOfOneReleaseAndOneForEach) {
  ingest("d", {record("a", "one")});
  ingest("e", {record("b", "two")});
  ingest("o", {record("c", "three")}, "d");
  EXPECT_EQ(ingest("o", {record("n", "n")}, "e"), "dataset o is a control of d already");
  EXPECT_EQ(ingest("p", {record("n", "n")}, "d"), "dataset d has a control already, o");
  EXPECT_EQ(ingest("p", {record("n", "n")}, "o"), "dataset o is itself a control, of d");
  EXPECT_EQ(ingest("d", {record("n", "n")}, "e"), "dataset d has a control of its own, o");
  EXPECT_EQ(ingest("e", {record("n", "n")}, "e"), "a dataset cannot be a control of itself");
  EXPECT_EQ(ingest("p", {record("n", "n")}, "gone").find("no dataset \"gone\""), 0U);
  EXPECT_EQ(ingest("o", {record("n", "n")}, "d"), "") << "said again";
}

TEST_F(ControlOf, WhatItWasAControlOfGoesAndItStays) {
  ingest("d", {record("a", "one")});
  ingest("o", {record("b", "two")}, "d");
  remove_dataset(store(), "d");
  EXPECT_EQ(datasets(), std::vector<std::string>{"o||1"});
  ingest("d", {record("b", "two")});
  EXPECT_EQ(datasets(), (std::vector<std::string>{"d||1", "o||1"})) << "an ordinary one: they may share records";
}

}  // namespace
}  // namespace residue::ingest::testing
