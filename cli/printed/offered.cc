#include "cli/printed/offered.h"

#include <algorithm>
#include <utility>

#include "cli/printed/glossary.h"
#include "cli/printed/pages.h"
#include "ingest/method/sanitizer.h"
#include "query/export/export_table.h"

namespace residue::cli {
namespace {

// The shells take words apart at spaces.
bool is_one_word(const std::string& word) { return word.find_first_of(" '\"") == std::string::npos; }

}  // namespace

std::vector<std::string> offered_values(std::string_view command, std::string_view flag) {
  if (flag == "--judge" && command != "ingest judgments") return {"lexical", "lexical-wordnet", "rouge"};
  if (flag != "--with") return {};
  if (command == "atomize") return {"sentences"};
  if (command == "categorize") return {"rules"};
  if (command != "sanitize") return {};
  std::vector<std::string> names;
  for (const ingest::SanitizerMethod& method : ingest::sanitizer_methods()) names.emplace_back(method.name);
  return names;
}

std::vector<std::string> offered_words(std::string_view command) {
  std::vector<std::string> words;
  if (command == "export") {
    for (const query::ExportTable& table : query::export_tables()) words.emplace_back(table.name);
  } else if (command == "help") {
    for (const FirstWord& first : first_words()) words.push_back(first.word);
    for (std::string& term : term_names()) words.push_back(std::move(term));
    words.insert(words.end(), {"schema", "questions"});
    std::erase_if(words, [](const std::string& word) { return !is_one_word(word); });
    std::ranges::sort(words);
    words.erase(std::ranges::unique(words).begin(), words.end());
  }
  return words;
}

}  // namespace residue::cli
