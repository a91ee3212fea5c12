#include "ingest/mask/program_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <utility>

namespace residue::ingest {
namespace {

namespace fs = std::filesystem;

// Without their quotation marks. What the shell would put in the place of words is left as it is written.
std::vector<std::string> shell_words(std::string_view command) {
  constexpr std::string_view kBetween = " \t\n;|&()<>`";
  std::vector<std::string> words(1);
  char quoted = '\0';
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quoted != '\0' ? c == quoted : c == '\'' || c == '"') {
      quoted = quoted == '\0' ? c : '\0';
    } else if (c == '\\' && quoted != '\'' && i + 1 < command.size()) {
      words.back() += command[++i];
    } else if (quoted == '\0' && kBetween.find(c) != std::string_view::npos) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  std::erase_if(words, [](const std::string& word) { return word.empty(); });
  return words;
}

bool is_of_the_system(const fs::path& file) {
  std::error_code error;
  const std::string real = fs::canonical(file, error).string();
  static constexpr std::array<std::string_view, 5> kFolders = {"/usr/", "/bin/", "/sbin/", "/lib", "/dev/"};
  return error || std::ranges::any_of(kFolders, [&](std::string_view folder) { return real.starts_with(folder); });
}

bool is_program(const std::string& word) {
  std::error_code error;
  const fs::path file(word);
  if (!fs::is_regular_file(file, error) || is_of_the_system(file)) return false;
  std::array<char, 4> start{};
  std::ifstream in(file, std::ios::binary);
  if (!in) return false;
  in.read(start.data(), start.size());
  const std::string_view begins(start.data(), static_cast<std::size_t>(in.gcount()));
  if (begins.starts_with("#!") || begins ==
                                      "\x7f"
                                      "ELF")
    return true;
  static constexpr std::array<std::string_view, 16> kEndings = {".py", ".sh",  ".bash", ".js", ".mjs", ".ts",
                                                                ".pl", ".rb",  ".r",    ".R",  ".jl",  ".lua",
                                                                ".jq", ".sed", ".awk",  ".php"};
  return std::ranges::find(kEndings, file.extension().string()) != kEndings.end();
}

}  // namespace

std::vector<std::string> program_files(std::string_view command) {
  std::vector<std::string> files;
  for (std::string& word : shell_words(command)) {
    if (is_program(word) && std::ranges::find(files, word) == files.end()) files.push_back(std::move(word));
  }
  return files;
}

}  // namespace residue::ingest
