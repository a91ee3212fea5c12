#include "page/answers/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "base/error.h"
#include "query/sql/sql_shell.h"
#include "text/characters/spreadsheet.h"

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

bool meets(const query::SqlValue& value, bool list, const Chosen& chosen, const std::string& column) {
  const auto found = chosen.find(column);
  return found == chosen.end() ||
         std::ranges::any_of(values_of(value, list), [&](const Json& one) { return is_chosen(one, found->second); });
}

// By level, up to the viewer's: which texts may be read is looked up once, not in each statement.
std::vector<Kept::Bytes> known_texts(const Viewer& viewer) {
  std::vector<Kept::Bytes> known;
  for (const query::ReadLevel level : query::kReadLevels) {
    if (level > viewer.level) break;
    known.push_back(kept_or(viewer, fmt::format("texts of the level {}", query::name_of(level)),
                            [&] { return query::texts_of(*open_to_read(viewer), level); }));
  }
  return known;
}

}  // namespace

std::vector<Kept::Bytes> add_known_texts(const Viewer& viewer, const std::string& sql, query::SqlOptions& options) {
  constexpr std::string_view kName = "text";
  const auto same = [](char a, char b) { return (a | 0x20) == b; };
  if (std::search(sql.begin(), sql.end(), kName.begin(), kName.end(), same) == sql.end()) return {};
  std::vector<Kept::Bytes> texts = known_texts(viewer);
  for (std::size_t i = 0; i < texts.size(); ++i) options.known_texts[i] = *texts[i];
  return texts;
}

namespace {

// Throws as query::run_statement, Error{try again} where it takes too long.
bool run(const Viewer& viewer, const std::string& sql, std::uint64_t most, const query::SqlSink& sink) {
  query::SqlOptions options;
  options.store = viewer.store;
  options.level = viewer.level;
  options.timeout_ms = kTimeoutMs;
  options.most_rows = most;
  const std::vector<Kept::Bytes> held = add_known_texts(viewer, sql, options);
  try {
    return query::run_statement(options, sql, sink).more;
  } catch (const Error& error) {
    if (!stopped_at_time_limit(error)) throw;
    throw Error(Code::kTryAgain, "the answer took more than ten seconds", "ask for less, or residue sql --timeout S");
  }
}

std::string statement(const TableQuery& query, const std::string& where) {
  return fmt::format("SELECT {} FROM {} WHERE {}{}{}", query.columns, query.from, where,
                     query.order.empty() ? "" : " ORDER BY ", query.order);
}

// How many rows have each combination of values of what is counted: one reading, from which every count follows.
std::string combinations_statement(const TableQuery& query) {
  std::string names = fmt::format("{}", fmt::join(query.counted, ", "));
  if (names.empty()) return fmt::format("SELECT count(*) FROM {} WHERE {}", query.from, where_of(query, {}));
  return fmt::format("SELECT {0}, count(*) FROM {1} WHERE {2} GROUP BY {0}", names, query.from, where_of(query, {}));
}

// What Rows::cells() made, of whole numbers and words.
query::SqlRows from_cells(const Json& cells) {
  query::SqlRows rows;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    auto& row = rows.emplace_back();
    for (std::size_t j = 0; j < cells[i].size(); ++j) {
      const Json& cell = cells[i][j];
      if (cell.is_string())
        row.emplace_back(cell.get<std::string>());
      else if (cell.is_null())
        row.emplace_back();
      else
        row.emplace_back(cell.get<std::int64_t>());
    }
  }
  return rows;
}

