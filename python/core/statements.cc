#include "python/core/statements.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "python/core/running.h"
#include "python/tables/table.h"
#include "query/sql/levels/face_words.h"
#include "query/sql/packed_values.h"
#include "query/sql/sql_shell.h"

namespace residue::python {
namespace {

struct Wanted {
  std::string store, program, sql, level, lexicon;
  double timeout_s = 10;
  std::uint64_t most_rows = 0;
};

std::vector<Column> columns_of(const std::vector<std::string>& names) {
  std::vector<Column> columns;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!seen.insert(names[i]).second) {
      throw Error(Code::kUsage, fmt::format("sql: column {} has the name of an earlier one", i + 1),
                  "give it another name: SELECT ... AS name");
    }
    columns.emplace_back(names[i]);
  }
  return columns;
}

std::shared_ptr<Table> answer(const Wanted& wanted, const Running& running) {
  query::SqlOptions options;
  options.store = wanted.store;
  options.program = wanted.program;
  options.timeout_ms = static_cast<int>(std::clamp(wanted.timeout_s, 0.1, 86400.0) * 1000);
  options.most_rows = wanted.most_rows;
  options.level = query::read_level(wanted.level).value();  // the package has looked at the name
  options.lexicon = wanted.lexicon;
  options.interrupted = running.interrupted;
  const auto table = std::make_shared<Table>();
  if (wanted.sql.empty()) return table;
  query::SqlSink sink;
  sink.columns = [&](const std::vector<std::string>& names) { table->columns = columns_of(names); };
  query::PackedValue value;
  sink.packed = [&](std::string_view row) {
    query::PackedValues values(row);
    for (Column& column : table->columns) {
      if (!values.next(value)) value.type = 'n';
      column.add(value);
    }
    ++table->rows;
  };
  query::SqlEnd end;
  try {
    end = query::run_statement(options, wanted.sql, sink);
  } catch (const Error& error) {
    throw Error(error.code(), in_words_of(query::Face::kPackage, error.what()),
                in_words_of(query::Face::kPackage, error.hint()));
  }
  if (end.more) {
    throw Error(Code::kUsage, fmt::format("sql: the statement has more than {} rows", wanted.most_rows),
                "add a WHERE or a LIMIT, or allow more with limit=");
  }
  if (wanted.sql.find_first_not_of(" \t\r\n;", end.next) != std::string::npos) {
    throw Error(Code::kUsage, "sql: there is something behind the first statement", "give one statement at a time");
  }
  return table;
}

}  // namespace

void bind_statements(pybind11::module_& module) {
  module.def("sql",
             [](const std::string& store, const std::string& program, const std::string& sql, const std::string& level,
                const std::string& lexicon, double timeout_s, std::uint64_t most_rows) {
               const Wanted wanted{store, program, sql, level, lexicon, timeout_s, most_rows};
               return run_for(pybind11::none(), [&](const Running& running) { return answer(wanted, running); });
             });
}

}  // namespace residue::python
