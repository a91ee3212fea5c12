#include "model/suspicion/one_for_many.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run.h"
#include "storage/catalog/sources/variant.h"
#include "text/words/wording.h"
#include "text/words/words.h"

namespace residue::model {
namespace {

constexpr std::size_t kLeastRepeated = 3;
constexpr std::size_t kOneIn = 100;        // records
constexpr std::size_t kLongestRead = 400;  // bytes: what stands for a text is short

using Places = std::vector<std::size_t>;

class Search {
 public:
  Search(std::span<const GivenText> given, std::size_t records, const storage::Facts::Reader& texts)
      : given_(given), least_(std::max(kLeastRepeated, (records + kOneIn - 1) / kOneIn)), texts_(texts) {}

  std::vector<bool> failed() {
    std::vector<bool> failed(given_.size());
    if (given_.size() < least_) return failed;
    std::unordered_map<TextId, Places> equal;
    for (std::size_t i = 0; i < given_.size(); ++i) equal[given_[i].text].push_back(i);
    std::unordered_map<std::string, Places> worded;
    for (const auto& [id, places] : equal) {
      const std::string text = texts_.text(id);
      if (!text::has_word_outside_tags(text)) continue;
      if (places.size() >= least_ && originals_differ(places)) mark(places, failed);
      if (text.size() >= kLongestRead) continue;
      Places& all = worded[text::wording(text)];
      all.insert(all.end(), places.begin(), places.end());
    }
    for (const auto& [wording, places] : worded) {
      if (places.size() >= least_ && original_wordings_differ(places)) mark(places, failed);
    }
    return failed;
  }

 private:
  static void mark(const Places& places, std::vector<bool>& failed) {
    for (const std::size_t i : places) failed[i] = true;
  }

  [[nodiscard]] bool originals_differ(const Places& places) const {
    std::set<TextId> originals;
    return std::ranges::any_of(places, [&](std::size_t i) {
      originals.insert(given_[i].original);
      return originals.size() >= least_;
    });
  }

  [[nodiscard]] bool original_wordings_differ(const Places& places) const {
    std::set<TextId> read;
    std::set<std::string> wordings;
    return std::ranges::any_of(places, [&](std::size_t i) {
      if (read.insert(given_[i].original).second) wordings.insert(text::wording(texts_.text(given_[i].original)));
      return wordings.size() >= least_;
    });
  }

  std::span<const GivenText> given_;
  std::size_t least_;
  const storage::Facts::Reader& texts_;
};

}  // namespace

std::vector<bool> one_for_many(std::span<const GivenText> given, std::size_t records,
                               const storage::Facts::Reader& texts) {
  return Search(given, records, texts).failed();
}

std::unordered_set<RecordId> one_for_many(storage::Db& db, const storage::Facts::Reader& texts, RunId run) {
  std::unordered_set<RecordId> failed;
  storage::Statement head = db.prepare(storage::sql::kRunContentAndRemovesEverything);
  if (!head.bind(run).step() || head.integer(2) != 0) return failed;
  storage::Statement all = db.prepare(storage::sql::kVariantTextsOfRunWithOriginals);
  all.bind(run, texts.find("").value_or(TextId{-1}));
  std::vector<GivenText> given;
  std::vector<RecordId> records;
  while (all.step()) {
    records.push_back(all.id<RecordId>(0));
    given.push_back({all.id<TextId>(1), all.id<TextId>(2)});
  }
  storage::Statement count = db.prepare(storage::sql::kRecordCountOfRunsDataset);
  if (!count.bind(run).step()) return failed;
  const std::vector<bool> which = one_for_many(given, static_cast<std::size_t>(count.integer(0)), texts);
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (which[i]) failed.insert(records[i]);
  }
  return failed;
}

bool surely_not_one_for_many(storage::Db& db, const storage::Facts::Reader& texts, RunId run, TextId text) {
  storage::Statement same = db.prepare(storage::sql::kVariantCountOfRunWithThisText);
  same.bind(run, text).step();
  const bool often = static_cast<std::size_t>(same.integer(0)) >= kLeastRepeated;
  return !often && texts.text(text).size() >= kLongestRead;
}

bool is_one_for_many(storage::Db& db, const storage::Facts::Reader& texts, RunId run, RecordId record, TextId text) {
  return !surely_not_one_for_many(db, texts, run, text) && one_for_many(db, texts, run).contains(record);
}

}  // namespace residue::model
