#include "storage/pages/page_vfs.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "storage/pages/checksum.h"
#include "storage/pages/engines.h"

namespace residue::storage {
namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
constexpr int kWriteLock = 0;            // WAL_WRITE_LOCK of SQLite's log
constexpr int kLargestHeaderRead = 100;  // what SQLite reads of the file's header before it knows anything
constexpr int kPage = static_cast<int>(kPageBytes);

thread_local std::optional<DamagedPage> damaged;
thread_local bool refused = false;

int damage(bool in_log, std::int64_t number) {
  damaged = DamagedPage{in_log, static_cast<std::uint32_t>(number)};
  return SQLITE_IOERR_DATA;
}

// What SQLite holds: ours first, the file beneath right behind it.
struct File {
  sqlite3_file base;
  bool is_log;
  File* log;    // of a catalog: its log, while that is open
  File* owner;  // of a log: its catalog
  // Within a transaction SQLite may overwrite a page that it put into the log before, and writes the sums of that frame
  // and of all behind it anew when it commits. Until then they say nothing. Only who writes reads them before.
  std::int64_t unsummed_from;
  std::int64_t last_header;  // of a log: the frame whose header was written last, if nothing was since; else -1
  bool noted;                // of a catalog: among the handles of its engine (engines.h)
  std::uint64_t device, inode;
};

File* ours(sqlite3_file* file) { return reinterpret_cast<File*>(file); }
sqlite3_file* beneath(sqlite3_file* file) { return reinterpret_cast<sqlite3_file*>(ours(file) + 1); }

int read_below(sqlite3_file* file, void* into, int bytes, std::int64_t offset) {
  return beneath(file)->pMethods->xRead(beneath(file), into, bytes, offset);
}

int read_catalog(sqlite3_file* file, void* into, int bytes, std::int64_t offset) {
  const int code = read_below(file, into, bytes, offset);
  // The header is looked at before anything is locked, perhaps while it is written: for the sizes of pages only, and
  // the whole page is read afterwards. An empty file is a new one.
  if (bytes <= kLargestHeaderRead) return code;
  if (code == SQLITE_IOERR_SHORT_READ) {
    sqlite3_int64 size = 0;
    const int known = beneath(file)->pMethods->xFileSize(beneath(file), &size);
    if (known != SQLITE_OK || size == 0) return known == SQLITE_OK ? code : known;
    return damage(false, offset / kPage + 1);  // cut off
  }
  if (code != SQLITE_OK) return code;
  const std::int64_t number = offset / kPage + 1;
  const bool whole = bytes == kPage && offset % kPage == 0;
  if (!whole || !page_is_sound({static_cast<const char*>(into), kPageBytes}, static_cast<std::uint32_t>(number))) {
    return damage(false, number);
  }
  return SQLITE_OK;
}

int read_log(sqlite3_file* file, void* into, int bytes, std::int64_t offset) {
  const auto frame = bytes == kPage ? frame_of_page_at(offset) : std::nullopt;
  // Whole frames and headers are read by who compares the sums itself.
  if (!frame || *frame >= ours(file)->unsummed_from) return read_below(file, into, bytes, offset);
  std::array<char, kFrameBytes> whole;
  std::array<char, 8> before;
  int code = read_below(file, whole.data(), static_cast<int>(kFrameBytes), offset - kFrameHeaderBytes);
  if (code == SQLITE_OK) code = read_below(file, before.data(), static_cast<int>(before.size()), sum_before(*frame));
  if (code == SQLITE_IOERR_SHORT_READ) return damage(true, *frame + 1);
  if (code != SQLITE_OK) return code;
  const std::string_view bytes_of_frame(whole.data(), whole.size());
  const LogSum expected = frame_sum(written_sum({before.data(), before.size()}), bytes_of_frame);
  if (expected != sum_of_frame(bytes_of_frame)) return damage(true, *frame + 1);
  std::memcpy(into, whole.data() + kFrameHeaderBytes, kPageBytes);
  return SQLITE_OK;
}

int read(sqlite3_file* file, void* into, int bytes, sqlite3_int64 offset) {
  return ours(file)->is_log ? read_log(file, into, bytes, offset) : read_catalog(file, into, bytes, offset);
}

void note_written(File& log, int bytes, std::int64_t offset) {
  if (bytes == kFrameHeaderBytes && offset >= kLogHeaderBytes && (offset - kLogHeaderBytes) % kFrameBytes == 0) {
    log.last_header = (offset - kLogHeaderBytes) / kFrameBytes;
    if (log.last_header == log.unsummed_from) ++log.unsummed_from;
    return;
  }
  const auto frame = bytes == kPage ? frame_of_page_at(offset) : std::nullopt;
  if (frame && *frame != log.last_header && *frame < log.unsummed_from) log.unsummed_from = *frame;
  log.last_header = -1;
}

int write(sqlite3_file* file, const void* from, int bytes, sqlite3_int64 offset) {
  const sqlite3_io_methods& below = *beneath(file)->pMethods;
  if (ours(file)->is_log) {
    note_written(*ours(file), bytes, offset);
    return below.xWrite(beneath(file), from, bytes, offset);
  }
  if (bytes != kPage || offset % kPage != 0) return SQLITE_IOERR_WRITE;
  std::array<char, kPageBytes> sealed;
  std::memcpy(sealed.data(), from, kPageBytes);
  seal_page(sealed.data(), static_cast<std::uint32_t>(offset / kPage + 1));
  return below.xWrite(beneath(file), sealed.data(), bytes, offset);
}

int close(sqlite3_file* file) {
  File* own = ours(file);
  if (own->owner != nullptr) own->owner->log = nullptr;
  if (own->log != nullptr) own->log->owner = nullptr;
  const int code = beneath(file)->pMethods->xClose(beneath(file));
  if (own->noted) residue_engine_leave(own->device, own->inode);
  return code;
}

int lock_log(sqlite3_file* file, int offset, int count, int flags) {
  // Whoever writes next may write frames over ours.
  if ((flags & SQLITE_SHM_UNLOCK) != 0 && offset <= kWriteLock && kWriteLock < offset + count) {
    if (File* log = ours(file)->log; log != nullptr) log->unsummed_from = kNone;
  }
  return beneath(file)->pMethods->xShmLock(beneath(file), offset, count, flags);
}

// All else goes through.
const sqlite3_io_methods& methods() {
  static const sqlite3_io_methods table = [] {
    sqlite3_io_methods m{};
    m.iVersion = 2;  // without mapped pages: those are read past us
    m.xClose = close;
    m.xRead = read;
    m.xWrite = write;
    m.xTruncate = [](sqlite3_file* f, sqlite3_int64 size) { return beneath(f)->pMethods->xTruncate(beneath(f), size); };
    m.xSync = [](sqlite3_file* f, int flags) { return beneath(f)->pMethods->xSync(beneath(f), flags); };
    m.xFileSize = [](sqlite3_file* f, sqlite3_int64* size) {
      return beneath(f)->pMethods->xFileSize(beneath(f), size);
    };
    m.xLock = [](sqlite3_file* f, int how) { return beneath(f)->pMethods->xLock(beneath(f), how); };
    m.xUnlock = [](sqlite3_file* f, int how) { return beneath(f)->pMethods->xUnlock(beneath(f), how); };
    m.xCheckReservedLock = [](sqlite3_file* f, int* is) {
      return beneath(f)->pMethods->xCheckReservedLock(beneath(f), is);
    };
    m.xFileControl = [](sqlite3_file* f, int what, void* with) {
      return beneath(f)->pMethods->xFileControl(beneath(f), what, with);
    };
    m.xSectorSize = [](sqlite3_file* f) { return beneath(f)->pMethods->xSectorSize(beneath(f)); };
    m.xDeviceCharacteristics = [](sqlite3_file* f) { return beneath(f)->pMethods->xDeviceCharacteristics(beneath(f)); };
    m.xShmMap = [](sqlite3_file* f, int region, int size, int extend, void volatile** at) {
      return beneath(f)->pMethods->xShmMap(beneath(f), region, size, extend, at);
    };
    m.xShmLock = lock_log;
    m.xShmBarrier = [](sqlite3_file* f) { beneath(f)->pMethods->xShmBarrier(beneath(f)); };
    m.xShmUnmap = [](sqlite3_file* f, int remove) { return beneath(f)->pMethods->xShmUnmap(beneath(f), remove); };
    return m;
  }();
  return table;
}

sqlite3_vfs* files_below() {
  // The one whose locks all other processes take, whatever a program that loads us made its default.
  static sqlite3_vfs* const unix_files = sqlite3_vfs_find("unix");
  static sqlite3_vfs* const found = unix_files != nullptr ? unix_files : sqlite3_vfs_find(nullptr);
  return found;
}

// False: another copy of SQLite has it open in this process. A file that is about to be made is of nobody else.
bool note_handle(File& file, const char* name) {
  struct stat status {};
  if (name == nullptr || ::stat(name, &status) != 0) return true;
  file.device = status.st_dev;
  file.inode = status.st_ino;
  file.noted = residue_engine_enter(file.device, file.inode, sqlite3_libversion());
  refused = !file.noted;
  return file.noted;
}

int open(sqlite3_vfs* /*self*/, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  sqlite3_vfs* below = files_below();
  const bool is_log = (flags & SQLITE_OPEN_WAL) != 0;
  // Journals and temporary files hold nothing that is read again after us.
  if (!is_log && (flags & SQLITE_OPEN_MAIN_DB) == 0) return below->xOpen(below, name, file, flags, out_flags);
  File* own = new (file) File{{nullptr}, is_log, nullptr, nullptr, kNone, -1, false, 0, 0};
  if (!is_log && !note_handle(*own, name)) return SQLITE_CANTOPEN;
  const int code = below->xOpen(below, name, beneath(file), flags, out_flags);
  if (code != SQLITE_OK) {
    if (beneath(file)->pMethods != nullptr) beneath(file)->pMethods->xClose(beneath(file));
    if (own->noted) residue_engine_leave(own->device, own->inode);
    return code;
  }
  own->base.pMethods = &methods();
  if (is_log) {
    own->owner = ours(sqlite3_database_file_object(name));
    own->owner->log = own;
  }
  return SQLITE_OK;
}

sqlite3_vfs make_vfs() {
  sqlite3_vfs v = *files_below();
  v.iVersion = 2;  // without system calls to be replaced
  v.pNext = nullptr;
  // A process may hold several copies of this code (an extension, a module), and each must find its own.
  static const std::string own_name = fmt::format("residue-pages-{:x}", reinterpret_cast<std::uintptr_t>(&methods));
  v.zName = own_name.c_str();
  v.szOsFile = static_cast<int>(sizeof(File)) + files_below()->szOsFile;
  v.pAppData = nullptr;
  v.xOpen = open;
  v.xDelete = [](sqlite3_vfs*, const char* name, int sync) {
    return files_below()->xDelete(files_below(), name, sync);
  };
  v.xAccess = [](sqlite3_vfs*, const char* name, int flags, int* result) {
    return files_below()->xAccess(files_below(), name, flags, result);
  };
  v.xFullPathname = [](sqlite3_vfs*, const char* name, int size, char* full) {
    return files_below()->xFullPathname(files_below(), name, size, full);
  };
  return v;
}

}  // namespace

const char* system_vfs() { return files_below()->zName; }

const char* page_vfs() {
  static sqlite3_vfs vfs = make_vfs();
  static const int registered = sqlite3_vfs_register(&vfs, 0);
  return registered == SQLITE_OK ? vfs.zName : nullptr;
}

bool take_refused_engine() { return std::exchange(refused, false); }

std::optional<DamagedPage> take_damaged_page() {
  std::optional<DamagedPage> found = damaged;
  damaged.reset();
  return found;
}

}  // namespace residue::storage
