#include "query/agree/judge_warnings.h"

#include <fmt/format.h>
#include <oneapi/tbb/blocked_range.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

#include "base/ids.h"
#include "base/json.h"
#include "base/parallel_ranges.h"
#include "storage/catalog/answers/judge.h"
#include "storage/catalog/answers/model.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run.h"
#include "text/characters/unicode.h"
#include "text/words/language.h"

namespace residue::query {
namespace {

using storage::Statement;
using Names = std::set<std::string>;

void add_name(Names& names, std::string_view name) {
  if (name.empty()) return;
  names.insert(text::lower(name));
  const std::size_t slash = name.rfind('/');
  if (slash != std::string_view::npos && slash + 1 < name.size()) names.insert(text::lower(name.substr(slash + 1)));
}

void add_string(Names& names, const Json& json, const char* key) {
  const Json* found = json.find(key);
  if (found != nullptr && found->is_string()) add_name(names, found->get<std::string>());
}

// Of a judge's spec: a model's own, or that of a cascade's second judge.
void add_judge(Names& names, const Json& spec) {
  if (const Json* second = spec.find("second")) return add_judge(names, *second);
  const Json* answer = spec.find("answer");
  if (answer == nullptr || !answer->is_object()) return;
  add_string(names, spec, "name");
  if (const Json* asking = answer->find("asking")) add_string(names, *asking, "model");
}

// A judge from elsewhere is called as its model is, with what it was told behind a slash: "gpt-4/no_actions".
void add_imported(Names& names, const std::string& name) { add_name(names, name.substr(0, name.find('/'))); }

struct JudgeNames {
  Names names;
  bool imported = false;  // names are the user's words, which need not be those of a model
};

JudgeNames names_of_judge(storage::Db& db, const std::string& judge) {
  JudgeNames of;
  Statement find = db.prepare(storage::sql::kJudgeSpecAndEmbeddedByName);
  if (!find.bind(judge).step() || find.integer(1) != 0) return of;
  add_judge(of.names, Json::parse(find.text(0)).value_or(Json()));
  of.imported = of.names.empty();
  if (of.imported) add_imported(of.names, judge);
  return of;
}

// With the models behind endpoints that are called so.
Names names_of_sanitizer(storage::Db& db, const std::optional<std::string>& sanitizer, std::string_view params) {
  Names names;
  std::vector<std::string> said;
  if (sanitizer) said.push_back(*sanitizer);
  const Json json = Json::parse(params).value_or(Json());
  if (json.contains("model") && json["model"].is_string()) {
    said.push_back(json["model"].get<std::string>());
  }
  // What `sanitize` says of whom it asked, by task.
  if (const Json* asked = json.find("asked"); asked != nullptr && asked->is_object()) {
    for (const auto& [task, one] : asked->items()) {
      for (const char* key : {"label", "model"}) {
        if (one.contains(key) && one[key].is_string()) said.push_back(one[key].get<std::string>());
      }
    }
  }
  Statement find = db.prepare(storage::sql::kModelAsking);
  for (const std::string& name : said) {
    add_name(names, name);
    if (find.bind(name).step()) add_string(names, Json::parse(find.text(0)).value_or(Json()), "model");
    find.reset();
  }
  return names;
}

}  // namespace

std::vector<std::string> shared_model_notes(storage::Db& db, const std::string& dataset, const std::string& judge) {
  std::vector<std::string> notes;
  const auto [judges, imported] = names_of_judge(db, judge);
  if (judges.empty()) return notes;
  Statement runs = db.prepare(storage::sql::kRunsInNameOrderWithSanitizer);
  runs.bind(storage::find_dataset(db, dataset));
  while (runs.step()) {
    const Names names = names_of_sanitizer(db, runs.text_or_null(1), runs.text(2));
    const bool shared = std::any_of(names.begin(), names.end(),
                                    [&of = judges](const std::string& name) { return of.count(name) != 0; });
    if (!shared) continue;
    if (imported) {
      notes.push_back(
          fmt::format("run {}/{} and its judge {} have the same name: if one model is behind both, it may favour its "
                      "own words; --judge names another",
                      dataset, runs.text(0), judge));
      continue;
    }
    notes.push_back(
        fmt::format("run {}/{} was made by the model that judges it ({}): it may favour its own words; "
                    "--judge names another",
                    dataset, runs.text(0), judge));
  }
  return notes;
}

std::vector<std::string> language_notes(storage::Store& store, const std::string& dataset, const std::string& judge) {
  if (judge != "lexical" && !judge.starts_with("cascade:lexical,")) return {};
  std::vector<TextId> texts;
  {
    Statement rows = store.db().prepare(storage::sql::kRecordTextsOfDataset);
    rows.bind(storage::find_dataset(store.db(), dataset));
    while (rows.step()) texts.push_back(rows.id<TextId>(0));
  }
  std::atomic<std::uint64_t> foreign = 0;
  parallel_ranges(texts.size(), 64, [&](const auto& range) {
    const auto reader = store.facts().read();
    std::uint64_t found = 0;
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      found += text::obviously_not_english(reader->text(texts[i])) ? 1 : 0;
    }
    foreign += found;
  });
  if (foreign == 0) return {};
  return {
      fmt::format("{} of {} records of {} are obviously not in English, which is what the judge {} reads: their "
                  "claims are compared word by word at best",
                  foreign.load(), texts.size(), dataset, judge)};
}

}  // namespace residue::query
