// Answers that are texts: anonymized (AA E.2), under pseudonyms and back (LOP B.2), phrases for a passage, and answers
// to numbered questions (ZSTS).
#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/replies/answer_words.h"
#include "model/replies/around_text.h"
#include "model/replies/asking_words.h"
#include "model/replies/refusal.h"
#include "model/replies/rewritten.h"
#include "model/tasks/task_parsers.h"
#include "text/characters/as_read.h"
#include "text/replacing/restoration.h"

namespace residue::model {
namespace {

constexpr std::size_t kMostPhrases = 3;

std::string dumped(const Json& json) { return json.sorted().dump(); }

// Why some replacements cannot be undone in a text that was made with them; null if they can.
const char* flaw_of(std::string_view source, const text::Substitutions& table) {
  std::set<std::string_view> originals, replacements;
  for (const auto& [original, replacement] : table) {
    if (original.empty() || replacement.empty()) return "an empty replacement";
    if (text::as_read(original) == text::as_read(replacement)) return "a replacement that only looks different";
    if (!originals.insert(original).second) return "a name is replaced twice";
    if (!replacements.insert(replacement).second) return "two names are replaced by one";
  }
  const bool known = text::Restorer(table, source).ambiguous() > 0;
  return known ? "a replacement stands in the text already" : nullptr;
}

// The rows that say something: not what is replaced by itself, or is said again in the same words, or does not stand in
// the text. Nothing where the text has the replacement of such a row all the same.
std::optional<text::Substitutions> rows_that_count(std::string_view source, const text::Substitutions& said,
                                                   std::string_view text) {
  std::vector<std::string_view> originals, replacements;
  for (const auto& [original, replacement] : said) {
    originals.push_back(original);
    replacements.push_back(replacement);
  }
  // Of equal words the first is the one that is told of.
  const auto known = text::WholeWords(originals).present(source);
  const auto there = text::WholeWords(replacements).present(text);
  const auto first = [](const std::vector<std::string_view>& words, std::size_t i) {
    return static_cast<std::size_t>(std::ranges::find(words, words[i]) - words.begin());
  };
  text::Substitutions table, idle;
  std::set<std::pair<std::string_view, std::string_view>> seen;
  std::set<std::string_view> put_in;
  for (std::size_t i = 0; i < said.size(); ++i) {
    const auto& row = said[i];
    const bool empty = row.first.empty() || row.second.empty();
    if ((row.first == row.second && !empty) || !seen.emplace(row.first, row.second).second) continue;
    if (empty || known[first(originals, i)]) {
      table.push_back(row);
      put_in.insert(row.second);
    } else if (there[first(replacements, i)]) {
      idle.push_back(row);
    }
  }
  for (const auto& [original, replacement] : idle) {
    if (!put_in.contains(replacement) && text::occurrences(source, replacement).empty()) return std::nullopt;
  }
  return table;
}

// What was said to be replaced decides: the text beside it has to be the input with just that replaced, but for white
// space.
TaskAnswer pseudonymized(std::string_view source, const text::Substitutions& said, std::string_view text) {
  std::string theirs(source);
  for (const auto& [original, replacement] : said) theirs += '\n' + replacement;
  if (declines(text, theirs)) return unusable_answer("refused");
  const auto table = rows_that_count(source, said, text);
  if (!table) return unusable_answer("it replaces what is not in the text");
  if (const char* flaw = flaw_of(source, *table)) return unusable_answer(flaw);
  text::Substitutions forth;
  std::vector<std::string_view> replacements;
  Json list = Json::array();
  for (const auto& [original, replacement] : *table) {
    forth.emplace_back(replacement, original);
    replacements.push_back(replacement);
    list.push_back({{"original", original}, {"replacement", replacement}});
  }
  std::string made = text::Restorer(forth).restore(source).text;
  if (!std::ranges::all_of(text::WholeWords(replacements).present(made), [](bool there) { return there; })) {
    return unusable_answer("a replacement that is not in the text");
  }
  if (text::Restorer(*table, source).restore(made).text != source) {
    return unusable_answer("replacements that cannot be undone");
  }
  if (single_spaced(made) != single_spaced(text)) {
    return unusable_answer("a text that is not the input with its replacements");
  }
  return {dumped({{"replacements", list}, {"text", std::move(made)}}), ""};
}

// The value under the first of these keys that is there.
std::optional<std::string> string_under(const Json& json, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (auto value = string_in(json, key)) return value;
  }
  return std::nullopt;
}

// An explanation, a line that is a single '#', and the text: nobody asked for that, but models have read of it.
std::optional<Parted> explained(std::string_view words, std::string_view source) {
  const auto is_hash = [](std::string_view line) { return bare(line) == "#"; };
  if (!has_line(words, is_hash) || has_line(source, is_hash)) return std::nullopt;
  return parted(words, source);
}

// A phrase that says no less than the passage, or nothing.
const char* flaw_of_phrase(const std::string& phrase, std::string_view passage) {
  if (phrase.empty()) return "an empty phrase";
  if (plain(phrase) == plain(passage) && !plain(passage).empty()) return "the passage's own words";
  const std::string said = text::as_read(phrase), theirs = text::as_read(passage);
  if (said == theirs || !text::occurrences(said, theirs).empty()) return "a phrase that has the passage in it";
  constexpr std::string_view kNothing[] = {"n/a", "na", "none", "null", "nil", "unknown", "[redacted]", "redacted"};
  const bool nothing = std::ranges::find(kNothing, bare(said)) != std::end(kNothing) || !text::has_visible(said) ||
                       said.find_first_not_of(" .,;:!?-_*/\\'\"()") == std::string::npos;
  return nothing ? "words in the place of a phrase" : nullptr;
}

}  // namespace

