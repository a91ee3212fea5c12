// The invariant of all updates: after any history, all numbers are those of a fresh store with the same inputs.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "query/evaluate/recompute.h"
#include "query/inputs/protocol.h"
#include "storage/check.h"
#include "storage/disk/fault.h"
#include "tests/query/child.h"
#include "tests/query/history/history_model.h"
#include "tests/stub/stub_server.h"

namespace rc {

template <>
struct Arbitrary<residue::query::testing::Command> {
  static Gen<residue::query::testing::Command> arbitrary() {
    using residue::query::testing::Action;
    using residue::query::testing::Command;
    const auto action = gen::weightedOneOf<Action>({
        {6, gen::just(Action::kEvaluate)},
        {2, gen::just(Action::kAnswers)},
        {1, gen::just(Action::kVectors)},
        {2, gen::just(Action::kJudgments)},
        {2, gen::just(Action::kRemoveRecord)},
        {10, gen::map(gen::inRange(0, static_cast<int>(Action::kCount)), [](int i) { return static_cast<Action>(i); })},
    });
    const auto fault = gen::weightedOneOf<std::uint32_t>({
        {5, gen::just<std::uint32_t>(0)},
        {1, gen::resize(100, gen::inRange<std::uint32_t>(1, 60))},
    });
    return gen::build<Command>(gen::set(&Command::action, action),
                               gen::set(&Command::seed, gen::resize(100, gen::arbitrary<std::uint32_t>())),
                               gen::set(&Command::fault, fault));
  }
};

}  // namespace rc

