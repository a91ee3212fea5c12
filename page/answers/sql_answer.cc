// The console: a statement of the person's own.
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "page/answers/answers.h"
#include "page/answers/rows.h"
#include "page/serve/worker.h"
#include "query/sql/sql_shell.h"

namespace residue::page {
namespace {

constexpr std::uint64_t kShown = 1'000;
constexpr std::int64_t kMostExact = std::int64_t{1} << 53;  // JavaScript rounds whole numbers beyond

// What a number of JSON cannot carry to a page comes as words.
Json exact(const query::SqlValue& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) {
    if (*whole > kMostExact || *whole < -kMostExact) return std::to_string(*whole);
  }
  if (const auto* const real = std::get_if<double>(&value); real != nullptr && std::isinf(*real)) {
    return *real > 0 ? "inf" : "-inf";
  }
  return json_of(value);
}

Json exact_cells(const query::SqlRows& rows) {
  Json all = Json::array();
  for (const auto& row : rows) {
    Json one = Json::array();
    for (const query::SqlValue& value : row) one.push_back(exact(value));
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

Reply answer_sql(const Viewer& viewer, const Wanted& wanted) {
  const auto begun = std::chrono::steady_clock::now();
  query::SqlOptions options;
  options.store = viewer.store;
  options.level = viewer.level;
  options.most_rows = wanted.csv() ? kMostRows : kShown;
  const std::vector<Kept::Bytes> held = add_known_texts(viewer, wanted.request().body, options);
  Rows found;
  std::optional<std::size_t> place;
  std::vector<std::string> advice;
  query::SqlSink sink;
  sink.columns = [&](const std::vector<std::string>& names) { found.columns = names; };
  sink.row = [&](std::vector<query::SqlValue> row) { found.rows.push_back(std::move(row)); };
  sink.place = [&](std::size_t byte) { place = byte; };
  sink.advice = [&](const std::string& line) { advice.push_back(line); };
  try {
    const query::SqlEnd end = query::run_statement(options, wanted.request().body, sink);
    found.more = end.more;
    if (wanted.request().body.find_first_not_of(" \t\r\n;", end.next) != std::string::npos) {
      throw Error(Code::kUsage, "sql: there is something behind the first statement", "give one statement at a time");
    }
  } catch (const Error& error) {
    if (stopped_at_time_limit(error)) {
      return failed(503, error.what(), "residue sql --timeout S at a terminal");
    }
    Json answer = {{"error", error.what()}, {"hint", error.hint()}};
    if (place) answer["place"] = *place;
    return {.status = error.code() == Code::kUsage || error.code() == Code::kBadInput ? 400 : 500,
            .body = answer.dump()};
  }
  if (wanted.csv() && found.more)
    return failed(400, "there are more than a million rows", "residue sql --csv --limit N");
  if (wanted.csv()) return {.type = "text/csv", .body = csv_of(found.columns, found.rows), .file = "answer.csv"};
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begun);
  return {.body = Json({{"columns", found.columns},
                        {"rows", exact_cells(found.rows)},
                        {"more", found.more},
                        {"notes", advice},
                        {"ms", took.count()}})
                      .dump()};
}

}  // namespace residue::page
