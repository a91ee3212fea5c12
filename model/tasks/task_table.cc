#include "model/tasks/task_table.h"

#include <string>
#include <utility>
#include <vector>

#include "base/embedded.h"

RESIDUE_EMBEDDED(choice)
RESIDUE_EMBEDDED(coherence_medical)
RESIDUE_EMBEDDED(coherence_chat)
RESIDUE_EMBEDDED(conversation_category)
RESIDUE_EMBEDDED(attributes)
RESIDUE_EMBEDDED(utility)
RESIDUE_EMBEDDED(questions)
RESIDUE_EMBEDDED(anonymize)
RESIDUE_EMBEDDED(pseudonymize)
RESIDUE_EMBEDDED(restore)
RESIDUE_EMBEDDED(abstract_span)
RESIDUE_EMBEDDED(same_entity)
RESIDUE_EMBEDDED(entity_relevance)
RESIDUE_EMBEDDED(rewrite)
RESIDUE_EMBEDDED(anonymize_alone)
RESIDUE_EMBEDDED(disclosures)
RESIDUE_EMBEDDED(identifiers)

namespace residue::model {
namespace {

constexpr TaskPart kText[] = {{"text", "Text", true}};
constexpr TaskPart kChoiceParts[] = {
    {"text", "Text", true}, {"question", "Question", false}, {"options", "Options", false}};
constexpr TaskPart kUtilityParts[] = {{"original", "Original text", true}, {"adapted", "Adapted text", true}};
constexpr TaskPart kAnonymizeParts[] = {{"text", "Text", true}, {"inferences", "Inferences", true}};
constexpr TaskPart kRestoreParts[] = {{"text", "Text", true}, {"replacements", "Replacements", true}};
constexpr TaskPart kAbstractParts[] = {{"text", "Text", true}, {"span", "Passage of it", true}};
constexpr TaskPart kSameParts[] = {{"truth", "Truth", true}, {"guess", "Guess", true}};
constexpr TaskPart kRelevanceParts[] = {{"text", "Request", true}, {"entity", "Entity", true}};

constexpr std::string_view kCategories[] = {"summarization",
                                            "model jailbreaking",
                                            "generating prompts for AI models",
                                            "story and script generation",
                                            "song and poem generation",
                                            "generating character descriptions",
                                            "code generation",
                                            "code editing and debugging",
                                            "generating communications",
                                            "generating non-fictional documents",
                                            "editing existing text",
                                            "comparison, ranking, and recommendation",
                                            "brainstorming and generating ideas",
                                            "information retrieval",
                                            "solving logic, math, and word problems",
                                            "explanation, how-to, practical advice",
                                            "personal advice",
                                            "back-and-forth role-playing",
                                            "answering multiple choice question",
                                            "translation",
                                            "general chitchat"};

std::string_view the_text_alone() { return "{text}"; }

// All fields required, no others.
Json object(const std::vector<std::pair<std::string, Json>>& fields) {
  Json schema = {{"type", "object"}, {"required", Json::array()}, {"additionalProperties", false}};
  for (const auto& [name, type] : fields) {
    schema["required"].push_back(name);
    schema["properties"][name] = type;
  }
  return schema;
}

Json text() { return {{"type", "string"}}; }
Json integer(int low, int high) { return {{"type", "integer"}, {"minimum", low}, {"maximum", high}}; }
Json list(const Json& of) { return {{"type", "array"}, {"items", of}}; }
Json one_of(std::span<const std::string_view> names) {
  Json type = text();
  for (const std::string_view name : names) type["enum"].push_back(name);
  return type;
}

Json choice_schema(const TaskSetting& /*setting*/) { return object({{"answer", text()}}); }
Json coherence_schema(const TaskSetting& /*setting*/) {
  return object({{"explanation", text()}, {"rating", integer(1, 5)}});
}
Json category_schema(const TaskSetting& /*setting*/) { return object({{"category", one_of(kCategories)}}); }
Json attributes_schema(const TaskSetting& setting) {
  Json type = text();
  for (const std::string& item : setting.items) type["enum"].push_back(item);
  return object(
      {{"attributes",
        list(object(
            {{"type", type}, {"inference", text()}, {"guesses", list(text())}, {"certainty", integer(1, 5)}}))}});
}
Json utility_schema(const TaskSetting& /*setting*/) {
  const auto scored = [](int low, int high) {
    return object({{"explanation", text()}, {"score", integer(low, high)}});
  };
  return object({{"readability", scored(1, 10)}, {"meaning", scored(1, 10)}, {"hallucinations", scored(0, 1)}});
}
Json questions_schema(const TaskSetting& setting) {
  return object({{"answers", list(object({{"question", integer(1, static_cast<int>(setting.items.size()))},
                                          {"answer", text()}}))}});
}
Json anonymize_schema(const TaskSetting& /*setting*/) { return object({{"changes", text()}, {"text", text()}}); }
Json pseudonymize_schema(const TaskSetting& /*setting*/) {
  return object({{"replacements", list(object({{"reason", text()}, {"original", text()}, {"replacement", text()}}))},
                 {"text", text()}});
}
Json restore_schema(const TaskSetting& /*setting*/) { return object({{"reason", text()}, {"text", text()}}); }
Json abstract_schema(const TaskSetting& /*setting*/) { return object({{"phrases", list(text())}}); }
Json same_entity_schema(const TaskSetting& /*setting*/) {
  constexpr std::string_view kVerdicts[] = {"yes", "no", "less precise"};
  return object({{"verdict", one_of(kVerdicts)}});
}
Json relevance_schema(const TaskSetting& /*setting*/) {
  return object({{"reason", text()}, {"relevant", {{"type", "boolean"}}}});
}

Json rewrite_schema(const TaskSetting& /*setting*/) { return object({{"text", text()}}); }
Json disclosures_schema(const TaskSetting& /*setting*/) {
  return object({{"passages", list(object({{"text", text()}, {"type", text()}}))}});
}

constexpr const char* kPassagesJson =
    "\nAnswer with one JSON object of the form {\"passages\":[{\"text\":\"27 year old\",\"type\":\"age\"}]} and "
    "nothing else; {\"passages\":[]} if there is none.\n";
constexpr const char* kPassagesText =
    "\nAnswer with one line for every passage and nothing else: its kind, a vertical bar, and the passage, as in\nage "
    "| 27 year old\nIf there is none answer None.\n";
constexpr const char* kAnonymizeJson =
    "\nAnswer with one JSON object of the form {\"changes\":\"what you change, briefly\",\"text\":\"the whole text "
    "after your changes\"} and nothing else.\n";
constexpr const char* kAnonymizeText =
    "\nFirst say briefly what you change. Then write a line that consists of a single #. After it, and to the end, "
    "write the whole text after your changes and nothing else.\n";
Json response_schema(const TaskSetting& /*setting*/) { return text(); }

constexpr const char* kCoherenceJson =
    "\nAnswer with one JSON object of the form {\"explanation\":\"two or three sentences\",\"rating\":3} and nothing "
    "else. The rating is a whole number from 1 to 5.\n";
constexpr const char* kCoherenceText =
    "\nAnswer in this form and with nothing else:\nExplanation: two or three sentences\nRating: a whole number from 1 "
    "to 5\n";

const TaskRow kRows[] = {
    {TaskKind::kChoice, "choice", 2, kChoiceParts, embedded_choice,
     "\nAnswer with one JSON object of the form {\"answer\":\"B\"} and nothing else.\n",
     "\nAnswer with the letter of the option and nothing else.\n", choice_schema, parse_choice, false},
    {TaskKind::kCoherenceMedical, "coherence_medical", 2, kText, embedded_coherence_medical, kCoherenceJson,
     kCoherenceText, coherence_schema, parse_coherence, false},
    {TaskKind::kCoherenceChat, "coherence_chat", 2, kText, embedded_coherence_chat, kCoherenceJson, kCoherenceText,
     coherence_schema, parse_coherence, false},
    {TaskKind::kCategory, "category", 2, kText, embedded_conversation_category,
     "\nAnswer with one JSON object of the form {\"category\":\"translation\"} and nothing else.\n",
     "\nAnswer with the name of the task, as it stands in the list, and nothing else.\n", category_schema,
     parse_category, false},
    {TaskKind::kAttributes, "attributes", 3, kText, embedded_attributes,
     "\nAnswer with one JSON object of the form {\"attributes\":[{\"type\":\"age\",\"inference\":\"how you come to "
     "it\",\"guesses\":[\"45\",\"46\",\"40\"],\"certainty\":3}]} and nothing else: every attribute once, under the "
     "name that it has in the list.\n",
     "\nAnswer with one block of four lines for every attribute, and nothing else:\nType: the attribute's name in the "
     "list\nInference: how you come to it\nGuess: your three guesses, the best first, separated by ;\nCertainty: a "
     "whole number from 1 to 5\n",
     attributes_schema, parse_attributes, true},
    {TaskKind::kUtility, "utility", 2, kUtilityParts, embedded_utility,
     "\nAnswer with one JSON object of the form {\"readability\":{\"explanation\":\"...\",\"score\":9},\"meaning\":"
     "{\"explanation\":\"...\",\"score\":8},\"hallucinations\":{\"explanation\":\"...\",\"score\":1}} and nothing "
     "else.\n",
     "\nAnswer with three lines and nothing else:\nReadability: a whole number from 1 to 10\nMeaning: a whole number "
     "from 1 to 10\nHallucinations: 0 or 1\n",
     utility_schema, parse_utility, true},
    {TaskKind::kQuestions, "qa", 4, kText, embedded_questions,
     "\nAnswer with one JSON object of the form {\"answers\":[{\"question\":1,\"answer\":\"Yes, Ann\"}]} and nothing "
     "else: every question once.\n",
     "\nAnswer every question on a line of its own that begins with its number and a full stop, and with nothing "
     "else.\n",
     questions_schema, parse_questions, false},
    {TaskKind::kAnonymize, "anonymize", 5, kAnonymizeParts, embedded_anonymize, kAnonymizeJson, kAnonymizeText,
     anonymize_schema, parse_anonymize, false},
    {TaskKind::kPseudonymize, "pseudonymize", 4, kText, embedded_pseudonymize,
     "\nAnswer with one JSON object of the form {\"replacements\":[{\"reason\":\"a walker's name does not "
     "matter\",\"original\":\"Ann\",\"replacement\":\"Ruth\"}],\"text\":\"the whole text with the replacements\"} and "
     "nothing else. Where nothing is replaced the list is empty.\n",
     "\nAnswer with one line for every replacement of the form original -> replacement. Then write a line that "
     "consists "
     "of a single #. After it, and to the end, write the whole text with the replacements and nothing else.\n",
     pseudonymize_schema, parse_pseudonymize, true},
    {TaskKind::kRestore, "restore", 4, kRestoreParts, embedded_restore,
     "\nAnswer with one JSON object of the form {\"reason\":\"what you changed, briefly\",\"text\":\"the whole text "
     "after it\"} and nothing else.\n",
     "\nAnswer with the whole text and nothing else.\n", restore_schema, parse_restore, false},
    {TaskKind::kAbstract, "abstract_span", 4, kAbstractParts, embedded_abstract_span,
     "\nAnswer with one JSON object of the form {\"phrases\":[\"best\",\"second\",\"third\"]} and nothing else.\n",
     "\nAnswer with the phrases, best first, each on a line of its own, and nothing else.\n", abstract_schema,
     parse_abstract, false},
    {TaskKind::kSameEntity, "same_entity", 2, kSameParts, embedded_same_entity,
     "\nAnswer with one JSON object of the form {\"verdict\":\"yes\"} and nothing else.\n",
     "\nAnswer with yes, no or less precise, and nothing else.\n", same_entity_schema, parse_same_entity, false},
    {TaskKind::kRelevance, "entity_relevance", 2, kRelevanceParts, embedded_entity_relevance,
     "\nAnswer with one JSON object of the form {\"reason\":\"one sentence\",\"relevant\":false} and nothing else.\n",
     "\nAnswer with relevant or irrelevant, and nothing else.\n", relevance_schema, parse_relevance, false},
    {TaskKind::kRewrite, "rewrite", 4, kText, embedded_rewrite,
     "\nAnswer with one JSON object of the form {\"text\":\"the whole text in other words\"} and nothing else.\n",
     "\nAnswer with the whole text in other words and nothing else.\n", rewrite_schema, parse_rewrite, false},
    {TaskKind::kAnonymizeAlone, "anonymize_alone", 4, kText, embedded_anonymize_alone, kAnonymizeJson, kAnonymizeText,
     anonymize_schema, parse_anonymize, false},
    {TaskKind::kDisclosures, "disclosures", 4, kText, embedded_disclosures, kPassagesJson, kPassagesText,
     disclosures_schema, parse_disclosures, false},
    {TaskKind::kIdentifiers, "identifiers", 1, kText, embedded_identifiers, kPassagesJson, kPassagesText,
     disclosures_schema, parse_disclosures, false},
    {TaskKind::kRespond, "response", 3, kText, the_text_alone, "", "", response_schema, parse_response, false},
};

}  // namespace

std::span<const std::string_view> conversation_categories() { return kCategories; }

const TaskRow& task_row(TaskKind kind) { return kRows[static_cast<std::size_t>(kind)]; }

}  // namespace residue::model
