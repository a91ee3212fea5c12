#include "verbs/people/rate.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "ingest/batches/label_subject.h"
#include "query/inputs/snapshot.h"
#include "query/inputs/texts.h"
#include "query/people/contents.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/label.h"
#include "storage/catalog/sources/label_asked.h"
#include "verbs/people/may_read.h"

namespace residue::verbs {
namespace {

constexpr std::string_view kSupport = "support";

std::string claim_of(const query::LabelItem& item) { return item.record + "#" + std::to_string(item.n); }

void require_judged_level(storage::Db& db, const query::LabelOptions& draw, query::ReadLevel level) {
  const DatasetId dataset = storage::find_dataset(db, draw.dataset);
  const RunId run = storage::find_run(db, draw.dataset, draw.run);
  for (const query::RunHead& head : query::list_runs(db, dataset)) {
    if (head.id == run) require_level(level, head.kind);
  }
}

// As `ingest labels` has the same label from a file.
struct Label {
  std::string subject, payload;
};
Label label_of(const query::RatingQueue& queue, const query::LabelItem& item, const GivenRating& given,
               const std::array<std::string, 2>& texts) {
  const Json payload = {{"annotator", given.annotator}, {"claim", claim_of(item)}, {"claim_text", texts[0]},
                        {"passage", texts[1]},          {"rating", given.rating},  {"run", queue.run}};
  return {ingest::label_subject(kSupport, payload), payload.sorted().dump()};
}

}  // namespace

query::RatingQueue open_ratings(storage::Store& store, const RatingOptions& options) {
  require_judged_level(store.db(), options.draw, options.level);
  const storage::Lock held = store.hold_texts();
  return query::make_queue(store, options.draw);
}

std::optional<PairToRate> next_pair(storage::Store& store, const query::RatingQueue& queue, const NextPair& wanted) {
  query::require_annotator(wanted.annotator);
  const storage::Lock held = store.hold_texts();
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  query::require_contents(db, queue.lens, queue.run_id, queue.content);
  const auto labels = query::given_labels(store, queue.lens.dataset);
  const auto next = query::next_of(queue, wanted.order, labels, wanted.annotator, wanted.passed_over);
  if (!next) return std::nullopt;
  const query::LabelItem& item = *next->item;
  const std::array<TextId, 2> ids = {item.claim_text, item.passage};
  std::vector<std::string> texts = query::load_texts(store, ids);
  PairToRate pair{.pair = query::pair_name(item),
                  .claim = claim_of(item),
                  .claim_text = std::move(texts[0]),
                  .passage = std::move(texts[1]),
                  .done = next->done,
                  .left = next->left,
                  .blind = !wanted.show};
  if (wanted.show) {
    pair.judge = item.rating;
    pair.by_others = next->by_others;
  }
  return pair;
}

Kept keep_rating(storage::Store& store, const query::RatingQueue& queue, const GivenRating& given) {
  query::require_annotator(given.annotator);
  if (given.rating < 1 || given.rating > 3) {
    throw Error(Code::kBadInput, "the rating is none of 1, 2 and 3", "1 same, 2 similar, 3 unsupported");
  }
  std::optional<std::int64_t> ms;
  if (given.seconds) ms = query::milliseconds_of(*given.seconds);
  const query::LabelItem* item = query::pair_named(queue, given.pair);
  if (item == nullptr) {
    throw Error(Code::kBadInput, "no judged pair of this run has this name", "name it as the queue does");
  }
  const auto batch = store.write();
  storage::Db& db = batch->db();
  query::require_contents(db, queue.lens, queue.run_id, queue.content);
  const RecordId record = storage::find_record(db, queue.lens.dataset_name, item->record);
  const Label label = label_of(queue, *item, given,
                               {batch->facts().text(item->claim_text),
                                item->passage.value == 0 ? std::string() : batch->facts().text(item->passage)});
  const TextId subject = batch->put_text(label.subject, storage::PrivacyClass::kOriginal);
  const TextId payload = batch->put_text(label.payload, storage::PrivacyClass::kOriginal);
  storage::Statement find = db.prepare(storage::sql::kLabelBySubject);
  bool had = false, same = false, seen = !given.blind, said_how = false;
  std::int64_t id = 0;
  if (find.bind(queue.lens.dataset, kSupport, record, subject).step()) {
    had = true;
    id = find.integer(0);
    same = find.id<TextId>(1) == payload;
    storage::Statement blind = db.prepare(storage::sql::kLabelAskedBlind);
    if (blind.bind(id).step()) {
      said_how = true;
      seen = seen || blind.integer(0) == 0;
    }
  }
  find.reset();
  if (same && said_how) {
    if (seen) db.prepare(storage::sql::kUpdateLabelAskedShown).run(id);
  } else if (!same) {
    db.prepare(storage::sql::kInsertOrReplaceLabelWithRun)
        .run(queue.lens.dataset, kSupport, record, queue.run_id, given.annotator, subject, payload);
    id = db.last_insert_id();
  }
  if (!same || !said_how) {
    db.prepare(storage::sql::kInsertOrReplaceLabelAsked).run(id, !seen, ms, query::name_of(given.order), now_ms());
  }
  batch->commit();
  return same ? Kept::kSame : had ? Kept::kChanged : Kept::kNew;
}

query::PeopleAgreement people_agreement(storage::Store& store, const AgreementOptions& options) {
  const storage::Lock held = store.hold_texts();
  query::PeopleAgreementOptions wanted{options.dataset, options.run, "lexical", options.sample_only};
  if (options.judge) {
    wanted.judge = *options.judge;
  } else if (const auto last = query::last_judge(store.db(), options.dataset)) {
    wanted.judge = *last;
  }
  return query::load_people_agreement(store, wanted);
}

}  // namespace residue::verbs
