#include "ingest/ask/restoring.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "base/json.h"
#include "model/replies/replacements.h"
#include "text/replacing/restoration.h"

namespace residue::ingest {
namespace {

struct Put {
  std::string_view words;
  std::string with;
};

// The spans of `text` and what replaced them, in order; nothing where the table is not of this text.
std::optional<std::vector<Put>> spans_in(std::string_view table, std::string_view text) {
  const auto rows = Json::parse(table);
  if (!rows || !rows->is_array()) return std::nullopt;
  std::vector<Put> spans;
  for (const Json& row : rows->elements()) {
    if (!row.is_array() || row.size() != 4 || !row[0].is_unsigned() || !row[1].is_unsigned() || !row[3].is_string()) {
      return std::nullopt;
    }
    const auto begin = row[0].get<std::size_t>(), end = row[1].get<std::size_t>();
    if (begin > end || end > text.size()) return std::nullopt;
    spans.push_back({text.substr(begin, end - begin), row[3].get<std::string>()});
  }
  return spans;
}

// How many replacements made `sanitized` of `original`, each in its place; nothing where the spans did not.
std::optional<std::uint64_t> replaced_in_place(const ToRestore& one, const std::vector<Put>& spans) {
  std::string made;
  std::uint64_t others = 0;
  const char* done = one.original.data();
  for (const Put& span : spans) {
    if (span.words.data() < done) return std::nullopt;
    made.append(done, span.words.data()).append(span.with);
    done = span.words.data() + span.words.size();
    others += span.words == span.with ? 0 : 1;
  }
  made.append(done, one.original.data() + one.original.size());
  return made == one.sanitized ? std::optional(others) : std::nullopt;
}

// The original of a response that is the sanitized text, where every replacement is known by its place.
std::optional<RestoredResponse> by_place(const ToRestore& one) {
  if (one.sanitized.empty() || one.response != one.sanitized) return std::nullopt;
  std::optional<std::uint64_t> replaced;
  if (const auto spans = spans_in(one.spans, one.original)) replaced = replaced_in_place(one, *spans);
  if (!replaced) {
    text::Substitutions forth;
    for (const auto& [original, replacement] : model::substitutions_in(one.substitutions))
      forth.emplace_back(replacement, original);
    const text::Restored made = text::Restorer(forth).restore(one.original);
    if (made.text == one.sanitized) replaced = made.put_back;
  }
  if (!replaced) return std::nullopt;
  return RestoredResponse{std::string(one.original), *replaced, 0, 0, 0};
}

// The table, and the replacements that stand for several wordings, which no table has: they are ambiguous.
text::Substitutions whole_table(const ToRestore& one, text::Substitutions table) {
  const auto spans = spans_in(one.spans, one.original);
  if (!spans) return table;
  std::set<std::string_view> known;
  for (const auto& [original, replacement] : table) known.insert(replacement);
  std::map<std::string_view, std::set<std::string_view>> others;
  for (const Put& span : *spans) {
    if (!known.contains(span.with)) others[span.with].insert(span.words);
  }
  text::Substitutions more;
  for (const auto& [with, words] : others) {
    if (words.size() < 2) continue;
    for (const std::string_view original : words) more.emplace_back(original, with);
  }
  table.insert(table.end(), more.begin(), more.end());
  return table;
}

text::Restorer restorer_of(const ToRestore& one) {
  return text::Restorer(whole_table(one, model::substitutions_in(one.substitutions)), one.original,
                        text::Restorer::By::kAnyone);
}

}  // namespace

std::vector<RestoredResponse> restored(std::span<const ToRestore> responses, model::TaskAsker* asker) {
  std::vector<RestoredResponse> out(responses.size());
  // What responds to one text is told by one table.
  std::vector<std::size_t> by_text(responses.size());
  std::iota(by_text.begin(), by_text.end(), std::size_t{0});
  const auto key = [&](std::size_t i) {
    return std::tuple(responses[i].substitutions, responses[i].original, responses[i].spans);
  };
  std::ranges::stable_sort(by_text, {}, key);
  std::optional<text::Restorer> restorer;
  std::size_t told = 0;  // whose table it has
  std::vector<std::string> lines(responses.size());
  for (const std::size_t i : by_text) {
    const ToRestore& one = responses[i];
    if (one.substitutions.empty()) {
      out[i] = {std::string(one.response), 0, 0, 0, 0};
      continue;
    }
    if (auto original = by_place(one)) {
      out[i] = *std::move(original);
      continue;
    }
    if (!restorer || key(i) != key(told)) restorer.emplace(restorer_of(one));
    told = i;
    text::Restored made = restorer->restore(one.response);
    const text::Substitutions table = asker != nullptr ? restorer->table() : text::Substitutions();
    if (!table.empty()) lines[i] = model::replacement_lines(table);
    out[i] = {std::move(made.text), made.put_back, made.ambiguous, made.left, made.absent};
  }
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].empty()) asked.push_back(i);
  }
  if (asked.empty()) return out;
  std::vector<model::TaskAsker::Texts> questions;
  for (const std::size_t i : asked) questions.push_back({responses[i].response, lines[i]});
  auto answers = asker->ask(questions);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    RestoredResponse& one = out[asked[i]];
    one.text = std::move(answers[i]);
    one.put_back.reset();
    if (!one.text) continue;
    const text::Restored still = restorer_of(responses[asked[i]]).restore(*one.text);
    one.ambiguous = still.ambiguous;
    one.left = still.left + still.put_back;
  }
  return out;
}

}  // namespace residue::ingest
