#include "storage/facts/facts.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "storage/disk/fault.h"
#include "storage/disk/files.h"
#include "storage/disk/mutant.h"
#include "storage/facts/facts_space.h"
#include "storage/facts/facts_txn.h"

namespace residue::storage {

namespace {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kMapBytes = std::size_t{4} << 30U;
#else
constexpr std::size_t kMapBytes = std::size_t{256} << 30U;
#endif

constexpr int kOpenWaitMs = 30'000;

void enter(Facts::State& state, const std::filesystem::path& dir) {
  struct stat status {};
  if (::stat(dir.c_str(), &status) != 0) {
    throw Error(errno == ENOENT ? Code::kCorrupt : Code::kIo, "facts/ cannot be read",
                "restore the store from a backup");
  }
  state.here = residue_environment_enter(status.st_dev, status.st_ino);
  if (state.here == nullptr) throw std::bad_alloc();
}

// RESIDUE_TEST_MAP_BYTES: a map small enough to be filled by a test.
std::size_t map_bytes() {
  const char* test = std::getenv("RESIDUE_TEST_MAP_BYTES");
  return test == nullptr ? first_map_bytes(kMapBytes) : std::strtoull(test, nullptr, 10);
}

// `ready`: nobody else is opening it.
void take_open_lock(Facts::State& state, const std::filesystem::path& dir, bool ready = true) {
  auto lock = ready ? Lock::take(dir / "open.lock", LockMode::kShared, kOpenWaitMs) : std::nullopt;
  if (!lock) throw Error(Code::kBusy, "facts/: another process has been opening it for long", "try again later");
  state.open = std::move(*lock);
}

// The environment that somebody of this process has opened already. Its lock is ours as well: they may leave first.
void join_env(Facts::State& state, const std::filesystem::path& dir, unsigned flags) {
  if (state.here->flags != flags) {
    throw Error(Code::kBusy, "this process has the store open in another way", "close it there, then open it again");
  }
  state.env = state.here->env;
  if ((flags & MDB_NOLOCK) != 0) return;
  take_open_lock(state, dir);
}

void open_env(Facts::State& state, const std::filesystem::path& dir, unsigned flags = 0) {
  if (mutant("facts-unsynced")) flags |= MDB_NOSYNC;
  if (mutant("facts-meta-unsynced")) flags |= MDB_NOMETASYNC;
  if (state.here->env != nullptr) return join_env(state, dir, flags);
  MDB_env* made = nullptr;
  check(mdb_env_create(&made), "set up");
  std::unique_ptr<MDB_env, void (*)(MDB_env*)> fresh(made, mdb_env_close);
  check(mdb_env_set_mapsize(made, map_bytes()), "set up");
  check(mdb_env_set_maxdbs(made, 16), "set up");
  check(mdb_env_set_maxreaders(made, 512), "set up");
  const auto open = [&] {
    check(mdb_env_open(made, dir.c_str(), MDB_NOTLS | flags, 0600), "open");
    state.here->flags = flags;
    state.here->env = state.env = fresh.release();
  };
  if ((flags & MDB_NOLOCK) != 0) return open();
  // The engine sets its lock file up when it is the first to open it. A second process that waits for one which is
  // killed just then takes what it finds for complete, and may write on top of the last commit but one. So one opens at
  // a time, and where nobody has come through, what is left of the file goes.
  const auto opening = Lock::take(dir / "opening.lock", LockMode::kExclusive, kOpenWaitMs);
  take_open_lock(state, dir, opening.has_value());
  if (state.open.try_upgrade()) {
    std::error_code ignored;
    std::filesystem::remove(dir / "lock.mdb", ignored);
  }
  open();
  state.open.downgrade();
}

// A file that ends too early: extended before anything is read, cut back unless proved whole.
class ShortFile {
 public:
  explicit ShortFile(Facts::State& state) : state_(state) {
    for (int wait_ms = 0; state.missing_bytes() > 0; ++wait_ms) {  // another process may be about to extend it
      if (wait_ms < kExtendWaitMs) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        continue;
      }
      after_ = state.missing_bytes();
      before_ = state.extend();
      after_ += before_;
      extended_ = true;
    }
  }
  ~ShortFile() {
    mdb_filehandle_t file = -1;
    if (!extended_ || mdb_env_get_fd(state_.env, &file) != 0) return;
    // A damaged store stays as it was found: the next opening must not take the zeros for pages.
    struct stat status {};
    if (::fstat(file, &status) != 0 || static_cast<std::uint64_t>(status.st_size) != after_) return;
    if (::ftruncate(file, static_cast<off_t>(before_)) != 0) return;
  }
  ShortFile(const ShortFile&) = delete;
  ShortFile& operator=(const ShortFile&) = delete;
  void prove() {
    if (extended_) state_.prove_whole();
    extended_ = false;
  }

