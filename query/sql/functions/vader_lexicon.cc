#include "query/sql/functions/vader_lexicon.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "storage/disk/files.h"

namespace residue::query {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{256} << 20;
constexpr const char* kEmojiName = "emoji_utf8_lexicon.txt";

std::filesystem::path lexicon_path(const VaderFiles& files) {
  if (!files.lexicon.empty()) return files.lexicon;
  const char* environment = std::getenv("RESIDUE_VADER_LEXICON");
  return environment == nullptr ? "" : environment;
}

// A file of the user's that is too large is no damage of the store.
std::string bounded(const std::filesystem::path& file) {
  try {
    return storage::read_small_file(file, kMaxBytes);
  } catch (const Error& error) {
    if (error.code() != Code::kCorrupt) throw;
    throw Error(Code::kBadInput, fmt::format("{}: longer than 256 MiB", file.string()), "name a lexicon");
  }
}

}  // namespace

bool names_lexicon(const VaderFiles& files) { return !lexicon_path(files).empty(); }

VaderContents read_vader(const VaderFiles& files) {
  const std::filesystem::path lexicon = lexicon_path(files);
  if (lexicon.empty()) {
    throw Error(Code::kUsage, "no sentiment lexicon is named, and the program has none of its own",
                "--lexicon FILE or RESIDUE_VADER_LEXICON: vader_lexicon.txt of the Python package vaderSentiment");
  }
  std::filesystem::path emoji = files.emoji;
  if (emoji.empty() && std::filesystem::exists(lexicon.parent_path() / kEmojiName)) {
    emoji = lexicon.parent_path() / kEmojiName;
  }
  return {bounded(lexicon), emoji.empty() ? std::string() : bounded(emoji)};
}

}  // namespace residue::query