namespace residue::query::testing {

void showValue(const Command& command, std::ostream& out) {
  out << static_cast<int>(command.action) << ' ' << command.seed << ' ' << command.fault;
}

namespace {

std::vector<std::string> only_in(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::string> lines;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(lines));
  return lines;
}

// Where every attacked record of current evaluations stands, by names. `metrics`: of the same store.
std::vector<std::string> place_dump(storage::Store& store, const std::vector<std::string>& metrics) {
  std::set<std::string> current;  // dataset, run, tier, protocol, sample
  for (const std::string& line : metrics) {
    std::size_t end = 0;
    for (int column = 0; column < 5; ++column) end = line.find('\t', end) + 1;
    current.insert(line.substr(0, end));
  }
  std::vector<std::string> lines;
  storage::Statement rows = store.db().prepare(
      "SELECT d.name, u.name, 'link', p.name, p.sample, r.key, l.ahead, l.level, l.persons, l.own_person, l.sure, "
      "l.alone, l.rest_sure, l.rest_alone FROM link_place l JOIN run u ON u.id = l.run_id JOIN dataset d ON d.id = "
      "u.dataset_id JOIN protocol p ON p.id = l.protocol_id JOIN record r ON r.id = l.record_id");
  while (rows.step()) {
    std::string line;
    for (int column = 0; column < 5; ++column) line += fmt::format("{}\t", rows.text(column));
    if (!current.contains(line)) continue;
    for (int column = 5; column < rows.columns(); ++column) line += fmt::format("{}\t", rows.text(column));
    lines.push_back(std::move(line));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

// Whom every attack of current evaluations finds, and its absent attacks, by names. `metrics`: of the same store.
std::vector<std::string> link_dump(storage::Store& store, const std::vector<std::string>& metrics) {
  std::set<std::string> current;  // dataset, run, protocol, sample
  for (const std::string& line : metrics) {
    std::vector<std::string> columns;
    std::size_t begin = 0;
    for (int column = 0; column < 5; ++column) {
      const std::size_t end = line.find('\t', begin);
      columns.push_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    if (columns[2] == "link")
      current.insert(fmt::format("{} {} {} {}", columns[0], columns[1], columns[3], columns[4]));
  }
  std::vector<std::string> lines;
  storage::Statement rows = store.db().prepare(
      "SELECT d.name, u.name, p.name, p.sample, r.key, coalesce(o.key, v.key, l.linked_id), l.tied, l.rank FROM link l "
      "JOIN run u ON u.id = l.run_id JOIN dataset d ON d.id = u.dataset_id JOIN protocol p ON p.id = l.protocol_id "
      "JOIN record r ON r.id = l.record_id LEFT JOIN record o ON o.id = l.linked_id AND u.kind <> 'synthetic' LEFT "
      "JOIN variant v ON v.id = l.linked_id AND u.kind = 'synthetic'");
  while (rows.step()) {
    ProtocolSpec attack = parse_protocol(rows.text(2));
    attack.options.erase(std::string(kAbsent));
    if (!current.contains(fmt::format("{} {} {} {}", rows.text(0), rows.text(1), attack.name(), rows.text(3))))
      continue;
    std::string line;
    for (int column = 0; column < rows.columns(); ++column) line += fmt::format("{}\t", rows.text(column));
    lines.push_back(std::move(line));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

struct Totals {
  std::size_t histories = 0, commands = 0, kills = 0, rows = 0, places = 0, thirds = 0;
  LinkTotals links;
};

// What is wrong after this history; empty: nothing.
std::vector<std::string> follow(const std::vector<Command>& commands, Totals& totals, const std::string& server = "") {
  const ScratchDir scratch;
  const std::string dir = scratch.path() / "store";
  storage::Store::create(dir);
  History history(dir, server);
  for (const Command& command : commands) {
    history.execute(command);
    totals.kills += command.fault > 0;
  }
  history.evaluate_all();
  totals.links.computed += history.links().computed;
  totals.links.searched += history.links().searched;
  totals.links.ranked += history.links().ranked;

  std::vector<std::string> wrong;
  const auto stored = metric_dump(history.store());
  const auto fresh_store = history.fresh(scratch.path() / "fresh", static_cast<std::uint32_t>(commands.size()));
  const auto fresh = metric_dump(*fresh_store);
  for (const auto& line : only_in(stored, fresh)) wrong.push_back("after the history: " + line);
  for (const auto& line : only_in(fresh, stored)) wrong.push_back("fresh:             " + line);
  const auto places = place_dump(history.store(), stored), fresh_places = place_dump(*fresh_store, fresh);
  for (const auto& line : only_in(places, fresh_places)) wrong.push_back("after the history: " + line);
  for (const auto& line : only_in(fresh_places, places)) wrong.push_back("fresh:             " + line);
  totals.places += places.size();
  const auto found = link_dump(history.store(), stored), fresh_found = link_dump(*fresh_store, fresh);
  for (const auto& line : only_in(found, fresh_found)) wrong.push_back("after the history: " + line);
  for (const auto& line : only_in(fresh_found, found)) wrong.push_back("fresh:             " + line);
  totals.thirds += static_cast<std::size_t>(std::ranges::count_if(
      found, [](const std::string& line) { return line.find("[absent=twice") != std::string::npos; }));
  for (const auto& one : recompute(history.store(), scratch.path() / "again", {}).differences) {
    wrong.push_back("recomputed: " + one.stored + one.recomputed);
  }
  const auto check = storage::check_store(history.store());
  for (const auto& problem : check.problems) wrong.push_back("check: " + problem);
  for (const auto& problem : check.derived_problems) wrong.push_back("check: " + problem);
  ++totals.histories;
  totals.commands += commands.size();
  totals.rows += stored.size();
  return wrong;
}

TEST(History, EndsWithTheNumbersOfAFreshStore) {
  if (const char* dir = std::getenv("RESIDUE_HISTORY_DIR")) {  // The child that is to be killed.
    History::replay(dir, decode(std::getenv("RESIDUE_HISTORY")), std::getenv("RESIDUE_HISTORY_SERVER"));
    return;
  }
  Totals totals;
  rc::detail::TestParams params;
  const char* count = std::getenv("RESIDUE_HISTORIES");
  const char* seed = std::getenv("RESIDUE_HISTORY_SEED");
  const char* size = std::getenv("RESIDUE_HISTORY_SIZE");  // commands of a history, at most
  const int commands_at_most = size != nullptr ? std::atoi(size) : 18;
  params.maxSuccess = count != nullptr ? std::atoi(count) : 50;
  params.disableShrinking = std::getenv("RESIDUE_HISTORY_SHRINK") == nullptr;  // It takes longer than a test may.
  params.seed = seed != nullptr ? std::strtoull(seed, nullptr, 10) : 20240601;
  const auto result = rc::detail::checkTestable(
      [&] {
        const auto commands = *rc::gen::resize(commands_at_most, rc::gen::arbitrary<std::vector<Command>>());
        const auto wrong = follow(commands, totals);
        if (!wrong.empty()) {
          std::string lines = fmt::format("{} differences; history: {}\n", wrong.size(), encode(commands));
          for (std::size_t i = 0; i < std::min<std::size_t>(wrong.size(), 12); ++i) lines += wrong[i] + "\n";
          RC_FAIL(lines);
        }
      },
      rc::detail::TestMetadata(), params);
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  EXPECT_TRUE(result.template is<rc::detail::SuccessResult>()) << message.str();
  std::cout << fmt::format("{} histories, {} commands, {} of them killed in between, {} metric rows compared\n",
                           totals.histories, totals.commands, totals.kills, totals.rows);
  EXPECT_GT(totals.rows, totals.histories * 100);
  EXPECT_GT(totals.places, totals.histories * 10);
  EXPECT_GT(totals.thirds, totals.histories * 5);
  const LinkTotals& links = totals.links;
  std::cout << fmt::format("{} links computed, {} searched, {} for ranks alone\n", links.computed, links.searched,
                           links.ranked);
  EXPECT_GT(links.computed - links.searched - links.ranked, links.computed / 50) << "searches were hardly ever saved";
}

// A rating depends on the other claims of its request: which claims stand together must be as in a fresh store.
TEST(History, OfARatingAmongOthersEndsWithTheNumbersOfAFreshStore) {
  const stub::Server server("neighbours");
  Totals totals;
  rc::detail::TestParams params;
  const char* count = std::getenv("RESIDUE_HISTORIES");
  params.maxSuccess = count != nullptr ? std::atoi(count) / 3 : 35;
  params.disableShrinking = std::getenv("RESIDUE_HISTORY_SHRINK") == nullptr;
  params.seed = 20240607;
  const auto result = rc::detail::checkTestable(
      [&] {
        const auto commands = *rc::gen::resize(18, rc::gen::arbitrary<std::vector<Command>>());
        const auto wrong = follow(commands, totals, server.url());
        if (!wrong.empty()) {
          RC_FAIL(fmt::format("{} differences; history: {}\n{}", wrong.size(), encode(commands), wrong.front()));
        }
      },
      rc::detail::TestMetadata(), params);
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  EXPECT_TRUE(result.template is<rc::detail::SuccessResult>()) << message.str();
  std::cout << fmt::format("{} histories, {} commands, {} metric rows compared, {} requests\n", totals.histories,
                           totals.commands, totals.rows, server.requests());
  EXPECT_GT(server.requests(), totals.histories * 3);
}

}  // namespace
}  // namespace residue::query::testing
