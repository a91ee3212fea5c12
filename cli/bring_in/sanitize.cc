// sanitize: a run made by a built-in method.
#include "verbs/bring_in/sanitize.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/command.h"
#include "cli/flags/ask_flags.h"
#include "cli/flags/ask_plan.h"
#include "cli/flags/ingest_options.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/print/progress.h"
#include "cli/runs/tag_flags.h"
#include "cli/syntax.h"
#include "ingest/method/sanitizer.h"

namespace residue::cli {
namespace {

struct Options {
  std::string dataset;
  std::string run;
  ingest::SanitizePlan plan;
  std::vector<std::string> params, templates;
  std::string sweep;
  bool dry_run = false;
  AskFlags ask;
  TagFlags tags;
};

// K=V1,V2,...
verbs::Sweep sweep_of(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == 0 || equals == std::string::npos) {
    throw Error(Code::kUsage, "--sweep has no '='", "write --sweep p=1e-5,1e-4");
  }
  verbs::Sweep sweep;
  sweep.param = word.substr(0, equals);
  for (std::size_t at = equals + 1; at <= word.size();) {
    const std::size_t end = std::min(word.find(',', at), word.size());
    sweep.values.push_back(word.substr(at, end - at));
    at = end + 1;
  }
  return sweep;
}

// The files of --template, by what is asked: TASK=FILE, or FILE where the method asks one thing.
std::map<std::string, std::string> templates_of(const Options& options) {
  std::map<std::string, std::string> texts;
  if (options.templates.empty()) return texts;
  const auto asks = ingest::sanitizer_method(options.plan.method).asks;
  for (const std::string& word : options.templates) {
    const std::size_t equals = std::min(word.find('='), word.size());
    std::string task = word.substr(0, equals), file = word.substr(std::min(equals + 1, word.size()));
    if (std::ranges::find(asks, task) == asks.end()) {
      if (asks.size() > 1) {
        throw Error(Code::kUsage,
                    fmt::format("--template: say which task it is for; {} has the tasks {}", options.plan.method,
                                fmt::join(asks, ", ")),
                    fmt::format("--template {}=FILE", asks.front()));
      }
      task = asks.empty() ? std::string() : std::string(asks.front());
      file = word;
    }
    texts[task] = text_of_file(file);
  }
  return texts;
}

// The texts of the last round are those about which nobody was asked any more.
std::string ask_last(const verbs::SanitizeOptions& made, const std::string& run) {
  const auto param = [&](const char* name) {
    if (made.sweep && made.sweep->param == name) return made.sweep->values.front();
    const auto found = made.plan.params.find(name);
    return found == made.plan.params.end() ? std::string() : found->second;
  };
  const auto flag = [](const char* name, const std::string& value) {
    return value.empty() ? std::string() : fmt::format(" {} {}", name, shell_word(value));
  };
  const std::string model = param("infer").empty() ? made.plan.asking.model : param("infer");
  return fmt::format("next: residue ask {}/{} --task attributes{} --with {}{}", made.dataset, run,
                     flag("--attributes", param("attributes")), model, flag("--as", param("as")));
}

int sanitize(Context& context, const Options& options) {
  verbs::SanitizeOptions wanted;
  wanted.dataset = options.dataset;
  wanted.run = options.run;
  wanted.plan = options.plan;
  wanted.plan.params = key_values(options.params, "--param");
  wanted.plan.announce = [&](const std::string& line) { context.out.note(line); };
  if (!options.sweep.empty()) wanted.sweep = sweep_of(options.sweep);
  wanted.jobs = threads(context.globals);
  options.tags.into(wanted);
  wanted.dry_run = options.dry_run;
  wanted.asking = limits_of(options.ask);
  verbs::check(wanted);
  wanted.plan.asking.templates = templates_of(options);
  const auto store = open_store(context);
  const std::string& model = options.plan.asking.model;
  Progress progress(context.globals, model.empty() ? "sanitizing" : "asking " + model);
  wanted.asking = asking(options.ask, progress);
  const verbs::SanitizeResult all = verbs::sanitize(*store, wanted);
  if (all.planned) {
    print_plan(context, options.dataset, *all.planned);
    return 0;
  }
  tell(context, all);
  const std::string& last = all.runs.back();
  const bool several = all.runs.size() > 1;
  if (several) context.out.note(fmt::format("{} runs: {} to {}", all.runs.size(), all.runs.front(), last));
  const bool guessed = options.plan.method == "adversarial" && (!wanted.sweep || wanted.sweep->values.size() == 1);
  context.out.note(guessed ? ask_last(wanted, last)
                           : next_step(*store, options.dataset, several ? std::nullopt : std::optional(last)));
  return 0;
}

std::string methods() {
  std::string text = "FSP and AA are papers (residue help FSP).\n\nMethods:";
  for (const auto& method : ingest::sanitizer_methods()) {
    text += fmt::format("\n  {}  {}", method.name, method.description);
    for (const auto& param : method.params) {
      const bool number = param.range.kind != ingest::ParamRange::Kind::kWords;
      text += fmt::format("\n    --param {}={}  {}{}", param.name, param.default_value, param.description,
                          number ? "; a " + ingest::words_of(param.range) : "");
    }
    if (!method.asks.empty()) text += fmt::format("\n    asks --model: {}", fmt::join(method.asks, ", "));
  }
  return text;
}

}  // namespace

