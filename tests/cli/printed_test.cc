// Help, manual, completions and reference are made from one table, and the page in docs is what the table gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/json.h"
#include "cli/exit_codes.h"
#include "cli/help.h"
#include "cli/print/wrap.h"
#include "cli/printed/completions.h"
#include "cli/printed/glossary.h"
#include "cli/printed/glossary_columns.h"
#include "cli/printed/help_json.h"
#include "cli/printed/man.h"
#include "cli/printed/pages.h"
#include "cli/printed/reference.h"
#include "query/metric/metrics.h"
#include "query/sql/advice/contract.h"
#include "storage/disk/files.h"

namespace residue::cli {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Printed, TheReferenceInDocsIsWhatTheTableGives) {
  const std::string page = storage::read_small_file(RESIDUE_SOURCE_DIR "/docs/commands.md");
  EXPECT_TRUE(page == command_reference())
      << "docs/commands.md differs: build/dev/residue help --as markdown > docs/commands.md";
}

TEST(Printed, EveryCommandAndFlagIsInEveryForm) {
  const std::string man = man_page(), reference = command_reference();
  const std::string bash = bash_completion(), zsh = zsh_completion(), fish = fish_completion();
  std::size_t flags = 0;
  for (const Page& page : pages()) {
    const std::string& name = page.command->name;
    EXPECT_TRUE(has(man, "\\fB" + replaced(name, "-", "\\-") + "\\fR")) << name;
    EXPECT_TRUE(has(reference, "### " + name + "\n")) << name;
    EXPECT_TRUE(has(reference, help_for(*page.command))) << name;
    for (const OptionHelp& option : page.options) {
      EXPECT_TRUE(has(man_page(*page.command), replaced(option.names, "-", "\\-"))) << name << " " << option.names;
      for (const std::string& flag : option.flags) {
        ++flags;
        EXPECT_TRUE(has(bash, flag)) << name << " " << flag;
        EXPECT_TRUE(has(zsh, "'" + flag + ":")) << name << " " << flag;
        EXPECT_TRUE(has(fish, flag.substr(0, 2) == "--" ? " -l " + flag.substr(2) : " -s " + flag.substr(1)))
            << name << " " << flag;
      }
    }
  }
  EXPECT_GT(flags, 200U);
}

TEST(Printed, JsonHasEveryCommandFlagViewAndQuestion) {
  const Json all = commands_as_json({});
  ASSERT_EQ(all["commands"].size(), pages().size());
  std::size_t at = 0;
  for (const Page& page : pages()) {
    const Json& command = all["commands"][at++];
    EXPECT_EQ(command["name"], page.command->name);
    EXPECT_EQ(command["examples"].size(), page.command->examples.size()) << page.command->name;
    ASSERT_EQ(command["options"].size(), page.options.size()) << page.command->name;
    for (std::size_t i = 0; i < page.options.size(); ++i) {
      EXPECT_EQ(command["options"][i]["names"], page.options[i].names);
      EXPECT_EQ(command["options"][i]["flags"].size(), page.options[i].flags.size());
    }
  }
  EXPECT_EQ(commands_as_json("canary")["commands"].size(), 2U);
  EXPECT_EQ(views_as_json()["views"].size(), query::view_promises().size());
  EXPECT_EQ(questions_as_json()["questions"].size(), 30U);
  EXPECT_EQ(questions_as_json()["questions"][0]["level"], "released");
}

TEST(Printed, CompletionsOfferTheValuesOfAFlag) {
  EXPECT_TRUE(has(bash_completion(), "'ingest dataset --on-error') values='stop skip' ;;"));
  EXPECT_TRUE(has(bash_completion(), "'work') words='export import' only=1 ;;"));
  EXPECT_TRUE(has(bash_completion(), "'egress') words='allow revoke' ;;"));
  EXPECT_TRUE(has(zsh_completion(), "'ingest dataset --on-error') compadd -- stop skip; return ;;"));
  EXPECT_TRUE(has(fish_completion(), "-n '__residue_is \"ingest dataset\"' -l on-error -x -a 'stop skip'"));
}

