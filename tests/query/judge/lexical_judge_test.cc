#include "query/judge/lexical_judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/hash.h"

namespace residue::query {
namespace {

constexpr std::string_view kNote =
    "A 45-year-old nurse named Mary Jones presents to the emergency department with a 3-day history of fever. She has "
    "type 2 diabetes and takes metformin 500 mg twice daily. She denies chest pain. Her temperature is 38.5\xC2\xB0"
    "C and blood pressure is 130/80 mm Hg. Examination shows a tender abdomen without rebound. She lives in Oslo with "
    "two "
    "children and smokes a pack of cigarettes a day.";

std::optional<Rating> rate(std::string_view passage, std::string_view claim) {
  const Request request{passage, {claim}};
  return LexicalJudge().rate({&request, 1})[0][0];
}

int rating(std::string_view passage, std::string_view claim) {
  const auto found = rate(passage, claim);
  return found ? found->rating : 0;
}

struct Case {
  std::string_view claim;
  int rating;
  std::string_view passage = kNote;
};

void check(std::span<const Case> cases) {
  for (const auto& c : cases) {
    SCOPED_TRACE(std::string(c.claim) + " | " + std::string(c.passage));
    EXPECT_EQ(rating(c.passage, c.claim), c.rating);
  }
}

TEST(LexicalJudge, RatesCopiesAndLightParaphrasesAsTheSame) {
  const Case cases[] = {
      {"She has type 2 diabetes and takes metformin 500 mg twice daily.", 1},
      {"She denies chest pain.", 1},
      {"A 45-year-old nurse named Mary Jones presents to the emergency department with a 3-day history of fever.", 1},
      {"The patient is a 45-year-old nurse.", 1},
      {"The patient is 45 years old.", 1},
      {"The patient is a woman.", 1},
      {"The patient is female.", 1},
      {"Patient is named Mary Jones.", 1},
      {"The patient has diabetes.", 1},
      {"The patient takes metformin.", 1},
      {"Patient was taking 500 mg of metformin.", 1},
      {"The patient had no chest pain.", 1},
      {"Blood pressure was 130/80 mm Hg.", 1},
      {"Her temperature was 38.5\xC2\xB0"
       "C.",
       1},
      {"The abdomen is tender.", 1},
      {"Abdominal tenderness was found.", 1},
      {"There is no rebound.", 1},
      {"She lives in Oslo.", 1},
      {"The patient lives in Oslo with 2 children.", 1},
      {"She smokes cigarettes.", 1},
      {"The nurse smokes a pack of cigarettes daily.", 1},
      {"FEVER FOR THREE DAYS", 1},
      {"Patient is a 21-year-old male.", 1, "A 21-year-old sexually active male complains of fever."},
      {"He is twenty-one.", 1, "A 21-year-old man."},
      {"The man earns 4500 dollars.", 1, "The man earns 4,500 dollars."},
      {"Patient\xE2\x80\x99s mother died of cancer.", 1, "The patient's mother died of cancer."},
      {"The caf\xC3\xA9 belongs to him.", 1, "The CAFE\xCC\x81 belongs to him."},
      {"He was born in Z\xC3\xBCrich.", 1, "Born in Z\xC3\x9CRICH, he moved."},
  };
  check(cases);
}

TEST(LexicalJudge, NeverRatesAMissingNumberOrNameAsTheSame) {
  const Case cases[] = {
      {"The patient is a 54-year-old nurse.", 2},
      {"The patient is 54 years old.", 3},
      {"She takes metformin 850 mg twice daily.", 2},
      {"Her temperature is 39.5\xC2\xB0"
       "C.",
       3},
      {"She has a 3-week history of fever.", 3},
      {"She lives in Oslo with 5 children.", 2},
      {"Blood pressure is 110/70 mm Hg.", 3},
      {"The patient is named John Smith.", 3},
      {"The nurse Anna Jones presents with fever.", 2},
      {"She lives in Berlin.", 3},
      {"She lives in Bergen with two children and smokes a pack of cigarettes a day.", 2},
      {"The man earns 45000 dollars.", 2, "The man earns 4,500 dollars."},
  };
  check(cases);
}

TEST(LexicalJudge, SeesNegationsFlip) {
  const Case cases[] = {
      {"She has chest pain.", 3},
      {"She reports chest pain.", 3},
      {"There is rebound.", 3},
      {"She does not have diabetes.", 3},
      {"She does not smoke cigarettes.", 3},
      {"The patient has no fever.", 3},
      {"The patient never took metformin.", 3},
      {"He has a cough.", 3, "He has no fever, rash, or cough."},
      {"He has a cough.", 1, "He has no fever, but he has a cough."},
      {"He has a cough.", 1, "He has no fever; cough was heard."},
  };
  check(cases);
}

TEST(LexicalJudge, NeverTakesTheOppositeOrARelativeForThePatient) {
  constexpr std::string_view kKnee = "He has pain in his left knee after a fall on his right hand.";
  const Case cases[] = {
      {"He has pain in his left knee.", 1, kKnee},
      {"He has pain in his right knee.", 2, kKnee},
      {"He fell on his left hand.", 2, kKnee},
      {"The right knee was swollen.", 2, "The left knee was swollen."},
      {"He has acute bronchitis.", 2, "He has chronic bronchitis."},
      {"The patient has diabetes.", 3, "The patient's mother has diabetes."},
      {"The patient has diabetes.", 3, "His family history includes diabetes."},
      {"The patient has breast cancer.", 3, "There is a history of breast cancer in her sister."},
      {"The patient's mother has diabetes.", 1, "The patient's mother has diabetes."},
      {"Her mother has diabetes.", 1, "Her parents both have diabetes, her mother since youth."},
      {"There is diabetes in the family.", 2, "His mother has diabetes."},
      {"The patient's father has diabetes.", 3, "The patient's mother has diabetes."},
      {"The patient's mother has diabetes.", 2, "The patient has diabetes."},
      {"The patient has a fever.", 1, "He was brought by his mother because of a fever."},
      {"The patient has a fever.", 1, "His mother reports that he has had a fever."},
      {"The patient has a fever.", 1, "The mother reports a fever for two days."},
      {"The patient takes metformin.", 1, "His father died of a stroke. He takes metformin."},
  };
  check(cases);
}

TEST(LexicalJudge, NeverRatesAnAtomicClaimTheSameWithoutOneOfItsWords) {
  constexpr std::string_view kLong =
      "The retired librarian keeps bees in a garden behind the old mill and sells honey at the market every autumn.";
  const Case cases[] = {
      {"The retired librarian keeps bees in a garden behind the mill and sells honey.", 1, kLong},
      {"The retired librarian keeps bees in a garden behind the mill and sells candles.", 2, kLong},
      {"The divorced librarian keeps bees in a garden behind the mill and sells honey.", 2, kLong},
      {"The patient's mother keeps bees in a garden.", 2, "The patient keeps bees in a garden."},
  };
  check(cases);
}

// Audit A10: somebody else's value in the same place is not the same, whatever else the passage says.
TEST(LexicalJudge, NeverRatesAFalseReplacementAsTheSame) {
  constexpr std::string_view kStroke =
      "The retired judge of the court in the capital had a heart attack while he was reading to his three children in "
      "the "
      "garden. A cerebral stroke was ruled out.";
  constexpr std::string_view kDates =
      "The applicant complained to the court on 12 March 1998 about the length of the proceedings in her case. On 3 "
      "May "
      "2001 the judgment was quashed. She lives in Vienna. Their office is in Graz.";
  const Case cases[] = {
      {"The retired judge of the court in the capital had a heart attack while he was reading to his three children.",
       1, kStroke},
      {"The retired judge of the court in the capital had a cerebral stroke while he was reading to his three "
       "children.",
       2, kStroke},
      {"The applicant complained to the court on 12 March 1998 about the length of the proceedings in her case.", 1,
       kDates},
      {"The applicant complained to the court on 3 May 2001 about the length of the proceedings in her case.", 2,
       kDates},
      {"She lives in Vienna.", 1, kDates},
      {"She lives in Graz.", 2, kDates},
  };
  check(cases);
}

TEST(LexicalJudge, RatesAPredicateAroundARemovedNameAsSimilar) {
  constexpr std::string_view kEngineer = "[NAME] OBE, BSc, MICE was a British civil engineer.";
  const Case cases[] = {
      {"Thomas Ashworth Mill OBE, BSc, MICE was a British civil engineer.", 2, kEngineer},
      {"Ashworth was a civil engineer.", 2, kEngineer},
      {"Ashworth was a civil engineer.", 2, "[NAME] was a civil engineer from [CITY]."},
      {"Ashworth was a marine biologist.", 3, kEngineer},
      {"In June 1987 Ann Price opened a bakery in the harbour of Bristol.", 2,
       "In [DATE] [NAME] opened a bakery in the harbour of [CITY]."},
  };
  check(cases);
}

TEST(LexicalJudge, RatesGeneralisationsOfNumbersAsSimilar) {
  const Case cases[] = {
      {"The patient is 54 years old.", 2, "A patient in his 50s."},
      {"The patient is 54 years old.", 2, "The patient is 50-60 years old."},
      {"The patient is 54 years old.", 3, "The patient is 60-70 years old."},
      {"The nurse earns 42000 dollars.", 2, "The nurse earns between 40000 and 50000 dollars."},
      {"She has 3 dogs.", 3, "He wrote 2-5 letters."},
  };
  check(cases);
}

TEST(LexicalJudge, FindsNoSupportInUnrelatedOrRedactedTexts) {
  constexpr std::string_view kRedacted =
      "A [AGE]-year-old [PROFESSION] named <PERSON> presents to the emergency department with a XXXX history of "
      "[SYMPTOM]. "
      "She has REDACTED and takes DRUG_1 *** twice daily.";
  const Case cases[] = {
      {"The patient is a 45-year-old nurse.", 3, kRedacted},
      {"The patient has diabetes.", 3, kRedacted},
      {"The patient takes metformin.", 3, kRedacted},
      {"The patient is named Mary Jones.", 3, kRedacted},
      {"She presents to the emergency department.", 1, kRedacted},
      {"The person has a profession.", 3, kRedacted},
      {"The age of the patient was redacted.", 3, kRedacted},
      {"The drug helped.", 3, kRedacted},
      {"[NAME]", 3, kRedacted},
      {"XXXX", 3, "Nothing of the sort."},
      {"His car was stolen in Madrid.", 3},
      {"The team won the championship.", 3},
      {"Patient has asthma.", 3},
      {"The patient is a teacher.", 3},
      {"She was vaccinated against influenza.", 3},
      {"She has diabetes.", 3, "The weather was fine and the shops were open."},
      {"She has diabetes.", 3, ""},
      {"She has diabetes.", 3, "  \n"},
      {"Anything at all", 3, "[REDACTED]"},
  };
  check(cases);
}

TEST(LexicalJudge, ComparesTheWordingWhereNoWordCarriesWeight) {
  const Case cases[] = {
      {"", 0},
      {" \t\n", 0},
      {"?!", 3},
      {"?!", 1, "What ?! No."},
      {"He was not.", 3, "Was he? It is not so."},
      {"He was not.", 1, "We say he was not."},
      {"\xF0\x9F\x98\x80", 1, "So \xF0\x9F\x98\x80 it is"},
      {"\xF0\x9F\x98\x80", 3, "So it is"},
  };
  check(cases);
}

TEST(LexicalJudge, ReadsOtherScripts) {
  const Case cases[] = {
      {"\xD0\x9F\xD0\xB0\xD1\x86\xD0\xB8\xD0\xB5\xD0\xBD\xD1\x82 45 \xD0\xBB\xD0\xB5\xD1\x82", 1,
       "\xD0\x9F\xD0\x90\xD0\xA6\xD0\x98\xD0\x95\xD0\x9D\xD0\xA2 45 \xD0\xBB\xD0\xB5\xD1\x82."},
      {"\xD0\x9F\xD0\xB0\xD1\x86\xD0\xB8\xD0\xB5\xD0\xBD\xD1\x82 45 \xD0\xBB\xD0\xB5\xD1\x82", 3, "46 people"},
      {"\xE6\x82\xA3\xE8\x80\x85\xE6\x82\xA3\xE6\x9C\x89\xE7\xB3\x96\xE5\xB0\xBF\xE7\x97\x85\xE3\x80\x82", 1,
       "\xE6\x82\xA3\xE8\x80\x85\xE6\x82\xA3\xE6\x9C\x89\xE7\xB3\x96\xE5\xB0\xBF\xE7\x97\x85\xE3\x80\x82"},
      {"\xE6\x82\xA3\xE8\x80\x85\xE6\x82\xA3\xE6\x9C\x89\xE7\xB3\x96\xE5\xB0\xBF\xE7\x97\x85\xE3\x80\x82", 0,
       "The weather is fine."},  // no rating: it cannot say that an English text is silent about it
      {"\xFF\xFE broken", 3, "nothing"},
  };
  check(cases);
}

// Audit A11: what a text reads as without its accents it says.
TEST(LexicalJudge, TakesAccentsForNothing) {
  const std::string_view accented = "Élodie Lefèvre lives in Zürich. Her Straße has 12 houses, says Søren.";
  const std::string_view without = "Elodie Lefevre lives in Zurich. Her Strasse has 12 houses, says Soren.";
  for (const char* claim : {"Élodie lives in Zürich.", "Elodie lives in Zurich.", "E\u0301lodie lives in Zu\u0308rich.",
                            "Lefèvre has 13 cats.", "Søren says it.", "Her street has 12 houses."}) {
    SCOPED_TRACE(claim);
    EXPECT_EQ(rate(accented, claim), rate(without, claim));
  }
  EXPECT_EQ(rate(without, "Élodie lives in Zürich.")->rating, 1);
  EXPECT_EQ(rate(accented, "Elodie lives in Zurich.")->rating, 1);
}

// Claims are there, whatever code points the passage is made of, and in its own name.
TEST(LexicalJudge, ReadsWhatReadsTheSame) {
  const std::string_view plain = "John Smith of Malm\u00F6 has worked there for 12 years.";
  const char* written[] = {"Jo\u200Bhn Smi\u00ADth of Malm\u00F6 has wor\u2060ked there for 1\u200B2 years.",
                           "\uFF2Aohn \uFF33mith of Malmo\u0308 has worked there for \uFF11\uFF12 years.",
                           "\U0001D409ohn Smith of Malm\u00F6 has worked there for 1\uFF12 years."};
  const LexicalJudge judge;
  for (const char* claim :
       {"John Smith works in Malm\u00F6.", "He has worked for 12 years.", "Jane Smith has 13 cats."}) {
    const auto expected = rate(plain, claim);
    for (const char* passage : written) {
      SCOPED_TRACE(std::string(claim) + " | " + passage);
      EXPECT_EQ(rate(passage, claim), expected);
    }
    for (const char* spelled : written) EXPECT_EQ(rate(plain, spelled), rate(plain, plain));
  }
  EXPECT_EQ(rate(written[0], "John Smith has worked for 12 years.")->rating, 1);
}

// Whoever sees this fail has changed what ratings depend on: raise the version in lexical_weights.json, or
// text::kSupportReading where texts become other tokens, then take the new digest.
TEST(LexicalJudge, ItsSpecChangesOnlyWithItsVersion) {
  const LexicalJudge judge;
  const auto spec = nlohmann::json::parse(judge.spec());
  EXPECT_EQ(spec.dump(), judge.spec());
  EXPECT_EQ(spec["judge"], "lexical");
  EXPECT_EQ(spec["claims_per_request"], 1);
  EXPECT_EQ(spec["model"]["version"], "lexical-v3/wice-dev");
  auto without_icu = spec;
  without_icu.erase("icu");
  EXPECT_EQ(hash_bytes(without_icu.dump()), 16286420311412686352ULL) << without_icu.dump();
}

TEST(LexicalJudge, RatesAPairTheSameInAnyCompanyAndThread) {
  const std::vector<std::string_view> claims = {"She has diabetes.", "She lives in Berlin.", "She has chest pain.", ""};
  const Request both[] = {{"Nothing here.", claims}, {kNote, claims}};
  const LexicalJudge judge;
  const auto expected = judge.rate(both);
  ASSERT_EQ(expected.size(), 2U);
  for (std::size_t i = 0; i < claims.size(); ++i) EXPECT_EQ(expected[1][i], rate(kNote, claims[i]));
  std::vector<std::vector<std::vector<std::optional<Rating>>>> found(4);
  std::vector<std::thread> threads;
  for (auto& slot : found) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) slot = judge.rate(both);
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& slot : found) EXPECT_EQ(slot, expected);
}

