// Tasks that turn one text into others: a record into claims, a claim into other words or into the sensitive categories
// that it is about. FSP appendices G.1, G.2.2, G.7.
//
//   text ── messages ──> model ── content ── parse ──> texts, or why there are none
//
// The templates are files in our own words (atomize.txt, paraphrase.txt, categories_*.txt), and a user's file may stand
// in for each; the form of the answer follows the endpoint: one JSON object, or lines of plain text.
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

enum class TextTask : std::uint8_t { kAtomize, kParaphrase, kGeneralCategories, kMedicalCategories };

// Raised when parse_texts() reads an answer otherwise than before: answers are then read again, not asked again.
inline constexpr int kTextParser = 4;

// Raised when messages are laid out otherwise.
inline constexpr int kTextLayout = 1;

// A user's file instead of our template; nothing: ours.
using TextTemplate = std::optional<std::string>;

// Throws Error{bad input} for one that is empty or longer than 64 KiB.
void check_text_template(const TextTemplate& own);

// The template, and how the answer has to look. A user's that has {text} in it is the whole message, filled in and with
// nothing behind it; any other takes the place of ours.
std::string text_instructions(TextTask task, AnswerForm form, const TextTemplate& own = std::nullopt);

// Everything that an answer depends on but the text: canonical JSON. Its digest is part of every vote key.
std::string text_spec(TextTask task, const Asking& asking, const TextTemplate& own = std::nullopt);

// The vote key of `text` under the digest of a spec.
VoteKey text_vote(const SpecDigest& spec, std::string_view text);

// Of a whole template `system` is empty, and nothing fences the text.
Messages text_messages(TextTask task, AnswerForm form, const SpecDigest& spec, std::string_view text,
                       const TextTemplate& own = std::nullopt);

// What a strict answer looks like.
Json text_schema(TextTask task);

struct TextAnswer {
  std::vector<std::string> texts;  // claims in order, each once; the paraphrase alone; categories in the list's order
  std::string problem;             // why it cannot be used, in words of ours: "no claim", "not JSON" ...
};

// The categories of a task, as answers name them. FSP G.7: 16 in general, 24 for patients.
std::span<const std::string_view> category_list(TextTask task);

// Claims: a JSON object {"claims": [...]} or the list alone; in the form kText also lines, numbered, with bullets or
// bare. Where some lines are marked all are, but for words before the first; of bare lines at least half share a word
// with `text`. An answer or claim that declines (refusal.h) is a refusal, unless it is the text that declines so.
// A paraphrase: {"paraphrase": "..."}, in the form kText also one bare line; not the words of `text` itself, which
// would be no paraphrase, nor words that decline, even of a claim that does: they cannot be told from a refusal.
// White space within a text becomes single spaces.
TextAnswer parse_texts(TextTask task, AnswerForm form, std::string_view text, std::string_view content);

}  // namespace residue::model
