#include "ingest/batches/same_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/variant.h"
#include "text/words/words.h"

namespace residue::ingest {
namespace {

using storage::Statement;

constexpr std::int64_t kLeastTexts = 3;
constexpr std::int64_t kLookedAt = 16;

bool has_words(std::string_view text) {
  std::string outside;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find_first_of("[<", at), text.size());
    outside.append(text.substr(at, open - at)).push_back(' ');
    if (open == text.size()) break;
    const std::size_t close = text.find(text[open] == '[' ? ']' : '>', open);
    if (close == std::string_view::npos) {
      outside += text.substr(open);
      break;
    }
    at = close + 1;
  }
  std::ranges::replace(outside, '_', ' ');
  std::vector<text::Span> words;
  text::words(outside, words);
  return !words.empty();
}

}  // namespace

std::optional<std::string> same_texts_note(storage::Store& store, std::string_view dataset, std::string_view run) {
  const RunId id = storage::find_run(store.db(), dataset, run);
  Statement count = store.db().prepare(storage::sql::kVariantCountOfRunWithText);
  if (!count.bind(id).step()) return std::nullopt;
  const std::int64_t texts = count.integer(0);
  Statement same = store.db().prepare(storage::sql::kVariantTextsOfManyRecords);
  same.bind(id, kLeastTexts, kLookedAt);
  std::vector<std::pair<TextId, std::int64_t>> most;
  while (same.step()) most.emplace_back(same.id<TextId>(0), same.integer(1));
  const auto facts = store.facts().read();
  for (const auto& [text, records] : most) {
    if (!has_words(facts->text(text))) continue;
    return fmt::format("{} of {} texts are one and the same: look at them", records, texts);
  }
  return std::nullopt;
}

}  // namespace residue::ingest
