#include "query/corpus/phrases.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "base/parallel_ranges.h"
#include "numbers/stats/bootstrap.h"
#include "query/link/linked_persons.h"

namespace residue::query {
namespace {

constexpr std::size_t kTextsAtOnce = 4096;

// Calls use(i, words of text i) in order; texts are read and cut into words by all threads.
template <class Use>
void each_text(const storage::Store& store, std::size_t count, const std::function<TextId(std::size_t)>& id_of,
               const PhraseOptions& options, const Use& use) {
  for (std::size_t begin = 0; begin < count; begin += kTextsAtOnce) {
    if (options.interrupted && options.interrupted()) {
      throw Error(Code::kInterrupted, "stopped; everything computed so far is stored",
                  "repeat the command to continue");
    }
    const std::size_t end = std::min(count, begin + kTextsAtOnce);
    std::vector<std::optional<text::PhraseText>> texts(end - begin);
    parallel_ranges(end - begin, 64, [&](const TaskRange& range) {
      const auto reader = store.facts().read();
      for (std::size_t i = range.begin(); i < range.end(); ++i) {
        const TextId id = id_of(begin + i);
        texts[i].emplace(id.value == 0 ? std::string() : reader->text(id));
      }
    });
    use(begin, std::span<const std::optional<text::PhraseText>>(texts));
  }
}

// Records of nobody whose originals say the same, white space and case aside, are of one person: a copy must not make a
// phrase look common. Persons who have a name are those.
class OnePerson {
 public:
  OnePerson(const DatasetView& dataset, const std::vector<std::size_t>& equal_originals) {
    std::unordered_set<std::uint64_t> nobody;  // units of records without a name
    for (const RecordView& record : dataset.records) nobody.insert(numbers::resampling_unit(record.key, std::nullopt));
    for (std::size_t i = 0; i < dataset.records.size(); ++i) {
      const std::uint64_t own = dataset.records[i].unit, equal = dataset.records[equal_originals[i]].unit;
      if (dataset.records[i].empty || !nobody.contains(own) || !nobody.contains(equal)) continue;
      const std::uint64_t one = of(own), other = of(equal);
      if (one != other) same_[std::max(one, other)] = std::min(one, other);
    }
  }
  [[nodiscard]] std::uint64_t of(std::uint64_t unit) const {
    for (auto found = same_.find(unit); found != same_.end(); found = same_.find(unit)) unit = found->second;
    return unit;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> same_;  // to a smaller one
};

}  // namespace

DatasetPhrases::DatasetPhrases(const storage::Store& store, const DatasetView& dataset, const PhraseOptions& options) {
  const OnePerson persons(dataset, equal_originals(store, dataset));
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  std::unordered_set<std::uint32_t> with_words;
  std::vector<std::uint32_t> words;
  const auto id_of = [&](std::size_t i) { return dataset.records[i].empty ? TextId{} : dataset.records[i].text; };
  each_text(store, dataset.records.size(), id_of, options, [&](std::size_t begin, const auto& texts) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      vocabulary_.add(*texts[i], words);
      words_.add(words);
      const std::uint64_t unit = persons.of(dataset.records[begin + i].unit);
      const auto next = static_cast<std::uint32_t>(numbers.size());
      persons_.push_back(numbers.try_emplace(unit, next).first->second);
      if (words.empty()) continue;
      ++originals_;
      with_words.insert(persons_.back());
    }
  });
  person_count_ = with_words.size();
}

text::WordRuns released_words(const storage::Store& store, const DatasetPhrases& originals,
                              const std::vector<TextId>& texts, const PhraseOptions& options) {
  text::WordRuns released;
  const auto id_of = [&](std::size_t i) { return texts[i]; };
  each_text(store, texts.size(), id_of, options, [&](std::size_t, const auto& read) {
    std::vector<std::vector<std::uint32_t>> words(read.size());
    parallel_ranges(read.size(), 64, [&](const TaskRange& range) {
      for (std::size_t i = range.begin(); i < range.end(); ++i) originals.vocabulary().find(*read[i], words[i]);
    });
    for (const auto& one : words) released.add(one);
  });
  return released;
}

std::vector<TextId> released_texts(const RunView& run) {
  std::vector<TextId> texts;
  for (const VariantView& variant : run.variants) texts.push_back(variant.ok ? variant.text : TextId{});
  for (const RunView::Synthetic& variant : run.synthetic) texts.push_back(variant.text);
  return texts;
}

}  // namespace residue::query