TaskAnswer parse_anonymize(const TaskReply& reply) {
  const std::string_view source = reply.texts[0];
  std::string changes, said;
  if (reply.json != nullptr) {
    const auto text = string_in(*reply.json, "text");
    if (!text) return unusable_answer("no text");
    changes = string_in(*reply.json, "changes").value_or("");
    said = *text;
  } else {
    const auto parts = parted(reply.words, source);
    if (!parts) {
      const char* problem = rewritten(reply.words, source).problem;
      return unusable_answer(problem != nullptr ? problem : "no line with a single #");
    }
    changes = parts->before;
    said = parts->text;
  }
  const Rewritten result = rewritten(said, source);
  if (swapped({changes, said}, source)) return unusable_answer("the explanation in the place of the text");
  if (result.problem != nullptr) return unusable_answer(result.problem);
  return {dumped({{"changes", changes}, {"text", result.text}}), ""};
}

// A text in its own words is no paraphrase.
TaskAnswer parse_rewrite(const TaskReply& reply) {
  std::string said(reply.words);
  if (reply.json != nullptr) {
    const auto text = string_in(*reply.json, "text");
    if (!text) return unusable_answer("no text");
    said = *text;
  } else if (const auto parts = explained(reply.words, reply.texts[0])) {
    if (swapped(*parts, reply.texts[0])) return unusable_answer("the explanation in the place of the text");
    said = parts->text;
  }
  const Rewritten result = rewritten(said, reply.texts[0]);
  if (result.problem != nullptr) return unusable_answer(result.problem);
  if (single_spaced(result.text) == single_spaced(reply.texts[0])) return unusable_answer("the text's own words");
  return {std::string(result.text), ""};
}

// Both our form and the paper's: {"changed_entities":[{"original_entity","new_entity"}],"modified_prompt"}.
TaskAnswer parse_pseudonymize(const TaskReply& reply) {
  text::Substitutions replacements;
  if (reply.json == nullptr) {
    const auto parts = parted(reply.words, reply.texts[0]);
    if (!parts) return unusable_answer("no line with a single #");
    if (parts->text.empty()) return unusable_answer("no text");
    for (std::string_view line : lines_of(parts->before)) {
      line.remove_prefix(mark_of(line));
      const std::size_t arrow = line.find("->");
      if (arrow == std::string_view::npos) continue;
      replacements.emplace_back(bare(line.substr(0, arrow)), bare(line.substr(arrow + 2)));
    }
    return pseudonymized(reply.texts[0], replacements, parts->text);
  }
  const auto text = string_under(*reply.json, {"text", "modified_prompt"});
  if (!text || trimmed(*text).empty()) return unusable_answer("no text");
  const char* field = reply.json->contains("replacements") ? "replacements" : "changed_entities";
  const Json* list = reply.json->find(field);
  if (list == nullptr || !list->is_array()) return unusable_answer("no list of replacements");
  for (const Json& one : *list) {
    const auto original = string_under(one, {"original", "original_entity"});
    const auto replacement = string_under(one, {"replacement", "new_entity"});
    if (!original || !replacement) return unusable_answer("no list of replacements");
    replacements.emplace_back(trimmed(*original), trimmed(*replacement));
  }
  return pseudonymized(reply.texts[0], replacements, *text);
}

