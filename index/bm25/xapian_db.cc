#include "index/bm25/xapian_db.h"

#include <xapian.h>

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>

#include "base/error.h"

namespace residue::index {
namespace {

constexpr const char* kRebuild = "indexes are derived: delete the file below index/ and run the command again";

// Documents kept in memory before Xapian flushes: one flush gives the smallest database; about 5 KB a document.
constexpr const char* kFlushThreshold = "100000";

bool older_than_required() {
  return Xapian::major_version() * 10'000 + Xapian::minor_version() * 100 + Xapian::revision() < 1'04'22;
}

// A full or failing disk, which Xapian reports like a damaged file; it keeps the system's words, not its number.
std::optional<Code> of_the_disk(const Xapian::Error& error) {
  const char* said = error.get_error_string();
  if (said == nullptr) return std::nullopt;
  const auto says = [&](int number) { return std::generic_category().message(number) == said; };
  if (says(ENOSPC) || says(EDQUOT)) return Code::kTryAgain;
  if (says(EIO)) return Code::kIo;
  return std::nullopt;
}

}  // namespace

void rethrow_as_ours(std::string_view what) {
  const std::string name(what);
  try {
    throw;
  } catch (const Xapian::Error& e) {
    if (const auto code = of_the_disk(e)) {
      throw Error(*code, "index " + name + " cannot be read or written",
                  *code == Code::kTryAgain ? "free some space and run the same command again" : "check the disk");
    }
  } catch (...) {  // below
  }
  try {
    throw;
  } catch (const Xapian::DatabaseNotFoundError&) {
    throw Error(Code::kCorrupt, "index " + name + " is missing or damaged", kRebuild);
  } catch (const Xapian::DatabaseVersionError&) {
    throw Error(Code::kCorrupt, "index " + name + " was written by another version of Xapian", kRebuild);
  } catch (const Xapian::DatabaseOpeningError&) {
    throw Error(Code::kCorrupt, "index " + name + " cannot be opened", kRebuild);
  } catch (const Xapian::DatabaseCorruptError&) {
    throw Error(Code::kCorrupt, "index " + name + " is damaged", kRebuild);
  } catch (const Xapian::DatabaseError&) {
    throw Error(Code::kIo, "index " + name + " cannot be read or written", "check the free space and the disk");
  } catch (const Xapian::Error& e) {
    throw Error(Code::kInternal, "index " + name + ": unexpected " + e.get_type(), "please report this");
  }
}

void require_xapian() {
  static const bool old = [] {
    setenv("XAPIAN_FLUSH_THRESHOLD", kFlushThreshold, 0);
    return older_than_required();
  }();
  if (old) {
    throw Error(Code::kInternal, std::string("libxapian ") + Xapian::version_string() + " is too old",
                "install libxapian 1.4.22 or newer");
  }
}

std::string xapian_version() { return Xapian::version_string(); }

Xapian::Database open_segments(std::span<const std::filesystem::path> files) {
  require_xapian();
  Xapian::Database all;
  for (const auto& file : files) {
    guarded(file.filename().string(), [&] { all.add_database(Xapian::Database(file.string())); });
  }
  // Xapian refuses to search no database at all.
  if (files.empty()) all.add_database(Xapian::WritableDatabase(std::string(), Xapian::DB_BACKEND_INMEMORY));
  return all;
}

}  // namespace residue::index
