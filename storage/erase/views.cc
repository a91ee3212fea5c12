#include "storage/erase/views.h"

#include <cstddef>

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

// `words`: a JSON array of strings, looked through as it stands: signs between the words belong to no name. What is
// escaped otherwise than by one sign might name anything.
bool names(std::string_view name, std::string_view words) {
  std::string plain;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == '\\' && ++i < words.size() && words[i] != '"' && words[i] != '\\' && words[i] != '/') return true;
    if (i < words.size()) plain += words[i];
  }
  return stands_whole(name, plain);
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
