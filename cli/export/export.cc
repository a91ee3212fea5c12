// export: a table of the store as a file, row by row.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cli/command.h"
#include "cli/export/attempt_columns.h"
#include "cli/export/export_flags.h"
#include "cli/flags/new_output.h"
#include "cli/open.h"
#include "cli/print/formats.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/print/table_stream.h"
#include "cli/syntax.h"
#include "query/export/export_rows.h"
#include "query/parquet/parquet_writer.h"

namespace residue::cli {
namespace {

using query::ParquetType;
using Columns = std::vector<const query::ExportColumn*>;

struct Options {
  std::string table;
  std::optional<std::string> where;
  ExportFlags flags;
  bool parquet = false, raw = false;
  std::optional<std::uint64_t> limit;
};

// A file of rows that is written as they come.
class Rows {
 public:
  Rows() = default;
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  virtual ~Rows() = default;
  virtual void row(query::ExportRow values) = 0;
  virtual void finish() = 0;
};

class CsvRows : public Rows {
 public:
  CsvRows(Output& out, const Globals& globals, const Columns& columns, bool raw)
      : columns_(columns), globals_(csv(globals, raw)), stream_(out, globals_, titles(columns)) {}

  void row(query::ExportRow values) override {
    std::vector<Cell> cells;
    cells.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) cells.push_back(cell_of(std::move(values[i]), columns_[i]->type));
    stream_.row(std::move(cells));
  }
  void finish() override { stream_.finish(); }

 private:
  static Globals csv(Globals globals, bool raw) {
    globals.format = Format::kCsv;
    globals.spreadsheet = !raw;
    return globals;
  }
  static std::vector<Column> titles(const Columns& columns) {
    std::vector<Column> titles;
    for (const query::ExportColumn* column : columns) titles.push_back({column->name, Type::kText, ""});
    return titles;
  }
  static Cell cell_of(query::SqlValue value, ParquetType type) {
    if (auto* text = std::get_if<std::string>(&value)) return std::move(*text);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    const auto* whole = std::get_if<std::int64_t>(&value);
    if (whole == nullptr) return {};
    return type == ParquetType::kBoolean ? Cell(std::string(*whole != 0 ? "true" : "false")) : Cell(*whole);
  }

  const Columns& columns_;
  Globals globals_;
  TableStream stream_;
};

class JsonRows : public Rows {
 public:
  JsonRows(Output& out, const Columns& columns) : out_(out), columns_(columns) {
    for (const query::ExportColumn* column : columns) names_.push_back(json_string(column->name) + ": ");
  }

  void row(query::ExportRow values) override {
    line_ = "{";
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) line_ += ", ";
      line_ += names_[i];
      if (const auto* text = std::get_if<std::string>(&values[i])) {
        line_ += json_string(*text);
      } else if (const auto* real = std::get_if<double>(&values[i])) {
        line_ += json_number(*real);
      } else if (const auto* whole = std::get_if<std::int64_t>(&values[i])) {
        line_ += columns_[i]->type == ParquetType::kBoolean ? (*whole != 0 ? "true" : "false") : std::to_string(*whole);
      } else {
        line_ += "null";
      }
    }
    line_ += "}\n";
    out_.write_json(line_);
  }
  void finish() override {}

 private:
  Output& out_;
  const Columns& columns_;
  std::vector<std::string> names_;
  std::string line_;
};

class ParquetRows : public Rows {
 public:
  ParquetRows(Output& out, const Columns& columns, query::ReadLevel level, std::string_view table)
      : columns_(columns),
        writer_(types(columns), [&out](std::string_view bytes) { out.write(bytes); },
                {{"residue.table", std::string(table)},
                 {"residue.level", std::string(query::name_of(level))},
                 {"residue.schema_version", std::to_string(query::kExportSchemaVersion)}}) {}

  void row(query::ExportRow values) override {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (const auto* text = std::get_if<std::string>(&values[i])) {
        writer_.utf8(*text);
      } else if (const auto* real = std::get_if<double>(&values[i])) {
        writer_.real(*real);
      } else if (const auto* whole = std::get_if<std::int64_t>(&values[i])) {
        columns_[i]->type == ParquetType::kBoolean ? writer_.boolean(*whole != 0) : writer_.int64(*whole);
      } else {
        writer_.null();
      }
    }
    writer_.end_row();
  }
  void finish() override { writer_.finish(); }

 private:
  static std::vector<query::ParquetColumn> types(const Columns& columns) {
    std::vector<query::ParquetColumn> types;
    for (const query::ExportColumn* column : columns) types.push_back({column->name, column->type});
    return types;
  }

  const Columns& columns_;
  query::ParquetWriter writer_;
};

enum class Kind { kCsv, kJsonl, kParquet };

// What is asked for, else what the name of the file says, else csv.
Kind kind_of(const Context& context, const Options& options) {
  const Globals& globals = context.globals;
  if (options.parquet) {
    if (globals.format_given) throw Error(Code::kUsage, "--parquet and another format", "leave one of them out");
    return Kind::kParquet;
  }
  if (globals.format_given) {
    if (globals.format == Format::kCsv) return Kind::kCsv;
    if (globals.format == Format::kJsonl) return Kind::kJsonl;
    throw Error(Code::kUsage, "export writes csv, jsonl or Parquet", "--csv, --format jsonl or --parquet");
  }
  const std::string file = globals.output.value_or("");
  if (file.ends_with(".parquet")) return Kind::kParquet;
  return file.ends_with(".jsonl") ? Kind::kJsonl : Kind::kCsv;
}

