#include "verbs/people/intruder.h"

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <string_view>
#include <unordered_set>

#include "base/clock.h"
#include "base/error.h"
#include "query/inputs/texts.h"
#include "query/people/contents.h"
#include "query/people/intruder_strata.h"
#include "storage/catalog/sources/intruder.h"
#include "verbs/people/may_read.h"

namespace residue::verbs {
namespace {

using query::IntruderTest;

query::IntruderTestOptions wanted(const IntruderOptions& options) {
  return {.dataset = options.dataset,
          .run = options.run,
          .protocol = options.protocol,
          .seed = options.seed,
          .absent_percent = options.absent_percent,
          .index = options.index,
          .strata = options.strata,
          .sample = options.sample};
}

void require_current(storage::Db& db, const IntruderTest& test) {
  query::require_contents(db, test.lens, test.release.run.id, test.content);
}

Error not_drawn() {
  return Error(Code::kNotFound, "this annotator has not been given such a target",
               "residue intruder next gives one, with its code");
}

Error no_such_text() {
  return Error(Code::kNotFound, "no text of this release has this code for this target",
               "codes are those that a search for this target shows");
}

// The attempt of an annotator on a target.
struct Row {
  std::int64_t id = 0;
  std::size_t record = 0;  // place in the view
  bool present = true;
  std::int64_t drawn = 0;
  bool answered = false, told = false;
  std::optional<std::int64_t> chosen, sure, blind;
  bool gone = false;  // a record was named that is gone since
};

// Throws not_drawn().
Row row_of(storage::Db& db, const IntruderTest& test, const std::string& annotator, const std::string& code) {
  query::require_annotator(annotator);
  const auto record = test.target_of(code);
  if (!record) throw not_drawn();
  storage::Statement find = db.prepare(storage::sql::kIntruderAttemptOfTarget);
  find.bind(test.release.run.id, test.protocol, static_cast<std::int64_t>(test.lens.sample), annotator,
            test.record(*record).id);
  if (!find.step()) throw not_drawn();
  return {
      find.integer(0),         *record,
      find.integer(1) != 0,    find.integer(2),
      !find.is_null(3),        find.integer(8) != 0,
      find.integer_or_null(4), find.integer_or_null(5),
      find.integer_or_null(9), test.names_gone(*record, find.integer_or_null(4).has_value(), find.integer_or_null(11))};
}

// Whose texts cannot be found. Looked for in any case: who waits longer for absent targets would know them.
std::vector<CandidateId> withheld(const IntruderTest& test, const Row& row) {
  std::vector<CandidateId> left_out = test.left_out(row.record);
  if (row.present) left_out.clear();
  return left_out;
}

// The candidate of this code, if it can be found. Throws no_such_text().
CandidateId found_by(const IntruderTest& test, const Row& row, const std::string& code) {
  const auto candidate = test.text_of(row.record, code);
  if (!candidate) throw no_such_text();
  const std::vector<CandidateId> hidden = withheld(test, row);
  if (std::ranges::binary_search(hidden, *candidate)) throw no_such_text();
  return *candidate;
}

// Whether an answer of now is blind; nothing: it is another answer in the place of one of which nobody said.
std::optional<bool> blind_now(storage::Db& db, const IntruderTest& test, const std::string& annotator, const Row& row) {
  storage::Statement find = db.prepare(storage::sql::kIntruderOutcomesSeen);
  find.bind(test.release.run.id, test.protocol, static_cast<std::int64_t>(test.lens.sample), annotator);
  if (row.blind == 0 || (find.step() && find.integer(0) != 0)) return false;
  if (row.answered && !row.blind) return std::nullopt;
  return true;
}

// Somebody else may have begun to draw by other strata since the test was opened.
void require_strata(storage::Db& db, const IntruderTest& test) {
  const query::DrawnStrata drawn = query::drawn_strata(db, test);
  if (test.by == query::StrataBy::kNothing || !drawn.by || *drawn.by == test.by) return;
  throw Error(Code::kTryAgain, "targets of this test are drawn by other strata by now",
              "repeat without --strata, to go on as the others do");
}

// Once is enough: a page that asks again with each change of the store changes nothing.
void keep_look(storage::Store& store, const IntruderTest& test, const std::string& reader) {
  if (!reader.empty()) query::require_annotator(reader);
  const auto sample = static_cast<std::int64_t>(test.lens.sample);
  storage::Statement find = store.db().prepare(storage::sql::kIntruderLooksOfTest);
  find.bind(test.release.run.id, test.protocol, sample);
  while (find.step()) {
    if (find.text(0) == reader) return;
  }
  find.reset();
  const auto batch = store.write();
  batch->db()
      .prepare(storage::sql::kInsertIntruderLook)
      .run(test.release.run.id, test.protocol, sample, reader, now_ms());
  batch->commit();
}

IntruderTarget shown(storage::Store& store, const IntruderTest& test, std::size_t record) {
  IntruderTarget target;
  target.target = test.target_code(record);
  target.facts = query::load_texts(store, test.known.known[record].said);
  return target;
}

}  // namespace

std::unique_ptr<IntruderTest> open_intruder(storage::Store& store, const IntruderOptions& options) {
  // Before anything is read that an error could tell of.
  require_level(options.level, options.run == "none" ? query::RunKind::kNone : query::RunKind::kAligned);
  const storage::Lock held = store.hold_texts();
  return query::make_intruder_test(store, wanted(options));
}

std::optional<IntruderTarget> next_target(storage::Store& store, const IntruderTest& test,
                                          const std::string& annotator) {
  query::require_annotator(annotator);
  const storage::Lock held = store.hold_texts();
  const auto batch = store.write();
  storage::Db& db = batch->db();
  require_current(db, test);
  const auto sample = static_cast<std::int64_t>(test.lens.sample);
  std::unordered_set<std::size_t> answered;
  std::optional<std::size_t> open;
  std::vector<std::int64_t> taken_back;
  storage::Statement find = db.prepare(storage::sql::kIntruderAttemptsOfAnnotator);
  find.bind(test.release.run.id, test.protocol, sample, annotator);
  while (find.step()) {
    const auto place = test.dataset().position.find(find.id<RecordId>(1));
    if (place == test.dataset().position.end()) continue;
    if (find.integer(3) != 0) {
      answered.insert(place->second);
    } else if (find.integer(2) != test.drawn_hash(place->second)) {
      taken_back.push_back(find.integer(0));  // the texts are others by now
    } else {
      open = place->second;
    }
  }
  for (const std::int64_t id : taken_back) db.prepare(storage::sql::kDeleteIntruderAttempt).run(id);
  std::uint64_t left = 0;
  const IntruderTest::Target* next = nullptr;
  for (const IntruderTest::Target& target : test.targets) {
    if (answered.contains(target.record)) continue;
    ++left;
    if (next == nullptr) next = &target;
  }
  if (!open && next != nullptr) {
    require_strata(db, test);
    const auto stratum = next->stratum.empty() ? std::nullopt : std::optional(next->stratum);
    db.prepare(storage::sql::kInsertIntruderAttempt)
        .run(test.release.run.id, test.protocol, sample, test.record(next->record).id, annotator, !next->absent,
             now_ms(), test.drawn_hash(next->record), stratum);
  }
  if (!taken_back.empty() || (!open && next != nullptr)) batch->commit();
  if (!open && next == nullptr) return std::nullopt;
  IntruderTarget target = shown(store, test, open ? *open : next->record);
  target.again = open.has_value();
  target.answered = answered.size();
  target.left = std::max<std::uint64_t>(left, 1);
  return target;
}

std::vector<ReleasedHit> search_release(storage::Store& store, const IntruderTest& test, const ReleaseSearch& search) {
  const storage::Lock held = store.hold_texts();
  require_current(store.db(), test);
  const Row row = row_of(store.db(), test, search.annotator, search.target);
  const std::vector<CandidateId> hidden = withheld(test, row);
  const std::size_t k = std::min(search.k, query::kMaxHits);
  std::vector<query::TextHit> hits = query::find_hits(test.release, search.text, k + hidden.size());
  std::erase_if(hits, [&](const query::TextHit& hit) { return std::ranges::binary_search(hidden, hit.candidate); });
  if (hits.size() > k) hits.resize(k);
  std::vector<TextId> ids;
  for (const query::TextHit& hit : hits) ids.push_back(hit.text);
  const std::vector<std::string> texts = query::load_texts(store, ids);
  std::vector<ReleasedHit> found;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    std::map<std::string, double, std::less<>> weights;
    for (const index::TermScore& term : hits[i].terms) weights.emplace(term.term, term.score);
    found.push_back({test.text_code(row.record, hits[i].candidate), i + 1, hits[i].score,
                     query::make_snippet(texts[i], text::Analyzer::fsp(), weights, search.columns)});
  }
  return found;
}

