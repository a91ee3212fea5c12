#include "query/people/intruder_attempts.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "query/inputs/sort_unique.h"
#include "query/link/linked_persons.h"
#include "query/link/protocol_rows.h"
#include "query/metric/contribution.h"
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

// What was found of a target's person by the text that was named, in units of 2^-32. As LinkedPersons::share has it
// while `choice` has that text; else among those who have it by now and the one who was named, whose record may be
// gone.
std::int64_t share_found(const IntruderTest& test, const LinkedPersons& persons, std::size_t target, TextId text,
                         std::optional<std::size_t> choice) {
  const std::vector<std::size_t>& equal = test.equal_originals();
  const auto unit = [&](std::size_t place) { return test.record(place).unit; };
  const auto same = [&](std::size_t place) { return unit(place) == unit(target) || equal[place] == equal[target]; };
  if (choice && (same(*choice) || test.released_text(*choice) == text)) {
    LinkView link;
    link.attacked = true;
    link.linked = CandidateId{test.record(*choice).id.value};
    return persons.share(target, link);
  }
  if (text.value == 0) return 0;  // nobody knows it any more
  std::vector<std::uint64_t> holders;
  bool has = false;
  for (std::size_t i = 0; i < test.dataset().records.size(); ++i) {
    if (test.released_text(i) != text) continue;
    holders.push_back(unit(i));
    has = has || same(i);
  }
  if (!has) return 0;
  if (choice) holders.push_back(unit(*choice));
  sort_unique(holders);
  return fixed(1, static_cast<std::int64_t>(holders.size() + (choice ? 0 : 1)));
}

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
    if (const auto chosen = find.integer_or_null(4)) {
      const auto found = test.dataset().position.find(RecordId{*chosen});
      if (found != test.dataset().position.end()) choice = found->second;
    }
    std::optional<NamedText> named;
    if (answered) named = named_by(test.given(attempt.record), find.integer(8), !find.is_null(4));
    const bool somebody = choice || (named && named->kind != NamedText::Kind::kNobody);
    const bool failed = answered && attempt.present && !test.release.run.variants[attempt.record].ok;
    attempt.claims = somebody;
    attempt.machine = machines.of(attempt.record, attempt.present, failed);
    if (!answered) {
      attempt.state = AttemptState::kOpen;
    } else if (failed) {
      attempt.state = AttemptState::kFailed;
      attempt.own = true;
      attempt.person = 1;
    } else if (!named) {
      attempt.state = AttemptState::kOutdated;
    } else if (!somebody) {
      attempt.state = attempt.present ? AttemptState::kNone : AttemptState::kRightlyNone;
    } else if (!attempt.present) {
      attempt.state = AttemptState::kWrong;
    } else {
      attempt.own = choice == attempt.record;
      attempt.person = share_of(share_found(test, persons, attempt.record, named->text, choice));
      attempt.state = attempt.person >= 1  ? AttemptState::kRight
                      : attempt.person > 0 ? AttemptState::kShared
                                           : AttemptState::kWrong;
    }
    const bool as_named = choice && named && named->kind == NamedText::Kind::kText && *named == test.named(choice);
    attempt.named_changed = named && somebody && !failed && !as_named;
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
