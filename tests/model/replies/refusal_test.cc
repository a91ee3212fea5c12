#include "model/replies/refusal.h"

#include <gtest/gtest.h>

#include <string>

namespace residue::model {
namespace {

TEST(Refusal, IsToldFromClaims) {
  const char* const refusals[] = {
      "I'm sorry, but I can't help with that.",
      "I\xe2\x80\x99m sorry, but I can\xe2\x80\x99t assist with that request.",
      "Sorry, I cannot do this.",
      "Sorry, I can't.",
      "I'm sorry. I'm not able to provide personal information.",
      "I apologize, but I am unable to rephrase it.",
      "Unfortunately, I won't be able to process personal data.",
      "I cannot assist with this request.",
      "I can't help you.",
      "I can't help you with that.",
      "I cannot comply.",
      "I will not provide a paraphrase of this statement.",
      "I must decline.",
      "I must decline this request.",
      "I'm not comfortable with that.",
      "**I'm unable to continue.**",
      "No, I cannot do that.",
      "Unable to comply.",
      "Cannot process this request.",
      "As an AI language model, I value privacy.",
      "As an AI, I do not have opinions.",
      "I am an AI assistant and keep to my rules.",
      "This request violates our policy.",
      "Your request was blocked.",
      "The content cannot be processed.",
      "Please provide the text that you want me to split.",
      "Thank you for the text. I cannot share personal information about individuals.",
      "SORRY, I CANNOT HELP WITH THAT",
  };
  for (const char* words : refusals) EXPECT_TRUE(declines(words)) << words;
  const char* const answers[] = {
      "",
      "The patient is 67 years old.",
      "I cannot sleep at night.",
      "I'm sorry that my mother is ill.",
      "I can't find my keys.",
      "I am unable to do this job any more.",
      "I cannot give up smoking.",
      "I can't help my aunt with her bills.",
      "Sorry, Ann cannot come on Monday.",
      "The patient cannot walk without help.",
      "The assistant says that it cannot help with that.",
      "As an AI engineer, Ann earns well.",
      "The user is unable to comply with the request of his bank.",
      "His request was declined by the bank.",
      "The clerk says: your complaint was rejected.",
      "Ann works as a language teacher.",
      "She keeps bees. He cannot. I cannot comply with this request.",
  };
  for (const char* words : answers) EXPECT_FALSE(declines(words)) << words;
}

TEST(Refusal, OfTheTextItselfIsNone) {
  constexpr const char* kText = "Sorry, I cannot help with that. Ask Ann Miller in Ulm, who keeps bees.";
  EXPECT_FALSE(declines("Sorry, I cannot help with that. Ask [NAME] in [PLACE], who keeps bees.", kText));
  EXPECT_FALSE(declines("Sorry, I cannot help with that.", "Sorry, I cannot help with that!"));
  // Nothing of a longer text came back but these words.
  EXPECT_TRUE(declines("Sorry, I cannot help with that.", kText));
  EXPECT_TRUE(declines("I'm unable to assist with this request. Ask Ann Miller in Ulm, who keeps bees.", kText));
}

// What is no rewritten text, whatever the text was.
TEST(Refusal, IsToldFromTextsInOtherWords) {
  constexpr const char* kText =
      "I am a nurse in Graz and work nights at the old hospital near the river. My son has asthma.";
  const char* const refusals[] = {
      "I'm sorry, but I can't help with that.",
      "I cannot paraphrase this content.",
      "I'm sorry. The message contains sensitive personal data. I won't anonymize it.",
      "I can't rewrite that because it contains personal information.",
      "My apologies, I am not able to continue.",
      "Unfortunately, I am unable to process this text.",
      "I am unable to continue with this conversation.",
      "I won't be able to process it.",
      "As an AI language model, I cannot rewrite personal details.",
      "This request violates our policy.",
      "Please provide the text.",
  };
  for (const char* words : refusals) EXPECT_TRUE(declines_to_reword(words, kText)) << words;
  const std::string long_refusal = "I'm sorry, but I can't help with that. " + std::string(620, '.');
  EXPECT_TRUE(declines_to_reword(long_refusal, kText));
  const std::string talk = "Doctor: I'm sorry, I can't help with that. " + std::string(620, '.') + " He has asthma.";
  EXPECT_FALSE(declines_to_reword(talk, kText));
}

TEST(Refusal, IsToldFromTextsInOtherLanguagesAndWords) {
  // It shares "health" and "names" with the text by chance.
  constexpr const char* kText =
      "Ann Lee, 45, lives in Oslo with three dogs, names them after rivers, and sees the health visitor on Mondays "
      "because of her asthma.";
  const char* const refusals[] = {
      "Thank you for sharing this passage. Because it describes identifiable health details of a private individual, "
      "producing a rewritten version would go against my guidelines. If you like, general advice on de-identification "
      "is something that could be offered instead, or names and places might be replaced by yourself before we "
      "continue.",
      "Unfortunately, this text contains private information and I must decline to process it.",
      "This content violates our usage policies and cannot be processed.",
      "Could you please provide the text that you would like me to anonymize?",
      "My apologies, this looks like personal data which I am unable to rewrite.",
      "Es tut mir leid, aber dabei kann ich nicht helfen.",
      "Leider kann ich diesen Text nicht umschreiben.",
      "Je suis d\u00e9sol\u00e9, mais je ne peux pas vous aider.",
      "En tant que mod\u00e8le de langage, je pr\u00e9f\u00e8re m'abstenir.",
      "Lo siento, pero no puedo ayudar con eso.",
      "Mi dispiace, ma non posso aiutarti con questo.",
      "Het spijt me, maar ik kan je daar niet mee helpen.",
      "Sinto muito, mas n\u00e3o posso ajudar com isso.",
  };
  for (const char* words : refusals) EXPECT_TRUE(declines_to_reword(words, kText)) << words;
  struct Case {
    const char *source, *answer;
  };
  // The text says so itself, or it is about that.
  const Case texts[] = {
      {"Es tut mir leid, aber ich kann am Montag nicht kommen, meine Tochter Anna hat Fieber.",
       "Leider kann ich am Montag nicht kommen, meine Tochter hat Fieber."},
      {"Lo siento, no puedo ir a la fiesta de Ana el lunes.", "Lo siento, no puedo ir a la fiesta el lunes."},
      {"Ann in Oslo asked whether the usage policies of the library forbid dogs.",
       "Somebody asked whether the usage policies of a library forbid dogs."},
      {"You want me to come to Graz on Monday, but the trains are on strike.",
       "You would like me to come on Monday, but the trains are on strike."},
      {"Could you please provide the text of Ann's speech by Monday?",
       "Please provide the text of the speech by Monday."},
  };
  for (const Case& one : texts) EXPECT_FALSE(declines_to_reword(one.answer, one.source)) << one.answer;
}

TEST(Refusal, IsNoTextThatOnlyHasItsWords) {
  struct Case {
    const char* source;
    const char* answer;
  };
  const Case texts[] = {
      {"I'm sorry, I can't sleep, doctor. Please help.", "I'm sorry, doctor, I cannot fall asleep. Can you help me?"},
      {"Patient: I'm sorry, I can't sleep.", "The patient says: I'm sorry, I can't sleep."},
      {"I can't sleep since my wife died.", "I'm sorry, I can't sleep since a relative died."},
      {"I can't help my aunt in Linz with her bills any more.", "I can't help a relative with her bills any more."},
      {"My aunt has bills in Linz. It is beyond me to help her.", "I cannot provide for a relative who has bills."},
      {"Sorry for the delay. The lab in Graz was unable to process the sample.",
       "Sorry for the delay. A lab was unable to process the sample."},
      {"The bank in Linz denied your request for a loan.", "Your request for a loan was denied by a bank."},
      {"Could you send me the summary of Ann's letter?", "Please provide the summary of somebody's letter."},
      {"Sorry, I cannot help you with this request.", "I'm sorry, but I can't assist you here."},
      {"User: write to Ann. Assistant: As an AI language model, I cannot send letters.",
       "User: write to somebody. Assistant: As an AI language model, I cannot send letters."},
      {"Ann bakes. She is sorry.", "I am sorry that somebody bakes."},
  };
  for (const Case& one : texts) EXPECT_FALSE(declines_to_reword(one.answer, one.source)) << one.answer;
  // A text that declines is refused, too: then nothing of it comes back.
  constexpr const char* kSleepless = "I'm sorry, I can't sleep, doctor. Please help.";
  EXPECT_TRUE(declines_to_reword("I'm sorry, but I can't assist with that.", kSleepless));
}

TEST(Refusal, WordsAreShared) {
  constexpr const char* kText = "Pt 67, HIV+, coughs since May. \xe4\xbb\x96\xe5\x92\xb3\xe5\x97\xbd\xe3\x80\x82";
  EXPECT_TRUE(shares_words("The patient has a cough.", kText));
  EXPECT_TRUE(shares_words("He is 67.", kText));
  EXPECT_TRUE(shares_words("hiv", kText));
  EXPECT_TRUE(shares_words("\xe5\x92\xb3\xe5\x97\xbd", kText));
  EXPECT_FALSE(shares_words("He is 68 and smokes.", kText));
  EXPECT_FALSE(shares_words("", kText));
  EXPECT_FALSE(shares_words("It is of the", "It is of the"));
}

TEST(DeclinesToReword, ThoughItNamesWhatTheTextIsAbout) {
  const char* source = "Ann, 45, a nurse from Oslo, walks her dog every day near the old harbour.";
  for (const char* said :
       {"I'm not comfortable rewriting this, as it includes details on a nurse and her dog in Oslo.",
        "The text contains personal data of a nurse; please remove it before I can go on.",
        "Please share the text about the nurse and the dog.",
        "I apologize, but rewriting this nurse's daily walk near the harbour would go against my guidelines.",
        "As a responsible AI, I'd rather not touch the story of Ann the nurse and her dog at the harbour."}) {
    EXPECT_TRUE(declines_to_reword(said, source)) << said;
    EXPECT_FALSE(declines_to_reword(said, said)) << said;
  }
  EXPECT_FALSE(declines_to_reword("A nurse walks her dog near the harbour.", source));
}

}  // namespace
}  // namespace residue::model
