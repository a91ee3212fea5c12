#include "verbs/people/bring_attempts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "ingest/batches/batch.h"
#include "ingest/batches/progress.h"
#include "query/people/contents.h"
#include "query/people/intruder_strata.h"
#include "query/people/intruder_test.h"
#include "storage/catalog/sources/intruder.h"
#include "storage/catalog/sources/variant.h"

namespace residue::verbs {
namespace {

using ingest::AttemptRow;
using ingest::Outcome;
using ingest::Problem;
using query::IntruderTest;

// What an answer names: nothing, or a place in the view.
struct Named {
  std::optional<std::size_t> place;
  std::optional<RecordId> record;
};

class AttemptSink final : public ingest::RowSink<AttemptRow> {
 public:
  AttemptSink(storage::Store& store, const IntruderTest& test) : test_(test), now_(now_ms()) {
    for (std::size_t i = 0; i < test.dataset().records.size(); ++i) {
      keys_.emplace(test.record(i).key, i);
      codes_.emplace(test.target_code(i), i);
    }
    by_ = query::drawn_strata(store.db(), test).by;
  }

  void begin(storage::WriteBatch& batch, const ingest::IngestPosition&) override {
    query::require_contents(batch.db(), test_.lens, test_.release.run.id, test_.content);
    db_ = &batch.db();
  }
  void skip(const AttemptRow&) override {}
  void end(storage::WriteBatch&, ingest::IngestPosition&, bool) override {}

