#include "index/bm25/segment.h"

#include <sys/stat.h>
#include <unistd.h>
#include <xapian.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "index/bm25/xapian_db.h"
#include "storage/disk/fault.h"
#include "storage/disk/files.h"
#include "storage/disk/mutant.h"
#include "text/words/analyzer.h"

namespace residue::index {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail_io(const std::string& what, const fs::path& path) {
  const bool full = errno == ENOSPC || errno == EDQUOT;
  throw Error(full ? Code::kTryAgain : Code::kIo, "cannot " + what + " " + path.filename().string() + " of the index",
              full ? "free some space and run the same command again" : "check the disk and the permissions");
}

// A fresh directory of ours: a killed process can leave one that Xapian can neither open nor create again.
class TempDir {
 public:
  explicit TempDir(const fs::path& parent) {
    static std::atomic<unsigned> next{0};
    do {
      path_ = parent / (".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(next++));
      if (::mkdir(path_.c_str(), 0700) == 0) return;
    } while (errno == EEXIST);
    fail_io("create", path_);
  }
  ~TempDir() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// X2 (second half) to X5.
Segment publish_compacted(Xapian::Database db, const TempDir& temp, const fs::path& index_dir, RunId run) {
  const fs::path built = temp.path() / "segment";
  Segment segment;
  guarded(built.filename().string(), [&] {
    segment.documents = db.get_doccount();
    db.compact(built.string(), Xapian::DBCOMPACT_SINGLE_FILE);
  });
  storage::fault_point("index.built");

  segment.sha256 = to_hex(storage::sha256_file(built));
  segment.bytes = fs::file_size(built);
  if (::chmod(built.c_str(), 0600) != 0) fail_io("protect", built);
  storage::sync_path(built);
  storage::sync_path(temp.path());
  storage::fault_point("index.synced");

  segment.file = "run" + std::to_string(run.value) + "-" + segment.sha256.substr(0, 16) + ".glass";
  const std::string name = storage::mutant("index-recorded-first") ? ".late-" + segment.file : segment.file;
  if (::rename(built.c_str(), (index_dir / name).c_str()) != 0) fail_io("publish", built);
  storage::fault_point("index.renamed");

  if (!storage::mutant("index-name-unsynced")) storage::sync_path(index_dir);
  storage::fault_point("index.dir_synced");
  return segment;
}

std::string little_endian(CandidateId candidate) {
  std::string data(8, '\0');
  auto rest = static_cast<std::uint64_t>(candidate.value);
  for (char& byte : data) {
    byte = static_cast<char>(rest & 0xff);
    rest >>= 8;
  }
  return data;
}

}  // namespace

namespace {

// Xapian gathers what a database is to hold in trees, one for each term, and is several times slower once they do not
// fit into the processor's cache. So documents are written to small databases, of which many make a larger one.
constexpr std::size_t kDocumentsAtOnce = 500;
constexpr std::size_t kPartsAtOnce = 32;  // open files; merging costs a hundredth of indexing

}  // namespace

struct SegmentBuilder::Impl {
  Impl(const fs::path& dir, RunId id, const text::Analyzer& a) : index_dir(dir), run(id), temp(dir), counter(a) {
    require_xapian();
  }

  void open() {
    guarded("segment", [&] {
      db = Xapian::WritableDatabase(next_part().string(), Xapian::DB_CREATE | Xapian::DB_NO_SYNC |
                                                              Xapian::DB_BACKEND_GLASS | Xapian::DB_NO_TERMLIST);
    });
    levels.front().push_back(last_part);
  }

  void close() {
    guarded("segment", [&] {
      db->commit();
      db->close();
    });
    db.reset();
    documents = 0;
    for (std::size_t level = 0; levels[level].size() >= kPartsAtOnce; ++level) merge(level);
  }

  // The documents of a level all come behind those of the levels above it.
  void merge(std::size_t level) {
    if (level + 1 == levels.size()) levels.emplace_back();
    const fs::path whole = next_part();
    guarded("segment", [&] { open_segments(levels[level]).compact(whole.string(), Xapian::DBCOMPACT_SINGLE_FILE); });
    std::error_code ignored;
    for (const fs::path& part : levels[level]) fs::remove_all(part, ignored);
    levels[level].clear();
    levels[level + 1].push_back(whole);
  }

  [[nodiscard]] std::vector<fs::path> parts() const {
    std::vector<fs::path> all;
    for (auto level = levels.rbegin(); level != levels.rend(); ++level)
      all.insert(all.end(), level->begin(), level->end());
    return all;
  }

  const fs::path& next_part() { return last_part = temp.path() / ("db" + std::to_string(made++)); }

  fs::path index_dir;
  RunId run;
  TempDir temp;
  std::optional<Xapian::WritableDatabase> db;
  std::size_t documents = 0;  // in it
  std::vector<std::vector<fs::path>> levels{1};
  fs::path last_part;
  std::size_t made = 0;
  CandidateId last = {};
  text::TermCounter counter;
};

SegmentBuilder::SegmentBuilder(const fs::path& index_dir, RunId run, const text::Analyzer& analyzer)
    : impl_(std::make_unique<Impl>(index_dir, run, analyzer)) {}

SegmentBuilder::~SegmentBuilder() = default;

void SegmentBuilder::add(CandidateId candidate, std::string_view text) {
  if (candidate <= impl_->last) {
    throw Error(Code::kInternal, "documents of a segment are out of order", "please report this");
  }
  impl_->last = candidate;
  const auto counts = impl_->counter.count(text);
  if (counts.empty()) return;
  if (!impl_->db) impl_->open();
  Xapian::Document document;
  guarded("segment", [&] {
    document.set_data(little_endian(candidate));
    for (const auto& [term, times] : counts) document.add_term(impl_->counter.spelling(term), times);
    impl_->db->add_document(document);
  });
  if (++impl_->documents == kDocumentsAtOnce) impl_->close();
}

Segment SegmentBuilder::publish() {
  if (impl_->made == 0) impl_->open();  // a segment without documents
  if (impl_->db) impl_->close();
  return publish_compacted(open_segments(impl_->parts()), impl_->temp, impl_->index_dir, impl_->run);
}

void verify_segment(const fs::path& path, std::string_view sha256) {
  constexpr const char* kRebuild = "indexes are derived: delete the file and run the command again";
  if (!fs::exists(path)) throw Error(Code::kCorrupt, "index " + path.filename().string() + " is missing", kRebuild);
  if (!storage::has_sha256(path, sha256)) {
    throw Error(Code::kCorrupt, "index " + path.filename().string() + " is damaged", kRebuild);
  }
}

}  // namespace residue::index
