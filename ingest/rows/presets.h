// Published shapes that are read without --map.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/read/value.h"
#include "ingest/rows/rows.h"

namespace residue::ingest {

struct Preset {
  std::string_view name;
  std::string_view about;  // one line
  bool dataset = true;
  bool run = false;
  bool labels = false;  // kind span
  bool judgments = false;
  bool answers = false;
  bool neighbour = false;  // a file of another program: --id, --text and --map name places in its items, --only chooses
};

std::span<const Preset> presets();

enum class PresetVerb { kDataset, kRun, kLabels, kJudgments, kAnswers };

// What options.preset names; nothing for "". Throws Error{usage}: an unknown name (with the nearest), one that does not
// serve the verb, or one beside --map, --id or --text, since a preset knows its fields (but a neighbour's does not know
// all); --only without a neighbour's.
const Preset* find_preset(const SourceOptions& options, PresetVerb verb);
const Preset* find_preset(const RecordSourceOptions& options, PresetVerb verb);

// What a preset makes of a row. Each throws Refusal.
//
// The task of `mediq` has the question, that of `medqa` has none: there the question is the record's text (vignette and
// question in one). A copy of it in the task would hand the original to whoever answers from the sanitized text.
//
// A run's row with a message in "error" is a failed variant and needs no text.
RecordRow preset_record(std::string_view preset, const InputRow& row);
VariantRow preset_variant(std::string_view preset, const InputRow& row);

struct PresetSpan {
  std::string record, text, type, identifier, entity, annotator;
  std::int64_t start = 0;
  std::int64_t end = 0;
};
// `abcd`: answers to whether a dialogue's issue was resolved, without the dialogue: the passage only names it. A judge
// is a model and a prompt ("gpt-4/no_actions"); "no_actions_2" is that judge's second sample.
JudgmentRow preset_judgment(std::string_view preset, const InputRow& row);

// `mirage`: answers to MedQA's questions, which are `medqa`'s records; a model is a model and a setting
// ("gpt-4-32k/cot").
AnswerRow preset_answer(std::string_view preset, const InputRow& row);

std::vector<PresetSpan> preset_spans(std::string_view preset, const InputRow& row);

}  // namespace residue::ingest