void add_cell(std::string& out, const query::SqlValue& value) {
  std::string cell;
  if (const auto* const text = std::get_if<std::string>(&value)) {
    cell = *text;
    if (text::needs_apostrophe(cell)) cell.insert(0, 1, '\'');
  } else if (const auto* const real = std::get_if<double>(&value); real != nullptr && std::isinf(*real)) {
    cell = *real > 0 ? "inf" : "-inf";  // JSON would say null
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
  Rows result;
  query::SqlSink sink;
  sink.columns = [&](const std::vector<std::string>& names) { result.columns = names; };
  sink.row = [&](std::vector<query::SqlValue> row) { result.rows.push_back(std::move(row)); };
  result.more = run(viewer, sql, most, sink);
  return result;
}

void each_row(const Viewer& viewer, const std::string& sql, const std::function<void(std::string_view packed)>& row) {
  query::SqlSink sink;
  sink.packed = row;
  run(viewer, sql, std::numeric_limits<std::int64_t>::max(), sink);
}

std::string statement_of(const TableQuery& query, const Wanted& wanted) {
  return statement(query, where_of(query, chosen_of(wanted, query.counted)));
}

bool is_wanted(const TableQuery& query, const Wanted& wanted, std::span<const query::SqlValue> values) {
  const Chosen chosen = chosen_of(wanted, query.counted);
  for (std::size_t i = 0; i < query.counted.size(); ++i) {
    if (!meets(values[i], is_list(query, query.counted[i]), chosen, query.counted[i])) return false;
  }
  return true;
}

void add_counts(Json& answer, const TableQuery& query, const Wanted& wanted, const query::SqlRows& combinations) {
  const Chosen chosen = chosen_of(wanted, query.counted);
  const std::size_t columns = query.counted.size();
  std::vector<std::map<std::string, std::pair<Json, std::int64_t>>> seen(columns);
  std::int64_t total = 0;
  for (const auto& row : combinations) {
    const auto count = std::get<std::int64_t>(row[columns]);
    std::vector<bool> met(columns, true);
    for (std::size_t i = 0; i < columns; ++i) {
      met[i] = meets(row[i], is_list(query, query.counted[i]), chosen, query.counted[i]);
    }
    const auto failing = static_cast<std::size_t>(std::ranges::count(met, false));
    if (failing == 0) total += count;
    for (std::size_t i = 0; i < columns; ++i) {
      if (failing > (met[i] ? 0U : 1U)) continue;  // another facet leaves it out
      for (const Json& one : values_of(row[i], is_list(query, query.counted[i]))) {
        auto& [value, times] = seen[i][one.dump()];
        value = one;
        times += count;
      }
    }
  }
  answer["total"] = total;
  if (columns == 0) return;
  Json& facets = answer["facets"] = Json::object();
  for (std::size_t i = 0; i < columns; ++i) {
    std::vector<std::pair<Json, std::int64_t>> most;
    for (auto& [key, one] : seen[i]) most.push_back(std::move(one));
    std::ranges::stable_sort(most, std::ranges::greater(), [](const auto& one) { return one.second; });
    if (most.size() > kMostValues) most.resize(kMostValues);
    Json& facet = facets[query.counted[i]] = Json::array();
    for (auto& [value, times] : most) facet.push_back(Json::array({std::move(value), times}));
  }
}

Part part_of(const Wanted& wanted) {
  return {wanted.number("offset", 0, 1U << 31U), wanted.number("limit", 100, kMostOfPage)};
}

Reply table(const Viewer& viewer, const Wanted& wanted, const TableQuery& query, const std::string& file) {
  const std::string whole = statement_of(query, wanted);
  if (wanted.csv()) {
    const Rows all = rows(viewer, whole);
    if (all.more) {
      throw Error(Code::kUsage, fmt::format("the table has more than {} rows", kMostRows),
                  "residue export writes all of it, and so does residue sql --csv --limit N");
    }
    return {.type = "text/csv", .body = csv_of(all.columns, all.rows), .file = file + ".csv"};
  }
  const Part part = part_of(wanted);
  const Rows page = rows(viewer, fmt::format("{} LIMIT {} OFFSET {}", whole, part.limit, part.offset));
  Json answer = {{"columns", page.columns}, {"rows", page.cells()}, {"offset", part.offset}, {"total", nullptr}};
  answer["sql"] = whole + ";";
  if (query.about.is_object()) answer.update(query.about);
  const std::string counting = combinations_statement(query);
  if (wanted.text("counts") != "later" || (viewer.kept != nullptr && viewer.kept->find(counting))) {
    const Kept::Bytes counted = kept_or(viewer, counting, [&] { return rows(viewer, counting).cells().dump(); });
    const Json combinations = Json::parse(*counted).value_or(Json());
    add_counts(answer, query, wanted, from_cells(combinations));
    if (query.combined) answer["combinations"] = combinations;
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