 private:
  static constexpr int kExtendWaitMs = 50;
  Facts::State& state_;
  std::uint64_t before_ = 0;
  std::uint64_t after_ = 0;
  bool extended_ = false;
};

void open_tables(Facts::State& state, MDB_txn* txn, unsigned create) {
  Tables& t = state.tables;
  check(mdb_dbi_open(txn, "texts", create | MDB_INTEGERKEY, &t.texts), "open texts");
  check(mdb_dbi_open(txn, "digests", create | MDB_DUPSORT | MDB_DUPFIXED, &t.digests), "open digests");
  check(mdb_dbi_open(txn, "dicts", create | MDB_INTEGERKEY, &t.dicts), "open dicts");
  check(mdb_dbi_open(txn, "answers", create, &t.answers), "open answers");
  check(mdb_dbi_open(txn, "vectors", create, &t.vectors), "open vectors");
  check(mdb_dbi_open(txn, "meta", create, &t.meta), "open meta");
}

}  // namespace

Facts::State::~State() {
  if (here != nullptr) residue_environment_leave(here);
}

void Facts::create(const std::filesystem::path& dir, std::string_view store_uuid) {
  {
    const std::scoped_lock opening(*residue_environments_mutex());
    State state(std::string(32, '\0'));
    enter(state, dir);
    open_env(state, dir);
    MDB_txn* txn = state.begin(0);
    try {
      open_tables(state, txn, MDB_CREATE);
      MDB_val key = as_val("uuid");
      MDB_val value = as_val(store_uuid);
      check(mdb_put(txn, state.tables.meta, &key, &value, MDB_NOOVERWRITE), "write meta");
    } catch (...) {
      mdb_txn_abort(txn);
      throw;
    }
    --state.here->transactions;
    check(mdb_txn_commit(txn), "commit");
    state.reach_last_page();
  }
  sync_path(dir / "data.mdb");
  sync_path(dir);
  fault_point("facts.create.synced");
}

Facts::Facts(const std::filesystem::path& dir, std::string_view key, std::string_view store_uuid, bool frozen)
    : state_(std::make_unique<State>(key)) {
  State& state = *state_;
  const std::scoped_lock opening(*residue_environments_mutex());
  enter(state, dir);
  struct stat status {};
  // An empty or missing file would be taken for a new environment.
  if (::stat((dir / "data.mdb").c_str(), &status) != 0 || status.st_size < 2 * ::sysconf(_SC_PAGESIZE)) {
    throw Error(Code::kCorrupt, "facts/data.mdb is missing or cut off", "restore the store from a backup");
  }
  open_env(state, dir, frozen ? MDB_RDONLY | MDB_NOLOCK : 0);
  int dead = 0;
  check(mdb_reader_check(state.env, &dead), "check its readers");
  ShortFile file(state);
  FactsView view(state, MDB_RDONLY);
  open_tables(state, view.txn(), 0);
  MDB_val name = as_val("uuid");
  MDB_val uuid{};
  check(mdb_get(view.txn(), state.tables.meta, &name, &uuid), "read meta");
  if (as_view(uuid) != store_uuid) {
    throw Error(Code::kCorrupt, "facts/ belongs to another store", "restore the store from a backup");
  }
  TableCursor cursor(view.txn(), state.tables.dicts);
  MDB_val number{};
  MDB_val bytes{};
  while (cursor.next(number, bytes)) {
    try {
      (void)state.dictionary(view.txn(), number_of(number));
    } catch (const Error& error) {
      // The texts that need it say so when they are read; the others stay readable.
      if (error.code() != Code::kCorrupt) throw;
    }
  }
  view.keep_tables();
  file.prove();
}

Facts::~Facts() = default;

std::unique_ptr<Facts::Writer> Facts::write() {
  if (outcome_unknown()) {
    throw Error(Code::kIo, "facts/: the outcome of an earlier commit is unknown",
                "check the disk, then run the command again: it continues from what is stored");
  }
  return std::make_unique<Writer>(*this);
}
std::unique_ptr<Facts::Reader> Facts::read() const { return std::make_unique<Reader>(*this); }

struct Facts::Reader::Txn : FactsView {
  explicit Txn(State& state) : FactsView(state, MDB_RDONLY) {
    const std::scoped_lock lock(state.mutex);
    remembered = state.remembered.lock();
  }
  std::shared_ptr<TextMemory> remembered;
};

std::shared_ptr<void> Facts::remember_texts(std::size_t most_bytes) const {
  const std::scoped_lock lock(state_->mutex);
  std::shared_ptr<TextMemory> memory = state_->remembered.lock();
  if (!memory) state_->remembered = memory = std::make_shared<TextMemory>(most_bytes);
  return memory;
}

Facts::Reader::Reader(const Facts& facts) : txn_(std::make_unique<Txn>(*facts.state_)) {}
Facts::Reader::~Reader() = default;
const FactsView& Facts::Reader::view() const { return *txn_; }

std::string Facts::Reader::text(TextId id) const {
  TextMemory* const memory = txn_->remembered.get();
  std::string text;
  if (memory != nullptr && memory->find(id, text)) return text;
  text = txn_->text(id);
  if (memory != nullptr) memory->put(id, text);
  return text;
}

