#include "query/export/export_table.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "base/nearest.h"

namespace residue::query {
namespace {

using enum ParquetType;
using enum ReadLevel;
using Text = ExportColumn::Text;

// word: a name or a word of the catalog. whole, real, yes: a number. text, released: the number of a text.
constexpr ExportColumn word(const char* name) { return {name, kUtf8, kReleased, Text::kNone}; }
constexpr ExportColumn whole(const char* name) { return {name, kInt64, kReleased, Text::kNone}; }
constexpr ExportColumn real(const char* name) { return {name, kDouble, kReleased, Text::kNone}; }
constexpr ExportColumn yes(const char* name) { return {name, kBoolean, kReleased, Text::kNone}; }
// What a person said, and what came of it.
constexpr ExportColumn said(const char* name, ParquetType type = kUtf8) { return {name, type, kClaims, Text::kNone}; }
constexpr ExportColumn text(const char* name, ReadLevel level) { return {name, kUtf8, level, Text::kAny}; }
constexpr ExportColumn released(const char* name) { return {name, kUtf8, kReleased, Text::kOfRelease}; }

constexpr auto kRuns = std::to_array<ExportColumn>(
    {word("dataset"), word("run"), word("kind"), word("sanitizer"), word("params"), whole("seed"), word("group"),
     yes("removes_everything"), whole("variants"), whole("failed"), whole("created_at")});
constexpr auto kRecords = std::to_array<ExportColumn>({word("dataset"), word("record"), word("person"), word("label"),
                                                       text("record_text", kOriginals), text("task_text", kOriginals),
                                                       text("meta_text", kOriginals)});
constexpr auto kVariants =
    std::to_array<ExportColumn>({word("dataset"), word("run"), word("record"), word("key"), word("error"),
                                 released("variant_text"), text("record_text", kOriginals)});
constexpr auto kClaimColumns = std::to_array<ExportColumn>(
    {word("dataset"), word("claim_set"), word("record"), whole("n"), word("category"), text("claim_text", kClaims)});
constexpr auto kLinks = std::to_array<ExportColumn>(
    {word("dataset"), word("run"), word("protocol"), whole("sample"), word("record"), word("linked"), word("outcome"),
     whole("tied"), whole("rank"), text("query_text", kClaims), released("linked_text")});
constexpr auto kJudgments = std::to_array<ExportColumn>(
    {word("dataset"), word("run"), word("protocol"), whole("sample"), word("judge"), word("record"), whole("n"),
     whole("rating"), yes("known"), word("outcome"), yes("counts"), word("category"), text("claim_text", kClaims),
     released("linked_text")});
constexpr auto kLeaks = std::to_array<ExportColumn>(
    {word("dataset"), word("run"), word("protocol"), whole("sample"), word("judge"), word("record"), whole("n"),
     whole("rating"), word("outcome"), word("category"), text("claim_text", kClaims), released("linked_text")});
constexpr auto kScores = std::to_array<ExportColumn>(
    {word("dataset"), word("run"), word("protocol"), whole("sample"), word("judge"), word("model"), word("record"),
     word("metric"), word("state"), word("outcome"), real("value"), real("weight"), word("slice")});
constexpr auto kMetrics = std::to_array<ExportColumn>(
    {word("dataset"),   word("run"),        word("protocol"),   whole("sample"),  word("judge"),
     word("model"),     word("metric"),     word("slice"),      real("value"),    real("low"),
     real("high"),      whole("n"),         whole("failed"),    whole("missing"), whole("not_applicable"),
     real("if_leaked"), real("if_private"), real("drop_value"), real("drop_low"), real("drop_high"),
     real("units"),     real("drop_units"), word("direction"),  real("coverage")});
constexpr auto kLabels = std::to_array<ExportColumn>(
    {word("dataset"), word("kind"), word("record"), word("run"), said("annotator"), text("label_text", kClaims)});
constexpr auto kIntruder = std::to_array<ExportColumn>(
    {word("dataset"), word("run"), word("protocol"), whole("sample"), said("annotator"), word("record"),
     said("present", kBoolean), said("chosen"), said("outcome"), said("sure", kInt64), said("seconds", kDouble),
     said("searches", kInt64), said("told", kBoolean), said("blind", kBoolean), word("stratum"), whole("drawn_at"),
     said("answered_at", kInt64)});
constexpr auto kAnswers = std::to_array<ExportColumn>(
    {word("dataset"), word("run"), word("model"), word("task"), word("record"), text("answer_text", kClaims)});

constexpr char kLabelsFrom[] =
    "(SELECT d.name AS dataset, l.kind AS kind, r.key AS record, u.name AS run, l.annotator AS annotator,"
    " l.payload_id AS label_text FROM main.label l JOIN main.dataset d ON d.id = l.dataset_id"
    " JOIN main.record r ON r.id = l.record_id LEFT JOIN main.run u ON u.id = l.run_id)";

constexpr auto kTables = std::to_array<ExportTable>(
    {{"runs", "temp.runs", "a run, the controls included", "dataset, run", kRuns},
     {"records", "temp.records", "a record of a dataset", "dataset, record", kRecords},
     {"variants", "temp.variants", "what a run made of a record", "dataset, run, record", kVariants},
     {"claims", "temp.claims", "a claim of a record", "dataset, record", kClaimColumns},
     {"links", "temp.links", "the text that an attacker picked for a record", "dataset, run, record", kLinks},
     {"judgments", "temp.judgments", "a claim against the text that its record was linked to", "dataset, run, record",
      kJudgments},
     {"leaks", "temp.leaks", "a claim that an attacker learned", "dataset, run, record", kLeaks},
     {"scores", "temp.scores", "what a record adds to a metric", "dataset, run, metric, record", kScores},
     {"metrics", "temp.metrics", "a metric of a run, or of a part of it", "dataset, run, metric", kMetrics},
     {"labels", kLabelsFrom, "what a person or ground truth said of a record", "dataset, record", kLabels},
     {"answers", "temp.answers", "what a model answered to a task about a text", "dataset, run, record", kAnswers},
     {"intruder", "temp.intruder", "what a person found who looked for a record in a release", "dataset, run, record",
      kIntruder}});

constexpr char kReleasedRun[] =
    "(SELECT u.kind FROM main.run u JOIN main.dataset d ON d.id = u.dataset_id"
    " WHERE d.name = v.dataset AND u.name = v.run) IN ('aligned', 'synthetic')";

std::string value_of(const ExportColumn& column, ReadLevel level, bool ids) {
  std::string value = fmt::format("v.\"{}\"", column.name);
  if (column.text == Text::kNone) return value;
  if (!ids) value = fmt::format("text({})", value);
  if (column.text == Text::kAny || level == kOriginals) return value;
  return fmt::format("CASE WHEN {} THEN {} END", kReleasedRun, value);
}

std::string select_of(const ExportTable& table, ReadLevel level, bool texts, bool ids) {
  std::string list;
  for (const ExportColumn* column : columns_at(table, level, texts)) {
    list += fmt::format("{}{} AS \"{}\"", list.empty() ? "" : ", ", value_of(*column, level, ids), column->name);
  }
  return fmt::format("SELECT {} FROM {} v", list, table.from);
}

}  // namespace

std::span<const ExportTable> export_tables() { return kTables; }

const ExportTable& export_table(std::string_view name) {
  std::vector<std::string> names;
  for (const ExportTable& table : kTables) {
    if (name == table.name) return table;
    names.emplace_back(table.name);
  }
  throw Error(Code::kUsage, fmt::format("nothing of this name can be exported{}", did_you_mean(name, names)),
              "residue export --help lists the tables");
}

std::vector<const ExportColumn*> columns_at(const ExportTable& table, ReadLevel level, bool texts) {
  std::vector<const ExportColumn*> columns;
  for (const ExportColumn& column : table.columns) {
    if (column.level <= level && (texts || column.text == Text::kNone)) columns.push_back(&column);
  }
  return columns;
}

std::string export_statement(const ExportTable& table, ReadLevel level, bool texts, std::string_view where) {
  const std::string rows = select_of(table, level, texts, false);
  if (where.empty()) return rows;
  // The condition sees the columns that are written and no others: what is not shown decides nothing.
  return fmt::format("SELECT * FROM ({}) AS \"{}\" WHERE ({}\n)", rows, table.name, where);
}

std::string ids_select(const ExportTable& table, ReadLevel level, bool texts) {
  return select_of(table, level, texts, true);
}

}  // namespace residue::query
