#include "model/tasks/text_task.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/embedded.h"
#include "base/error.h"
#include "base/json.h"
#include "model/asking/vote_key.h"
#include "model/replies/answer_json.h"
#include "model/replies/answer_words.h"
#include "model/replies/refusal.h"
#include "model/server/answer_schema.h"
#include "text/support/categories.h"

RESIDUE_EMBEDDED(atomize)
RESIDUE_EMBEDDED(paraphrase)
RESIDUE_EMBEDDED(categories_general)
RESIDUE_EMBEDDED(categories_medical)

namespace residue::model {
namespace {

struct Facts {
  TextTask task;
  const char* name;   // in the spec
  const char* what;   // in the user's message
  const char* field;  // of the answer
  const char* json_ending;
  const char* text_ending;
  std::string_view (*instructions)();
};

constexpr const char* kCategoriesInJson =
    "\nAnswer with one JSON object of the form {\"categories\":[\"Age\",\"Family\"]} and nothing else; "
    "{\"categories\":[]} if none applies.\n";
constexpr const char* kCategoriesInText =
    "\nAnswer with the names of the categories, separated by commas, and nothing else; None if none applies.\n";

constexpr Facts kTasks[] = {
    {TextTask::kAtomize, "atomize", "Text", "claims",
     "\nAnswer with one JSON object of the form {\"claims\":[\"first claim\",\"second claim\"]} and nothing else.\n",
     "\nAnswer with the claims and nothing else, each on a line of its own that begins with \"- \".\n",
     embedded_atomize},
    {TextTask::kParaphrase, "paraphrase", "Statement", "paraphrase",
     "\nAnswer with one JSON object of the form {\"paraphrase\":\"the statement in other words\"} and nothing else.\n",
     "\nAnswer with the rephrased sentence on one line and nothing else.\n", embedded_paraphrase},
    {TextTask::kGeneralCategories, "categories_general", "Statement", "categories", kCategoriesInJson,
     kCategoriesInText, embedded_categories_general},
    {TextTask::kMedicalCategories, "categories_medical", "Statement", "categories", kCategoriesInJson,
     kCategoriesInText, embedded_categories_medical},
};

constexpr std::size_t kMaxTemplate = 65'536;
constexpr std::string_view kTextHere = "{text}";

bool whole_message(const TextTemplate& own) { return own && own->find(kTextHere) != std::string::npos; }

// In one pass: what is filled in is not looked at again.
std::string filled(std::string_view own, std::string_view text) {
  std::string out;
  for (;;) {
    const std::size_t at = own.find(kTextHere);
    out += own.substr(0, at);
    if (at == std::string_view::npos) return out;
    out += text;
    own.remove_prefix(at + kTextHere.size());
  }
}

const Facts& facts_of(TextTask task) { return kTasks[static_cast<std::size_t>(task)]; }

TextAnswer unusable(const char* why) { return {{}, why}; }

// Each claim once, where it first stands.
TextAnswer claims_of(const std::vector<std::string>& texts, std::string_view source) {
  TextAnswer answer;
  std::unordered_set<std::string_view> seen;
  for (const std::string& text : texts) {
    if (text.empty()) return unusable("an empty claim");
    if (declines(text, source)) return unusable("a refusal");
    if (seen.insert(text).second) answer.texts.push_back(text);
  }
  if (answer.texts.empty()) return unusable("no claim");
  return answer;
}

// Lines without marks may be anything that a model says instead: half of them have to have to do with the text.
bool about(const std::vector<std::string>& claims, std::string_view source) {
  const auto with = std::count_if(claims.begin(), claims.end(),
                                  [&](const std::string& claim) { return shares_words(claim, source); });
  return 2 * static_cast<std::size_t>(with) >= claims.size();
}

TextAnswer claims_in_lines(std::string_view content, std::string_view source) {
  if (declines(content, source)) return unusable("a refusal");
  std::vector<std::string_view> lines = lines_of(content);
  const auto marked = [](std::string_view line) { return mark_of(line) > 0; };
  const auto first = std::find_if(lines.begin(), lines.end(), marked);
  std::vector<std::string> texts;
  if (first != lines.end()) {
    lines.erase(lines.begin(), first);
    for (const std::string_view line : lines) {
      // What belongs to the line before, or to nothing, cannot be told.
      if (!marked(line)) return unusable("a line without a mark among lines with marks");
      texts.push_back(single_spaced(line.substr(mark_of(line))));
    }
    return claims_of(texts, source);
  }
  if (lines.size() > 1 && lines.front().ends_with(':')) lines.erase(lines.begin());
  for (const std::string_view line : lines) texts.push_back(single_spaced(line));
  if (!about(texts, source)) return unusable("lines that have nothing to do with the text");
  return claims_of(texts, source);
}

TextAnswer claims_in_json(const Json& json, std::string_view source) {
  const Json* list = list_in(json, "claims");
  if (list == nullptr) return unusable("no list of claims");
  std::vector<std::string> texts;
  for (const Json& one : *list) {
    if (!one.is_string()) return unusable("a claim that is no text");
    texts.push_back(single_spaced(one.string()));
  }
  return claims_of(texts, source);
}

TextAnswer paraphrase_of(std::string words, std::string_view text) {
  if (words.empty()) return unusable("no paraphrase");
  if (words == single_spaced(text)) return unusable("the statement's own words");
  if (declines(words)) return unusable("a refusal");
  return {{std::move(words)}, ""};
}

TextAnswer paraphrase_in_json(const Json& json, std::string_view text) {
  const Json* found = json.find("paraphrase");
  if (found == nullptr || !found->is_string()) return unusable("no paraphrase");
  return paraphrase_of(single_spaced(found->string()), text);
}

TextAnswer categories_of(TextTask task, const std::vector<std::string>& names) {
  std::unordered_set<std::string> said;
  for (const std::string& name : names) said.insert(plain(name));
  const bool none = said.erase("none") > 0;
  TextAnswer answer;
  for (const std::string_view name : category_list(task)) {
    if (said.erase(plain(name)) > 0) answer.texts.emplace_back(name);
  }
  if (!said.empty()) return unusable("a category that is not in the list");
  if (none && !answer.texts.empty()) return unusable("categories, and none");
  return answer;
}

TextAnswer categories_in_json(TextTask task, const Json& json) {
  const Json* list = list_in(json, "categories");
  if (list == nullptr) return unusable("no list of categories");
  std::vector<std::string> names;
  for (const Json& one : *list) {
    if (!one.is_string()) return unusable("a category that is no text");
    names.push_back(one.get<std::string>());
  }
  return categories_of(task, names);
}

TextAnswer categories_in_text(TextTask task, std::string_view content) {
  std::vector<std::string> names;
  std::string name;
  for (const char c : std::string(content) + ',') {
    if (c != ',' && c != ';' && c != '\n') {
      name.push_back(c);
      continue;
    }
    if (!plain(name).empty()) names.push_back(name);
    name.clear();
  }
  if (names.empty()) return unusable("no list of categories");
  return categories_of(task, names);
}

}  // namespace

std::span<const std::string_view> category_list(TextTask task) {
  if (task == TextTask::kGeneralCategories) return text::category_names(text::CategoryList::kGeneral);
  if (task == TextTask::kMedicalCategories) return text::category_names(text::CategoryList::kMedical);
  return {};
}

void check_text_template(const TextTemplate& own) {
  if (!own || (!trimmed(*own).empty() && own->size() <= kMaxTemplate)) return;
  throw Error(Code::kBadInput, "--template: empty, or longer than 64 KiB", "give a file with the instructions");
}

std::string text_instructions(TextTask task, AnswerForm form, const TextTemplate& own) {
  const Facts& facts = facts_of(task);
  if (whole_message(own)) return *own;
  return (own ? *own : std::string(facts.instructions())) +
         (form == AnswerForm::kText ? facts.text_ending : facts.json_ending);
}

std::string text_spec(TextTask task, const Asking& asking, const TextTemplate& own) {
  const Json spec = {{"asking", *Json::parse(asking_json(asking))},
                     {"layout", kTextLayout},
                     {"schema", asking.form == AnswerForm::kSchema ? schema_in_spec(text_schema(task)) : Json()},
                     {"task", facts_of(task).name},
                     {"template", text_instructions(task, asking.form, own)}};
  return spec.sorted().dump();
}

VoteKey text_vote(const SpecDigest& spec, std::string_view text) { return vote_key(spec, text_digest(text), {}, 0); }

Messages text_messages(TextTask task, AnswerForm form, const SpecDigest& spec, std::string_view text,
                       const TextTemplate& own) {
  if (whole_message(own)) return {"", filled(*own, text)};
  return {text_instructions(task, form, own), fenced(facts_of(task).what, spec, text)};
}

Json text_schema(TextTask task) {
  Json text = {{"type", "string"}};
  for (const std::string_view name : category_list(task)) text["enum"].push_back(name);
  const char* field = facts_of(task).field;
  Json schema = {{"type", "object"}, {"required", Json::array({field})}, {"additionalProperties", false}};
  schema["properties"][field] = task == TextTask::kParaphrase ? text : Json{{"type", "array"}, {"items", text}};
  return schema;
}

TextAnswer parse_texts(TextTask task, AnswerForm form, std::string_view text, std::string_view content) {
  const bool free = form == AnswerForm::kText;
  const AnswerJson found =
      free ? json_in_free(content, text_schema(task), text.find('{') != std::string_view::npos) : json_in(content);
  content = found.whole;
  if (found.repeated) return unusable("a key is given twice");
  if (content.find('\0') != std::string_view::npos || (found.json && has_nul(*found.json)))
    return unusable("a NUL character");
  if (found.json) {
    return task == TextTask::kAtomize      ? claims_in_json(*found.json, text)
           : task == TextTask::kParaphrase ? paraphrase_in_json(*found.json, text)
                                           : categories_in_json(task, *found.json);
  }
  if (!free || content.starts_with('{')) return unusable("not JSON");
  if (task == TextTask::kAtomize) return claims_in_lines(content, text);
  if (task != TextTask::kParaphrase) return categories_in_text(task, content);
  const std::vector<std::string_view> lines = lines_of(content);
  if (lines.size() > 1) return unusable("several lines");
  return paraphrase_of(lines.empty() ? std::string() : single_spaced(lines.front()), text);
}

}  // namespace residue::model
