#include "ingest/atomize/atomizer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace residue::ingest {
namespace {

using Claims = std::vector<std::string>;

struct Case {
  const char* text;
  Claims claims;
};

TEST(Atomizer, SplitsWhatIsSafe) {
  const std::vector<Case> cases{
      {"She denies fever, cough or rash.", {"She denies fever.", "She denies cough.", "She denies rash."}},
      {"no fever, cough or rash", {"no fever", "no cough", "no rash"}},
      {"No fever, cough, or rash.", {"No fever.", "No cough.", "No rash."}},
      {"He reports chest pain and shortness of breath.", {"He reports chest pain.", "He reports shortness of breath."}},
      {"She has a history of diabetes, hypertension and asthma.",
       {"She has a history of diabetes.", "She has a history of hypertension.", "She has a history of asthma."}},
      {"The patient has asthma and has two cats.", {"The patient has asthma.", "The patient has two cats."}},
      {"Pulse is 80; lungs are clear.", {"Pulse is 80.", "Lungs are clear."}},
      {"She is pale, and she sweats at night.", {"She is pale, and she sweats at night."}},
      {"The EEG was normal, and MRI of the brain showed a cavernoma.",
       {"The EEG was normal.", "MRI of the brain showed a cavernoma."}},
      {"His legs were weak, but he could walk.", {"His legs were weak.", "He could walk."}},
      {"He lives alone and he drinks wine.", {"He lives alone.", "He drinks wine."}},
      {"Her temperature is 38.1°C (100.6°F), pulse is 99/min, and blood pressure is 82/52 mm Hg.",
       {"Her temperature is 38.1°C (100.6°F).", "Pulse is 99/min.", "Blood pressure is 82/52 mm Hg."}},
      {"She denies suicidal thoughts and hears no voices.", {"She denies suicidal thoughts.", "She hears no voices."}},
      {"He takes no medication and uses no drugs.", {"He takes no medication.", "He uses no drugs."}},
      {"She is ill. She is ill. She is pale.", {"She is ill.", "She is pale."}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(atomize(c.text), c.claims);
  }
}

TEST(Atomizer, LeavesWhatMightChangeItsMeaning) {
  for (const std::string text : {
           "A 45-year-old nurse came to the clinic.",
           "The ratio was between 12 and 15.",
           "Take one and/or two tablets.",
           "He works for Ruiz and Sons.",
           "Pain comes on and off.",
           "He has swelling of the hands and feet.",
           "She has upper and lower limb weakness.",
           "He has weight and hair loss.",
           "He reports pain (sharp, burning or dull).",
           "She said \"no fever, cough or rash\".",
           "White cells were 16,800.",
           "If he smokes, and she drinks, they are ill.",
           "The man who smokes and drinks was seen.",
           "Does she deny fever, cough or rash?",
           "She has fever and chills for three days.",
           "The father, who is ill, and the mother came.",
           "She denies any alcohol or drug use.",
           "He has both asthma and eczema.",
           "She had neither fever nor cough.",
           "She has a history of anorexia, nausea without vomiting, and pain.",
           "He denies drug use or any plans to harm himself or others.",
       }) {
    SCOPED_TRACE(text);
    EXPECT_EQ(atomize(text), Claims{text});
  }
}

TEST(Atomizer, PlaceholdersGiveTheirSentences) {
  EXPECT_EQ(atomize("[NAME] [DATE]. [AGE]."), (Claims{"[NAME] [DATE].", "[AGE]."}));
  EXPECT_EQ(atomize("[NAME]"), Claims{"[NAME]"});
  EXPECT_TRUE(atomize("").empty());
  EXPECT_TRUE(atomize(" \n ").empty());
  EXPECT_EQ(atomize("..."), Claims{"..."});
}

// The lower-case words of a text that are not joints.
std::set<std::string> content(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : std::string(text) + " ") {
    if (static_cast<unsigned char>(c) > 127 || std::isalnum(static_cast<unsigned char>(c)) != 0) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else {
      if (!word.empty() && word != "and" && word != "or" && word != "but") words.insert(word);
      word.clear();
    }
  }
  return words;
}

RC_GTEST_PROP(Atomizer, LosesAndInventsNoWord, ()) {
  static const std::vector<std::string> kPieces{
      "She ",    "he ",    "has ",  "denies ", "no ",    "fever",    "cough",    "rash ",       ", ",
      " and ",   " or ",   " but ", ". ",      "; ",     "the ",     "patient ", "pulse ",      "is 80/min",
      "was ill", "(",      ")",     "\"",      "who ",   "between ", "pain ",    "history of ", "1,200 ",
      "é",       "[NAME]", "MRI ",  "showed ", "takes ", "and/or ",  "\n\n",     "? ",          " "};
  std::string text;
  for (const auto pick :
       *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, kPieces.size()))) {
    text += kPieces[pick];
  }
  const Claims claims = atomize(text);
  std::string all;
  for (const std::string& claim : claims) {
    RC_ASSERT(!claim.empty());
    RC_ASSERT(claim.find_first_not_of(" \n") == 0U && claim.find_last_not_of(" \n") == claim.size() - 1);
    all += claim + "\n";
  }
  RC_ASSERT(content(all) == content(text));
  RC_ASSERT(std::set<std::string>(claims.begin(), claims.end()).size() == claims.size());
  RC_ASSERT(atomize(text) == claims);
}

}  // namespace
}  // namespace residue::ingest
