// sanitize: a run made by a built-in method.
#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/ingest_options.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "ingest/sanitize.h"
#include "ingest/sanitizer.h"

namespace residue::cli {
namespace {

struct Options {
  std::string dataset;
  std::string run;
  ingest::SanitizePlan plan;
  std::vector<std::string> params;
  std::string sweep;
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
    runs.push_back({options.run + "@" + value, param, value});
    at = end + 1;
  }
  return runs;
}

void add(ingest::IngestResult& sum, const ingest::IngestResult& one, const std::string& run) {
  sum.counts += one.counts;
  sum.seconds += one.seconds;
  for (const std::string& note : one.notes) sum.notes.push_back(run.empty() ? note : run + ": " + note);
}

int sanitize(Context& context, Options options) {
  options.plan.params = key_values(options.params, "--param");
  const auto runs = runs_of(options);
  if (runs.size() > 1 && !options.plan.group) options.plan.group = options.run;
  const auto store = open_store(context);
  Progress progress(context.globals, "sanitizing");
  ingest::IngestOptions how;
  how.interrupted = interrupted;
  how.progress = [&progress](std::uint64_t done, std::optional<std::uint64_t> total) {
    progress.update(done, total.value_or(0));
  };
  ingest::IngestResult sum;
  for (const OneRun& one : runs) {
    if (!one.param.empty()) options.plan.params[one.param] = one.value;
    add(sum, ingest::sanitize_dataset(*store, options.dataset, one.run, options.plan, threads(context.globals), how),
        runs.size() > 1 ? one.run : "");
  }
  tell(context, sum);
  if (runs.size() > 1)
    context.out.note(fmt::format("{} runs: {} to {}", runs.size(), runs.front().run, runs.back().run));
  context.out.note(next_step(*store, options.dataset, runs.size() > 1 ? std::nullopt : std::optional(runs[0].run)));
  return 0;
}

std::string methods() {
  std::string text = "Methods:";
  for (const auto& method : ingest::sanitizer_methods()) {
    text += fmt::format("\n  {}  {}", method.name, method.description);
    for (const auto& param : method.params) {
      text += fmt::format("\n    --param {}={}  {}", param.name, param.default_value, param.description);
    }
  }
  return text;
}

}  // namespace

Command sanitize_command() {
  return {.name = "sanitize",
          .group = Group::kBringIn,
          .summary = "a run made by a built-in method",
          .usage = "DATASET --with METHOD --run NAME [--param K=V]... [--sweep K=V1,V2,...] [--seed N] [--group G]",
          .details = methods(),
          .examples = {{"residue sanitize clinic --with scrub --run scrub", "the run clinic/scrub"},
                       {"residue sanitize clinic --with p-filter --run pf --param train=news.txt --sweep p=1e-6,1e-4",
                        "the runs clinic/pf@1e-6 and clinic/pf@1e-4"},
                       {"residue sanitize clinic --with dp-ngram --run dp --sweep epsilon=inf,1024,64,3",
                        "synthetic texts under four privacy budgets: clinic/dp@inf to clinic/dp@3"},
                       {"residue sanitize clinic --with command --run mine --param command=./mine.sh",
                        "a program of yours: JSON Lines in, JSON Lines out"}},
          .setup = [](CLI::App& app) -> Run {
            auto options = std::make_shared<Options>();
            app.add_option("DATASET", options->dataset, "whose records")->required();
            app.add_option("--with", options->plan.method, "the method")->required();
            app.add_option("--run", options->run, "the run, made if needed")->required();
            add_repeated(app, "--param", options->params, "k=v, a setting of the method");
            app.add_option("--sweep", options->sweep, "K=V1,V2,...: a run RUN@V for each value of a setting");
            app.add_option("--seed", options->plan.seed, "for methods that draw at random");
            app.add_option("--group", options->plan.group, "runs that are reported together");
            return [options](Context& context) { return sanitize(context, *options); };
          }};
}

}  // namespace residue::cli
