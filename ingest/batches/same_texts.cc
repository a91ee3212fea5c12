#include "ingest/batches/same_texts.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "model/suspicion/one_for_many.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/variant.h"
#include "text/words/wording.h"
#include "text/words/words.h"

namespace residue::ingest {
namespace {

using storage::Statement;

constexpr std::int64_t kLeastTexts = 3;
constexpr std::int64_t kLookedAt = 16;

// How many texts these records have between them: spaces and numbers make no other one (text/words/wording.h).
std::size_t different(storage::Store& store, const storage::Facts::Reader& facts, RunId run,
                      const std::unordered_set<RecordId>& records) {
  Statement all = store.db().prepare(storage::sql::kVariantTextsOfRunWithOriginals);
  all.bind(run, facts.find("").value_or(TextId{-1}));
  std::unordered_set<TextId> ids;
  while (all.step()) {
    if (records.contains(all.id<RecordId>(0))) ids.insert(all.id<TextId>(2));
  }
  std::unordered_set<std::string> wordings;
  for (const TextId id : ids) wordings.insert(text::wording(facts.text(id)));
  return wordings.size();
}

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
  if (const auto failed = model::one_for_many(store.db(), *facts, of); !failed.empty()) {
    const std::size_t kinds = different(store, *facts, of, failed);
    const std::string what =
        kinds == 1 ? "one and the same" : fmt::format("{} different ones, each of several records", kinds);
    std::string note = fmt::format("{} of {} texts are {}: they count as failed", failed.size(), texts, what);
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
