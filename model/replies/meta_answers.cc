#include "model/replies/meta_answers.h"

#include <algorithm>
#include <string>

#include "model/replies/answer_words.h"
#include "model/replies/content_words.h"

namespace residue::model {
namespace {

// In small letters, single-spaced, apostrophes plain.
constexpr std::string_view kForms[] = {
    // Rules.
    "my guidelines",
    "our guidelines",
    "safety guidelines",
    "ethical guidelines",
    "content guidelines",
    "usage guidelines",
    "usage policy",
    "usage policies",
    "content policy",
    "content policies",
    "safety policies",
    "my policies",
    "our policies",
    "my programming",
    "privacy policies prevent",
    "terms of service",
    // What the writer does not do.
    "must decline",
    "have to decline",
    "need to decline",
    "respectfully decline",
    "unable to process",
    "cannot process",
    "can't process",
    "cannot be processed",
    "can't be processed",
    "unable to rewrite",
    "unable to rephrase",
    "unable to paraphrase",
    "unable to anonymize",
    "unable to anonymise",
    "unable to assist",
    "unable to help with",
    "not able to rewrite",
    "not able to process",
    "not able to assist",
    "cannot rewrite",
    "can't rewrite",
    "cannot rephrase",
    "can't rephrase",
    "cannot paraphrase",
    "can't paraphrase",
    "cannot anonymize",
    "can't anonymize",
    "cannot anonymise",
    "can't anonymise",
    "cannot assist",
    "can't assist",
    "cannot fulfill",
    "can't fulfill",
    "cannot comply",
    "can't comply",
    "won't be able to rewrite",
    "won't be able to process",
    "not comfortable rewriting",
    "not comfortable processing",
    "refrain from",
    "rewriting the passage",
    "rewriting this",
    "rewrite this",
    "rewritten version",
    "anonymized version",
    "anonymised version",
    "paraphrased version",
    "anonymizing this",
    "anonymising this",
    "paraphrasing this",
    "handling someone's personal",
    // A text that it wants first.
    "provide the text",
    "provide me with the text",
    "provide a text",
    "share the text",
    "paste the text",
    "send me the text",
    "provide the passage",
    "provide the statement",
    "you would like me to",
    "you'd like me to",
    "you want me to",
    "no text was provided",
    "no text to",
    // What it did, or was told.
    "the text has been anonymized",
    "the text has been anonymised",
    "the text was anonymized",
    "the text has been rewritten",
    "the text has been paraphrased",
    "has been successfully anonymized",
    "the whole text after your changes",
    "the whole text in other words",
    "the whole text with the replacements",
    "the whole text after it",
    // German
    "es tut mir leid",
    "tut mir leid, aber",
    "leider kann ich",
    "dabei kann ich nicht",
    "kann ich nicht helfen",
    "kann ich leider nicht",
    "ich kann dabei nicht",
    "ich kann diese anfrage",
    "ich kann diesen text",
    "ich kann den text",
    "ich kann ihnen",
    "ich kann dir",
    "nicht in der lage",
    "als ki",
    "meine richtlinien",
    "meinen richtlinien",
    "entschuldigung, aber",
    // French
    "je suis désolé",
    "désolé, mais",
    "désolée, mais",
    "je ne peux pas",
    "je ne peux ni",
    "je ne suis pas en mesure",
    "je regrette",
    "en tant qu'ia",
    "en tant que modèle",
    "en tant qu'assistant",
    "malheureusement, je",
    // Spanish
    "lo siento",
    "lo lamento",
    "lamentablemente",
    "no puedo ayudar",
    "no puedo procesar",
    "no puedo cumplir",
    "no puedo reescribir",
    "no puedo anonimizar",
    "no puedo hacer",
    "no me es posible",
    "como modelo de lenguaje",
    "como ia",
    // Italian
    "mi dispiace",
    "sono spiacente",
    "non posso aiutar",
    "non posso elaborare",
    "non posso riscrivere",
    "non posso soddisfare",
    "non posso fare",
    "non sono in grado",
    "come modello linguistico",
    "in quanto ia",
    // Dutch
    "het spijt me",
    "sorry, maar ik",
    "helaas kan ik",
    "ik kan dit niet",
    "ik kan deze tekst",
    "ik kan je hier",
    "ik kan u hier",
    "ik kan hier niet",
    "daar kan ik",
    "als ai",
    "als taalmodel",
    // Portuguese
    "sinto muito",
    "desculpe, mas",
    "lamento, mas",
    "infelizmente, não",
    "não posso ajudar",
    "não posso processar",
    "não posso reescrever",
    "não posso fazer",
    "não consigo ajudar",
    "como modelo de linguagem",
};

constexpr std::string_view kSureForms[] = {
    "against my guidelines",
    "violates my guidelines",
    "violate my guidelines",
    "as a responsible ai",
    "as an ai language model",
    "as an ai assistant",
    "as an ai model",
    "not comfortable rewriting",
    "not comfortable rephrasing",
    "not comfortable processing",
    "not comfortable anonymizing",
    "not comfortable paraphrasing",
    "please share the text",
    "please provide the text",
    "please paste the text",
    "please provide the passage",
    "contains personal data of",
    "before i can anonymize",
    "before i can rewrite",
};

bool is_letter_before(const std::string& text, std::size_t at) { return at > 0 && is_letter(text[at - 1]); }

bool has(const std::string& text, std::string_view form) {
  for (std::size_t at = text.find(form); at != std::string::npos; at = text.find(form, at + 1)) {
    const std::size_t end = at + form.size();
    // "aiutar" is the beginning of several words, "ki" is a word.
    const bool goes_on = end < text.size() && is_letter(text[end]) && form.size() < 10;
    if (!is_letter_before(text, at) && !goes_on) return true;
  }
  return false;
}

}  // namespace

bool speaks_of_the_task(std::string_view text) {
  const std::string said = single_spaced(with_plain_marks(text));
  return std::ranges::any_of(kForms, [&](std::string_view form) { return has(said, form); });
}

bool surely_speaks_of_the_task(std::string_view text) {
  const std::string said = single_spaced(with_plain_marks(text));
  return std::ranges::any_of(kSureForms, [&](std::string_view form) { return has(said, form); });
}

}  // namespace residue::model
