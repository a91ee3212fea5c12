#include "storage/erase/views.h"

#include "base/json.h"
#include "storage/catalog/sources/saved_view.h"

namespace residue::storage {
namespace {

// A sign of names of datasets and runs.
bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
         c == '-' || c == '@';
}

bool stands_whole(std::string_view name, std::string_view word) {
  for (std::size_t at = word.find(name); at != std::string_view::npos; at = word.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_of_name(word[at - 1])) && (end == word.size() || !is_of_name(word[end]))) return true;
  }
  return false;
}

// What cannot be read might name anything.
bool names(std::string_view name, std::string_view words) {
  const Json json = Json::parse(words).value_or(Json());
  if (!json.is_array()) return true;
  for (const Json& word : json) {
    if (!word.is_string() || stands_whole(name, word.string())) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> drop_views_naming(Db& db, std::string_view name) {
  std::vector<std::string> gone;
  Statement all = db.prepare(sql::kSavedViews);
  while (all.step()) {
    if (names(name, all.text(1))) gone.emplace_back(all.text(0));
  }
  all.reset();
  Statement remove = db.prepare(sql::kDeleteSavedView);
  for (const std::string& view : gone) remove.run(view);
  return gone;
}

}  // namespace residue::storage