std::unique_ptr<Rows> open_rows(Context& context, const Options& options, const query::ExportTable& table,
                                const Columns& columns) {
  const Kind kind = kind_of(context, options);
  if (options.raw && kind != Kind::kCsv) throw Error(Code::kUsage, "--raw is about csv", "leave it out");
  switch (kind) {
    case Kind::kCsv:
      return std::make_unique<CsvRows>(context.out, context.globals, columns, options.raw);
    case Kind::kJsonl:
      return std::make_unique<JsonRows>(context.out, columns);
    case Kind::kParquet:
      if (context.out.to_terminal()) throw Error(Code::kUsage, "Parquet is not for a terminal", "-o FILE.parquet");
      return std::make_unique<ParquetRows>(context.out, columns, options.flags.level(), table.name);
  }
  return nullptr;
}

int export_table(Context& context, const Options& options) {
  require_new_output(context);
  query::ExportRequest request;
  request.table = &query::export_table(options.table);
  request.how = export_options(context, options.flags);
  if (options.limit) request.how.most_rows = *options.limit;
  if (options.where && options.where->find_first_not_of(" \t\r\n") == std::string::npos) {
    throw Error(Code::kUsage, "--where: no condition", "leave it out for all rows");
  }
  request.where = options.where.value_or("");
  const Columns own = query::columns_at(*request.table, request.how.level, request.how.texts);
  Columns columns = own;
  std::optional<AttemptColumns> attempts;
  if (options.table == "intruder") {
    if (request.how.level == query::ReadLevel::kReleased) {
      throw Error(Code::kUsage, "attempts are what people said: they are not of the release", "--claims reads them");
    }
    attempts.emplace(*open_store(context, true));  // closed again: the rows are read by a child
    for (const query::ExportColumn& column : AttemptColumns::columns()) columns.push_back(&column);
  }
  const std::unique_ptr<Rows> rows = open_rows(context, options, *request.table, columns);
  std::uint64_t count = 0;
  const bool more = query::export_rows(request, [&](query::ExportRow row) {
    if (attempts) attempts->add_to(row, own);
    rows->row(std::move(row));
    ++count;
    context.out.require_reader();
  });
  rows->finish();
  finish_new_output(context);
  if (context.globals.output) {
    context.out.note(fmt::format("wrote {} {} to {}; {}", grouped(count), count == 1 ? "row" : "rows",
                                 *context.globals.output, texts_text(options.flags)));
  }
  if (more) context.out.note("there are more rows: --limit N writes more");
  return 0;
}

Run setup(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  std::vector<std::string> tables;
  std::string list;
  for (const query::ExportTable& table : query::export_tables()) {
    tables.emplace_back(table.name);
    list += (list.empty() ? "" : ", ") + tables.back();
  }
  syntax.add("TABLE", options->table, list).required().one_of_described(tables);
  syntax.add("--where", options->where, "only rows for which this SQL condition on the columns is true")
      .type("CONDITION");
  add_export_flags(syntax, options->flags);
  syntax.flag("--parquet", options->parquet, "write Parquet, as a file named .parquet is");
  syntax.flag("--raw", options->raw, "csv with texts as they are: a spreadsheet may run one as a formula");
  syntax.add("--limit", options->limit, "rows at most (all)").range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000});
  return [options](Context& context) {
    return until_closed(context.out, [&] { return export_table(context, *options); });
  };
}

}  // namespace

Command export_command() {
  return {
      .name = "export",
      .group = Group::kLook,
      .summary = "a table of the store as csv, jsonl or Parquet",
      .usage = "TABLE [-o FILE]",
      .details =
          "The tables are the views of residue sql, and labels. A file is csv, jsonl or Parquet by its name's "
          "ending, by --csv, --format jsonl or --parquet; else it is csv. An existing file is never replaced. Rows "
          "are written as they come, in memory that does not grow with them.\n"
          "Columns *_text hold the text itself. Without a flag these are texts of runs other than the controls, so "
          "the file says no more than the release. --claims adds claims, labels and answers, --originals "
          "everything. A column of a higher level is left out.\n"
          "--where takes one SQL condition on the columns that are written. It has no subselect and sees no other "
          "column, so that no text can be guessed through it.\n"
          "In csv, a text that begins with = + - @, a tab or a carriage return gets a leading apostrophe, as "
          "spreadsheets would run it, and so does one that begins with apostrophes and then one of these: the first "
          "apostrophe is always ours. Numbers stay. --raw leaves texts as they are. Columns of yes and no are true "
          "and false.\n"
          "intruder is what people said, and needs --claims. It also says how each attempt counts (state, "
          "named_changed); "
          "--where does not see these two.",
      .examples = {{"residue export leaks --where \"run = 'scrub' AND rating = 1\" --claims -o leaks.csv",
                    "what was learned from one run, for a spreadsheet"},
                   {"residue export scores -o scores.parquet", "every record's scores, for a data frame"},
                   {"residue export metrics --format jsonl", "all metrics, a line each"}},
      .setup = setup};
}

}  // namespace residue::cli
