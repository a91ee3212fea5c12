#include "page/answers/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include "query/sql/sql_shell.h"

namespace residue::page {
namespace {

constexpr int kTimeoutMs = 10'000;
constexpr std::uint64_t kMostOfPage = 1'000;

std::string joined(const std::vector<std::string>& conditions) {
  return conditions.empty() ? "1" : fmt::format("{}", fmt::join(conditions, " AND "));
}

// What is to be equal, by column; a value that is not there has an empty name in addresses.
std::map<std::string, std::string> chosen_of(const Wanted& wanted, const std::vector<std::string>& counted) {
  std::map<std::string, std::string> chosen;
  for (const std::string& column : counted) {
    const auto& query = wanted.request().query;
    if (const auto found = query.find(column); found != query.end()) {
      chosen[column] =
          found->second.empty() ? column + " IS NULL" : fmt::format("{} = {}", column, sql_string(found->second));
    }
  }
  return chosen;
}

std::string where_of(const TableQuery& query, const std::map<std::string, std::string>& chosen,
                     std::string_view but = {}) {
  std::vector<std::string> conditions;
  if (!query.where.empty()) conditions.push_back(query.where);
  for (const auto& [column, condition] : chosen) {
    if (column != but) conditions.push_back(condition);
  }
  return joined(conditions);
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
  result.more = query::run_statement(options, sql, sink).more;
  return result;
}

Reply table(const Viewer& viewer, const Wanted& wanted, const TableQuery& query, const std::string& file) {
  const auto chosen = chosen_of(wanted, query.counted);
  const std::string where = where_of(query, chosen);
  const std::string whole = fmt::format("SELECT {} FROM {} WHERE {} ORDER BY {}", query.columns, query.from, where,
                                        query.order.empty() ? "1" : query.order);
  if (wanted.csv()) {
    const Rows all = rows(viewer, whole);
    return {.type = "text/csv", .body = csv_of(all.columns, all.rows), .file = file + ".csv"};
  }
  const Part part{wanted.number("offset", 0, 1U << 31U), wanted.number("limit", 100, kMostOfPage)};
  const Rows page = rows(viewer, fmt::format("{} LIMIT {} OFFSET {}", whole, part.limit, part.offset));
  Json answer = {{"columns", page.columns}, {"rows", Json::array()}};
  for (const auto& row : page.rows) {
    Json cells = Json::array();
    for (const auto& value : row) cells.push_back(json_of(value));
    answer["rows"].push_back(std::move(cells));
  }
  answer["offset"] = part.offset;
  const auto count = rows(viewer, fmt::format("SELECT count(*) FROM {} WHERE {}", query.from, where));
  answer["total"] = count.first(0);
  answer["sql"] = whole + ";";
  for (const std::string& column : query.counted) {
    const Rows counted =
        rows(viewer, fmt::format("SELECT {0}, count(*) FROM {1} WHERE {2} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 100",
                                 column, query.from, where_of(query, chosen, column)));
    Json& facet = answer["facets"][column] = Json::array();
    for (const auto& row : counted.rows) facet.push_back(Json::array({json_of(row[0]), json_of(row[1])}));
  }
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
