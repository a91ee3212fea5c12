#include "cli/look/leaks_phrases.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "cli/print/interrupt.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "verbs/look/phrases.h"

namespace residue::cli {
namespace {

Json rows_json(const query::RunPhrases& found, bool no_text) {
  Json rows = Json::array();
  for (const query::ListedPhrase& one : found.phrases) {
    Json row = {{"record", one.record}, {"of", one.of},     {"n", one.n},    {"alone", one.alone},
                {"word", one.word},     {"begin", nullptr}, {"end", nullptr}};
    if (one.bytes) {
      row["begin"] = one.bytes->begin;
      row["end"] = one.bytes->end;
    }
    if (!no_text) row["phrase"] = one.phrase;
    rows.push_back(std::move(row));
  }
  return rows;
}

Table table_of(const query::RunPhrases& found, bool no_text) {
  Table table;
  table.columns = {
      {"record", Type::kText, ""}, {"of", Type::kText, ""}, {"n", Type::kInteger, ""}, {"alone", Type::kInteger, ""}};
  if (!no_text) table.columns.push_back({"phrase", Type::kText, ""});
  for (const char* name : {"word", "begin", "end"}) table.columns.push_back({name, Type::kInteger, ""});
  for (const query::ListedPhrase& one : found.phrases) {
    std::vector<Cell> row{Cell(one.record), Cell(one.of), Cell(std::int64_t{one.n}), Cell(std::int64_t{one.alone})};
    if (!no_text) row.emplace_back(one.phrase);
    row.emplace_back(std::int64_t{one.word});
    row.push_back(one.bytes ? cell(one.bytes->begin) : Cell());
    row.push_back(one.bytes ? cell(one.bytes->end) : Cell());
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

int leaks_phrases(Context& context, storage::Store& store, const storage::Target& target, const PhraseFlags& flags) {
  verbs::PhrasesOptions options;
  options.dataset = target.dataset;
  options.run = *target.run;
  options.limit = flags.limit;
  options.memory_bytes = flags.memory_mib << 20;
  options.interrupted = [] { return interrupted(); };
  const query::RunPhrases found = verbs::phrases(store, options);
  const auto whole = [&] {
    Json json = {{"target", target.dataset + "/" + *target.run},
                 {"total", found.total},
                 {"records", found.records},
                 {"failed", found.failed},
                 {"originals", found.originals},
                 {"persons", found.persons}};
    json["phrases"] = rows_json(found, flags.no_text);
    return json;
  };
  context.out.shaped(
      whole, [&] { return rows_json(found, flags.no_text); },
      [&] { context.out.table(table_of(found, flags.no_text)); });
  if (found.failed > 0) {
    context.out.note(fmt::format("{} of the run failed: nobody knows which phrases {} had",
                                 found.failed == 1 ? "1 text" : grouped(found.failed) + " texts",
                                 found.failed == 1 ? "it" : "they"));
  }
  context.out.note(fmt::format(
      "{} phrases of {} texts stand in the originals of one person alone, of {} originals and {} persons{}",
      found.total, found.records, found.originals, found.persons,
      found.phrases.size() < found.total ? fmt::format("; the first {} shown (--limit)", found.phrases.size()) : ""));
  return 0;
}

}  // namespace residue::cli
