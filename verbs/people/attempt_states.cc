#include "verbs/people/attempt_states.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "query/people/intruder_attempts.h"
#include "query/people/intruder_test.h"
#include "storage/catalog/sources/intruder.h"

namespace residue::verbs {
namespace {

std::unique_ptr<query::IntruderTest> test_of(storage::Store& store, const std::string& dataset, const std::string& run,
                                             const std::string& protocol) {
  try {
    return query::make_intruder_test(store, {.dataset = dataset, .run = run, .protocol = protocol, .search = false});
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound && error.code() != Code::kUsage) throw;
    return nullptr;
  }
}

}  // namespace

std::map<AttemptKey, AttemptState> attempt_states(storage::Store& store) {
  struct Named {
    std::string dataset, run, protocol;
    std::int64_t sample;
  };
  const storage::Lock held = store.hold_texts();
  std::vector<Named> tests;
  storage::Statement find = store.db().prepare(storage::sql::kIntruderTests);
  while (find.step()) {
    tests.push_back({std::string(find.text(0)), std::string(find.text(1)), std::string(find.text(2)), find.integer(3)});
  }
  find.reset();
  std::map<AttemptKey, AttemptState> states;
  for (const Named& named : tests) {
    const auto test = test_of(store, named.dataset, named.run, named.protocol);
    if (!test || static_cast<std::int64_t>(test->lens.sample) != named.sample) continue;
    for (const query::IntruderAttempt& one : query::load_attempts(store, *test, std::nullopt)) {
      states.emplace(AttemptKey{named.dataset, named.run, named.protocol, named.sample, one.annotator,
                                test->record(one.record).key},
                     AttemptState{query::name_of(one.state), one.named_changed});
    }
  }
  return states;
}

}  // namespace residue::verbs
