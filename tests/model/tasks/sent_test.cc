// What is sent for each task, in each form of answer, byte for byte as in the files of tests/model/sent: a field that
// changes its place there changes what models answer. RESIDUE_WRITE_SENT=1 writes the files anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "model/asking/vote_key.h"
#include "model/server/chat.h"
#include "model/tasks/claim_support.h"
#include "model/tasks/text_task.h"
#include "tests/model/tasks/answer_cases.h"

namespace residue::model::testing {
namespace {

constexpr AnswerForm kForms[] = {AnswerForm::kSchema, AnswerForm::kObject, AnswerForm::kText};
constexpr TextTask kTextTasks[] = {TextTask::kAtomize, TextTask::kParaphrase, TextTask::kGeneralCategories,
                                   TextTask::kMedicalCategories};

Asking asking(AnswerForm form) {
  Asking asking;
  asking.model = "m";
  asking.temperature = 0;
  asking.max_tokens = 1024;
  asking.seed = 0;
  asking.form = form;
  return asking;
}

struct Task {
  std::string name, spec;
  Json schema;
  Messages messages;
};

Task support(AnswerForm form) {
  constexpr std::size_t kClaims = 2;
  const std::string spec = support_spec(asking(form), support_template(), kClaims);
  const std::string_view claims[] = {"Ann is 45.", "Ann is a nurse."};
  return {"claim_support", spec, support_schema(kClaims),
          support_messages(support_template(), spec_digest(spec), "Ann is a nurse.", claims)};
}

// Every task that there is.
std::vector<Task> tasks(AnswerForm form) {
  std::vector<Task> all = {support(form)};
  for (const TextTask task : kTextTasks) {
    const std::string spec = text_spec(task, asking(form));
    all.push_back({Json::parse(spec)->at("task").string(), spec, text_schema(task),
                   text_messages(task, form, spec_digest(spec), "Ann met Bob.")});
  }
  for (const TaskKind kind : kAll) {
    const std::string spec = task_spec(setting(kind), asking(form));
    all.push_back({std::string(task_name(kind)), spec, task_schema(setting(kind)),
                   task_messages(setting(kind), form, spec_digest(spec), some_texts(kind))});
  }
  if (form != AnswerForm::kText) return all;
  // Whatever comes is the answer: nobody asks for a form.
  const std::string spec = task_spec({TaskKind::kRespond}, asking(form));
  const std::string_view text[] = {"Write to Ann."};
  all.push_back({"response", spec, Json(), task_messages({TaskKind::kRespond}, form, spec_digest(spec), text)});
  return all;
}

std::string body(const Task& task, AnswerForm form) {
  return chat_body(asking(form), 0, task.messages.system, task.messages.user, task.schema);
}

std::string file_name(const Task& task, AnswerForm form) {
  return std::string(RESIDUE_SOURCE_DIR) + "/tests/model/sent/" + task.name + "." + std::string(form_name(form)) +
         ".json";
}

TEST(Sent, IsWhatTheFilesSay) {
  for (const AnswerForm form : kForms) {
    for (const Task& task : tasks(form)) {
      SCOPED_TRACE(file_name(task, form));
      if (std::getenv("RESIDUE_WRITE_SENT") != nullptr)
        std::ofstream(file_name(task, form)) << body(task, form) << '\n';
      std::ostringstream file;
      file << std::ifstream(file_name(task, form)).rdbuf();
      EXPECT_EQ(body(task, form) + "\n", file.str());
    }
  }
}

// The fields of a schema, of all its objects in their order, as a path each.
void fields_of(const Json& schema, std::string path, std::vector<std::string>& fields) {
  if (const Json* items = schema.find("items"); items != nullptr) return fields_of(*items, path + "[]", fields);
  const Json* properties = schema.find("properties");
  if (properties == nullptr) return;
  for (const auto& [name, below] : properties->items()) {
    fields.push_back(path + "." + name);
    fields_of(below, fields.back(), fields);
  }
}

// The same of an answer: of a list its first element.
void fields_in(const Json& value, std::string path, std::vector<std::string>& fields) {
  if (value.is_array() && !value.empty()) return fields_in(value.front(), path + "[]", fields);
  if (!value.is_object()) return;
  for (const auto& [name, below] : value.items()) {
    fields.push_back(path + "." + name);
    fields_in(below, fields.back(), fields);
  }
}

// The objects of JSON on one line of instructions.
std::vector<Json> examples_in(std::string_view instructions) {
  std::vector<Json> examples;
  for (std::size_t at = instructions.find('{'); at != std::string_view::npos; at = instructions.find('{', at + 1)) {
    for (std::size_t end = instructions.find('}', at); end != std::string_view::npos;
         end = instructions.find('}', end + 1)) {
      const auto json = Json::parse(instructions.substr(at, end + 1 - at));
      if (!json) continue;
      examples.push_back(*json);
      at = end;
      break;
    }
  }
  return examples;
}

TEST(Sent, ShowsExamplesWhoseFieldsStandInTheOrderOfTheSchema) {
  for (const Task& task : tasks(AnswerForm::kSchema)) {
    SCOPED_TRACE(task.name);
    const std::vector<Json> examples = examples_in(task.messages.system);
    EXPECT_FALSE(examples.empty());
    const Json sent =
        Json::parse(body(task, AnswerForm::kSchema))->at("response_format").at("json_schema").at("schema");
    std::vector<std::string> wanted;
    fields_of(sent, "", wanted);
    for (const Json& example : examples) {
      std::vector<std::string> fields;
      fields_in(example, "", fields);
      if (example.size() > 0 && example.items().front().value.empty()) continue;  // "{"claims":[]} if there is none"
      EXPECT_EQ(fields, wanted) << example.dump();
    }
  }
}

TEST(Sent, HasTheReasonBeforeWhatFollowsFromIt) {
  const std::map<std::string, std::vector<std::string>> order = {
      {"claim_support", {R"("claim":)", R"("reason":)", R"("rating":)"}},
      {"coherence_medical", {R"("explanation":)", R"("rating":)"}},
      {"attributes", {R"("type":{"enum")", R"("inference":)", R"("guesses":)", R"("certainty":)"}},
      {"utility", {R"("readability":)", R"("explanation":)", R"("score":)", R"("meaning":)", R"("hallucinations":)"}},
      {"qa", {R"("question":)", R"("answer":)"}},
      {"anonymize", {R"("changes":)", R"("text":)"}},
      {"pseudonymize", {R"("replacements":)", R"("reason":)", R"("original":)", R"("replacement":)", R"("text":)"}},
      {"restore", {R"("reason":)", R"("text":)"}},
      {"entity_relevance", {R"("reason":)", R"("relevant":)"}}};
  std::size_t seen = 0;
  for (const Task& task : tasks(AnswerForm::kSchema)) {
    if (!order.contains(task.name)) continue;
    SCOPED_TRACE(task.name);
    ++seen;
    const std::string sent = body(task, AnswerForm::kSchema);
    std::size_t at = sent.find(R"("response_format")");
    for (const std::string& field : order.at(task.name)) {
      at = sent.find(field, at);
      ASSERT_NE(at, std::string::npos) << field;
    }
  }
  EXPECT_EQ(seen, order.size());
}

// A spec is canonical: its keys sorted. It names the order all the same, so that what was answered in another order is
// not taken for an answer in this one.
TEST(Sent, IsAnotherSpecWhereAnotherOrderIsSent) {
  for (const Task& task : tasks(AnswerForm::kSchema)) {
    SCOPED_TRACE(task.name);
    const Json spec = Json::parse(task.spec).value();
    EXPECT_EQ(task.spec, spec.sorted().dump());
    const std::string sent = body(task, AnswerForm::kSchema);
    const std::string sorted = task.schema.sorted().dump();
    const bool as_before = sent.find("\"schema\":" + sorted + ",") != std::string::npos;
    EXPECT_EQ(spec.at("schema").is_object(), as_before);
    if (as_before) {
      EXPECT_EQ(spec.at("schema").dump(), sorted);
    } else {
      EXPECT_NE(sent.find("\"schema\":" + spec.at("schema").string() + ","), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace residue::model::testing
