#include "query/link/blind_spots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "base/parallel_ranges.h"
#include "query/inputs/texts.h"
#include "storage/catalog/results/auxiliary_query.h"
#include "storage/catalog/results/link.h"
#include "text/characters/scripts.h"
#include "text/characters/unicode.h"
#include "text/encodings/decoded.h"
#include "text/measures/rouge_reads.h"
#include "text/words/language.h"

namespace residue::query {
namespace {

// With `dense` a query finds something wherever the run has a text, unless it has no direction.
std::optional<std::string> cancelled_note(storage::Db& db, RunId run, ProtocolId protocol, const ProtocolSpec& spec) {
  storage::Statement count = db.prepare(storage::sql::kLinkCountsOfRunWithText);
  count.bind(run, protocol);
  if (!count.step() || count.integer(1) == 0) return std::nullopt;
  return fmt::format(
      "of {} of {} targets the vectors of the known claims cancel each other: not linked under {}, which counts as "
      "private; a vector of the joined claims would decide",
      count.integer(1), count.integer(0), spec.name());
}

// The language of a text shows in its first words.
constexpr std::size_t kLookedAt = 2'000;

bool foreign(std::string_view text) {
  std::size_t end = std::min(text.size(), kLookedAt);
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;
  return text::obviously_not_english(text.substr(0, end));
}

class Reader {
 public:
  Reader(const storage::Store& store, const Linker& linker)
      : texts_(store.facts().read()), by_rouge_(linker.measures_words()) {}

  // Whether a linker could say that `known` is not in the variant.
  [[nodiscard]] bool comparable(TextId known, TextId variant, TextId original) const {
    if (!rouge_reads(known)) return false;
    if (variant.value <= 0) return true;
    const std::string said = texts_->text(variant);
    if (by_rouge_ && !text::rouge_reads(said)) return false;
    std::string store;
    const std::string_view read = read_of(said, store);
    if (!text::comparable(script_of_known(known), text::main_script(read, text::kTextLetters))) return false;
    return variant == original || !foreign(read) || foreign(texts_->text(original));
  }

  [[nodiscard]] bool rouge_reads(TextId text) const {
    return !by_rouge_ || text.value <= 0 || text::rouge_reads(texts_->text(text));
  }

  [[nodiscard]] text::Script script_of_known(TextId known) const {
    return known.value <= 0 ? text::kNoScript : script(known, text::kClaimLetters);
  }

  [[nodiscard]] text::Script script(TextId text, std::size_t least) const {
    const std::string said = texts_->text(text);
    std::string store;
    return text::main_script(read_of(said, store), least);
  }

 private:
  // What is written in ASCII alone is in Latin letters, whatever it stands for.
  static std::string_view read_of(std::string_view said, std::string& store) {
    return text::is_ascii(said) ? said : text::decoded(said, store);
  }

  decltype(std::declval<const storage::Store>().facts().read()) texts_;
  bool by_rouge_;
};

std::vector<bool> of_synthetic(const storage::Store& store, const RunView& run, const AuxiliaryView& auxiliary,
                               const Linker& linker) {
  std::vector<bool> unreadable(auxiliary.known.size(), false);
  const Reader reader(store, linker);
  std::map<text::Script, std::size_t> texts;
  for (const RunView::Synthetic& one : run.synthetic) {
    if (one.text.value <= 0) continue;
    if (!reader.rouge_reads(one.text)) return std::vector<bool>(unreadable.size(), true);
    ++texts[reader.script(one.text, text::kTextLetters)];
  }
  for (std::size_t i = 0; i < unreadable.size(); ++i) {
    const TextId known = auxiliary.known[i].query;
    const text::Script script = reader.script_of_known(known);
    std::size_t others = 0, all = 0;
    for (const auto& [written, count] : texts) {
      all += count;
      others += text::comparable(script, written) ? 0 : count;
    }
    unreadable[i] = others * 2 > all || !reader.rouge_reads(known);
  }
  return unreadable;
}

}  // namespace

std::optional<std::string> blind_note(storage::Store& store, RunId run, ProtocolId protocol, const ProtocolSpec& spec) {
  if (spec.linker->needs_vectors() && !spec.linker->votes) return cancelled_note(store.db(), run, protocol, spec);
  if (!spec.linker->measures_words()) return std::nullopt;
  storage::Statement count = store.db().prepare(storage::sql::kLinkCountOfRunUnderProtocol);
  if (!count.bind(run, protocol).step()) return std::nullopt;
  const std::int64_t targets = count.integer(0);
  storage::Statement find = store.db().prepare(storage::sql::kAuxiliaryQueryTextsOfUnlinkedRecords);
  find.bind(run, protocol);
  std::vector<TextId> queries;
  while (find.step()) queries.push_back(find.id<TextId>(0));
  std::size_t blind = 0;
  for (const std::string& query : load_texts(store, queries)) blind += text::rouge_reads(query) ? 0 : 1;
  if (blind == 0) return std::nullopt;
  return fmt::format(
      "ROUGE-L sees a-z and 0-9 only: it cannot read what is known of {} of {} targets, which failed, and count as "
      "leaked, "
      "under {}",
      blind, targets, spec.name());
}

std::vector<bool> unreadable_records(const storage::Store& store, const DatasetView& dataset, const RunView& run,
                                     const AuxiliaryView& auxiliary, const Linker& linker) {
  if (linker.needs_vectors()) return {};
  if (!run.aligned()) return of_synthetic(store, run, auxiliary, linker);
  std::vector<std::uint8_t> unreadable(dataset.records.size(), 0);
  parallel_ranges(unreadable.size(), 64, [&](const auto& range) {
    const Reader reader(store, linker);
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      const TextId variant = run.variants[i].ok ? run.variants[i].text : TextId{};
      unreadable[i] = reader.comparable(auxiliary.known[i].query, variant, dataset.records[i].text) ? 0 : 1;
    }
  });
  return {unreadable.begin(), unreadable.end()};
}

}  // namespace residue::query
