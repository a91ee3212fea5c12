// categorize: which sensitive categories claims are about.
#include "verbs/bring_in/categorize.h"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/flags/ask_flags.h"
#include "cli/flags/ingest_options.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/print/progress.h"
#include "cli/syntax.h"

namespace residue::cli {
namespace {

struct Options {
  std::string dataset, with, set, template_file, list = "general";
  bool replace = false;
  AskFlags ask;
};

int categorize(Context& context, const Options& options) {
  verbs::CategorizeOptions wanted;
  wanted.dataset = options.dataset;
  wanted.set = options.set;
  wanted.with = options.with;
  wanted.list = options.list == "medical" ? text::CategoryList::kMedical : text::CategoryList::kGeneral;
  wanted.replace = options.replace;
  const auto store = open_store(context);
  Progress progress(context.globals, "asking " + options.with);
  wanted.asking = asking(options.ask, progress);
  read_template(options.template_file, wanted);
  const verbs::CategorizeResult all = verbs::categorize(*store, wanted);
  if (!all.by_rules) {
    tell(context, all);
    return 0;
  }
  Table table;
  table.columns = {{"claims", Type::kInteger, ""}, {"categorized", Type::kInteger, "with a category"}};
  table.rows.push_back({cell(all.by_rules->claims), cell(all.by_rules->categorized)});
  context.out.fields(table);
  context.out.flush();
  context.out.next("residue eval {0}, then residue report {0} --table categories", options.dataset);
  return 0;
}

}  // namespace

Command categorize_command() {
  return {
      .name = "categorize",
      .group = Group::kBringIn,
      .summary = "the sensitive categories of claims, by rules or a model",
      .usage =
          "DATASET [--set SET] --with rules|MODEL [--list general|medical] [--replace] [--template FILE] [--max-calls "
          "N] [--max-cost "
          "USD]",
      .details =
          "leak_by_category counts claims by these categories. A claim set that nobody categorized gets the rules and "
          "the general list from eval. The rules look for words and phrases, need no network, and understand nothing.\n"
          "A model reads each claim in one request, and its answers are kept as labels. What was asked last counts for "
          "the whole set. A saved answer is never asked for again.\n"
          "The two lists are those of the False Sense of Privacy paper: 16 categories in general, 24 for patients. The "
          "counts are of records; a record with a claim without a label is bad.",
      .examples = {{"residue categorize clinic --with rules --list medical", "offline, the 24 categories of patients"},
                   {"residue categorize clinic --set claims --with local --list medical",
                    "which claims are about medicines, relatives, work ..."}},
      .setup = [](Syntax& syntax) -> Run {
        auto options = std::make_shared<Options>();
        syntax.add("DATASET", options->dataset, "the dataset whose claims get categories").required();
        syntax.add("--set", options->set, "the claim set; not needed if there is one only");
        syntax.add("--with", options->with, "rules, or a model as given to model add").required();
        syntax.add("--list", options->list, "the categories: general or medical").one_of({"general", "medical"});
        syntax.flag("--replace", options->replace, "also replace categories that came from files");
        syntax.add("--template", options->template_file,
                   "a file with your own instructions; if it has {text}, it is the whole message");
        options->ask.add_to(syntax);
        return [options](Context& context) { return categorize(context, *options); };
      }};
}

}  // namespace residue::cli
