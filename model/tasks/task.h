// Tasks for models that look at one or a few texts and give one answer that code reads: questions about what a text is
// still good for, what it gives away about its author, and other words for it. Rating claims is claim_support.h, one
// text to many is text_task.h.
//
//   texts ── messages ──> model ── content ── parse ──> the answer in one canonical form, or why there is none
//
// The templates are files in our own words with the papers' roles, rubrics and scales; a user's file may stand in for
// each. The form of the answer follows the endpoint: one JSON object, or free text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/json.h"
#include "model/replies/asking_words.h"
#include "model/server/endpoint.h"

namespace residue::model {

enum class TaskKind : std::uint8_t {
  kChoice,            // FSP G.6.1: text, question, options
  kCoherenceMedical,  // FSP G.5.1: text
  kCoherenceChat,     // FSP G.5.2: text
  kCategory,          // FSP G.6.2: text
  kAttributes,        // AA E.1: text
  kUtility,           // AA E.3: original, adapted
  kQuestions,         // ZSTS, downstream tasks: text
  kAnonymize,         // AA E.2: text, inferences
  kPseudonymize,      // LOP B.2.1: text
  kRestore,           // LOP B.2.2: text, replacements
  kAbstract,          // FSP 3.2 (span abstraction): text, span
  kSameEntity,        // AA E.4: truth, guess
  kRelevance,         // LOP A: text, entity
  kRewrite,           // FSP G.2.2: text
  kAnonymizeAlone,    // AA's baseline without feedback, FSP G.2.1: text
  kDisclosures,       // FSP C.1 (span sanitization): text
  kIdentifiers,       // what a named-entity tagger finds: text
  kRespond,           // LOP 5.2.1: text, which alone is the user's message; the answer is whatever comes
};

// Raised when messages are laid out otherwise.
inline constexpr int kTaskLayout = 1;

// One text that a task is about: {name} stands for it in a user's template.
struct TaskPart {
  std::string_view name, title;
  bool fenced;  // somebody else wrote it: it stands between marker lines
};

// How a task is asked, but for the endpoint and the texts.
struct TaskSetting {
  TaskKind kind{};
  std::vector<std::string> items = {};                     // kAttributes: their names; kQuestions: the questions
  std::optional<std::string> instructions = std::nullopt;  // the user's file instead of ours
};

std::string_view task_name(TaskKind kind);
// By its name in a spec; nothing where there is none of that name.
std::optional<TaskKind> task_named(std::string_view name);
std::span<const TaskPart> task_parts(TaskKind kind);

// Raised when parse_task() reads answers otherwise than before: they are then read again, not asked again.
int task_parser(TaskKind kind);

// What kAttributes and kQuestions ask where nobody says otherwise; empty for the others.
std::vector<std::string> default_items(TaskKind kind);

// Throws Error{usage} for items that cannot be asked for: none, more than 64, one that is empty, longer than 512 bytes,
// not UTF-8 or of several lines, or that is there twice. Error{bad input} for a user's template that is empty, longer
// than 64 KiB, or that has some of the parts' places ({text} ...) but not all: with all of them it is the whole message
// ({items} stands for attributes and questions), with none it takes the place of our instructions, before the form of
// the answer.
void check_setting(const TaskSetting& setting);

// The system's message, or the user's whole template.
std::string task_instructions(const TaskSetting& setting, AnswerForm form);

// Everything that an answer depends on but the texts: canonical JSON. Its digest is part of every vote key.
std::string task_spec(const TaskSetting& setting, const Asking& asking);

// The vote key of `texts`, one per part in their order, under the digest of a spec.
VoteKey task_vote(const SpecDigest& spec, std::span<const std::string_view> texts);

// Each fenced part stands alone between marker lines that it cannot know. Of a whole template `system` is empty, and
// nothing fences the texts.
Messages task_messages(const TaskSetting& setting, AnswerForm form, const SpecDigest& spec,
                       std::span<const std::string_view> texts);

// What a strict answer looks like.
Json task_schema(const TaskSetting& setting);

struct TaskAnswer {
  std::string answer;        // canonical (below); never empty where `problem` is
  std::string problem;       // why the answer cannot be used, in words of ours: "not JSON", "a rating out of range" ...
  std::string reasons = {};  // kAttributes: {"age":"how it came to it", ...} of those where it said so; else empty
};

// What an answer says, in one form whatever the model's:
//   kChoice         the key of the option: "B"
//   kCoherence...   the rating from 1 to 5: "4"
//   kCategory       the name as in conversation_categories()
//   kAttributes     {"age":{"certainty":4,"guess":["45","46","40"]}, ...}: every item, one to three guesses, certainty
//   1-5 kUtility        {"hallucination":1,"meaning":7,"readability":8}: 0 or 1 (nothing invented), 1-10, 1-10
//   kQuestions      ["Yes, Ann","No", ...]: in the order of the items
//   kAnonymize      {"changes":"...","text":"..."}
//   kPseudonymize   {"replacements":[{"original":"...","replacement":"..."}],"text":"..."}: the text is the input with
//                   each original, as a whole word, replaced everywhere; restore would find each again
//   kRestore        the text
//   kAbstract       ["phrase", ...]: one to three, none of them with the span in it
//   kSameEntity     "yes", "no" or "less precise"
//   kRelevance      "relevant" or "irrelevant"
//   kRewrite        the text in other words
//   kAnonymizeAlone as kAnonymize
//   kDisclosures    [{"text":"a 27 year old nurse","type":"age"}, ...]: whole words of the text; may be empty. Behind
//                   them {"not_found":true} for each passage that the text does not have
//   kIdentifiers    as kDisclosures
//   kRespond        the response as it came, but for reasoning before it and white space at its ends
// Free text (AnswerForm::kText) is read as leniently as the papers do where it says one thing; nothing is guessed. The
// one object of a strict answer is read whatever words stand around it (answer_json.h); none of what is kept has a NUL
// in it.
TaskAnswer parse_task(const TaskSetting& setting, AnswerForm form, std::span<const std::string_view> texts,
                      std::string_view content);

// FSP G.6.2: what users ask chatbots for. 21 names.
std::span<const std::string_view> conversation_categories();

}  // namespace residue::model
