#include "query/corpus/phrase_list.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "storage/catalog/lookup.h"

namespace residue::query {
namespace {

// Of all phrases of a run: there may be millions.
struct Found {
  std::uint32_t text = 0, place = 0;  // place: in the text's words, ends of runs among them
  std::uint8_t words = 0, alone = 0;
};

std::string_view bytes_of(std::span<const std::uint32_t> words) {
  return {reinterpret_cast<const char*>(words.data()), words.size_bytes()};
}

// Finds who has phrases: reads all originals once.
class Owners {
 public:
  Owners(const text::WordRuns& released, std::span<const Found> phrases) {
    for (const Found& one : phrases) {
      const auto words = released.words().subspan(released.begin(one.text) + one.place, one.words);
      owner_.emplace(bytes_of(words), std::vector<std::uint32_t>());
      lengths_[one.words] = true;
    }
  }

  void read(const text::WordRuns& originals) {
    for (std::uint32_t text = 0; text < originals.texts(); ++text) {
      const std::size_t begin = originals.begin(text), end = originals.end(text);
      for (std::size_t n = 1; n < lengths_.size(); ++n) {
        for (std::size_t at = begin; lengths_[n] && at + n <= end; ++at) {
          const auto found = owner_.find(bytes_of(originals.words().subspan(at, n)));
          if (found == owner_.end()) continue;
          if (found->second.empty() || found->second.back() != text) found->second.push_back(text);
        }
      }
    }
  }

  // The originals that have the phrase, ascending.
  [[nodiscard]] const std::vector<std::uint32_t>& of(std::span<const std::uint32_t> phrase) const {
    return owner_.at(bytes_of(phrase));
  }

 private:
  struct Hash {
    std::size_t operator()(std::string_view words) const { return hash_bytes(words); }
  };
  std::array<bool, text::kLongestPhrase + 1> lengths_{};
  std::unordered_map<std::string_view, std::vector<std::uint32_t>, Hash> owner_;  // keys are of the released words
};

class Listing {
 public:
  Listing(storage::Store& store, const DatasetView& dataset, const RunView& run, const PhraseOptions& options)
      : store_(store),
        dataset_(dataset),
        run_(run),
        originals_(store, dataset, options),
        texts_(released_texts(run)),
        released_(released_words(store, originals_, texts_, options)) {
    text::RarePhraseOptions wanted;
    wanted.memory_bytes = options.memory_bytes;
    wanted.interrupted = options.interrupted;
    const auto reach = text::rare_phrases(originals_.words(), originals_.persons(), released_, wanted);
    for (std::uint32_t text = 0; text < released_.texts(); ++text) {
      const std::size_t begin = released_.begin(text), size = released_.end(text) - begin;
      if (run.aligned() && dataset.records[text].empty) continue;
      const auto phrases = text::listed_phrases(std::span(reach).subspan(begin, size));
      records_ += phrases.empty() ? 0 : 1;
      for (const text::RarePhrase& one : phrases) {
        found_.push_back({text, static_cast<std::uint32_t>(one.word), static_cast<std::uint8_t>(one.words),
                          static_cast<std::uint8_t>(one.alone)});
      }
    }
  }

  RunPhrases worst(std::size_t limit) {
    RunPhrases result;
    result.total = found_.size();
    result.records = records_;
    result.failed = run_.failed;
    for (std::size_t i = 0; i < run_.variants.size(); ++i) {
      result.failed += run_.variants[i].ok || dataset_.records[i].empty ? 0 : 1;
    }
    result.originals = originals_.originals();
    result.persons = originals_.person_count();
    const std::size_t shown = limit == 0 ? found_.size() : std::min(limit, found_.size());
    std::partial_sort(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(shown), found_.end(),
                      [this](const Found& a, const Found& b) { return worse(a, b); });
    found_.resize(shown);
    Owners owners(released_, found_);
    owners.read(originals_.words());
    const auto reader = store_.facts().read();
    for (const Found& one : found_) result.phrases.push_back(told(one, owners, reader->text(texts_[one.text])));
    return result;
  }

 private:
  [[nodiscard]] const std::string& key(std::uint32_t text) const {
    return run_.aligned() ? dataset_.records[text].key : run_.synthetic[text].key;
  }

  [[nodiscard]] bool worse(const Found& a, const Found& b) const {
    if (a.words != b.words) return a.words > b.words;
    if (a.alone != b.alone) return a.alone < b.alone;
    if (a.text != b.text) return key(a.text) < key(b.text);
    return a.place < b.place;
  }

  [[nodiscard]] ListedPhrase told(const Found& one, const Owners& owners, const std::string& written) const {
    const auto words = released_.words().subspan(released_.begin(one.text), one.place);
    const text::PhraseText read(written);
    const std::size_t first =
        one.place - static_cast<std::size_t>(std::count(words.begin(), words.end(), text::kRunEnd));
    const std::size_t last = first + one.words - 1;
    ListedPhrase phrase;
    phrase.record = key(one.text);
    phrase.of = owner_of(one, owners);
    phrase.n = one.words;
    phrase.alone = one.alone;
    phrase.word = static_cast<std::uint32_t>(first);
    phrase.phrase = text::slice(read.read(), {read.words()[first].span.begin, read.words()[last].span.end});
    if (const auto spans = read.as_written(written)) phrase.bytes = {(*spans)[first].begin, (*spans)[last].end};
    return phrase;
  }

  [[nodiscard]] std::string owner_of(const Found& one, const Owners& owners) const {
    std::string smallest;
    const auto phrase = released_.words().subspan(released_.begin(one.text) + one.place, one.words);
    for (const std::uint32_t original : owners.of(phrase)) {
      const std::string& key = dataset_.records[original].key;
      if (run_.aligned() && original == one.text) return key;
      if (smallest.empty() || key < smallest) smallest = key;
    }
    return smallest;
  }

  storage::Store& store_;
  const DatasetView& dataset_;
  const RunView& run_;
  DatasetPhrases originals_;
  std::vector<TextId> texts_;
  text::WordRuns released_;
  std::vector<Found> found_;
  std::uint64_t records_ = 0;
};

}  // namespace

RunPhrases load_phrases(storage::Store& store, const std::string& dataset, const std::string& run, std::size_t limit,
                        const PhraseOptions& options) {
  const DatasetId id = storage::find_dataset(store.db(), dataset);
  const RunId wanted = storage::find_run(store.db(), dataset, run);
  require_complete(store.db(), dataset, "", run);
  const DatasetView view = load_dataset(store, id, dataset, ClaimSetHead{});
  for (const RunHead& head : list_runs(store.db(), id)) {
    if (head.id != wanted) continue;
    const RunView released = load_run(store, view, head);
    return Listing(store, view, released, options).worst(limit);
  }
  return {};
}

}  // namespace residue::query
