// work export, work import: what a model would be asked, as files that somebody else answers.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/eval_flags.h"
#include "cli/open.h"
#include "cli/print/interrupt.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/print/progress.h"
#include "cli/syntax.h"
#include "model/asking/batch_file.h"
#include "model/limits/read_whole.h"
#include "model/limits/withdrawn.h"
#include "query/evaluate/work_export.h"
#include "verbs/bring_in/import_work.h"

namespace residue::cli {
namespace {

struct ExportFlags {
  EvalFlags eval;
  std::string folder;
  std::uint64_t lines = model::kBatchLines;
};

Json to_json(const query::Exported& exported, const std::string& folder) {
  Json files = Json::array();
  for (const model::BatchFile& file : exported.files) {
    files.push_back({{"file", file.name}, {"lines", file.lines}, {"bytes", file.bytes}});
  }
  return {{"folder", exported.files.empty() ? Json() : Json(folder)},
          {"model", exported.model},
          {"host", exported.host},
          {"requests", exported.requests},
          {"texts", exported.texts},
          {"too_long", exported.too_long},
          {"bytes", exported.bytes},
          {"exported_before", exported.before},
          {"files", files}};
}

Table table_of(const query::Exported& exported) {
  Table table;
  table.columns = {{"file", Type::kText, ""}, {"lines", Type::kInteger, ""}, {"bytes", Type::kBytes, ""}};
  for (const model::BatchFile& file : exported.files) {
    table.rows.push_back({Cell(file.name), cell(file.lines), cell(file.bytes)});
  }
  return table;
}

int export_work(Context& context, const ExportFlags& flags) {
  query::ExportOptions options;
  options.eval = eval_options(flags.eval);
  options.folder = flags.folder;
  options.lines_per_file = flags.lines;
  const auto store = open_store(context);
  query::Exported exported;
  {
    Progress progress(context.globals, "exporting");
    options.eval.progress = [&](const std::string& /*what*/, std::uint64_t done, std::optional<std::uint64_t> total) {
      progress.update(done, total.value_or(0));
    };
    options.eval.interrupted = [] { return interrupted(); };
    exported = query::export_work(*store, targets_of(*store, flags.eval), options);
  }
  if (context.out.wants_json()) {
    context.out.json(to_json(exported, flags.folder));
  } else if (!exported.files.empty()) {
    context.out.table(table_of(exported));
  }
  context.out.flush();
  if (exported.too_long > 0) {
    context.out.note(fmt::format("{} requests are in no file: {} (residue model show {}); they count as failed",
                                 grouped(exported.too_long), model::kTooLong, exported.model));
  }
  if (exported.files.empty() && exported.too_long > 0) {
    context.out.note("no file was written: nothing else is open");
    return 0;
  }
  if (exported.files.empty()) {
    context.out.note("nothing to ask: all that eval would need is known; no file was written");
    return 0;
  }
  context.out.note(
      fmt::format("{} requests of {} texts, {}, have left the store for {}: original claims and sanitized "
                  "texts, readable by you alone",
                  grouped(exported.requests), grouped(exported.texts), bytes_text(exported.bytes), flags.folder));
  context.out.note(fmt::format("in the ledger they are sent to {}; residue egress", exported.host));
  if (exported.before > 0) {
    context.out.note(
        fmt::format("{} of them were exported before and have no answer yet: to submit both files is to "
                    "pay twice",
                    grouped(exported.before)));
  }
  context.out.next("have the files answered, then residue work import FILE...");
  return 0;
}

Json to_json(const ingest::ImportedWork& work) {
  return {{"lines", work.lines},     {"saved", work.saved},
          {"unused", work.unused},   {"same", work.same},
          {"invalid", work.invalid}, {"failed", work.failed},
          {"unknown", work.unknown}, {"unreadable", work.unreadable},
          {"reasons", work.reasons}, {"taken_back", work.taken_back},
          {"models", work.models}};
}

int import_work(Context& context, const std::vector<std::string>& files) {
  const auto store = open_store(context);
  std::optional<Progress> progress;
  verbs::ImportWorkOptions options;
  options.files = files;
  options.interrupted = interrupted;
  options.progress = [&](const std::string& /*what*/, std::uint64_t done, std::optional<std::uint64_t> total) {
    if (!progress) progress.emplace(context.globals, "importing");
    progress->update(done, total.value_or(0));
  };
  options.file_done = [&](const std::string& file, const ingest::ImportedWork& work) {
    progress.reset();
    for (const auto& note : work.notes) {
      context.out.note(fmt::format("{}:{}: {}", file == "-" ? "standard input" : file, note.line, note.what));
    }
    const std::uint64_t refused = work.unknown + work.unreadable;
    if (refused > work.notes.size()) context.out.note(fmt::format("... and {} more", refused - work.notes.size()));
  };
  const ingest::ImportedWork all = verbs::import_work(*store, options);
  if (context.out.wants_json()) {
    context.out.json(to_json(all));
  } else {
    Table table;
    table.columns = {{"saved", Type::kInteger, "answers saved"},
                     {"same", Type::kInteger, "there already"},
                     {"invalid", Type::kInteger, "saved, but unusable"},
                     {"failed", Type::kInteger, "not answered by the server"},
                     {"unknown", Type::kInteger, "of nothing that was asked"},
                     {"unreadable", Type::kInteger, "unreadable lines"}};
    table.rows.push_back({cell(all.saved), cell(all.same), cell(all.invalid), cell(all.failed), cell(all.unknown),
                          cell(all.unreadable)});
    context.out.fields(table);
  }
  context.out.flush();
  if (all.unused > 0) {
    context.out.note(
        fmt::format("{} of the answers saved count for nothing: the vote had one that counts, or had ended "
                    "with unusable ones",
                    grouped(all.unused)));
  }
  if (all.taken_back > 0) {
    context.out.note(
        fmt::format("{} answers that were there are not used any more: {}", grouped(all.taken_back), model::kUnread));
  }
  if (const std::string made = model::words(all.withdrawn); !made.empty()) {
    context.out.note(fmt::format("what was made of answers to cut prompts is withdrawn: {}", made));
  }
  for (const auto& [reason, count] : all.reasons) context.out.note(fmt::format("{}: {}", reason, grouped(count)));
  verbs::require_answers(all);
  for (const std::string& model : all.models) {
    context.out.next("residue eval DATASET --judge {0}; what is still open: residue work export DATASET --judge {0}",
                     model);
  }
  return all.unreadable == 0 ? 0 : static_cast<int>(Code::kBadInput);
}

}  // namespace

Command work_export_command() {
  return {
      .name = "work export",
      .group = Group::kEvaluate,
      .summary = "what eval would ask a model, as batch files to be answered elsewhere",
      .usage = "[TARGET...] --judge NAME --to DIR [--protocol P] [--shard-lines N]",
      .details =
          "Writes part-00001.jsonl ... into DIR, for one model. Each line is a request as OpenAI's batch interface and "
          "vllm run-batch read it; a file has at most 50,000 lines and 100 MB. Requests with a saved answer are left "
          "out, and so are those that are longer than the model is known to read.\n"
          "The links must be known: run residue eval with the same targets and flags, but --judge lexical, first. The "
          "files hold original claims and sanitized texts, so the rules of residue egress allow apply to the host of "
          "the "
          "model.",
      .examples = {{"residue work export clinic --judge gpt4 --to todo", "for a batch interface"},
                   {"residue work export clinic/scrub --judge local --to todo --shard-lines 1000",
                    "for many machines"}},
      .setup = [](Syntax& syntax) -> Run {
        auto flags = std::make_shared<ExportFlags>();
        add_eval_flags(syntax, flags->eval);
        syntax.add("--to", flags->folder, "the folder; it is made if needed, and must not hold another export")
            .required();
        syntax.add("--shard-lines", flags->lines, "most lines in a file").range(std::uint64_t{1}, model::kBatchLines);
        return [flags](Context& context) { return export_work(context, *flags); };
      }};
}

Command work_import_command() {
  return {
      .name = "work import",
      .group = Group::kEvaluate,
      .summary = "read the answers to exported requests",
      .usage = "FILE...",
      .details =
          "Lines {\"custom_id\", \"response\": {\"status_code\", \"body\"}, \"error\"} or the same without the\n"
          "wrapping, in any order and in parts, plain, .gz or .zst; - is standard input. Every reply is on the\n"
          "disk before it is read. The same file again changes nothing. Exit code 6 if a line cannot be read.",
      .examples = {{"residue work import done.jsonl errors.jsonl", "then residue eval asks only what is still open"}},
      .setup = [](Syntax& syntax) -> Run {
        auto files = std::make_shared<std::vector<std::string>>();
        syntax.add("FILE", *files, "what the server returned").required();
        return [files](Context& context) { return import_work(context, *files); };
      }};
}

}  // namespace residue::cli
