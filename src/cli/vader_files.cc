#include "cli/vader_files.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "storage/files.h"

namespace residue::cli {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{256} << 20;
constexpr const char* kEmojiName = "emoji_utf8_lexicon.txt";

}  // namespace

ReadVader read_vader(const VaderFiles& files) {
  std::filesystem::path lexicon = files.lexicon;
  if (lexicon.empty()) {
    const char* environment = std::getenv("RESIDUE_VADER_LEXICON");
    if (environment != nullptr) lexicon = environment;
  }
  if (lexicon.empty()) {
    throw Error(Code::kUsage, "no lexicon of sentiment is named, and none is part of the program",
                "--lexicon FILE or RESIDUE_VADER_LEXICON: vader_lexicon.txt of the Python package vaderSentiment");
  }
  std::filesystem::path emoji = files.emoji;
  if (emoji.empty() && std::filesystem::exists(lexicon.parent_path() / kEmojiName)) {
    emoji = lexicon.parent_path() / kEmojiName;
  }
  const std::string words = storage::read_small_file(lexicon, kMaxBytes);
  const std::string characters = emoji.empty() ? std::string() : storage::read_small_file(emoji, kMaxBytes);
  return {text::Vader(words, characters), !emoji.empty()};
}

}  // namespace residue::cli
