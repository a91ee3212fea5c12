#include "page/answers/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include "base/error.h"
#include "query/sql/sql_shell.h"

namespace residue::page {
namespace {

constexpr int kTimeoutMs = 10'000;
constexpr std::uint64_t kMostOfPage = 1'000;
constexpr std::size_t kMostValues = 100;  // of a facet, the most frequent

std::string joined(const std::vector<std::string>& conditions) {
  return conditions.empty() ? "1" : fmt::format("{}", fmt::join(conditions, " AND "));
}

// What is to be equal, by column; a value that is not there has an empty name in addresses.
using Chosen = std::map<std::string, std::string>;

Chosen chosen_of(const Wanted& wanted, const std::vector<std::string>& counted) {
  Chosen chosen;
  for (const std::string& column : counted) {
    const auto& query = wanted.request().query;
    if (const auto found = query.find(column); found != query.end()) chosen[column] = found->second;
  }
  return chosen;
}

bool is_list(const TableQuery& query, const std::string& column) {
  return std::ranges::find(query.lists, column) != query.lists.end();
}

std::string where_of(const TableQuery& query, const Chosen& chosen) {
  std::vector<std::string> conditions;
  if (!query.where.empty()) conditions.push_back(query.where);
  for (const auto& [column, value] : chosen) {
    if (is_list(query, column)) {
      conditions.push_back(value.empty() ? fmt::format("({0} IS NULL OR {0} = '[]')", column)
                                         : fmt::format("instr({}, {}) > 0", column, sql_string(Json(value).dump())));
      continue;
    }
    conditions.push_back(value.empty() ? column + " IS NULL" : fmt::format("{} = {}", column, sql_string(value)));
  }
  return joined(conditions);
}

// How many rows have each combination of values: one reading, from which every count follows.
struct Counts {
  Json total;
  Json facets = Json::object();
};

// What a facet has of a value: itself, or the values of a list; null where there is none.
Json::Array values_of(const query::SqlValue& value, bool list) {
  const Json json = json_of(value);
  if (!list || !json.is_string()) return {json};
  Json::Array values;
  const Json elements = Json::parse(json.get<std::string>()).value_or(Json());
  for (std::size_t i = 0; elements.is_array() && i < elements.size(); ++i) values.push_back(elements[i]);
  if (values.empty()) values.emplace_back();
  return values;
}

bool is_chosen(const Json& value, const std::string& wanted) {
  if (value.is_null()) return wanted.empty();
  return value.is_string() ? value.get<std::string>() == wanted : value.dump() == wanted;
}

Counts counts_of(const Viewer& viewer, const TableQuery& query, const Chosen& chosen) {
  Counts counts;
  if (query.counted.empty()) {
    counts.total =
        rows(viewer, fmt::format("SELECT count(*) FROM {} WHERE {}", query.from, where_of(query, {}))).first(0);
    return counts;
  }
  const std::string names = fmt::format("{}", fmt::join(query.counted, ", "));
  const Rows combinations = rows(viewer, fmt::format("SELECT {0}, count(*) FROM {1} WHERE {2} GROUP BY {0}", names,
                                                     query.from, where_of(query, {})));
  const std::size_t columns = query.counted.size();
  std::vector<std::map<std::string, std::pair<Json, std::int64_t>>> seen(columns);
  std::int64_t total = 0;
  std::vector<Json::Array> values(columns);
  for (const auto& row : combinations.rows) {
    const auto count = std::get<std::int64_t>(row[columns]);
    std::vector<bool> meets(columns, true);
    for (std::size_t i = 0; i < columns; ++i) {
      values[i] = values_of(row[i], is_list(query, query.counted[i]));
      const auto found = chosen.find(query.counted[i]);
      meets[i] = found == chosen.end() ||
                 std::ranges::any_of(values[i], [&](const Json& one) { return is_chosen(one, found->second); });
    }
    const auto failing = static_cast<std::size_t>(std::ranges::count(meets, false));
    if (failing == 0) total += count;
    for (std::size_t i = 0; i < columns; ++i) {
      if (failing > (meets[i] ? 0U : 1U)) continue;  // another facet leaves it out
      for (const Json& one : values[i]) {
        auto& [value, times] = seen[i][one.dump()];
        value = one;
        times += count;
      }
    }
  }
  counts.total = total;
  for (std::size_t i = 0; i < columns; ++i) {
    std::vector<std::pair<Json, std::int64_t>> most;
    for (auto& [key, one] : seen[i]) most.push_back(std::move(one));
    std::ranges::stable_sort(most, std::ranges::greater(), [](const auto& one) { return one.second; });
    if (most.size() > kMostValues) most.resize(kMostValues);
    Json& facet = counts.facets[query.counted[i]] = Json::array();
    for (auto& [value, times] : most) facet.push_back(Json::array({std::move(value), times}));
  }
  return counts;
}

void add_cell(std::string& out, const query::SqlValue& value) {
  std::string cell;
  if (const auto* const text = std::get_if<std::string>(&value)) {
    cell = *text;
    if (!cell.empty() && std::string_view("=+-@\t\r").find(cell.front()) != std::string_view::npos)
      cell.insert(0, 1, '\'');
  } else if (!std::holds_alternative<std::monostate>(value)) {
    cell = json_of(value).dump();
  }
  if (cell.find_first_of(",\"\r\n") == std::string::npos) {
    out += cell;
    return;
  }
  out += '"';
  for (const char c : cell) out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

}  // namespace

std::string sql_string(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out.append(c == '\'' ? 2 : 1, c);
  return out + "'";
}

bool stopped_at_time_limit(const Error& error) {
  return std::string_view(error.what()).starts_with("sql: stopped at its time limit");
}

Json json_of(const query::SqlValue& value) {
  return std::visit(
      [](const auto& of) -> Json {
        using Of = std::decay_t<decltype(of)>;
        if constexpr (std::is_same_v<Of, std::monostate>)
          return nullptr;
        else if constexpr (std::is_same_v<Of, query::SqlBlob>)
          return fmt::format("({} bytes)", of.bytes.size());
        else
          return of;
      },
      value);
}

Json Rows::first(std::size_t column) const { return rows.empty() ? Json() : json_of(rows.front().at(column)); }

Json Rows::cells() const {
  Json all = Json::array();
  for (const auto& row : rows) {
    Json one = Json::array();
    for (const query::SqlValue& value : row) one.push_back(json_of(value));
    all.push_back(std::move(one));
  }
  return all;
}

Json Rows::objects() const {
  Json all = Json::array();
  for (const auto& row : rows) {
    Json one = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) one[columns[i]] = json_of(row[i]);
    all.push_back(std::move(one));
  }
  return all;
}

Rows rows(const Viewer& viewer, const std::string& sql, std::uint64_t most) {
  query::SqlOptions options;
  options.store = viewer.store;
  options.level = viewer.level;
  options.timeout_ms = kTimeoutMs;
  options.most_rows = most;
  Rows result;
  query::SqlSink sink;
  sink.columns = [&](const std::vector<std::string>& names) { result.columns = names; };
  sink.row = [&](std::vector<query::SqlValue> row) { result.rows.push_back(std::move(row)); };
  try {
    result.more = query::run_statement(options, sql, sink).more;
  } catch (const Error& error) {
    if (!stopped_at_time_limit(error)) throw;
    throw Error(Code::kTryAgain, "the answer took more than ten seconds", "ask for less, or residue sql --timeout S");
  }
  return result;
}

Reply table(const Viewer& viewer, const Wanted& wanted, const TableQuery& query, const std::string& file) {
  const auto chosen = chosen_of(wanted, query.counted);
  const std::string where = where_of(query, chosen);
  const std::string whole = fmt::format("SELECT {} FROM {} WHERE {}{}{}", query.columns, query.from, where,
                                        query.order.empty() ? "" : " ORDER BY ", query.order);
  if (wanted.csv()) {
    const Rows all = rows(viewer, whole);
    if (all.more) {
      throw Error(Code::kUsage, fmt::format("the table has more than {} rows", kMostRows),
                  "residue export writes all of it, and so does residue sql --csv --limit N");
    }
    return {.type = "text/csv", .body = csv_of(all.columns, all.rows), .file = file + ".csv"};
  }
  const Part part{wanted.number("offset", 0, 1U << 31U), wanted.number("limit", 100, kMostOfPage)};
  const Rows page = rows(viewer, fmt::format("{} LIMIT {} OFFSET {}", whole, part.limit, part.offset));
  Json answer = {{"columns", page.columns}, {"rows", page.cells()}};
  answer["offset"] = part.offset;
  Counts counts = counts_of(viewer, query, chosen);
  answer["total"] = std::move(counts.total);
  answer["sql"] = whole + ";";
  if (query.about.is_object()) answer.update(query.about);
  if (!query.counted.empty()) answer["facets"] = std::move(counts.facets);
  return {.body = answer.dump()};
}

std::string csv_of(const std::vector<std::string>& columns, const query::SqlRows& rows) {
  std::string out;
  std::vector<query::SqlValue> head(columns.begin(), columns.end());
  const auto add = [&](const std::vector<query::SqlValue>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) out += ',';
      add_cell(out, row[i]);
    }
    out += "\r\n";
  };
  add(head);
  for (const auto& row : rows) add(row);
  return out;
}

}  // namespace residue::page
