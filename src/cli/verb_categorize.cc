// categorize: which sensitive categories claims are about.
#include <CLI/CLI.hpp>

#include "cli/ask_flags.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/ingest_options.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "ingest/categorize.h"

namespace residue::cli {
namespace {

struct Options {
  std::string dataset, with, set, list = "general";
  AskFlags ask;
};

int categorize(Context& context, const Options& options) {
  const auto store = open_store(context);
  Progress progress(context.globals, "asking " + options.with);
  model::AskSession session = asking(options.ask, progress);
  ingest::IngestOptions how;
  how.interrupted = interrupted;
  const auto task =
      options.list == "medical" ? model::TextTask::kMedicalCategories : model::TextTask::kGeneralCategories;
  const ingest::IngestResult result = ingest::categorize_claims(
      *store, options.dataset, options.set, task, model::find_endpoint(store->db(), options.with), session, how);
  tell(context, result, session.counts);
  return 0;
}

}  // namespace

Command categorize_command() {
  return {.name = "categorize",
          .group = Group::kBringIn,
          .summary = "the sensitive categories of claims, by a model",
          .usage = "DATASET --set SET --with MODEL [--list general|medical] [--max-calls N] [--max-cost USD]",
          .details =
              "Each claim is one request, and gets a label of the kind category: the names that apply to it, or none.\n"
              "The lists are those of the False Sense of Privacy paper: 16 categories in general, 24 for patients.\n"
              "What was answered is never asked again. Counts are records; one that lacks a label is bad.",
          .examples = {{"residue categorize clinic --set claims --with local --list medical",
                        "which claims are about medicines, relatives, work ..."}},
          .setup = [](CLI::App& app) -> Run {
            auto options = std::make_shared<Options>();
            app.add_option("DATASET", options->dataset, "whose claims")->required();
            app.add_option("--set", options->set, "the claim set")->required();
            app.add_option("--with", options->with, "the model, as given to model add")->required();
            app.add_option("--list", options->list, "the categories: general or medical")
                ->check(CLI::IsMember({"general", "medical"}))
                ->capture_default_str();
            options->ask.add_to(app);
            return [options](Context& context) { return categorize(context, *options); };
          }};
}

}  // namespace residue::cli
