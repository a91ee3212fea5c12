// ask: what a model answers to a task about a run's texts.
#include "verbs/bring_in/ask.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cli/command.h"
#include "cli/flags/ask_flags.h"
#include "cli/flags/ask_plan.h"
#include "cli/flags/ingest_options.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/print/progress.h"
#include "cli/syntax.h"
#include "storage/catalog/lookup.h"

namespace residue::cli {
namespace {

using model::TaskKind;

struct Options {
  std::string target, task, with, as, of, kind, template_file, questions_file, restore_with;
  std::vector<std::string> attributes;
  bool dry_run = false;
  AskFlags ask;
};

std::vector<std::string> lines_of_file(const std::string& path) {
  const std::string bytes = text_of_file(path);
  std::vector<std::string> lines;
  for (std::string_view rest = bytes; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") != std::string_view::npos) lines.emplace_back(line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

model::TaskSetting setting_of(const Options& options) {
  const TaskKind kind = verbs::task_of_words(options.task, options.kind);
  model::TaskSetting setting{kind, model::default_items(kind), std::nullopt};
  if (!options.attributes.empty()) {
    if (kind != TaskKind::kAttributes) {
      throw Error(Code::kUsage, fmt::format("--attributes means nothing to --task {}", options.task), "leave it out");
    }
    setting.items = options.attributes;
  }
  if (!options.questions_file.empty()) {
    if (kind != TaskKind::kQuestions) {
      throw Error(Code::kUsage, fmt::format("--questions means nothing to --task {}", options.task), "leave it out");
    }
    setting.items = lines_of_file(options.questions_file);
  }
  if (!options.template_file.empty()) setting.instructions = text_of_file(options.template_file);
  return setting;
}

int ask(Context& context, const Options& options) {
  verbs::AskOptions wanted;
  wanted.task = setting_of(options);
  wanted.target = storage::parse_target(options.target);
  wanted.with = options.with;
  wanted.as = options.as;
  wanted.of = options.of;
  wanted.restore_with = options.restore_with;
  wanted.dry_run = options.dry_run;
  verbs::check(wanted);
  const auto store = open_store(context);
  Progress progress(context.globals, "asking " + options.with);
  wanted.asking = asking(options.ask, progress);
  const verbs::AskResult all = verbs::ask(*store, wanted);
  const std::string& dataset = wanted.target.dataset;
  if (all.planned) {
    print_plan(context, dataset, *all.planned);
    return 0;
  }
  tell(context, all);
  const TaskKind kind = wanted.task.kind;
  if (kind == TaskKind::kChoice) {
    context.out.next("residue report {} --table task", dataset);
  } else if (kind == TaskKind::kRespond || kind == TaskKind::kRelevance) {
    context.out.next("residue eval {0}, then residue report {0} --table pseudonymization", dataset);
  } else {
    context.out.note(next_eval(*store, dataset));
  }
  return 0;
}

}  // namespace

Command ask_command() {
  return {
      .name = "ask",
      .group = Group::kBringIn,
      .summary = "ask a model to do a task on each text",
      .usage = "DATASET[/RUN] --task TASK --with MODEL [--template FILE] [--dry-run] [--max-calls N] [--max-cost USD]",
      .details =
          "Tasks:\n"
          "  choice       the question of the record, with its choices\n"
          "  coherence    1 to 5: does the text hold together?\n"
          "  category     what the user of a conversation asks for\n"
          "  attributes   guesses about the author\n"
          "  utility      is it readable, does it mean the same, is anything invented?\n"
          "  qa           questions about the text\n"
          "  response     the text is the prompt; the answer is kept with the originals put back, as restore does\n"
          "  relevance    which entities a request needs: labels of the kind entity, for the words of span labels or "
          "for what a run replaced\n"
          "  same_entity  does a guess of --of NAME mean the label? Asked about each pair once, where no rule finds it "
          "right, never about ages; eval then shows \"NAME judged by MODEL\" beside NAME\n"
          "\n"
          "A dataset stands for the originals (DATASET/none) and every run whose texts belong to its records; utility "
          "compares those with the originals. Each text is one request. A saved answer is never asked for again. The "
          "counts are of records; bad ones have no usable answer.\n"
          "--dry-run says what would be sent, where to, and about what it would cost.",
      .examples = {{"residue ask clinic --task choice --with local --dry-run", "what it would send"},
                   {"residue ask clinic --task choice --with local", "then residue report clinic --table task"},
                   {"residue ask clinic/scrub --task coherence --kind medical --with local", "1 to 5, text by text"},
                   {"residue ask posts --task attributes --attributes age,sex --with local", "what authors give away"},
                   {"residue ask prompts --task response --with local",
                    "then residue report prompts --table pseudonymization"},
                   {"residue ask posts --task same_entity --of local --with judge", "which of these guesses are right"},
                   {"residue ask clinic --task choice --with local --template mine.txt --as local/mine",
                    "in your own words, under a name of its own"}},
      .setup = [](Syntax& syntax) -> Run {
        auto options = std::make_shared<Options>();
        syntax.add("TARGET", options->target, "DATASET or DATASET/RUN, whose texts the model reads").required();
        syntax
            .add("--task", options->task,
                 "choice, coherence, category, attributes, utility, qa, response, relevance, same_entity")
            .required()
            .one_of_described({"choice", "coherence", "category", "attributes", "utility", "qa", "response",
                               "relevance", "same_entity"});
        syntax.add("--with", options->with, "the model, as given to model add").required().configured("model");
        syntax.add("--of", options->of, "same_entity: the model whose guesses are judged");
        syntax.add("--kind", options->kind, "coherence: the scale for medical texts, or for chats")
            .one_of({"medical", "chat"});
        syntax.add("--attributes", options->attributes, "attributes: which ones to guess (default: the paper's eight)")
            .comma_separated();
        syntax.add("--questions", options->questions_file, "qa: a file with a question a line (default: ours)");
        syntax.add("--restore-with", options->restore_with,
                   "response: a model that puts the originals back (default: code does)");
        syntax.add("--template", options->template_file, "a file with your own instructions; see docs/models.md");
        syntax.add("--as", options->as, "the name that the answers are kept under (default: the model's name)");
        syntax.flag("--dry-run", options->dry_run, "say what would be sent, send nothing");
        options->ask.add_to(syntax);
        return [options](Context& context) { return ask(context, *options); };
      }};
}

}  // namespace residue::cli
