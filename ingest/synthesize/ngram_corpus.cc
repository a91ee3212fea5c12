#include "ingest/synthesize/ngram_corpus.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "base/json.h"
#include "ingest/batches/progress.h"
#include "storage/catalog/sources/dataset.h"
#include "storage/catalog/sources/record.h"
#include "text/characters/unicode.h"

namespace residue::ingest {
namespace {

std::string answer_of(const std::string& task) {
  const auto json = Json::parse(task).value_or(Json());
  const Json* answer = json.find("answer");
  if (answer == nullptr) return {};
  std::string said = answer->is_string() ? answer->get<std::string>() : answer->sorted().dump();
  const Json* options = json.find("options");
  const Json* meant = options == nullptr ? nullptr : options->find(said);
  return meant != nullptr && meant->is_string() ? meant->get<std::string>() : said;
}

// Ascending codes, and their numbers in the documents.
void number_codes(std::vector<std::string>&& names, NgramCorpus& corpus) {
  corpus.codes = names;
  std::ranges::sort(corpus.codes);
  const auto again = std::ranges::unique(corpus.codes);
  corpus.codes.erase(again.begin(), again.end());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto at = std::ranges::lower_bound(corpus.codes, names[i]);
    corpus.documents[i].code = static_cast<std::uint32_t>(at - corpus.codes.begin());
  }
  if (!corpus.codes_are_secret && corpus.codes.empty()) corpus.codes.emplace_back();
}

std::string dataset_name(storage::Db& db, DatasetId dataset, std::string& content) {
  storage::Statement find = db.prepare(storage::sql::kDatasetNameAndContent);
  if (!find.bind(dataset).step()) throw Error(Code::kNotFound, "the dataset is gone", "another process removed it");
  content = std::string(find.text(1));
  return std::string(find.text(0));
}

}  // namespace

ReadCorpus read_corpus(storage::Store& store, DatasetId dataset, ControlCode code,
                       const std::function<bool()>& interrupted) {
  ReadCorpus out;
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  const auto texts = store.facts().read();
  check_complete(db, "dataset " + dataset_name(db, dataset, out.content));
  storage::Statement records = db.prepare(storage::sql::kRecordsInIdOrderWithTask);
  records.bind(dataset);
  std::vector<std::string> codes, digests;
  out.corpus.codes_are_secret = code != ControlCode::kNone;
  while (records.step()) {
    if (interrupted && codes.size() % 256 == 0 && interrupted()) {
      throw Error(Code::kInterrupted, "interrupted: nothing of the run was changed", "repeat the command");
    }
    const std::string text = texts->text(records.id<TextId>(1));
    if (!text::has_visible(text)) continue;
    const std::string key(records.text(0));
    std::string name;
    if (code == ControlCode::kLabel) name = std::string(records.text(3));
    if (code == ControlCode::kAnswer && !records.is_null(4)) name = answer_of(texts->text(records.id<TextId>(4)));
    // A person's name is nobody's key.
    const std::string unit = records.is_null(2) ? "record " + key : "person " + std::string(records.text(2));
    digests.push_back(TaggedHash("residue.ngram.record.v1")
                          .field("key", key)
                          .field("unit", unit)
                          .field("code", name)
                          .field("text", text)
                          .bytes());
    out.corpus.documents.push_back({key, unit, 0, out.corpus.tokens.read(text)});
    codes.push_back(std::move(name));
  }
  number_codes(std::move(codes), out.corpus);
  std::ranges::sort(digests);
  TaggedHash all("residue.ngram.corpus.v1");
  for (const std::string& digest : digests) all.field("record", digest);
  out.digest = all.bytes();
  return out;
}

}  // namespace residue::ingest