std::string read_release(storage::Store& store, const IntruderTest& test, const std::string& annotator,
                         const std::string& target, const std::string& code) {
  const storage::Lock held = store.hold_texts();
  require_current(store.db(), test);
  const CandidateId candidate = found_by(test, row_of(store.db(), test, annotator, target), code);
  const std::size_t at = query::position_of(test.release.candidates, candidate);
  return std::move(query::load_texts(store, std::span(&test.release.candidates.texts[at], 1)).front());
}

Kept answer_target(storage::Store& store, const IntruderTest& test, const IntruderAnswer& answer) {
  if (answer.sure < 0 || answer.sure > 100) {
    throw Error(Code::kBadInput, "how sure somebody is, is a number of per cent from 0 to 100", "--sure 80");
  }
  std::optional<std::int64_t> ms, searches;
  if (answer.seconds) ms = query::milliseconds_of(*answer.seconds);
  constexpr std::uint64_t kMostSearches = 1'000'000;
  if (answer.searches) {
    if (*answer.searches > kMostSearches) {
      throw Error(Code::kBadInput, "nobody searches more than a million times", "leave the number out");
    }
    searches = static_cast<std::int64_t>(*answer.searches);
  }
  const storage::Lock held = store.hold_texts();
  const auto batch = store.write();
  storage::Db& db = batch->db();
  require_current(db, test);
  const Row row = row_of(db, test, answer.annotator, answer.target);
  if (!row.answered && row.drawn != test.drawn_hash(row.record)) {
    db.prepare(storage::sql::kDeleteIntruderAttempt).run(row.id);
    batch->commit();
    throw Error(Code::kBadInput, "the texts have changed since this target was drawn: the draw was taken back",
                "residue intruder next draws again");
  }
  std::optional<std::size_t> choice;
  std::optional<RecordId> chosen;
  if (answer.choice) {
    chosen = RecordId{found_by(test, row, *answer.choice).value};
    choice = test.dataset().position.at(*chosen);
  }
  const auto named = chosen ? std::optional(chosen->value) : std::nullopt;
  if (row.answered && !row.gone && row.chosen == named && row.sure == answer.sure) return Kept::kSame;
  if (row.told) {
    throw Error(Code::kBadInput, "the outcome of this attempt was told: its answer cannot be another one now",
                "it stays as it is");
  }
  db.prepare(storage::sql::kUpdateIntruderAttemptAnswer)
      .run(row.id, now_ms(), chosen, answer.sure, ms, searches, about_of(test.given(row.record), test.named(choice)),
           blind_now(db, test, answer.annotator, row));
  batch->commit();
  return row.answered ? Kept::kChanged : Kept::kNew;
}

