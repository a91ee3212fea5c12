#include "model/tasks/task.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "model/asking/vote_key.h"
#include "model/replies/answer_json.h"
#include "model/replies/answer_words.h"
#include "model/server/answer_schema.h"
#include "model/tasks/task_table.h"
#include "text/characters/unicode.h"

namespace residue::model {
namespace {

constexpr std::size_t kMaxTemplate = 65'536;
constexpr std::size_t kMostItems = 64, kLongestItem = 512;
constexpr const char* kNul = "a NUL character";
constexpr std::string_view kItemsHere = "{items}";

bool asks_for_items(TaskKind kind) { return kind == TaskKind::kAttributes || kind == TaskKind::kQuestions; }

std::string place_of(const TaskPart& part) { return fmt::format("{{{}}}", part.name); }

// How many parts have a place in a template.
std::size_t places_in(TaskKind kind, std::string_view instructions) {
  std::size_t places = 0;
  for (const TaskPart& part : task_parts(kind)) {
    if (instructions.find(place_of(part)) != std::string_view::npos) ++places;
  }
  return places;
}

std::string_view template_of(const TaskSetting& setting) {
  return setting.instructions ? std::string_view(*setting.instructions) : task_row(setting.kind).instructions();
}

bool whole_message(const TaskSetting& setting) { return places_in(setting.kind, template_of(setting)) > 0; }

std::string items_of(const TaskSetting& setting) {
  std::string lines;
  for (std::size_t i = 0; i < setting.items.size(); ++i) {
    lines += setting.kind == TaskKind::kAttributes
                 ? fmt::format("- {}: {}\n", setting.items[i], attribute_words(setting.items[i]))
                 : fmt::format("{}. {}\n", i + 1, setting.items[i]);
  }
  return lines;
}

// In one pass: what is filled in is not looked at again.
std::string filled(const TaskSetting& setting, std::span<const std::string_view> texts) {
  const auto parts = task_parts(setting.kind);
  const std::string items = items_of(setting);
  std::string_view rest = template_of(setting);
  std::string out;
  while (!rest.empty()) {
    std::size_t at = rest.find(kItemsHere), skip = kItemsHere.size();
    std::string_view put = items;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string place = place_of(parts[i]);
      const std::size_t here = rest.find(place);
      if (here >= at) continue;
      at = here;
      skip = place.size();
      put = texts[i];
    }
    out += rest.substr(0, at);
    if (at == std::string_view::npos) break;
    out += put;
    rest.remove_prefix(at + skip);
  }
  return out;
}

// Whose answers are texts, or what texts are made of: sentences around the one object say nothing, and what they hold
// is stored.
bool makes_texts(TaskKind kind) {
  switch (kind) {
    case TaskKind::kAnonymize:
    case TaskKind::kAnonymizeAlone:
    case TaskKind::kPseudonymize:
    case TaskKind::kRestore:
    case TaskKind::kAbstract:
    case TaskKind::kRewrite:
    case TaskKind::kDisclosures:
    case TaskKind::kIdentifiers:
    case TaskKind::kAttributes:
      return true;
    default:
      return false;
  }
}

bool keeps_words(TaskKind kind) {
  return makes_texts(kind) || kind == TaskKind::kRespond || kind == TaskKind::kQuestions;
}

}  // namespace

std::string_view task_name(TaskKind kind) { return task_row(kind).name; }
std::optional<TaskKind> task_named(std::string_view name) {
  for (auto kind = static_cast<int>(TaskKind::kChoice); kind <= static_cast<int>(TaskKind::kRespond); ++kind) {
    if (task_name(static_cast<TaskKind>(kind)) == name) return static_cast<TaskKind>(kind);
  }
  return std::nullopt;
}
std::span<const TaskPart> task_parts(TaskKind kind) { return task_row(kind).parts; }
int task_parser(TaskKind kind) { return task_row(kind).parser; }

namespace {

// Labels have the paper's attributes in the paper's spelling: another one would be paid for and find none.
void check_attribute(const std::string& name) {
  if (trimmed(name) != name) {
    throw Error(Code::kUsage, "one of the attributes begins or ends with a space",
                "age,sex: commas alone between them");
  }
  for (const std::string& known : default_items(TaskKind::kAttributes)) {
    if (name == known || plain(name) != plain(known)) continue;
    throw Error(Code::kUsage, fmt::format("one of the attributes is {} in another spelling", known),
                fmt::format("write {}", known));
  }
}

}  // namespace