std::optional<TextId> Facts::Reader::find(std::string_view text) const {
  return txn_->find(txn_->state().addresses.of(text));
}

void Facts::Reader::each(const std::function<void(TextId id, TextId reference)>& visit) const {
  TableCursor cursor(txn_->txn(), txn_->state().tables.texts);
  MDB_val key{};
  MDB_val value{};
  while (cursor.next(key, value)) {
    const TextId id{static_cast<std::int64_t>(number_of(key))};
    TextId reference;
    try {
      const FrameParts parts = parse_frame(as_view(value));
      const bool against = parts.kind == FrameKind::kAgainst && parts.reference < static_cast<std::uint64_t>(id.value);
      if (against) reference = TextId{id.value - static_cast<std::int64_t>(parts.reference)};
    } catch (const Error& error) {
      if (error.code() != Code::kCorrupt) throw;
    }
    visit(id, reference);
  }
}

void Facts::Reader::vector(VectorId id, TextId text, std::span<float> values) const { txn_->vector(id, text, values); }

void Facts::Reader::each_vector(const std::function<void(VectorId id)>& visit) const {
  TableCursor cursor(txn_->txn(), txn_->state().tables.vectors);
  MDB_val key{};
  MDB_val value{};
  while (cursor.next(key, value)) visit(vector_id(key));
}

std::uint64_t Facts::verify(const std::function<void(TextId, const std::string& why)>& damaged) const {
  FactsView view(*state_, MDB_RDONLY);
  std::uint64_t seen = 0;
  std::unordered_set<std::int64_t> ids;
  MDB_val key{};
  MDB_val value{};
  try {
    TableCursor texts(view.txn(), state_->tables.texts);
    while (texts.next(key, value)) {
      const TextId id{static_cast<std::int64_t>(number_of(key))};
      ++seen;
      ids.insert(id.value);
      try {
        (void)view.text(id);
      } catch (const Error& error) {
        damaged(id, error.what());
      }
    }
    TableCursor digests(view.txn(), state_->tables.digests);
    while (digests.next(key, value)) {
      if (value.mv_size != kDigestEntryBytes) fail(MDB_CORRUPTED, "read digests");
      const TextId id = digest_id(as_view(value));
      if (!ids.contains(id.value)) damaged(id, "its digest is there, its text is not");
    }
  } catch (const Error& error) {
    damaged(TextId{}, error.what());  // a page of the tree itself
  }
  return seen;
}

bool Facts::outcome_unknown() const { return state_->here->unknown; }

FactsCommits Facts::commits() const {
  FactsView view(*state_, MDB_RDONLY);
  return {view.next_of("commits"), view.next_of("catalog")};
}

FactsInfo Facts::info(bool count_bytes) const {
  FactsView view(*state_, MDB_RDONLY);
  FactsInfo info;
  MDB_stat stat{};
  check(mdb_stat(view.txn(), state_->tables.texts, &stat), "count texts");
  info.texts = stat.ms_entries;
  check(mdb_stat(view.txn(), state_->tables.dicts, &stat), "count dictionaries");
  info.dictionaries = stat.ms_entries;
  for (MDB_dbi table : {state_->tables.texts, state_->tables.digests, state_->tables.dicts, state_->tables.answers,
                        state_->tables.vectors, state_->tables.meta}) {
    check(mdb_stat(view.txn(), table, &stat), "count pages");
    info.file_bytes += (stat.ms_branch_pages + stat.ms_leaf_pages + stat.ms_overflow_pages) * stat.ms_psize;
  }
  // Used pages only: free ones are the engine's, and are used again.
  if (!count_bytes) return info;
  TableCursor texts(view.txn(), state_->tables.texts);
  MDB_val key{};
  MDB_val value{};
  while (texts.next(key, value)) {
    info.frame_bytes += value.mv_size;
    info.raw_bytes += claimed_size(parse_frame(as_view(value)));
  }
  return info;
}

std::vector<std::string> Facts::dictionaries(PrivacyClass cls) const {
  FactsView view(*state_, MDB_RDONLY);
  std::vector<std::string> all;
  TableCursor dicts(view.txn(), state_->tables.dicts);
  MDB_val key{};
  MDB_val value{};
  while (dicts.next(key, value)) {
    const std::string_view bytes = as_view(value);
    if (!bytes.empty() && bytes.front() == static_cast<char>(cls)) all.emplace_back(bytes.substr(1));
  }
  return all;
}

void Facts::backup(const std::filesystem::path& dir) const {
  std::error_code code;
  std::filesystem::permissions(dir, std::filesystem::perms::owner_all, code);
  if (code) throw Error(Code::kIo, "cannot prepare the backup's directory", "check the disk and its permissions");
  check(mdb_env_copy2(state_->env, dir.c_str(), MDB_CP_COMPACT), "copy itself");
  // LMDB creates the copy readable by all; the 0700 directory covers the moment until here.
  if (::chmod((dir / "data.mdb").c_str(), 0600) != 0) fail(errno, "protect its copy");
  sync_path(dir / "data.mdb");
  sync_path(dir);
}

}  // namespace residue::storage