TEST(Printed, CompletionOffersMethodsJudgesTablesAndTerms) {
  const std::string bash = bash_completion();
  EXPECT_TRUE(has(bash, "'sanitize --with') values='none remove-all scrub "));
  EXPECT_TRUE(has(bash, "'report --judge') values='lexical lexical-wordnet rouge' ;;"));
  const std::size_t tables = bash.find("'export') words='"), terms = bash.find("'help') words='");
  ASSERT_NE(tables, std::string::npos);
  ASSERT_NE(terms, std::string::npos);
  EXPECT_TRUE(has(bash.substr(tables, bash.find('\n', tables) - tables), " metrics "));
  EXPECT_TRUE(has(bash.substr(tables, bash.find('\n', tables) - tables), " trec"));
  const std::string words = bash.substr(terms, bash.find('\n', terms) - terms);
  for (const char* word : {" report ", " leak_rate ", " pareto ", " config.toml "})
    EXPECT_TRUE(has(words, word)) << word;
}

TEST(Printed, AManualPageHasWhatReadersOfManualsExpect) {
  for (const Page& page : pages()) {
    const std::string man = man_page(*page.command);
    EXPECT_EQ(man.rfind(".TH residue\\-", 0), 0U) << page.command->name;
    for (const char* section : {".SH NAME\n", ".SH SYNOPSIS\n", ".SH EXAMPLES\n", ".SH SEE ALSO\n"}) {
      EXPECT_TRUE(has(man, section)) << page.command->name << section;
    }
    for (std::size_t at = 0; (at = man.find('\n', at)) != std::string::npos; ++at) {
      EXPECT_NE(man.compare(at, 2, "\n'"), 0) << "a line of words is read as a macro: " << page.command->name;
    }
  }
  for (const auto& [code, meaning] : exit_codes()) EXPECT_TRUE(has(man_page(), "\\fB" + code + "\\fR\n")) << code;
}

TEST(Printed, EveryTermIsToldInFiveLines) {
  EXPECT_GT(terms().size(), 40U);
  for (const auto* list : {&terms(), &column_terms()}) {
    for (const Term& term : *list) {
      const std::string words = wrapped(term.text, 2, 80);
      EXPECT_LE(std::count(words.begin(), words.end(), '\n') + 1, 5) << term.name;
    }
  }
}

TEST(Printed, EveryMetricAndAttackerIsExplained) {
  for (const query::MetricDefinition& metric : query::metric_definitions()) {
    EXPECT_TRUE(explained(std::string(metric.name))) << metric.name;
  }
  EXPECT_TRUE(has(*explained("bm25/random:3"), "He knows 3 claims of the record, drawn at random"));
  EXPECT_TRUE(has(*explained("rouge-l/first:2"), "the first 2 claims"));
  for (const char* word :
       {"FSP", "AA", "LOP", "ZSTS", "TAB", "ABCD", "MIRAGE", "LSA", "NLTK", "ROUGE", "BLEU", "VADER"}) {
    EXPECT_TRUE(explained(word)) << "help uses it: " << word;
  }
  for (const char* word : {"pareto", "config", "config.toml", "store", "pseudonym", "random-mask"}) {
    EXPECT_TRUE(explained(word)) << "users ask for it: " << word;
  }
  EXPECT_TRUE(has(*explained("leak_rate_low"), "low: A 95 % interval"));
  EXPECT_TRUE(has(*explained("random:3@42 coverage"), "coverage: The share of the records"));
  EXPECT_TRUE(has(*explained("from_0_3"), "from 0.3 on"));
  EXPECT_TRUE(has(*explained("precision_at_30"), "30 %"));
  EXPECT_FALSE(explained("nothing_low"));
  EXPECT_FALSE(explained("from_0_x"));
  EXPECT_TRUE(has(*explained("paper"), "searches the released texts with bm25"));
  EXPECT_TRUE(has(*explained("bm25/given:known"), "what the claim set known says"));
  EXPECT_FALSE(explained("bm25/often:3"));
  EXPECT_FALSE(explained("coverag"));
  const std::vector<std::string> names = term_names();
  EXPECT_EQ(std::ranges::count(names, "coverage"), 1);
}

}  // namespace
}  // namespace residue::cli
