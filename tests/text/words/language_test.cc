#include "text/words/language.h"

#include <gtest/gtest.h>

#include <string>

namespace residue::text {
namespace {

TEST(Language, SeesWhatIsObviouslyNotEnglish) {
  const std::string german =
      "Die Patientin arbeitet seit vielen Jahren als Krankenschwester in einem Krankenhaus in Köln und klagt seit "
      "gestern über starke Schmerzen im linken Arm, die beim Treppensteigen zunehmen und nachts nicht nachlassen.";
  const std::string spanish =
      "La paciente trabaja desde hace muchos años como enfermera en un hospital de la ciudad y se queja desde ayer de "
      "un fuerte dolor en el brazo izquierdo, que no mejora por la noche y empeora cuando sube las escaleras.";
  const std::string dutch =
      "De patiënt werkt al jaren als verpleegkundige in een ziekenhuis in de stad en klaagt sinds gisteren over hevige "
      "pijn in de linkerarm, die erger wordt bij het traplopen en in de nacht niet minder wordt dan overdag.";
  const std::string french =
      "La patiente travaille depuis de nombreuses années comme infirmière dans un hôpital de la ville et se plaint "
      "depuis hier d'une forte douleur au bras gauche, qui augmente dans les escaliers et ne diminue pas la nuit.";
  const std::string czech =
      "Pacientka pracuje již řadu let jako zdravotní sestra v městské nemocnici a od včerejška si stěžuje na silné "
      "bolesti v levé paži, které se při chůzi do schodů zhoršují a v noci neustupují ani po podání běžných léků.";
  for (const std::string& text : {german, spanish, dutch, french, czech})
    EXPECT_TRUE(obviously_not_english(text)) << text;
  EXPECT_TRUE(obviously_not_english("患者は昨日から左腕の痛みを訴えている。"));
  EXPECT_TRUE(obviously_not_english("Пациентка жалуется на боль."));
}

TEST(Language, DoubtsInFavourOfEnglish) {
  const std::string note =
      "45 yo F nurse c/o L arm pain x 1 day, worse with exertion, denies fever, chills, cough. PMH HTN, DM2. Meds "
      "metformin, lisinopril. Exam unremarkable, ECG normal sinus rhythm, troponin negative, CXR clear. Plan stress "
      "test, follow up in clinic.";
  EXPECT_FALSE(obviously_not_english(note));
  EXPECT_FALSE(obviously_not_english(note + " Discussed with the patient and her family."));
  const std::string names =
      "José García, María Núñez, Ana de la Cruz, Jürgen Müller, Peter van Dijk, John Smith, Mary Jones, Tom Brown, Ann "
      "Lee, Bob White, Carl Young, Eve Hill, Fred Wood, Gina Bell, Hugh Cook, Ivy Ward, Jack Reed";
  EXPECT_FALSE(obviously_not_english(names));
  for (const char* text : {"", "Ann", "Kurzer Satz auf Deutsch.", "日本", "She said 日本 is where the family lives."}) {
    EXPECT_FALSE(obviously_not_english(text)) << text;
  }
}

}  // namespace
}  // namespace residue::text
