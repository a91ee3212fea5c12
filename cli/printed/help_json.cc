#include "cli/printed/help_json.h"

#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "cli/help.h"
#include "cli/printed/pages.h"
#include "query/sql/advice/contract.h"
#include "query/sql/advice/questions.h"
#include "query/sql/levels/readable.h"

namespace residue::cli {
namespace {

Json json_of(const std::vector<OptionHelp>& options) {
  Json list = Json::array();
  for (const OptionHelp& option : options) {
    list.push_back({{"names", option.names},
                    {"flags", option.flags},
                    {"description", option.description},
                    {"takes_value", option.takes_value},
                    {"repeatable", option.repeatable},
                    {"choices", option.choices}});
  }
  return list;
}

}  // namespace

Json json_of(const Command& command) {
  Json examples = Json::array();
  for (const Example& example : command.examples) examples.push_back({{"line", example.line}, {"does", example.does}});
  return {{"name", command.name},
          {"group", title_of(command.group)},
          {"summary", command.summary},
          {"usage", command.usage},
          {"details", command.details},
          {"examples", std::move(examples)},
          {"options", json_of(options_of(command))}};
}

Json commands_as_json(const std::string& first_word) {
  Json list = Json::array();
  for (const Command& command : commands()) {
    const bool wanted = first_word.empty() || command.name == first_word || command.name.starts_with(first_word + " ");
    if (wanted) list.push_back(json_of(command));
  }
  return {{"version", kVersion}, {"commands", std::move(list)}, {"global_options", json_of(global_options())}};
}

Json term_as_json(const std::string& term, const std::string& words) { return {{"term", term}, {"text", words}}; }

Json views_as_json() {
  Json views = Json::array();
  for (const query::ViewPromise& view : query::view_promises()) {
    Json columns = Json::array();
    for (const query::ViewColumn& column : view.columns) {
      columns.push_back({{"name", column.name}, {"type", column.type}, {"unit", column.unit}, {"about", column.about}});
    }
    views.push_back(
        {{"name", view.name}, {"about", view.about}, {"question", view.question}, {"columns", std::move(columns)}});
  }
  return {{"views_version", query::kViewsVersion}, {"views", std::move(views)}};
}

Json questions_as_json() {
  Json list = Json::array();
  for (const query::Question& question : query::questions()) {
    list.push_back(
        {{"words", question.words}, {"statement", question.statement}, {"level", query::name_of(question.level)}});
  }
  return {{"questions", std::move(list)}};
}

}  // namespace residue::cli
