#include "verbs/runs/views.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "base/nearest.h"
#include "storage/catalog/sources/saved_view.h"
#include "verbs/runs/names.h"

namespace residue::verbs {
namespace {

constexpr auto kCommands = std::to_array<std::string_view>({"report", "compare", "history", "show", "leaks"});
constexpr std::size_t kMaxBytes = 16'000;

SavedView view_of(const storage::Statement& row) {
  SavedView view;
  view.name = std::string(row.text(0));
  const Json words = Json::parse(row.text(1)).value_or(Json());
  if (words.is_array()) {
    for (const Json& word : words) {
      if (word.is_string()) view.words.push_back(word.string());
    }
  }
  view.saved_at = row.integer(2);
  return view;
}

std::vector<SavedView> read_views(storage::Db& db) {
  std::vector<SavedView> views;
  storage::Statement all = db.prepare(storage::sql::kSavedViews);
  while (all.step()) views.push_back(view_of(all));
  return views;
}

SavedView find_in(storage::Db& db, const std::string& name) {
  std::vector<std::string> names;
  for (SavedView& view : read_views(db)) {
    if (view.name == name) return std::move(view);
    names.push_back(view.name);
  }
  throw Error(Code::kNotFound, fmt::format("there is no saved view \"{}\"{}", name, did_you_mean(name, names)),
              names.empty() ? "residue view save NAME 'report DATASET --where ...' saves one"
                            : "residue view list has them all");
}

}  // namespace

std::span<const std::string_view> view_commands() { return kCommands; }

std::vector<std::string> split_line(std::string_view line) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (quote == 0 && blank) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (quote != '\'' && c == '\\' && at + 1 < line.size()) {
      words.back() += line[++at];
    } else {
      words.back() += c;
    }
  }
  if (quote != 0) throw Error(Code::kUsage, fmt::format("a quote ({}) is not closed", quote), "close it");
  return words;
}

std::vector<SavedView> saved_views(storage::Store& store) { return read_views(store.db()); }

SavedView find_view(storage::Store& store, const std::string& name) { return find_in(store.db(), name); }

std::optional<SavedView> save_view(storage::Store& store, const std::string& name,
                                   const std::vector<std::string>& words) {
  check_owner_name("view", name);
  if (name == "save" || name == "list" || name == "rm") {
    throw Error(Code::kUsage, fmt::format("a view cannot be called {}: residue view {} is a command", name, name),
                "choose another name");
  }
  const std::string command = words.empty() ? std::string() : words.front();
  if (std::ranges::find(kCommands, command) == kCommands.end()) {
    const std::vector<std::string> known(kCommands.begin(), kCommands.end());
    throw Error(Code::kUsage,
                command.empty() ? std::string("a view without a command")
                                : fmt::format("a view cannot hold this command{}", did_you_mean(command, known)),
                fmt::format("it holds one of {}", fmt::join(kCommands, ", ")));
  }
  std::size_t bytes = 0;
  for (const std::string& word : words) bytes += word.size();
  if (bytes > kMaxBytes || std::ranges::any_of(words, [](const auto& word) { return word.find('\0') != word.npos; })) {
    throw Error(Code::kUsage, "the command is too long for a view, or has a NUL character",
                fmt::format("a view holds at most {} bytes", kMaxBytes));
  }
  const auto batch = store.write();
  std::optional<SavedView> before;
  for (SavedView& view : read_views(batch->db())) {
    if (view.name == name) before = std::move(view);
  }
  batch->db().prepare(storage::sql::kPutSavedView).run(name, Json(words).dump(), now_ms());
  batch->commit();
  return before;
}

SavedView remove_view(storage::Store& store, const std::string& name) {
  const auto batch = store.write();
  SavedView view = find_in(batch->db(), name);
  batch->db().prepare(storage::sql::kDeleteSavedView).run(name);
  batch->commit();
  return view;
}

}  // namespace residue::verbs
