#include "storage/commits.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/hash.h"
#include "storage/disk/descriptor.h"

namespace residue::storage {
namespace {

constexpr std::size_t kSlotWords = 4;  // turn, catalog, facts, checksum
using Words = std::array<std::uint64_t, kSlotWords>;

constexpr int kOpened = O_CLOEXEC | O_NONBLOCK;

}  // namespace

CommitsFile::CommitsFile(const std::filesystem::path& dir, std::string_view uuid)
    : file_(dir / "commits"), uuid_(uuid) {}

std::uint64_t CommitsFile::checksum(const Slot& slot) const {
  return hash_of(slot.turn, uuid_, mix(slot.commits.catalog) ^ slot.commits.facts);
}

std::optional<CommitsFile::Slot> CommitsFile::newest() const {
  const Descriptor file(::open(file_.c_str(), O_RDONLY | kOpened));
  std::optional<Slot> found;
  for (int at = 0; at < 2; ++at) {
    Words words{};
    if (::pread(file.get(), words.data(), sizeof words, at * static_cast<off_t>(sizeof words)) !=
        static_cast<ssize_t>(sizeof words)) {
      continue;
    }
    const Slot slot{words[0], {words[1], words[2]}};
    if (words[3] == checksum(slot) && (!found || found->turn < slot.turn)) found = slot;
  }
  return found;
}

std::optional<Commits> CommitsFile::read() const {
  const auto slot = newest();
  if (!slot) return std::nullopt;
  return slot->commits;
}

void CommitsFile::write(const Commits& commits) noexcept {
  const auto last = newest();
  const Slot slot{last ? last->turn + 1 : 1, commits};
  const Words words{slot.turn, commits.catalog, commits.facts, checksum(slot)};
  const Descriptor file(::open(file_.c_str(), O_WRONLY | O_CREAT | kOpened, 0600));
  const auto at = static_cast<off_t>(slot.turn % 2 * sizeof words);
  if (::pwrite(file.get(), words.data(), sizeof words, at) < 0) return;
}

std::string lost_commits(const std::optional<Commits>& acknowledged, const Commits& facts_before,
                         const Commits& catalog, std::uint64_t facts_after) {
  const std::uint64_t named = acknowledged ? acknowledged->catalog : 0;
  if (catalog.catalog < named) {
    return fmt::format("the catalog has lost its newest {} of {} commits", named - catalog.catalog, named);
  }
  if (catalog.catalog < facts_before.catalog) {
    return fmt::format("catalog.db is older than facts/: it has lost {} commits",
                       facts_before.catalog - catalog.catalog);
  }
  const std::uint64_t wanted = std::max(catalog.facts, acknowledged ? acknowledged->facts : 0);
  if (facts_after < wanted) {
    return fmt::format("facts/ is older than {}: it has lost {} commits of texts and answers",
                       catalog.facts > facts_after ? "catalog.db" : "what was acknowledged", wanted - facts_after);
  }
  return {};
}

}  // namespace residue::storage