  std::optional<Problem> put(storage::WriteBatch&, const AttemptRow& row, Outcome& outcome) override {
    if (auto problem = elsewhere(row)) return problem;
    try {
      query::require_annotator(row.annotator);
    } catch (const Error& error) {
      return Problem{error.what(), error.hint()};
    }
    std::size_t target = 0;
    if (auto problem = find_target(row, target)) return problem;
    if (seen_.contains({row.annotator, target})) {
      return Problem{"this annotator's attempt on this target is in the file already",
                     "an annotator attempts a target once: leave one of the lines out"};
    }
    if (auto problem = check_stratum(row, target)) return problem;
    Named named;
    if (auto problem = find_choice(row, target, named)) return problem;
    if (auto problem = check_outcome(row, target, named)) return problem;
    if (auto problem = store_attempt(row, target, named, outcome)) return problem;
    seen_.emplace(row.annotator, target);
    if (row.stratum) by_ = query::strata_of(*row.stratum);
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::int64_t sample() const { return static_cast<std::int64_t>(test_.lens.sample); }

  // Of another run: its codes and records mean something else.
  [[nodiscard]] std::optional<Problem> elsewhere(const AttemptRow& row) const {
    const auto other = [](const auto& said, const auto& here) { return said && *said != here; };
    if (other(row.dataset, test_.lens.dataset_name) || other(row.run, test_.release.run.name) ||
        other(row.protocol, test_.protocol) || other(row.sample, sample())) {
      return Problem{"the attempt is of another dataset, run, protocol or sample than the command names",
                     fmt::format("this test is {}/{} under {}; export one run, or --on-error skip",
                                 test_.lens.dataset_name, test_.release.run.name, test_.protocol)};
    }
    return std::nullopt;
  }

  std::optional<Problem> find_target(const AttemptRow& row, std::size_t& target) const {
    const auto& names = row.target_is_code ? codes_ : keys_;
    const auto found = names.find(row.target);
    if (found == names.end()) {
      return row.target_is_code ? Problem{"no target of this run has this code",
                                          "codes are those that residue intruder next shows, in this store alone"}
                                : Problem{"the dataset has no such record", "name the record by its id"};
    }
    target = found->second;
    if (!test_.links[target].attacked || test_.record(target).empty || test_.known.known[target].said.empty()) {
      return Problem{"the protocol does not attack this record: nobody can have been given its facts",
                     "--protocol names the attacker whose facts people were given"};
    }
    return std::nullopt;
  }

  std::optional<Problem> check_stratum(const AttemptRow& row, std::size_t target) {
    if (!row.stratum) return std::nullopt;
    const query::StrataBy by = query::strata_of(*row.stratum);
    if (by == query::StrataBy::kNothing) {
      return Problem{"the stratum is none that residue draws from", "it begins with machine or label, or is left out"};
    }
    if (by_ && *by_ != by) {
      return Problem{"the target was drawn by other strata than others of this test",
                     "a test has strata of one kind: bring these attempts into another store"};
    }
    auto [known, is_new] = strata_.try_emplace(by);
    if (is_new) known->second = query::strata_of_records(*db_, test_, by);
    if (known->second[target] != *row.stratum) {
      return Problem{"the target is of another stratum here",
                     "the machine's links, or the records' labels, are others than where it was drawn"};
    }
    return std::nullopt;
  }

  std::optional<Problem> find_choice(const AttemptRow& row, std::size_t target, Named& named) const {
    std::optional<std::string> choice = row.choice;
    if (row.choice_is_word && !row.choice_is_code && keys_.contains("none")) {
      if (!row.exported) {
        return Problem{"a record of the dataset is called \"none\"", "write null where nobody was named"};
      }
      choice = "none";
    }
    if (!choice) return std::nullopt;
    const Problem nowhere = {"no text that this target's annotator could find is the one that was named",
                             "name the record of the text, its code, or \"none\"; present: false leaves out whom the "
                             "absent attack leaves out"};
    if (row.choice_is_code) {
      const auto candidate = test_.text_of(target, *choice);
      if (!candidate) return nowhere;
      named.record = RecordId{candidate->value};
      named.place = test_.dataset().position.at(*named.record);
    } else {
      const auto found = keys_.find(*choice);
      // An exported answer may name a text that failed after it was given.
      if (found == keys_.end() || (!row.exported && !test_.release.run.variants[found->second].ok)) return nowhere;
      named.place = found->second;
      named.record = test_.record(found->second).id;
    }
    if (!row.present && std::ranges::binary_search(test_.left_out(target), CandidateId{named.record->value})) {
      return nowhere;
    }
    return std::nullopt;
  }

  std::optional<Problem> check_outcome(const AttemptRow& row, std::size_t target, const Named& named) const {
    if (!row.outcome || !row.answered) return std::nullopt;
    storage::Statement find = db_->prepare(storage::sql::kIntruderOutcome);
    find.bind(test_.release.run.id, test_.record(target).id, named.record, row.present);
    if (find.step() && find.text(0) == *row.outcome) return std::nullopt;
    return Problem{"here the attempt came out otherwise than \"outcome\" says",
                   "records, persons or texts are others than where it was made; leave outcome out if they are meant"};
  }

  // What it was about where it comes from, as far as that is said; else what is stored now.
  [[nodiscard]] std::int64_t about(const AttemptRow& row, std::size_t target, const Named& named) const {
    const std::uint64_t given = test_.given(target);
    if (row.outdated) return query::about_of_outdated(given);
    if (!row.named_changed) return query::about_of(given, test_.named(named.place));
    if (row.shared) return query::about_of(given, test_.named(target));
    return query::about_of(given, {query::NamedText::Kind::kUnknown});
  }

  std::optional<Problem> store_attempt(const AttemptRow& row, std::size_t target, const Named& named,
                                       Outcome& outcome) const {
    const std::int64_t answered = row.answered_at.value_or(now_);
    const std::int64_t drawn = row.drawn_at.value_or(std::max<std::int64_t>(0, answered - row.ms.value_or(0)));
    if (row.answered && drawn > answered) {
      return Problem{"the attempt was answered before it was drawn", "check drawn_at and answered_at"};
    }
    const auto of_answer = [&](const auto& value) { return row.answered ? std::optional(value) : std::nullopt; };
    storage::Statement find = db_->prepare(storage::sql::kIntruderAttemptOfTarget);
    find.bind(test_.release.run.id, test_.protocol, sample(), row.annotator, test_.record(target).id);
    if (!find.step()) {
      // Unless the file says so: it failed behind the answer, where that was given.
      if (!test_.release.run.variants[target].ok && row.outcome != "failed" && !row.exported) {
        return Problem{"the text of this record failed: nobody was asked to find it",
                       "leave the line out; the report counts the record as found"};
      }
      db_->prepare(storage::sql::kInsertIntruderAttemptWhole)
          .run(test_.release.run.id, test_.protocol, sample(), test_.record(target).id, row.annotator, row.present,
               drawn, test_.drawn_hash(target), row.stratum, of_answer(answered), named.record, of_answer(row.sure),
               row.ms, row.searches, of_answer(about(row, target, named)), row.told, row.blind);
      outcome = Outcome::kNew;
      return std::nullopt;
    }
    if ((find.integer(1) != 0) != row.present || find.text_or_null(10) != row.stratum) {
      return Problem{"here this target was drawn for this annotator as present or absent, or of a stratum, otherwise",
                     "an attempt stays what it was drawn as"};
    }
    const bool had = !find.is_null(3), told = find.integer(8) != 0;
    const auto blind = find.integer_or_null(9);
    if (!row.answered) {
      if (had) return Problem{"this attempt has an answer here", "an attempt without one takes none back"};
      outcome = Outcome::kSame;
      return std::nullopt;
    }
    const auto chosen = named.record ? std::optional(named.record->value) : std::nullopt;
    // Of one whose record is gone, nobody knows whom it named: two such are taken for the same.
    const bool gone = had && test_.names_gone(target, find.integer_or_null(4).has_value(), find.integer_or_null(11));
    const bool says_gone = row.named_changed && !chosen;
    const bool same = had && find.integer_or_null(4) == chosen && gone == says_gone && find.integer(5) == row.sure;
    const std::int64_t id = find.integer(0);
    const bool shown = blind == 0 || row.blind == false;
    std::optional<bool> now_blind;  // nothing: nobody said
    if (shown) {
      now_blind = false;
    } else if (same) {
      if (blind) now_blind = true;
    } else if (!had || blind) {
      now_blind = row.blind;
    }
    if (same) {
      const bool news = (row.told && !told) || (shown && blind != 0);
      outcome = news ? Outcome::kChanged : Outcome::kSame;
      if (news) db_->prepare(storage::sql::kUpdateIntruderAttemptSeen).run(id, told || row.told, now_blind);
      return std::nullopt;
    }
    if (told) {
      return Problem{"the outcome of this attempt was told: its answer cannot be another one now", "it stays as it is"};
    }
    db_->prepare(storage::sql::kUpdateIntruderAttemptAnswer)
        .run(id, answered, named.record, row.sure, row.ms, row.searches, about(row, target, named), now_blind);
    if (row.told) db_->prepare(storage::sql::kUpdateIntruderAttemptTold).run(id);
    outcome = had ? Outcome::kChanged : Outcome::kNew;
    return std::nullopt;
  }

  const IntruderTest& test_;
  const std::int64_t now_;
  storage::Db* db_ = nullptr;
  std::map<std::string, std::size_t, std::less<>> keys_, codes_;
  std::set<std::pair<std::string, std::size_t>> seen_;
  std::optional<query::StrataBy> by_;  // of the attempts so far
  std::map<query::StrataBy, std::vector<std::string>> strata_;
};

}  // namespace

Ingested bring_attempts(storage::Store& store, const AttemptsOptions& options) {
  const storage::Lock held = store.hold_texts();
  const auto test = query::make_intruder_test(
      store, {.dataset = options.dataset, .run = options.run, .protocol = options.protocol, .search = false});
  ingest::IngestOptions how;
  how.skip_bad = options.skip_bad;
  how.interrupted = options.interrupted;
  how.batch_rows = ingest::kOneBatch;
  Ingested all;
  for (const std::string& file : options.files) {
    ingest::SourceOptions source = options.source;
    source.path = file;
    if (options.progress) {
      how.progress = [&](std::uint64_t done, std::optional<std::uint64_t> total) {
        options.progress("reading " + file, done, total);
      };
    }
    const auto rows = ingest::open_attempts(source);
    AttemptSink sink(store, *test);
    ingest::IngestResult one =
        ingest::store_rows(store, *rows, ingest::identify(source),
                           fmt::format("attempts {}/{} {}", options.dataset, options.run, test->protocol), how, sink);
    if (options.file_done) options.file_done(file, one);
    all.result.counts += one.counts;
    all.result.seconds += one.seconds;
    for (auto& error : one.rejected) all.result.rejected.push_back(std::move(error));
  }
  const ingest::Counts& counts = all.result.counts;
  if (counts.fresh + counts.changed > 0) {
    all.remarks.emplace_back("these attempts are taken to be about the facts and texts as they are stored now");
  }
  return all;
}

}  // namespace residue::verbs