TEST(LexicalJudge, ExplainsWithEvidenceInsideThePassage) {
  const LexicalJudge judge;
  const auto e = judge.explain(kNote, "She takes metformin 850 mg for asthma.");
  EXPECT_EQ(e.rating, rating(kNote, "She takes metformin 850 mg for asthma."));
  ASSERT_LE(e.window_end, kNote.size());
  ASSERT_LT(e.window_begin, e.window_end);
  EXPECT_NE(kNote.substr(e.window_begin, e.window_end - e.window_begin).find("metformin"), std::string_view::npos);
  EXPECT_EQ(e.unsupported, (std::vector<std::string>{"850", "asthma"}));
  EXPECT_EQ(e.number_conflicts, std::vector<std::string>{"850"});
  EXPECT_FALSE(e.negation_conflict);
  EXPECT_NE(e.sentence.find("asthma"), std::string::npos);
  EXPECT_FALSE(e.features.empty());

  EXPECT_TRUE(judge.explain(kNote, "She has chest pain.").negation_conflict);
  const auto side = judge.explain("The left knee hurts.", "The right knee hurts.");
  EXPECT_EQ(side.rivals, std::vector<std::string>{"right"});
  EXPECT_NE(side.sentence.find("the opposite of right"), std::string::npos);
  const auto place = judge.explain("She lives in Graz. She left Vienna.", "She lives in Vienna.");
  EXPECT_EQ(place.contested, std::vector<std::string>{"Vienna"});
  EXPECT_NE(place.sentence.find("something else in the place of Vienna"), std::string::npos) << place.sentence;
  EXPECT_TRUE(judge.explain("His mother has gout.", "The patient has gout.").stranger_conflict);
  EXPECT_FALSE(judge.explain("His mother has gout.", "His mother has gout.").stranger_conflict);
  const auto nothing = judge.explain("", "She has chest pain.");
  EXPECT_EQ(nothing.window_end, 0U);
  EXPECT_EQ(nothing.rating, 3);
}

