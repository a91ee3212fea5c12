#include "ingest/ask/restoring.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "model/replies/replacements.h"
#include "text/replacing/restoration.h"

namespace residue::ingest {

std::vector<RestoredResponse> restored(std::span<const ToRestore> responses, model::TaskAsker* asker) {
  std::vector<RestoredResponse> out(responses.size());
  // What responds to one text is told by one table.
  std::vector<std::size_t> by_text(responses.size());
  std::iota(by_text.begin(), by_text.end(), std::size_t{0});
  const auto key = [&](std::size_t i) { return std::pair(responses[i].substitutions, responses[i].original); };
  std::ranges::stable_sort(by_text, {}, key);
  std::optional<text::Restorer> restorer;
  std::vector<std::string> lines(responses.size());
  for (std::size_t k = 0; k < by_text.size(); ++k) {
    const std::size_t i = by_text[k];
    const ToRestore& one = responses[i];
    if (one.substitutions.empty()) {
      out[i] = {std::string(one.response), 0, 0};
      continue;
    }
    if (k == 0 || key(i) != key(by_text[k - 1])) {
      restorer.emplace(model::substitutions_in(one.substitutions), one.original);
    }
    text::Restored made = restorer->restore(one.response);
    const text::Substitutions table = asker != nullptr ? restorer->table() : text::Substitutions();
    if (table.empty()) {
      out[i] = {std::move(made.text), made.put_back, made.ambiguous};
      continue;
    }
    lines[i] = model::replacement_lines(table);
    out[i] = {std::nullopt, 0, made.ambiguous};
  }
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].empty()) asked.push_back(i);
  }
  if (asked.empty()) return out;
  std::vector<model::TaskAsker::Texts> questions;
  for (const std::size_t i : asked) questions.push_back({responses[i].response, lines[i]});
  auto answers = asker->ask(questions);
  for (std::size_t i = 0; i < asked.size(); ++i) out[asked[i]].text = std::move(answers[i]);
  return out;
}

}  // namespace residue::ingest