void check_setting(const TaskSetting& setting) {
  if (asks_for_items(setting.kind)) {
    const char* what = setting.kind == TaskKind::kAttributes ? "attributes" : "questions";
    if (setting.items.empty() || setting.items.size() > kMostItems) {
      throw Error(Code::kUsage, fmt::format("{} {}", setting.items.size(), what), fmt::format("1 to {}", kMostItems));
    }
    std::unordered_set<std::string> seen;
    for (const std::string& item : setting.items) {
      const bool several = item.find('\n') != std::string::npos || item.find('\r') != std::string::npos;
      if (!text::valid_utf8(item))
        throw Error(Code::kUsage, fmt::format("one of the {} is not UTF-8", what), "write it in UTF-8");
      const std::string key = setting.kind == TaskKind::kAttributes ? plain(item) : item;
      if (trimmed(item).empty() || item.size() > kLongestItem || several || key.empty()) {
        throw Error(Code::kUsage, fmt::format("one of the {} cannot be asked for", what),
                    fmt::format("each is one line of 1 to {} bytes", kLongestItem));
      }
      if (setting.kind == TaskKind::kAttributes) check_attribute(item);
      if (!seen.insert(key).second)
        throw Error(Code::kUsage, fmt::format("one of the {} is there twice", what), "name each once");
    }
  } else if (!setting.items.empty()) {
    throw Error(Code::kInternal, "items for a task that has none");
  }
  if (!setting.instructions) return;
  if (trimmed(*setting.instructions).empty() || setting.instructions->size() > kMaxTemplate) {
    throw Error(Code::kBadInput, "--template: empty, or longer than 64 KiB", "give a file with the instructions");
  }
  const std::size_t places = places_in(setting.kind, *setting.instructions);
  const bool no_items =
      places > 0 && !setting.items.empty() && setting.instructions->find(kItemsHere) == std::string::npos;
  if (no_items) {
    throw Error(Code::kBadInput, fmt::format("--template: a whole message without {}", kItemsHere),
                fmt::format("{} stands for what is asked for", kItemsHere));
  }
  if (places == 0 || places == task_parts(setting.kind).size()) return;
  std::string all;
  for (const TaskPart& part : task_parts(setting.kind)) all += (all.empty() ? "" : ", ") + place_of(part);
  throw Error(Code::kBadInput, fmt::format("--template: it has {} of {}", places, all),
              "a template with all of them is the whole message; one with none is instructions");
}

std::string task_instructions(const TaskSetting& setting, AnswerForm form) {
  const TaskRow& row = task_row(setting.kind);
  if (whole_message(setting)) return std::string(template_of(setting));
  std::string text(template_of(setting));
  if (!setting.items.empty()) {
    if (!text.ends_with('\n')) text += '\n';
    text += (setting.kind == TaskKind::kAttributes ? "\nAttributes:\n" : "\nQuestions:\n") + items_of(setting);
  }
  return text + (form == AnswerForm::kText ? row.text_ending : row.json_ending);
}

std::string task_spec(const TaskSetting& setting, const Asking& asking) {
  const Json spec = {{"asking", *Json::parse(asking_json(asking))},
                     {"items", setting.items},
                     {"layout", kTaskLayout},
                     {"schema", asking.form == AnswerForm::kSchema ? schema_in_spec(task_schema(setting)) : Json()},
                     {"task", task_name(setting.kind)},
                     {"template", task_instructions(setting, asking.form)}};
  return spec.sorted().dump();
}

VoteKey task_vote(const SpecDigest& spec, std::span<const std::string_view> texts) {
  std::vector<TextDigest> others;
  for (const std::string_view text : texts.subspan(1)) others.push_back(text_digest(text));
  return vote_key(spec, text_digest(texts.front()), others, 0);
}

Messages task_messages(const TaskSetting& setting, AnswerForm form, const SpecDigest& spec,
                       std::span<const std::string_view> texts) {
  if (whole_message(setting)) return {"", filled(setting, texts)};
  const auto parts = task_parts(setting.kind);
  std::string user;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    // What a record's own text already asks is not asked again.
    if (!parts[i].fenced && texts[i].empty()) continue;
    if (!user.empty()) user += '\n';
    user +=
        parts[i].fenced ? fenced(parts[i].title, spec, texts[i]) : fmt::format("{}:\n{}\n", parts[i].title, texts[i]);
  }
  return {task_instructions(setting, form), std::move(user)};
}

Json task_schema(const TaskSetting& setting) { return task_row(setting.kind).schema(setting); }

TaskAnswer parse_task(const TaskSetting& setting, AnswerForm form, std::span<const std::string_view> texts,
                      std::string_view content) {
  const TaskRow& row = task_row(setting.kind);
  if (setting.kind == TaskKind::kRespond) content = without_reasoning(content);  // A fence may be what was asked for.
  if (setting.kind != TaskKind::kRespond) content = unwrapped(content);
  if (content.empty()) return unusable_answer("empty");
  const bool no_nul = keeps_words(setting.kind);
  if (no_nul && content.find('\0') != std::string_view::npos) return unusable_answer(kNul);
  TaskReply reply{setting, texts, nullptr, content};
  if (setting.kind == TaskKind::kRespond) return row.parse(reply);
  const bool free = form == AnswerForm::kText;
  // An object among the words of a text that has some may be the author's.
  const bool braces = std::ranges::any_of(texts, [](std::string_view text) { return text.find('{') != text.npos; });
  const AnswerJson found =
      free ? json_in_free(content, task_schema(setting), braces && !row.object_among_words) : json_in(content);
  if (found.repeated) return unusable_answer("a key is given twice");
  if (no_nul && found.json && has_nul(*found.json)) return unusable_answer(kNul);
  if (found.json) {
    reply.json = &*found.json;
    return row.parse(reply);
  }
  // "[NAME] met Ann." is a text that begins with a placeholder.
  if (!free || content.starts_with('{')) return unusable_answer("not JSON");
  return row.parse(reply);
}

}  // namespace residue::model
