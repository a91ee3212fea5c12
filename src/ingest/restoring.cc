#include "ingest/restoring.h"

#include "model/replacements.h"
#include "text/restoration.h"

namespace residue::ingest {

std::vector<RestoredResponse> restored(std::span<const ToRestore> responses, model::TaskAsker* asker) {
  std::vector<RestoredResponse> out;
  out.reserve(responses.size());
  std::vector<std::size_t> asked;
  std::vector<std::string> lines;
  for (const ToRestore& one : responses) {
    if (one.substitutions.empty()) {
      out.push_back({std::string(one.response), 0, 0});
      continue;
    }
    const text::Restorer restorer(model::substitutions_in(one.substitutions), one.original);
    text::Restored made = restorer.restore(one.response);
    const text::Substitutions table = asker != nullptr ? restorer.table() : text::Substitutions();
    if (table.empty()) {
      out.push_back({std::move(made.text), made.put_back, made.ambiguous});
      continue;
    }
    asked.push_back(out.size());
    lines.push_back(model::replacement_lines(table));
    out.push_back({std::nullopt, 0, made.ambiguous});
  }
  if (asked.empty()) return out;
  std::vector<model::TaskAsker::Texts> questions;
  for (std::size_t i = 0; i < asked.size(); ++i) questions.push_back({responses[asked[i]].response, lines[i]});
  auto answers = asker->ask(questions);
  for (std::size_t i = 0; i < asked.size(); ++i) out[asked[i]].text = std::move(answers[i]);
  return out;
}

}  // namespace residue::ingest
