// work import: what came of several files, and files that brought nothing.
#include "verbs/bring_in/import_work.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "query/evaluate/work_export.h"
#include "tests/verbs/asking_store.h"
#include "verbs/eval.h"

namespace residue::verbs {
namespace {

using Json = nlohmann::json;

class ImportWork : public AskingStore {
 protected:
  // The requests of an evaluation that needs them, each with an answer, as lines of a file.
  std::vector<std::string> answered() {
    add_claims("claims");
    add_run("r", "Somebody keeps bees. She has two dogs.", "A man repairs clocks.");
    EvalOptions links;
    links.targets = {{"d", "r"}};
    links.attack.protocols = {query::parse_protocol("bm25/first:1")};
    eval(store(), links);
    query::ExportOptions what;
    what.eval = links.attack;
    what.eval.judge = "local";
    what.folder = scratch_.path() / "out";
    query::export_work(store(), links.targets, what);
    std::vector<std::string> lines;
    std::ifstream requests(scratch_.path() / "out" / "part-00001.jsonl");
    for (std::string line; std::getline(requests, line);) {
      const Json content = {{"ratings", {{{"claim", 1}, {"reason", "r"}, {"rating", 1}}}}};
      const Json body = {{"choices", {{{"finish_reason", "stop"}, {"message", {{"content", content.dump()}}}}}},
                         {"model", "m"},
                         {"usage", {{"prompt_tokens", 100}, {"completion_tokens", 10}}}};
      lines.push_back(Json{{"custom_id", Json::parse(line)["custom_id"]},
                           {"response", {{"status_code", 200}, {"body", body}}},
                           {"error", nullptr}}
                          .dump() +
                      "\n");
    }
    return lines;
  }
};

TEST_F(ImportWork, SumsUpWhatFilesBrought) {
  const std::vector<std::string> lines = answered();
  ASSERT_GE(lines.size(), 2U);
  std::string rest;
  for (std::size_t i = 1; i < lines.size(); ++i) rest += lines[i];
  ImportWorkOptions options;
  options.files = {file("one.jsonl", lines[0] + "no line\n"), file("rest.jsonl", rest)};
  std::vector<std::pair<std::string, std::uint64_t>> told;
  options.file_done = [&](const std::string& name, const ingest::ImportedWork& work) {
    told.emplace_back(name, work.lines);
  };
  const ingest::ImportedWork all = import_work(store(), options);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0], std::pair(options.files[0], std::uint64_t{2}));
  EXPECT_EQ(told[1], std::pair(options.files[1], std::uint64_t{lines.size() - 1}));
  EXPECT_EQ(all.lines, lines.size() + 1);
  EXPECT_EQ(all.saved + all.invalid, lines.size());
  EXPECT_EQ(all.unreadable, 1U);
  EXPECT_EQ(all.models, std::vector<std::string>{"local"});
  require_answers(all);
  EXPECT_EQ(import_work(store(), options).same, lines.size());
}

TEST_F(ImportWork, RefusesFilesThatBroughtNothing) {
  ImportWorkOptions options;
  options.files = {file("none.jsonl", "")};
  const ingest::ImportedWork none = import_work(store(), options);
  EXPECT_EQ(ended_with([&] { require_answers(none); }), (std::pair<int, std::string>{6, "no line in it"}));
  options.files = {file("strange.jsonl", R"({"custom_id":"x","response":null,"error":null})"
                                         "\n")};
  const ingest::ImportedWork strange = import_work(store(), options);
  EXPECT_EQ(ended_with([&] { require_answers(strange); }).second, "no line answers a question of this store");
  options.files = {(scratch_.path() / "missing").string()};
  EXPECT_EQ(ended_with([&] { import_work(store(), options); }).first, 3);
}

}  // namespace
}  // namespace residue::verbs