Command sanitize_command() {
  return {.name = "sanitize",
          .group = Group::kBringIn,
          .summary = "sanitize a dataset by a built-in method",
          .usage =
              "DATASET --with METHOD --run NAME [--param K=V]... [--sweep K=V1,V2,...] [--seed N] [--group G]"
              " [--tag NAME]... [--note TEXT] [--model NAME] [--template [TASK=]FILE]... [--dry-run] [--max-calls N] "
              "[--max-cost USD]",
          .details = methods(),
          .examples = {{"residue sanitize clinic --with scrub --run scrub", "the run clinic/scrub"},
                       {"residue sanitize clinic --with p-filter --run pf --param train=news.txt --sweep p=1e-6,1e-4",
                        "the runs clinic/pf@1e-6 and clinic/pf@1e-4"},
                       {"residue sanitize clinic --with dp-ngram --run dp --sweep epsilon=inf,1024,64,3",
                        "synthetic texts under four privacy budgets: clinic/dp@inf to clinic/dp@3"},
                       {"residue sanitize clinic --with command --run mine --param command=./mine.sh",
                        "a program of yours: JSON Lines in, JSON Lines out"},
                       {"residue sanitize clinic --with anonymize --run anon --model local --dry-run",
                        "what the model would be sent"}},
          .setup = [](Syntax& syntax) -> Run {
            auto options = std::make_shared<Options>();
            syntax.add("DATASET", options->dataset, "the dataset to sanitize").required();
            syntax.add("--with", options->plan.method, "the method").required();
            syntax.add("--run", options->run, "the run; it is made if needed").required();
            syntax.repeated("--param", options->params, "K=V, a setting of the method");
            syntax.add("--sweep", options->sweep, "K=V1,V2,...: a run RUN@V for each value of a setting");
            const auto asks = [options] { return !ingest::sanitizer_method(options->plan.method).asks.empty(); };
            syntax.add("--seed", options->plan.seed, "the seed, for methods that draw at random")
                .configured("seed", [asks] { return !asks(); });
            syntax.add("--group", options->plan.group, "a name for runs that are reported together");
            syntax.add("--model", options->plan.asking.model, "the model that the method asks, as given to model add")
                .configured("model", asks);
            syntax.repeated("--template", options->templates,
                            "[TASK=]FILE, a file with your own instructions; see docs/sanitizers.md");
            syntax.flag("--dry-run", options->dry_run, "say what would be sent, send nothing");
            options->tags.add_to(syntax);
            options->ask.add_to(syntax);
            return [options](Context& context) { return sanitize(context, *options); };
          }};
}

}  // namespace residue::cli
