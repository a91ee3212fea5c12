#include "model/refusal.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace residue::model
