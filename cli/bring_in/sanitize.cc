// sanitize: a run made by a built-in method.
#include "ingest/sanitize/sanitize.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
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
#include "cli/print/interrupt.h"
#include "cli/print/output.h"
#include "cli/print/progress.h"
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
};

// A run of the method, and a parameter's value in it: one, or one for each value of --sweep, RUN@VALUE.
struct OneRun {
  std::string run, param, value;
};

std::vector<OneRun> runs_of(const Options& options) {
  if (options.sweep.empty()) return {{options.run, "", ""}};
  const std::size_t equals = options.sweep.find('=');
  if (equals == 0 || equals == std::string::npos) {
    throw Error(Code::kUsage, "--sweep has no '='", "write --sweep p=1e-5,1e-4");
  }
  std::vector<OneRun> runs;
  const std::string param = options.sweep.substr(0, equals);
  for (std::size_t at = equals + 1; at <= options.sweep.size();) {
    const std::size_t end = std::min(options.sweep.find(',', at), options.sweep.size());
    const std::string value = options.sweep.substr(at, end - at);
    if (value.empty()) throw Error(Code::kUsage, "--sweep has an empty value", "write --sweep p=1e-5,1e-4");
    if (std::ranges::find(runs, value, &OneRun::value) != runs.end()) {
      throw Error(Code::kUsage, "--sweep has a value twice", "write each value once: each makes a run");
    }
    runs.push_back({options.run + "@" + value, param, value});
    at = end + 1;
  }
  return runs;
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

void check_asking(const Options& options) {
  if (!ingest::sanitizer_method(options.plan.method).asks.empty()) return;
  if (!options.dry_run && !options.ask.max_calls && !options.ask.max_cost && !options.ask.no_repeat) return;
  throw Error(Code::kUsage, fmt::format("{} asks no model: it costs nothing and sends nothing", options.plan.method),
              "leave out --max-calls, --max-cost, --no-repeat and --dry-run");
}

void check_seed(const Options& options) {
  if (!options.plan.seed || ingest::sanitizer_method(options.plan.method).asks.empty()) return;
  throw Error(Code::kUsage, fmt::format("{} does not draw at random: --seed would change nothing", options.plan.method),
              "the model's own seed is that of residue model add --seed");
}

void add(ingest::SanitizeResult& sum, const ingest::SanitizeResult& one, const std::string& run) {
  sum.counts += one.counts;
  sum.seconds += one.seconds;
  const bool named = run.empty() || one.runs != std::vector{run};  // notes on rounds name their run
  for (const std::string& note : one.notes) sum.notes.push_back(named ? note : run + ": " + note);
  sum.runs.insert(sum.runs.end(), one.runs.begin(), one.runs.end());
}

void plan(Context& context, storage::Store& store, Options& options, const std::vector<OneRun>& runs) {
  std::vector<PlannedModel> models;
  std::uint64_t more = 0;
  for (const OneRun& one : runs) {
    if (!one.param.empty()) options.plan.params[one.param] = one.value;
    const ingest::SanitizeAskPlan planned = ingest::plan_sanitize(store, options.dataset, options.plan);
    for (const auto& model : planned.models) {
      const auto same = [&](const PlannedModel& known) { return known.endpoint.name == model.endpoint.name; };
      auto at = std::ranges::find_if(models, same);
      if (at == models.end()) at = models.insert(at, {model.endpoint, {}});
      at->plan += model.plan;
    }
    more += planned.more;
  }
  print_plan(context, store, models, options.dataset, more);
}

// The texts of the last round are those about which nobody was asked any more.
std::string ask_last(const Options& options, const std::string& run) {
  const auto param = [&](const char* name) {
    const auto found = options.plan.params.find(name);
    return found == options.plan.params.end() ? std::string() : found->second;
  };
  const auto flag = [](const char* name, const std::string& value) {
    return value.empty() ? std::string() : fmt::format(" {} {}", name, shell_word(value));
  };
  const std::string model = param("infer").empty() ? options.plan.asking.model : param("infer");
  return fmt::format("next: residue ask {}/{} --task attributes{} --with {}{}", options.dataset, run,
                     flag("--attributes", param("attributes")), model, flag("--as", param("as")));
}

int sanitize(Context& context, Options options) {
  options.plan.params = key_values(options.params, "--param");
  const auto runs = runs_of(options);
  if (options.plan.params.contains(runs.front().param)) {
    throw Error(Code::kUsage, fmt::format("--sweep and --param both give {}", runs.front().param), "give it once");
  }
  if (runs.size() > 1 && !options.plan.group) options.plan.group = options.run;
  check_asking(options);
  check_seed(options);
  options.plan.asking.templates = templates_of(options);
  const bool asks = !options.plan.asking.model.empty();
  const auto store = open_store(context);
  Progress progress(context.globals, asks ? "asking " + options.plan.asking.model : "sanitizing");
  model::AskSession session = asking(options.ask, progress);
  options.plan.asking.session = &session;
  if (options.dry_run) {
    plan(context, *store, options, runs);
    return 0;
  }
  ingest::IngestOptions how;
  how.interrupted = interrupted;
  if (!asks) {
    how.progress = progress.callback();
  }
  // A value that is none is found before a run is made of the others.
  for (const OneRun& one : runs) {
    if (!one.param.empty()) options.plan.params[one.param] = one.value;
    if (runs.size() > 1) ingest::check_sanitize(*store, options.dataset, one.run, options.plan);
  }
  ingest::SanitizeResult sum;
  for (const OneRun& one : runs) {
    options.plan.announce = [&](const std::string& line) {
      context.out.note(runs.size() > 1 ? one.run + ": " + line : line);
    };
    if (!one.param.empty()) options.plan.params[one.param] = one.value;
    add(sum, ingest::sanitize_dataset(*store, options.dataset, one.run, options.plan, threads(context.globals), how),
        runs.size() > 1 ? one.run : "");
  }
  if (asks) {
    tell(context, sum, session.counts);
  } else {
    tell(context, sum);
  }
  const bool several = sum.runs.size() > 1;
  if (several) {
    context.out.note(fmt::format("{} runs: {} to {}", sum.runs.size(), sum.runs.front(), sum.runs.back()));
  }
  const bool guessed = options.plan.method == "adversarial" && runs.size() == 1;
  context.out.note(guessed ? ask_last(options, sum.runs.back())
                           : next_step(*store, options.dataset, several ? std::nullopt : std::optional(sum.runs[0])));
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
              " [--model NAME] [--template [TASK=]FILE]... [--dry-run] [--max-calls N] [--max-cost USD]",
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
            options->ask.add_to(syntax);
            return [options](Context& context) { return sanitize(context, *options); };
          }};
}

}  // namespace residue::cli