// The acceptance figures of the issue, on every fact of MedQA: against its own record and against another one.
TEST(LexicalJudge, SupportsTheFactsOfARecordByItAndByNoOther) {
  const std::filesystem::path file =
      RESIDUE_SOURCE_DIR "/../shared/data/mediq_medqa_facts/imedqa_dev_1272_with_facts.jsonl";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no MedQA facts in ../shared/data";
  std::vector<std::string> texts;
  std::vector<std::vector<std::string>> facts;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const auto row = nlohmann::json::parse(line);
    if (!row["context"].is_array()) continue;
    texts.emplace_back();
    for (const auto& sentence : row["context"]) texts.back() += sentence.get<std::string>() + " ";
    facts.emplace_back();
    for (const std::string fact : row["facts"]) {
      std::size_t at = 0;
      while (at < fact.size() && (std::isdigit(static_cast<unsigned char>(fact[at])) != 0)) ++at;
      at = at > 0 && at < fact.size() && fact[at] == '.' ? at + 1 : 0;
      facts.back().push_back(fact.substr(std::min(fact.find_first_not_of(' ', at), fact.size())));
    }
  }
  ASSERT_GT(texts.size(), 1000U);
  const auto distance = [&](std::size_t shift) {
    std::vector<Request> requests;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      requests.push_back({texts[(i + shift) % texts.size()], {facts[i].begin(), facts[i].end()}});
    }
    double sum = 0;
    double count = 0;
    for (const auto& row : LexicalJudge().rate(requests)) {
      for (const auto& r : row) {
        if (!r) continue;
        sum += (r->rating - 1) / 2.0;
        ++count;
      }
    }
    return sum / count;
  };
  EXPECT_LE(distance(0), 0.05);
  EXPECT_GE(distance(577), 0.95);
}

}  // namespace
}  // namespace residue::query
