// ingest answers: what models elsewhere answered to tasks about a run's texts.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/flags/ingest_options.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "ingest/rows/presets.h"
#include "model/tasks/task.h"
#include "storage/catalog/answers/answer_set.h"
#include "storage/catalog/lookup.h"
#include "verbs/ingest.h"

namespace residue::cli {
namespace {

// The commands that show answers to the tasks that the dataset has answers to.
void next_after_answers(const Context& context, storage::Store& store, const std::string& dataset) {
  storage::Statement tasks = store.db().prepare(storage::sql::kAnswerSetKindsOfDataset);
  if (!tasks.bind(storage::find_dataset(store.db(), dataset)).step()) return;
  if (tasks.integer(0) != 0) context.out.next("residue report {} --table task", dataset);
  if (tasks.integer(1) != 0) context.out.note(next_eval(store, dataset));
}

Run setup(Syntax& syntax) {
  struct Flags : IngestFlags {
    ingest::AnswerSourceOptions source;
  };
  auto options = std::make_shared<Flags>();
  syntax.add("DATASET", options->target, "the dataset that has the records").required();
  options->add_to(syntax);
  syntax.add("--preset", options->source.preset, preset_words(&ingest::Preset::answers));
  options->add_only(syntax);
  syntax.add("--model", options->source.model, "the model, for rows that name none");
  syntax.add("--task", options->source.task, "the task, for rows that name none");
  syntax.add("--run", options->source.run, "the run whose texts the model read, for rows that name none");
  syntax.add("--scorer", options->source.scorer, "of a log of inspect_ai, the scorer whose answers are the choices");
  return [options](Context& context) {
    const auto store = open_store(context);
    const storage::Lock kept = store->hold_targets();
    verbs::AnswersOptions wanted;
    wanted.dataset = options->target;
    ingest_rows(context, *store, *options, wanted, verbs::ingest_answers);
    next_after_answers(context, *store, options->target);
    return 0;
  };
}

}  // namespace

Command ingest_answers_command() {
  return {
      .name = "ingest answers",
      .group = Group::kBringIn,
      .summary = "what models elsewhere answered to tasks about texts",
      .usage =
          "DATASET FILE... [--preset P] [--only PATH=VALUE]... [--model M] [--task T] [--run R] [--scorer S] "
          "[--map FIELD=PATH]... [--on-error stop|skip]",
      .details =
          "Lines are {\"model\", \"task\": \"choice\", \"record\", \"run\", \"answer\"}: the model read the run's text "
          "of\n"
          "the record (\"none\": the original) and the question of its task. The first letter of the answer counts;\n"
          "null means that the model was asked and gave none. Another answer replaces the\n"
          "old. The tasks coherence, category, utility and qa have lines of the same form. For the task response, the "
          "model read the text as a prompt; its lines have \"response\" and \"restored\". See docs/formats.md.\n"
          "The answer to category is one of: " +
          fmt::format("{}.", fmt::join(model::conversation_categories(), "; ")),
      .examples = {{"residue ingest answers clinic answers.jsonl", "then residue report clinic --table task"},
                   {"residue ingest answers clinic log.eval --preset inspect --task choice --run scrub",
                    "a log of inspect_ai, whose model answered from the texts of the run scrub"},
                   {"residue ingest answers medqa llm_answers.jsonl --preset mirage", "MIRAGE's runs on MedQA"}},
      .setup = setup};
}

}  // namespace residue::cli
