#include "ingest/rows/presets.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "ingest/rows/fields.h"

namespace residue::ingest {
namespace {

constexpr Preset kPresets[] = {
    {"abcd", "ABCD dialogues: convo_id, original; of judgments: abcd_id, model, run, judgment", true, true, false,
     true},
    {"ai4privacy", "ai4privacy: source_text, masked_text or target_text, privacy_mask", true, true, true},
    {"inspect", "a log of inspect_ai (.json or .eval): its samples", false, true, false, true, true, true},
    {"medqa", "MedQA questions: the id is the 0-based line", true, false, false},
    {"mediq", "MediQ vignettes with their claims: context, facts, question, options", true, false, false},
    {"mirage", "MIRAGE answers to MedQA: idx, model, setting, answer, gold", false, false, false, false, true},
    {"presidio", "presidio-research: full_text, spans; as a run also its table of tokens; the id is the 0-based index",
     true, true, true, false, false, true},
    {"promptfoo", "results of promptfoo (.json or .jsonl)", false, true, false, false, true, true},
    {"synthpai", "SynthPAI and llm-anonymization profiles: username, comments", true, true, false},
    {"tab", "Text Anonymization Benchmark: doc_id, text, annotations", true, false, true},
    {"tau-eval", "texts that tau-eval saved: original, a column for each model; the id is the 0-based index", true,
     true, false, false, false, true},
    {"wildchat", "WildChat: conversation_hash, conversation", true, true, false},
};

const Value& need(const Value& object, std::string_view path) {
  const Value* value = object.at(path);
  if (value == nullptr) {
    throw Refusal{fmt::format("field \"{}\" is missing", path), "check that the preset fits the file"};
  }
  return *value;
}

const Value& need_array(const Value& object, std::string_view path) {
  const Value& value = need(object, path);
  if (!value.is(Value::Kind::kArray)) {
    throw Refusal{fmt::format("field \"{}\" is no array", path), "check that the preset fits the file"};
  }
  return value;
}

std::string string_at(const Value& object, std::string_view path) { return string_of(need(object, path), path); }

// "1. Patient is ..." and "- Patient is ..." are lists that a model wrote: the claim is what follows.
std::string without_bullet(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  std::size_t at = 0;
  if (digits > 0 && text.substr(digits).starts_with('.')) {
    at = digits + 1;
  } else if (text.starts_with('-')) {
    at = 1;
  } else {
    return std::string(text);
  }
  at = std::min(text.find_first_not_of(" \t\r\n\f\v", at), text.size());
  return std::string(text.substr(at));
}

void append_comments(const Value& comments, std::string& text, bool& first) {
  for (const Value& comment : comments.items) {
    const Value* nested = comment.member("comments");
    if (nested != nullptr && nested->is(Value::Kind::kArray)) {
      append_comments(*nested, text, first);
      continue;
    }
    if (!first) text += '\n';
    first = false;
    text += string_at(comment, "text");
  }
}

std::string joined_comments(const Value& object) {
  std::string text;
  bool first = true;
  append_comments(need_array(object, "comments"), text, first);
  return text;
}

std::string joined_turns(const Value& object) {
  std::string text;
  for (const Value& turn : need_array(object, "conversation").items) {
    if (!text.empty()) text += '\n';
    text += string_at(turn, "role") == "user" ? "USER: " : "CHATBOT: ";
    text += string_at(turn, "content");
  }
  return text;
}

std::string joined_speakers(const Value& object) {
  std::string text;
  for (const Value& turn : need_array(object, "original").items) {
    if (!turn.is(Value::Kind::kArray) || turn.items.size() != 2) {
      throw Refusal{"field \"original\" has an element that is no pair", "check that the preset fits the file"};
    }
    if (!text.empty()) text += '\n';
    text += string_of(turn.items[0], "original") + ": " + string_of(turn.items[1], "original");
  }
  return text;
}

std::string task_of(const Value& object, bool question) {
  std::string task =
      "{\"answer\":" + canonical(need(object, "answer_idx")) + ",\"options\":" + canonical(need(object, "options"));
  if (question) task += ",\"question\":" + canonical(need(object, "question"));
  return task + "}";
}

std::string tab_id(const Value& object) {
  const Value* id = object.member("doc_id");
  if (id == nullptr) id = object.at("metadata.provenance.doc_id");
  return id_of(id != nullptr ? *id : need(object, "doc_id"), "doc_id");
}

std::string ai4privacy_id(const InputRow& row) {
  for (const std::string_view name : {"uid", "id"}) {
    if (const Value* id = row.object.member(name)) return id_of(*id, name);
  }
  return std::to_string(row.index);
}

std::string id_in(std::string_view preset, const InputRow& row) {
  if (preset == "mediq") return id_of(need(row.object, "id"), "id");
  if (preset == "synthpai") return id_of(need(row.object, "username"), "username");
  if (preset == "tab") return tab_id(row.object);
  if (preset == "ai4privacy") return ai4privacy_id(row);
  if (preset == "wildchat") return id_of(need(row.object, "conversation_hash"), "conversation_hash");
  if (preset == "abcd") return id_of(need(row.object, "convo_id"), "convo_id");
  return std::to_string(row.index);
}

std::string flattened(std::string_view preset, const InputRow& row) {
  if (preset == "synthpai") return joined_comments(row.object);
  if (preset == "wildchat") return joined_turns(row.object);
  return joined_speakers(row.object);
}

void append_mentions(const Value& mentions, const std::string& record, std::string_view annotator,
                     std::vector<PresetSpan>& spans) {
  for (const Value& mention : mentions.items) {
    const auto optional = [&](std::string_view name) {
      const Value* value = mention.member(name);
      return absent(value, true) ? std::string() : string_of(*value, name);
    };
    spans.push_back({record, optional("span_text"), string_at(mention, "entity_type"), optional("identifier_type"),
                     optional("entity_id"), std::string(annotator),
                     integer_of(need(mention, "start_offset"), true, "start_offset", 0, INT64_MAX),
                     integer_of(need(mention, "end_offset"), true, "end_offset", 0, INT64_MAX)});
  }
}

std::vector<PresetSpan> tab_spans(const InputRow& row) {
  std::vector<PresetSpan> spans;
  const std::string record = tab_id(row.object);
  if (const Value* annotations = row.object.member("annotations")) {
    for (const Value& annotator : annotations->items) {
      append_mentions(need_array(annotator, "entity_mentions"), record, annotator.key, spans);
    }
    return spans;
  }
  const Value* annotator = row.object.at("metadata.provenance.annotator");
  append_mentions(need_array(row.object, "entities"), record, annotator != nullptr ? annotator->text : "", spans);
  return spans;
}

void refuse_beside(const SourceOptions& options, std::string_view flag, bool given) {
  if (!given) return;
  throw Error(Code::kUsage,
              fmt::format("{} cannot be used with --preset {}, which names all fields", flag, options.preset),
              fmt::format("drop {}, or drop --preset and name all fields", flag));
}

bool serves(const Preset& preset, PresetVerb verb) {
  switch (verb) {
    case PresetVerb::kDataset:
      return preset.dataset;
    case PresetVerb::kRun:
      return preset.run;
    case PresetVerb::kLabels:
      return preset.labels;
    case PresetVerb::kJudgments:
      return preset.judgments;
    case PresetVerb::kAnswers:
      return preset.answers;
  }
  return false;
}

const Preset* preset_named(std::string_view name, PresetVerb verb) {
  if (name.empty()) return nullptr;
  const Preset* nearest = nullptr;
  for (const Preset& preset : kPresets) {
    if (preset.name == name) {
      if (serves(preset, verb)) return &preset;
      throw Error(Code::kUsage, fmt::format("preset {} is for another command", name),
                  "name the fields with --id and --text");
    }
    if (nearest == nullptr || edit_distance(preset.name, name) < edit_distance(nearest->name, name)) nearest = &preset;
  }
  throw Error(Code::kUsage, fmt::format("no preset {}", name), fmt::format("did you mean {}?", nearest->name));
}

}  // namespace

std::span<const Preset> presets() { return kPresets; }

const Preset* find_preset(const SourceOptions& options, PresetVerb verb) {
  const Preset* preset = preset_named(options.preset, verb);
  const bool items = verb == PresetVerb::kRun || verb == PresetVerb::kJudgments || verb == PresetVerb::kAnswers;
  const bool chooses = preset != nullptr && preset->neighbour && items;
  if (!chooses && !options.only.empty()) {
    throw Error(Code::kUsage, "--only chooses among the items of another program's file",
                "name the program with --preset: inspect, promptfoo, presidio or tau-eval");
  }
  refuse_beside(options, "--map", preset != nullptr && !chooses && !options.map.empty());
  return preset;
}

const Preset* find_preset(const RecordSourceOptions& options, PresetVerb verb) {
  const Preset* preset = find_preset(static_cast<const SourceOptions&>(options), verb);
  const bool knows = preset != nullptr && (!preset->neighbour || verb == PresetVerb::kDataset);
  refuse_beside(options, "--id", knows && options.id);
  refuse_beside(options, "--text", knows && options.text);
  return preset;
}

RecordRow preset_record(std::string_view preset, const InputRow& row) {
  RecordRow record;
  record.line = row.line;
  record.key = id_in(preset, row);
  std::vector<std::string_view> used;
  if (preset == "mediq") {
    record.text = text_of(need(row.object, "context"), "context");
    record.task = task_of(row.object, true);
    record.claims.emplace();
    for (const std::string& fact : strings_of(need(row.object, "facts"), "facts")) {
      record.claims->push_back(without_bullet(fact));
    }
    used = {"id", "context", "facts", "question", "options", "answer_idx"};
  } else if (preset == "medqa") {
    record.text = string_at(row.object, "question");
    record.task =
        task_of(row.object, false);  // the question is the text itself: a task must not carry what is sanitized
    used = {"question", "options", "answer_idx"};
  } else if (preset == "tab") {
    record.text = string_at(row.object, "text");
    used = {"doc_id", "text", "annotations", "entities"};
  } else if (preset == "presidio") {
    record.text = string_at(row.object, "full_text");
    used = {"full_text", "spans"};
  } else if (preset == "tau-eval") {
    record.text = string_at(row.object, "original");
    return record;  // The other fields are what models made of the text.
  } else if (preset == "ai4privacy") {
    record.text = string_at(row.object, "source_text");
    used = {"uid", "id", "source_text", "masked_text", "target_text", "privacy_mask"};
  } else {
    record.text = flattened(preset, row);
    used = {preset == "abcd"       ? "convo_id"
            : preset == "synthpai" ? "username"
                                   : "conversation_hash",
            preset == "abcd"       ? "original"
            : preset == "synthpai" ? "comments"
                                   : "conversation"};
  }
  record.meta = rest_of(row, used);
  return record;
}

VariantRow preset_variant(std::string_view preset, const InputRow& row) {
  VariantRow variant;
  variant.line = row.line;
  variant.key = id_in(preset, row);
  variant.error = error_of(row.object.member("error"), row.typed);
  if (variant.error) return variant;
  if (preset == "ai4privacy") {
    const bool masked = row.object.member("masked_text") != nullptr;
    variant.text = string_at(row.object, masked ? "masked_text" : "target_text");
  } else {
    variant.text = flattened(preset, row);
  }
  return variant;
}

JudgmentRow preset_judgment(std::string_view /*preset*/, const InputRow& row) {
  JudgmentRow judgment;
  judgment.line = row.line;
  std::string prompt = string_at(row.object, "run");
  // "no_actions_2": the second sample; "base_v2" is a prompt of its own.
  if (const auto joint = prompt.rfind('_');
      joint != std::string::npos && joint + 2 == prompt.size() && prompt.back() >= '1' && prompt.back() <= '9') {
    judgment.sample = static_cast<std::uint64_t>(prompt.back() - '1');
    prompt.resize(joint);
  }
  judgment.judge = string_at(row.object, "model") + "/" + prompt;
  judgment.claim = "The issue of the customer was resolved.";
  judgment.passage = "ABCD dialogue " + string_at(row.object, "abcd_id");
  const std::string answer = string_at(row.object, "judgment");
  if (answer != "Yes" && answer != "Unclear" && answer != "No") {
    throw Refusal{"field \"judgment\" has an unknown value", "write Yes, Unclear or No"};
  }
  judgment.rating = answer == "Yes" ? 1 : answer == "Unclear" ? 2 : 3;
  return judgment;
}

AnswerRow preset_answer(std::string_view /*preset*/, const InputRow& row) {
  AnswerRow answer;
  answer.line = row.line;
  answer.model = string_at(row.object, "model") + "/" + string_at(row.object, "setting");
  answer.record = id_of(need(row.object, "idx"), "idx");
  answer.run = "none";
  if (const Value* said = row.object.member("answer"); !absent(said, row.typed)) {
    answer.answer = string_of(*said, "answer");
  }
  answer.gold = string_at(row.object, "gold");
  return answer;
}

std::vector<PresetSpan> preset_spans(std::string_view preset, const InputRow& row) {
  if (preset == "tab") return tab_spans(row);
  const bool presidio = preset == "presidio";
  std::vector<PresetSpan> spans;
  const std::string record = id_in(preset, row);
  for (const Value& span : need_array(row.object, presidio ? "spans" : "privacy_mask").items) {
    const std::string_view start = presidio ? "start_position" : "start";
    const std::string_view end = presidio ? "end_position" : "end";
    spans.push_back({record, string_at(span, presidio ? "entity_value" : "value"),
                     string_at(span, presidio ? "entity_type" : "label"), "", "", "",
                     integer_of(need(span, start), true, start, 0, INT64_MAX),
                     integer_of(need(span, end), true, end, 0, INT64_MAX)});
  }
  return spans;
}

}  // namespace residue::ingest
