#include "ingest/batches/same_texts.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "model/suspicion/one_for_many.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/variant.h"
#include "text/words/words.h"

namespace residue::ingest {
namespace {

using storage::Statement;

constexpr std::int64_t kLeastTexts = 3;
constexpr std::int64_t kLookedAt = 16;

}  // namespace

std::optional<std::string> same_texts_note(storage::Store& store, std::string_view dataset, std::string_view run,
                                           std::string_view if_meant) {
  const RunId of = storage::find_run(store.db(), dataset, run);
  Statement count = store.db().prepare(storage::sql::kVariantCountOfRunWithText);
  if (!count.bind(of).step()) return std::nullopt;
  const std::int64_t texts = count.integer(0);
  Statement same = store.db().prepare(storage::sql::kVariantTextsOfManyRecords);
  same.bind(of, kLeastTexts, kLookedAt);
  std::vector<std::pair<TextId, std::int64_t>> most;
  while (same.step()) most.emplace_back(same.id<TextId>(0), same.integer(1));
  const auto facts = store.facts().read();
  if (const auto failed = model::one_for_many(store.db(), *facts, of).size(); failed > 0) {
    std::string note = fmt::format("{} of {} texts are one and the same: they count as failed", failed, texts);
    if (!if_meant.empty()) note += fmt::format("; {} takes them as texts", if_meant);
    return note;
  }
  for (const auto& [id, records] : most) {
    if (!text::has_word_outside_tags(facts->text(id))) continue;
    return fmt::format("{} of {} texts are one and the same: look at them", records, texts);
  }
  return std::nullopt;
}

}  // namespace residue::ingest
