#include "query/judge/dictionary.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "storage/disk/files.h"

namespace residue::query {
namespace {

constexpr const char* kStandardPlace = "/usr/share/wordnet";
constexpr std::size_t kMaxBytes = std::size_t{256} << 20;

std::filesystem::path directory() {
  const char* named = std::getenv("RESIDUE_WORDNET");
  return named == nullptr || *named == '\0' ? kStandardPlace : named;
}

std::string read(const std::filesystem::path& dir, const std::string& name, std::string& digests) {
  if (!std::filesystem::exists(dir / name)) {
    throw Error(
        Code::kNotFound, fmt::format("WordNet is not installed: there is no {} in {}", name, dir.string()),
        "install the package wordnet-base, or name the directory of its files in RESIDUE_WORDNET; judge lexical "
        "needs none");
  }
  std::string contents = storage::read_small_file(dir / name, kMaxBytes);
  digests += sha256(contents);
  return contents;
}

std::shared_ptr<const Dictionary> read_dictionary(const std::filesystem::path& dir) {
  text::WordNetFiles files;
  std::string digests;
  for (std::size_t i = 0; i < text::kWordClasses; ++i) {
    const std::string part(text::kWordNetClasses[i]);
    files.index[i] = read(dir, "index." + part, digests);
    files.data[i] = read(dir, "data." + part, digests);
    files.exceptions[i] = read(dir, part + ".exc", digests);
  }
  return std::shared_ptr<const Dictionary>(new Dictionary{text::WordNet(std::move(files)), to_hex(sha256(digests))});
}

}  // namespace

std::shared_ptr<const Dictionary> installed_dictionary() {
  static std::mutex mutex;
  static std::filesystem::path last;
  static std::shared_ptr<const Dictionary> dictionary;
  const std::lock_guard lock(mutex);
  if (const auto dir = directory(); dictionary == nullptr || dir != last) {
    dictionary = read_dictionary(dir);
    last = dir;
  }
  return dictionary;
}

}  // namespace residue::query
