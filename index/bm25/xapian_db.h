// The wall around Xapian: xapian.h is included by xapian_db.cc, bm25_weight.h, bm25_index.h, segment.cc and the files
// behind them (bm25_matcher, bm25_batch, bm25_linker.cc) only, and none of its exceptions leaves the linker.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace Xapian {
class Database;
}

namespace residue::index {

// Rethrows the exception being handled: Xapian's as Error{corrupt|io|internal} about `what` (a file or a directory of
// the index) with the remedy as hint, anything else as it is. Xapian's own texts are dropped: they may quote terms.
[[noreturn]] void rethrow_as_ours(std::string_view what);

// Runs `f`, translating what Xapian throws.
template <class F>
auto guarded(std::string_view what, F&& f) -> decltype(std::forward<F>(f)()) {
  try {
    return std::forward<F>(f)();
  } catch (...) {
    rethrow_as_ours(what);
  }
}

// Checked once per process: libxapian older than 1.4.22 can corrupt a database when the disk is full (Debian #1032398).
// Throws Error{internal}. Also sets the flush threshold of writable databases, before the first is opened.
void require_xapian();
std::string xapian_version();

// Opens immutable segments as one collection with common statistics. One thread may use the result; its document
// number d of n segments belongs to segment (d - 1) % n.
Xapian::Database open_segments(std::span<const std::filesystem::path> files);

}  // namespace residue::index
