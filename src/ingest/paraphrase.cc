#include "ingest/paraphrase.h"

#include "base/error.h"
#include "ingest/batch.h"
#include "ingest/claim_maker.h"
#include "ingest/claim_writer.h"
#include "model/saved_answers.h"
#include "storage/lookup.h"

namespace residue::ingest {
namespace {

using storage::Statement;

constexpr std::int64_t kPageRecords = 1024;

struct Claim {
  std::uint32_t n = 0;
  std::string text;
};
struct Record {
  RecordId id;
  std::string key;
  std::vector<Claim> claims;
};

// The next records of the dataset, with their claims; those without any as well, so that old paraphrases go.
class ClaimPages {
 public:
  ClaimPages(storage::Store& store, DatasetId dataset, ClaimSetId set)
      : store_(store),
        dataset_(dataset),
        set_(set),
        page_(store.db().prepare("SELECT id, key FROM record WHERE dataset_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3")),
        claims_(
            store.db().prepare("SELECT n, text_id FROM claim WHERE claim_set_id = ?1 AND record_id = ?2 ORDER BY n")) {}

  bool next(std::vector<Record>& records) {
    records.clear();
    const storage::ReadTransaction snapshot(store_.db());
    const auto texts = store_.facts().read();
    page_.bind(dataset_, last_, kPageRecords);
    while (page_.step()) records.push_back({page_.id<RecordId>(0), std::string(page_.text(1)), {}});
    for (Record& record : records) {
      claims_.bind(set_, record.id);
      while (claims_.step()) {
        record.claims.push_back({static_cast<std::uint32_t>(claims_.integer(0)), texts->text(claims_.id<TextId>(1))});
      }
    }
    if (!records.empty()) last_ = records.back().id;
    return !records.empty();
  }

 private:
  storage::Store& store_;
  DatasetId dataset_;
  ClaimSetId set_;
  RecordId last_;
  Statement page_, claims_;
};

std::string content_of(storage::Db& db, ClaimSetId set) {
  Statement find = db.prepare("SELECT content FROM claim_set WHERE id = ?1");
  find.bind(set).step();
  return std::string(find.text(0));
}

std::uint64_t count_claims(storage::Db& db, ClaimSetId set) {
  Statement count = db.prepare("SELECT count(*) FROM claim WHERE claim_set_id = ?1");
  return count.bind(set).step() ? static_cast<std::uint64_t>(count.integer(0)) : 0;
}

}  // namespace

IngestResult paraphrase_claims(storage::Store& store, std::string_view dataset, std::string_view from,
                               std::string_view into, const model::Endpoint& endpoint, model::AskSession& session,
                               const IngestOptions& options) {
  check_name("claim set", into);
  const auto start = std::chrono::steady_clock::now();
  const storage::Lock kept = store.hold_targets();
  const DatasetId id = storage::find_dataset(store.db(), dataset);
  const ClaimSetId set = storage::find_claim_set(store.db(), dataset, from);
  check_complete(store.db(), fmt::format("dataset {}", dataset));
  check_complete(store.db(), fmt::format("claims {}/{}", dataset, from));
  if (from == into) {
    throw Error(Code::kUsage, "a paraphrase cannot replace its own claims", "name another set with --into");
  }
  TextAsker asker(store, model::TextTask::kParaphrase, endpoint, std::string(dataset), session);
  ClaimPages pages(store, id, set);
  ClaimWriter writer(store.db(), std::string(into), "model " + asker.name(fmt::format(", {} in other words", from)));
  const std::string made_from = content_of(store.db(), set);
  const std::uint64_t total = count_claims(store.db(), set);
  // While it is there, the set is incomplete.
  const std::string target = fmt::format("claims {}/{}", dataset, into);
  const SourceIdentity work{"(paraphrase)", 0, 0, 0};
  Progress progress;
  std::uint64_t failed = 0, claims = 0;
  std::vector<Record> records;
  for (bool more = true; more;) {
    if (options.interrupted && options.interrupted()) fail_interrupted(progress, "records");
    more = pages.next(records);
    std::vector<std::string_view> texts;
    for (const Record& record : records) {
      for (const Claim& claim : record.claims) texts.push_back(claim.text);
    }
    const auto answers = asker.ask(texts);
    const Progress before = progress;
    const auto batch = store.write();
    writer.begin(*batch, id);
    model::keep_spec(batch->db(), asker.spec());
    std::size_t at = 0;
    for (const Record& record : records) {
      std::vector<ClaimText> words;
      for (const Claim& claim : record.claims) {
        const auto& answer = answers[at++];
        if (answer) words.push_back({answer->front(), std::nullopt, claim.n});
      }
      const Outcome outcome = writer.replace_numbered(*batch, record.id, record.key, words);
      failed += record.claims.size() - words.size();
      if (words.size() == record.claims.size()) {
        progress.counts.add(outcome);
      } else {
        ++progress.counts.bad;
      }
    }
    writer.end();
    claims += texts.size();
    progress.rows += records.size();
    progress.lines = progress.rows;
    if (more) {
      save_progress(batch->db(), target, work, progress);
    } else {
      erase_progress(batch->db(), target, work.path);
      batch->db()
          .prepare("UPDATE claim_set SET made_from = ?2, words_of = ?3 WHERE id = ?1")
          .run(writer.id(), Statement::Blob{made_from}, from);
    }
    commit(store, *batch, before, "records");
    if (options.progress) options.progress(claims, total);
  }
  IngestResult result;
  result.counts = progress.counts;
  if (failed > 0) {
    result.notes.push_back(
        fmt::format("{} of {} claims of {} have no paraphrase: model {} gave no usable answer: {}; an attack that "
                    "needs one of them "
                    "is missing for its record, and counts as leaked",
                    failed, claims, dataset, endpoint.name, asker.failures()));
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace residue::ingest