TaskAnswer parse_restore(const TaskReply& reply) {
  const auto text = reply.json == nullptr ? std::string(reply.words) : string_in(*reply.json, "text");
  if (!text || trimmed(*text).empty()) return unusable_answer("no text");
  const std::string theirs = std::string(reply.texts[0]) + '\n' + std::string(reply.texts[1]);
  if (declines(*text, theirs)) return unusable_answer("a refusal");
  const std::string_view alone = without_markers(trimmed(*text), theirs);
  if (has_marker(alone, theirs)) return unusable_answer("marker lines among the text");
  return {std::string(alone), ""};
}

TaskAnswer parse_response(const TaskReply& reply) { return {std::string(reply.words), ""}; }

TaskAnswer parse_abstract(const TaskReply& reply) {
  std::vector<std::string> phrases;
  if (reply.json != nullptr) {
    const Json* list = list_in(*reply.json, "phrases");
    if (list == nullptr) return unusable_answer("no list of phrases");
    for (const Json& one : *list) {
      if (!one.is_string()) return unusable_answer("a phrase that is no text");
      const std::string phrase = single_spaced(one.string());
      phrases.push_back(number_of(phrase) ? phrase.substr(mark_of(phrase)) : phrase);
    }
  } else {
    for (const std::string_view line : lines_of(reply.words)) {
      phrases.push_back(single_spaced(bare(line.substr(mark_of(line)))));
    }
  }
  if (phrases.empty()) return unusable_answer("no phrase");
  if (phrases.size() > kMostPhrases) return unusable_answer("more than three phrases");
  std::vector<std::string> usable;
  const char* flaw = nullptr;
  for (std::string& phrase : phrases) {
    if (declines(phrase)) return unusable_answer("a refusal");
    const char* why = flaw_of_phrase(phrase, reply.texts[1]);
    if (why == nullptr) usable.push_back(std::move(phrase));
    if (flaw == nullptr) flaw = why;
  }
  if (usable.empty()) return unusable_answer(flaw);
  return {dumped(usable), ""};
}

TaskAnswer parse_questions(const TaskReply& reply) {
  const std::size_t count = reply.setting.items.size();
  std::vector<std::string> answers(count);
  const auto take = [&](std::int64_t number, std::string_view words) -> const char* {
    if (number < 1 || static_cast<std::size_t>(number) > count) return "an unknown question";
    std::string& slot = answers[static_cast<std::size_t>(number) - 1];
    if (!slot.empty()) return "a question is answered twice";
    slot = single_spaced(words);
    return slot.empty() ? "an empty answer" : nullptr;
  };
  if (reply.json != nullptr) {
    const Json* list = reply.json->find("answers");
    if (list == nullptr || !list->is_array()) {
      return unusable_answer("no list of answers");
    }
    for (const Json& one : *list) {
      const auto number = integer_in(one, "question");
      const auto words = string_in(one, "answer");
      if (!number || !words) return unusable_answer("no list of answers");
      if (const char* why = take(*number, *words)) return unusable_answer(why);
    }
  } else {
    for (const std::string_view line : lines_of(reply.words)) {
      const auto number = number_of(line);
      // Words before the first answer, or an answer that goes on, cannot be told apart: one question may have both.
      if (!number && count > 1) return unusable_answer("a line without the number of its question");
      if (!number && declines(line)) return unusable_answer("a refusal");
      const std::string_view words = number ? line.substr(mark_of(line)) : line;
      if (const char* why = take(number ? *number : 1, words)) return unusable_answer(why);
    }
  }
  for (const std::string& answer : answers) {
    if (answer.empty()) return unusable_answer("a question without an answer");
  }
  return {dumped(answers), ""};
}

}  // namespace residue::model
