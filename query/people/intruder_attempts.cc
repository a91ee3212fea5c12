#include "query/people/intruder_attempts.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "query/link/linked_persons.h"
#include "query/link/protocol_rows.h"
#include "query/place/place_rows.h"
#include "storage/catalog/sources/intruder.h"

namespace residue::query {
namespace {

double share_of(std::int64_t fixed_point) { return static_cast<double>(fixed_point) / static_cast<double>(kOne); }

// What the machine found, present or absent.
class Machines {
 public:
  Machines(storage::Store& store, const IntruderTest& test, const LinkedPersons& persons)
      : test_(test),
        persons_(persons),
        places_(load_places(store, test.dataset(), test.release.run.id, test.lens.protocol)) {
    const auto absent =
        find_protocol(store.db(), test.lens.dataset, absent_of(test.lens.spec).name(), test.lens.sample);
    if (absent) rest_ = load_links(store, test.dataset(), test.release.run.id, *absent);
  }

  [[nodiscard]] IntruderAttempt::Machine of(std::size_t record, bool present, bool failed) const {
    IntruderAttempt::Machine machine;
    if (failed) return {true, true, true, 1, 1};  // nobody knows what its text would have given away
    if (!present && rest_.empty()) return machine;
    const LinkView& link = present ? test_.links[record] : rest_[record];
    machine.known = link.attacked;
    machine.claims = link.linked.value != 0;
    if (present && machine.claims) {
      machine.own = link.linked.value == test_.record(record).id.value;
      machine.person = share_of(persons_.share(record, link));
    }
    const auto& sure = present ? places_[record].sure : places_[record].rest_sure;
    if (sure) machine.sure = share_of(sure->value);
    return machine;
  }

 private:
  const IntruderTest& test_;
  const LinkedPersons& persons_;
  std::vector<LinkPlace> places_;
  std::vector<LinkView> rest_;
};

}  // namespace

std::string_view name_of(AttemptState state) {
  constexpr std::array<std::string_view, 8> kNames = {"open",   "outdated", "failed", "right",
                                                      "shared", "wrong",    "none",   "rightly none"};
  return kNames[static_cast<std::size_t>(state)];
}

std::vector<IntruderAttempt> load_attempts(storage::Store& store, const IntruderTest& test,
                                           const std::optional<std::string>& annotator) {
  const LinkedPersons persons(test.dataset(), test.release.run, test.equal_originals());
  const Machines machines(store, test, persons);
  storage::Statement find = store.db().prepare(storage::sql::kIntruderAttemptsOfTest);
  find.bind(test.release.run.id, test.protocol, static_cast<std::int64_t>(test.lens.sample), annotator);
  std::vector<IntruderAttempt> attempts;
  while (find.step()) {
    const auto place = test.dataset().position.find(find.id<RecordId>(1));
    if (place == test.dataset().position.end()) continue;
    IntruderAttempt attempt;
    attempt.annotator = std::string(find.text(0));
    attempt.record = place->second;
    attempt.unit = test.record(attempt.record).unit;
    attempt.present = find.integer(2) != 0;
    attempt.sure = find.integer(5);
    if (const auto ms = find.integer_or_null(6)) attempt.seconds = static_cast<double>(*ms) / 1000;
    if (const auto searches = find.integer_or_null(7)) attempt.searches = static_cast<double>(*searches);
    attempt.told = find.integer(9) != 0;
    if (const auto blind = find.integer_or_null(10)) attempt.blind = *blind != 0;
    attempt.stratum = find.text_or_null(11).value_or("");
    const bool answered = !find.is_null(3);
    std::optional<std::size_t> choice;
    bool gone = false;  // the record that was named
    if (const auto chosen = find.integer_or_null(4)) {
      const auto named = test.dataset().position.find(RecordId{*chosen});
      gone = named == test.dataset().position.end();
      if (!gone) choice = named->second;
    }
    const bool failed = answered && attempt.present && !test.release.run.variants[attempt.record].ok;
    attempt.claims = choice.has_value();
    attempt.machine = machines.of(attempt.record, attempt.present, failed);
    if (!answered) {
      attempt.state = AttemptState::kOpen;
    } else if (failed) {
      attempt.state = AttemptState::kFailed;
      attempt.own = true;
      attempt.person = 1;
    } else if (gone || find.integer(8) != test.about_hash(attempt.record, choice)) {
      attempt.state = AttemptState::kOutdated;
    } else if (!choice) {
      attempt.state = attempt.present ? AttemptState::kNone : AttemptState::kRightlyNone;
    } else if (!attempt.present) {
      attempt.state = AttemptState::kWrong;
    } else {
      LinkView link;
      link.attacked = true;
      link.linked = CandidateId{test.record(*choice).id.value};
      attempt.own = *choice == attempt.record;
      attempt.person = share_of(persons.share(attempt.record, link));
      attempt.state = attempt.person >= 1  ? AttemptState::kRight
                      : attempt.person > 0 ? AttemptState::kShared
                                           : AttemptState::kWrong;
    }
    attempts.push_back(std::move(attempt));
  }
  return attempts;
}

bool all_finished(const IntruderTest& test, const std::vector<IntruderAttempt>& attempts) {
  std::map<std::string_view, std::set<std::size_t>> answered;
  for (const IntruderAttempt& attempt : attempts) {
    if (attempt.state == AttemptState::kOpen) return false;
    answered[attempt.annotator].insert(attempt.record);
  }
  return std::ranges::all_of(answered, [&](const auto& of) {
    return std::ranges::all_of(test.targets, [&](const auto& target) { return of.second.contains(target.record); });
  });
}

}  // namespace residue::query
