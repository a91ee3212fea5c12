// sanitize: a run made by a built-in method.
#include <CLI/CLI.hpp>

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
};

int sanitize(Context& context, Options options) {
  options.plan.params = key_values(options.params, "--param");
  const auto store = open_store(context);
  Progress progress(context.globals, "sanitizing");
  ingest::IngestOptions how;
  how.interrupted = interrupted;
  how.progress = [&progress](std::uint64_t done, std::optional<std::uint64_t> total) {
    progress.update(done, total.value_or(0));
  };
  tell(context,
       ingest::sanitize_dataset(*store, options.dataset, options.run, options.plan, threads(context.globals), how));
  context.out.note(next_step(*store, options.dataset, options.run));
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
          .usage = "DATASET --with METHOD --run NAME [--param K=V]... [--seed N] [--group G]",
          .details = methods(),
          .examples = {{"residue sanitize clinic --with scrub --run scrub", "the run clinic/scrub"}},
          .setup = [](CLI::App& app) -> Run {
            auto options = std::make_shared<Options>();
            app.add_option("DATASET", options->dataset, "whose records")->required();
            app.add_option("--with", options->plan.method, "the method")->required();
            app.add_option("--run", options->run, "the run, made if needed")->required();
            add_repeated(app, "--param", options->params, "k=v, a setting of the method");
            app.add_option("--seed", options->plan.seed, "for methods that draw at random");
            app.add_option("--group", options->plan.group, "runs that are reported together");
            return [options](Context& context) { return sanitize(context, *options); };
          }};
}

}  // namespace residue::cli
