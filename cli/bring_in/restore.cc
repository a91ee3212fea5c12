// restore: responses to a run's texts, with the originals in the place of their replacements.
#include "verbs/bring_in/restore.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/flags/ask_flags.h"
#include "cli/flags/ingest_options.h"
#include "cli/open.h"
#include "cli/print/formats.h"
#include "cli/print/output.h"
#include "cli/print/progress.h"
#include "cli/syntax.h"
#include "storage/catalog/lookup.h"

namespace residue::cli {
namespace {

struct Options {
  std::string target, file, with, template_file;
  ingest::VariantSourceOptions source;
  std::vector<std::string> map;
  AskFlags ask;
};

Cell cell_of(const std::optional<std::string>& words) { return words ? Cell(*words) : Cell(); }

int restore(Context& context, const Options& options) {
  const storage::Target target =
      run_target(options.target, "the responses are to the texts of a run", "write residue restore {}/RUN FILE");
  verbs::RestoreOptions wanted;
  wanted.dataset = target.dataset;
  wanted.run = *target.run;
  wanted.source = options.source;
  wanted.source.path = options.file;
  wanted.source.map = key_values(options.map, "--map");
  wanted.with = options.with;
  const auto store = open_store(context, options.with.empty());
  Progress progress(context.globals, options.with.empty() ? "restoring" : "asking " + options.with);
  wanted.asking = asking(options.ask, progress);
  read_template(options.template_file, wanted);
  Table table;
  table.columns = {{"id", Type::kText, ""},           {"text", Type::kText, ""},    {"put_back", Type::kInteger, ""},
                   {"ambiguous", Type::kInteger, ""}, {"left", Type::kInteger, ""}, {"absent", Type::kInteger, ""},
                   {"error", Type::kText, ""}};
  wanted.row = [&](const ingest::RestoredRow& row) {
    table.rows.push_back({Cell(row.key), cell_of(row.text), row.put_back ? cell(*row.put_back) : Cell(),
                          cell(row.ambiguous), cell(row.left), cell(row.absent), cell_of(row.error)});
  };
  const auto [counts, asked] = verbs::restore(*store, wanted);
  if (context.globals.format_given) {
    context.out.table(table);
  } else {
    context.out.write_json(to_jsonl(table));
  }
  context.out.flush();
  if (asked && asked->requests + asked->too_long > 0) context.out.note(asked_words(*asked));
  context.out.note(options.with.empty() ? fmt::format("{} replacements put back, in {} of {} texts", counts.put_back,
                                                      counts.changed, counts.rows)
                                        : fmt::format("{} of {} texts are others now", counts.changed, counts.rows));
  if (counts.ambiguous > 0) {
    context.out.note(
        fmt::format("{} left: they stand for several things, or are words of the original, too", counts.ambiguous));
  }
  if (counts.left > 0) {
    context.out.note(options.with.empty()
                         ? fmt::format("{} left: they look like replacements in another form (other "
                                       "letters or endings, cut, in part)",
                                       counts.left)
                         : fmt::format("{} left by the model, which are or look like replacements", counts.left));
  }
  if (counts.absent > 0) context.out.note(fmt::format("not in the responses: {} of the replacements", counts.absent));
  if (counts.failed > 0) context.out.note(fmt::format("{} of {} rows have no text", counts.failed, counts.rows));
  return 0;
}

}  // namespace

Command restore_command() {
  return {
      .name = "restore",
      .group = Group::kBringIn,
      .summary = "put the originals back into responses to a run's texts",
      .usage = "DATASET/RUN FILE [--id F] [--text F] [--map FIELD=PATH]... [--with MODEL] [--max-calls N] [-o FILE]",
      .details =
          "Each line {\"id\", \"text\"} is an answer to the run's text of that record. The run kept what it replaced "
          "(numbered tags, substitutes, pseudonyms); restore puts the originals back, the longest first. It replaces "
          "whole words only and leaves letters as they are. The run's own text, unchanged, becomes the original, place "
          "by place. In any other text, what may mean two things or is a word of the original too is left.\n"
          "--with MODEL asks a model instead. It also finds names in other grammatical cases or in part. The model is "
          "told the originals, so use one that may know them.\n"
          "The rows come out as JSON Lines (or --csv): \"text\"; \"put_back\"; \"ambiguous\" (left, because it may "
          "mean "
          "two things); \"left\" (words that look like a replacement in another form); \"absent\" (replacements that "
          "are "
          "not in the text); \"error\". The store keeps nothing of them. This command does not restore a backup: tar "
          "does.",
      .examples = {{"residue restore prompts/pseudo answers.jsonl -o restored.jsonl", "the names as they were"},
                   {"residue restore prompts/pseudo - --with local < answers.jsonl", "by a model"}},
      .setup = [](Syntax& syntax) -> Run {
        auto options = std::make_shared<Options>();
        syntax.add("DATASET/RUN", options->target, "the run whose texts the responses answer").required();
        syntax.add("FILE", options->file, "JSON Lines or CSV; - is standard input").required();
        syntax.add("--id", options->source.id, "the field that holds the record's id");
        syntax.add("--text", options->source.text, "the field that holds the response");
        syntax.repeated("--map", options->map, "FIELD=PATH, the place of a field in a line (a dotted path)");
        syntax.add("--with", options->with, "a model restores, as given to model add");
        syntax.add("--template", options->template_file, "a file with your own instructions; see docs/models.md");
        options->ask.add_to(syntax);
        return [options](Context& context) { return restore(context, *options); };
      }};
}

}  // namespace residue::cli
