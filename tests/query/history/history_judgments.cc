#include "tests/query/history/history_judgments.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "ingest/files/judgments.h"
#include "tests/ingest/store_fixture.h"

namespace residue::query::testing {
namespace {

using ingest::JudgmentRow;

// What claims of the record may be judged against: texts of it, and its first and last claim, which attackers know.
std::vector<std::string> passages_of(const Dataset& dataset, const std::string& key) {
  std::vector<std::string> passages{dataset.records.at(key).text};
  for (const auto& [name, run] : dataset.runs) {
    const auto found = run.variants.find(key);
    if (found != run.variants.end() && found->second) passages.push_back(*found->second);
  }
  const auto claims = dataset.claims.find(key);
  if (claims != dataset.claims.end() && !claims->second.empty()) {
    passages.push_back(claims->second.begin()->second);
    passages.push_back(claims->second.rbegin()->second);
  }
  return passages;
}

bool blank(const std::string& text) { return text.find_first_not_of(' ') == std::string::npos; }

}  // namespace

void change_judgments(Dataset& dataset, Dice& dice, storage::Store* store) {
  std::vector<JudgmentRow> rows;
  for (const auto& [key, claims] : dataset.claims) {
    if (!dataset.records.contains(key) || dice.one_in(4)) continue;
    for (const std::string& passage : passages_of(dataset, key)) {
      for (const auto& [n, claim] : claims) {
        if (dice.one_in(4) || blank(passage) || blank(claim)) continue;
        JudgmentRow row;
        row.line = rows.size() + 1;
        row.judge = "x";
        row.claim = claim;
        row.passage = passage;
        row.sample = dice.below(1'000'000);
        // So that a sample that is drawn twice says the same.
        row.rating = static_cast<std::uint8_t>(1 + row.sample % 3);
        rows.push_back(std::move(row));
      }
    }
  }
  dataset.judgments.insert(dataset.judgments.end(), rows.begin(), rows.end());
  if (store != nullptr) put_judgments(*store, std::move(rows), dice);
}

void put_judgments(storage::Store& store, std::vector<JudgmentRow> rows, Dice& dice) {
  if (rows.empty()) return;
  dice.shuffle(rows);
  ingest::testing::VectorSource<JudgmentRow> source(std::move(rows));
  ingest::IngestOptions options;
  options.batch_rows = dice.one_in(2) ? 20'000 : 1 + dice.below(6);
  ingest::ingest_judgments(store, std::nullopt, "claims", source,
                           ingest::testing::file(fmt::format("/data/{}.jsonl", dice.below(1'000'000))), options);
}

}  // namespace residue::query::testing