std::string tell_outcome(storage::Store& store, const IntruderTest& test, const std::string& annotator,
                         const std::string& target) {
  const storage::Lock held = store.hold_texts();
  static_cast<void>(test.equal_originals());  // before others wait
  const auto batch = store.write();
  storage::Db& db = batch->db();
  require_current(db, test);
  const Row row = row_of(db, test, annotator, target);
  if (!row.answered) {
    throw Error(Code::kBadInput, "this target has no answer yet", "what is right is told after the answer");
  }
  const std::vector<query::IntruderAttempt> attempts = query::load_attempts(store, test, annotator);
  const auto found =
      std::ranges::find_if(attempts, [&](const query::IntruderAttempt& one) { return one.record == row.record; });
  if (found == attempts.end()) throw not_drawn();
  if (!row.told) {
    db.prepare(storage::sql::kUpdateIntruderAttemptTold).run(row.id);
    batch->commit();
  }
  return std::string(query::name_of(found->state));
}

query::IntruderReport intruder_report(storage::Store& store, const IntruderReportOptions& options) {
  const storage::Lock held = store.hold_texts();
  const auto test = query::make_intruder_test(
      store, {.dataset = options.dataset,
              .run = options.run,
              .protocol = options.protocol,
              .search = false,
              .sample = options.sample});
  std::vector<query::IntruderAttempt> attempts = query::load_attempts(store, *test, std::nullopt);
  const bool hold = !query::all_finished(*test, attempts);
  if (hold && options.outcomes) keep_look(store, *test, options.reader);  // before anything is shown
  if (options.annotator) {
    std::erase_if(attempts, [&](const query::IntruderAttempt& one) { return one.annotator != *options.annotator; });
  }
  query::IntruderReport report = query::load_intruder_report(store, *test, attempts);
  const bool read = options.once_read && std::ranges::find(report.readers, "") != report.readers.end();
  return hold && !options.outcomes && !read ? query::held_back(std::move(report)) : report;
}

}  // namespace residue::verbs
