// Preloaded into the program under test: counts its calls that change files below a directory, and at a chosen one
// kills it, stops it or makes the call fail; or writes down what was changed and made durable, for power cuts.
//
//   RESIDUE_SHIM_ROOT=DIR      only files below DIR count
//   RESIDUE_SHIM_AT=N          the call to act at, from 1; 0: none
//   RESIDUE_SHIM_DO=WHAT       kill, stop (SIGSTOP to the process group before the call), ENOSPC, EIO
//   RESIDUE_SHIM_LASTING=1     from the Nth call on all that can fail so do
//   RESIDUE_SHIM_CLASS=CLASS   write (default: what changes files and what makes them durable), sync (of files),
//                              look (what readers do: open, read, lock)
//   RESIDUE_SHIM_COUNT=FILE    at the end: how many calls there were
//   RESIDUE_SHIM_LOG=FILE      every change, as power.cc reads it
//   RESIDUE_SHIM_AFTER=FILE    "failed CALL FILE", then "CALL FILE" for every change after that
//
// Files are recognized by /proc/self/fd at each call, so that no open file can be missed. Changes through mmap are not
// seen: SQLite's -shm and LMDB's lock.mdb, which the first opener builds anew.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { kWrite, kSync, kLook };

static char root[PATH_MAX];
static size_t root_length;
static long at;
static int wanted_class = kWrite, lasting, act_kill, act_stop, act_error;
static const char *log_file, *after_file, *count_file;
static atomic_long* counted;  // shared with children that are forked
static int log_fd = -1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int failed;
static __thread int inside;

__attribute__((constructor)) static void begin(void) {
  const char* text = getenv("RESIDUE_SHIM_ROOT");
  if (text == NULL || strlen(text) >= sizeof root) return;
  counted = mmap(NULL, sizeof *counted, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (counted == MAP_FAILED) abort();
  strcpy(root, text);
  text = getenv("RESIDUE_SHIM_AT");
  at = text == NULL ? 0 : atol(text);
  text = getenv("RESIDUE_SHIM_DO");
  if (text != NULL) {
    act_kill = strcmp(text, "kill") == 0;
    act_stop = strcmp(text, "stop") == 0;
    act_error = strcmp(text, "ENOSPC") == 0 ? ENOSPC : strcmp(text, "EIO") == 0 ? EIO : 0;
  }
  lasting = getenv("RESIDUE_SHIM_LASTING") != NULL;
  text = getenv("RESIDUE_SHIM_CLASS");
  if (text != NULL) wanted_class = strcmp(text, "sync") == 0 ? kSync : strcmp(text, "look") == 0 ? kLook : kWrite;
  log_file = getenv("RESIDUE_SHIM_LOG");
  after_file = getenv("RESIDUE_SHIM_AFTER");
  count_file = getenv("RESIDUE_SHIM_COUNT");
  if (log_file != NULL) {
    log_fd = (int)syscall(SYS_openat, AT_FDCWD, log_file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log_fd >= 0) log_fd = (int)syscall(SYS_fcntl, log_fd, F_DUPFD_CLOEXEC, 900);
  }
  root_length = strlen(root);
}

static void append(const char* file, const char* bytes, size_t size) {
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return;
  (void)!syscall(SYS_write, fd, bytes, size);
  syscall(SYS_close, fd);
}

__attribute__((destructor)) static void end(void) {
  if (root_length == 0 || count_file == NULL) return;
  char line[32];
  append(count_file, line, (size_t)snprintf(line, sizeof line, "%ld\n", atomic_load(counted)));
}

static int below_root(const char* path) {
  return root_length > 0 && strncmp(path, root, root_length) == 0 && path[root_length] == '/';
}

// The absolute path of `path`, which no link leads away from; NULL if it is not below the root.
static const char* named(int dir, const char* path, char* buffer) {
  if (root_length == 0 || path == NULL) return NULL;
  size_t length = 0;
  if (path[0] != '/') {
    if (dir == AT_FDCWD) {
      if (getcwd(buffer, PATH_MAX) == NULL) return NULL;
      length = strlen(buffer);
    } else {
      char link[64];
      snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
      const ssize_t got = syscall(SYS_readlinkat, AT_FDCWD, link, buffer, PATH_MAX - 1);
      if (got < 0) return NULL;
      length = (size_t)got;
    }
    buffer[length++] = '/';
  }
  if (length + strlen(path) >= PATH_MAX) return NULL;
  strcpy(buffer + length, path);
  for (char* dot = strstr(buffer, "/./"); dot != NULL; dot = strstr(buffer, "/./"))
    memmove(dot, dot + 2, strlen(dot) - 1);
  return below_root(buffer) ? buffer : NULL;
}

static const char* opened(int fd, char* buffer) {
  if (root_length == 0 || fd < 3) return NULL;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t got = syscall(SYS_readlinkat, AT_FDCWD, link, buffer, PATH_MAX - 1);
  if (got <= 0) return NULL;
  buffer[got] = '\0';
  return below_root(buffer) || strcmp(buffer, root) == 0 ? buffer : NULL;
}

static uint64_t inode_of(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 ? (uint64_t)status.st_ino : 0;
}

// One entry of the log: kind, flag, two numbers, a path and bytes.
static void note(char kind, char flag, uint64_t inode, uint64_t offset, const char* path, const void* bytes,
                 size_t size) {
  if (log_fd < 0) return;
  char head[26] = {kind, flag};
  const uint32_t path_size = path == NULL ? 0 : (uint32_t)strlen(path), byte_size = (uint32_t)size;
  memcpy(head + 2, &inode, 8);
  memcpy(head + 10, &offset, 8);
  memcpy(head + 18, &path_size, 4);
  memcpy(head + 22, &byte_size, 4);
  const struct iovec parts[3] = {
      {head, sizeof head}, {(void*)(uintptr_t)path, path_size}, {(void*)(uintptr_t)bytes, size}};
  if (syscall(SYS_writev, log_fd, parts, 3) != (ssize_t)(sizeof head + path_size + size)) abort();
}

static void hold(void) {
  if (log_fd >= 0 && inside++ == 0) pthread_mutex_lock(&mutex);
}
static void release(void) {
  if (log_fd >= 0 && --inside == 0) pthread_mutex_unlock(&mutex);
}

// Called before every call on a file below the root; not 0: it fails with that.
static int before(int class, const char* what, const char* path, int can_fill) {
  if (class != kLook && after_file != NULL && atomic_load(&failed)) {
    char line[PATH_MAX + 32];
    append(after_file, line, (size_t)snprintf(line, sizeof line, "%s %s\n", what, path + root_length + 1));
  }
  const int counts =
      wanted_class == kLook ? class == kLook : class == wanted_class || (wanted_class == kWrite && class == kSync);
  if (!counts) return 0;
  const long number = atomic_fetch_add(counted, 1) + 1;
  if (at == 0 || number < at || (number > at && !(lasting && act_error))) return 0;
  if (act_kill) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
  }
  if (act_stop) kill(0, SIGSTOP);  // a command may work in a child of its own
  if (act_error == 0 || (act_error == ENOSPC && !can_fill)) return 0;
  if (!atomic_exchange(&failed, 1) && after_file != NULL) {
    char line[PATH_MAX + 32];
    append(after_file, line, (size_t)snprintf(line, sizeof line, "failed %s %s\n", what, path + root_length + 1));
  }
  return act_error;
}

#define REAL(type, name, ...)       \
  static type (*real)(__VA_ARGS__); \
  if (real == NULL) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

#define FAIL_IF(error)         \
  do {                         \
    const int code_ = (error); \
    if (code_ != 0) {          \
      errno = code_;           \
      return -1;               \
    }                          \
  } while (0)

static char durable_flag(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_DSYNC) != 0;
}

ssize_t write(int fd, const void* bytes, size_t size) {
  REAL(ssize_t, "write", int, const void*, size_t);
  char buffer[PATH_MAX];
  const char* path = opened(fd, buffer);
  if (path == NULL) return real(fd, bytes, size);
  FAIL_IF(before(kWrite, "write", path, 1));
  hold();
  const off_t offset = (fcntl(fd, F_GETFL) & O_APPEND) != 0 ? lseek(fd, 0, SEEK_END) : lseek(fd, 0, SEEK_CUR);
  const ssize_t done = real(fd, bytes, size);
  if (done > 0) note('W', durable_flag(fd), inode_of(fd), (uint64_t)offset, NULL, bytes, (size_t)done);
  release();
  return done;
}

ssize_t pwrite64(int fd, const void* bytes, size_t size, off_t offset) {
  REAL(ssize_t, "pwrite64", int, const void*, size_t, off_t);
  char buffer[PATH_MAX];
  const char* path = opened(fd, buffer);
  if (path == NULL) return real(fd, bytes, size, offset);
  FAIL_IF(before(kWrite, "pwrite", path, 1));
  hold();
  const ssize_t done = real(fd, bytes, size, offset);
  if (done > 0) note('W', durable_flag(fd), inode_of(fd), (uint64_t)offset, NULL, bytes, (size_t)done);
  release();
  return done;
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) { return pwrite64(fd, bytes, size, offset); }

static ssize_t write_parts(int fd, const struct iovec* parts, int count, off_t offset, ssize_t done) {
  off_t place = offset;
  size_t left = done > 0 ? (size_t)done : 0;
  for (int i = 0; i < count && left > 0; ++i) {
    const size_t size = parts[i].iov_len < left ? parts[i].iov_len : left;
    note('W', durable_flag(fd), inode_of(fd), (uint64_t)place, NULL, parts[i].iov_base, size);
    place += (off_t)size;
    left -= size;
  }
  return done;
}

ssize_t writev(int fd, const struct iovec* parts, int count) {
  REAL(ssize_t, "writev", int, const struct iovec*, int);
  char buffer[PATH_MAX];
  const char* path = opened(fd, buffer);
  if (path == NULL) return real(fd, parts, count);
  FAIL_IF(before(kWrite, "writev", path, 1));
  hold();
  const off_t offset = lseek(fd, 0, SEEK_CUR);
  const ssize_t done = write_parts(fd, parts, count, offset, real(fd, parts, count));
  release();
  return done;
}

ssize_t pwritev64(int fd, const struct iovec* parts, int count, off_t offset) {
  REAL(ssize_t, "pwritev64", int, const struct iovec*, int, off_t);
  char buffer[PATH_MAX];
  const char* path = opened(fd, buffer);
  if (path == NULL) return real(fd, parts, count, offset);
  FAIL_IF(before(kWrite, "pwritev", path, 1));
  hold();
  const ssize_t done = write_parts(fd, parts, count, offset, real(fd, parts, count, offset));
  release();
  return done;
}
ssize_t pwritev(int fd, const struct iovec* parts, int count, off_t offset) {
  return pwritev64(fd, parts, count, offset);
}

ssize_t sendfile64(int to, int from, off_t* offset, size_t size) {
  REAL(ssize_t, "sendfile64", int, int, off_t*, size_t);
  char buffer[PATH_MAX];
  const char* path = opened(to, buffer);
  if (path == NULL) return real(to, from, offset, size);
  FAIL_IF(before(kWrite, "sendfile", path, 1));
  hold();
  const off_t at_to = lseek(to, 0, SEEK_CUR), at_from = offset != NULL ? *offset : lseek(from, 0, SEEK_CUR);
  const ssize_t done = real(to, from, offset, size);
  if (done > 0) {
    char* bytes = malloc((size_t)done);
    if (bytes == NULL || pread(from, bytes, (size_t)done, at_from) != done) abort();
    note('W', 0, inode_of(to), (uint64_t)at_to, NULL, bytes, (size_t)done);
    free(bytes);
  }
  release();
  return done;
}
ssize_t sendfile(int to, int from, off_t* offset, size_t size) { return sendfile64(to, from, offset, size); }

int ftruncate64(int fd, off_t size) {
  REAL(int, "ftruncate64", int, off_t);
  char buffer[PATH_MAX];
  const char* path = opened(fd, buffer);
  if (path == NULL) return real(fd, size);
  FAIL_IF(before(kWrite, "ftruncate", path, 1));
  hold();
  const int code = real(fd, size);
  if (code == 0) note('T', 0, inode_of(fd), (uint64_t)size, NULL, NULL, 0);
  release();
  return code;
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

// Makes a file as long as it says, at least: what fallocate and posix_fallocate are used for here.
static void note_grown(int fd) {
  struct stat status;
  if (fstat(fd, &status) == 0) note('T', 0, (uint64_t)status.st_ino, (uint64_t)status.st_size, NULL, NULL, 0);
}
int fallocate64(int fd, int mode, off_t offset, off_t size) {
  REAL(int, "fallocate64", int, int, off_t, off_t);
  char buffer[PATH_MAX];
  const char* path = opened(fd, buffer);
  if (path == NULL) return real(fd, mode, offset, size);
  FAIL_IF(before(kWrite, "fallocate", path, 1));
  hold();
  const int code = real(fd, mode, offset, size);
  if (code == 0) note_grown(fd);
  release();
  return code;
}
int fallocate(int fd, int mode, off_t offset, off_t size) { return fallocate64(fd, mode, offset, size); }
int posix_fallocate64(int fd, off_t offset, off_t size) {
  REAL(int, "posix_fallocate64", int, off_t, off_t);
  char buffer[PATH_MAX];
  const char* path = opened(fd, buffer);
  if (path == NULL) return real(fd, offset, size);
  const int error = before(kWrite, "fallocate", path, 1);
  if (error != 0) return error;
  hold();
  const int code = real(fd, offset, size);
  if (code == 0) note_grown(fd);
  release();
  return code;
}
int posix_fallocate(int fd, off_t offset, off_t size) { return posix_fallocate64(fd, offset, size); }

static int synced(int fd, int (*real)(int), const char* what) {
  char buffer[PATH_MAX];
  const char* path = opened(fd, buffer);
  if (path == NULL) return real(fd);
  struct stat status;
  if (fstat(fd, &status) != 0) return -1;
  // SQLite ignores that a directory cannot be synced, and what it wrote there has its own sync: class sync is of files.
  FAIL_IF(before(S_ISDIR(status.st_mode) ? kWrite : kSync, what, path, 1));
  hold();
  const int code = real(fd);
  if (code == 0) {
    note('S', S_ISDIR(status.st_mode) ? 1 : 0, (uint64_t)status.st_ino, 0, path, NULL, 0);
  }
  release();
  return code;
}
int fsync(int fd) {
  REAL(int, "fsync", int);
  return synced(fd, real, "fsync");
}
int fdatasync(int fd) {
  REAL(int, "fdatasync", int);
  return synced(fd, real, "fdatasync");
}

int renameat(int from_dir, const char* from, int to_dir, const char* to) {
  char one[PATH_MAX], two[PATH_MAX];
  const char* source = named(from_dir, from, one);
  const char* target = named(to_dir, to, two);
  if (source == NULL || target == NULL) return (int)syscall(SYS_renameat, from_dir, from, to_dir, to);
  FAIL_IF(before(kWrite, "rename", target, 1));
  hold();
  const int code = (int)syscall(SYS_renameat, from_dir, from, to_dir, to);
  if (code == 0) note('R', 0, 0, 0, source, target, strlen(target));
  release();
  return code;
}
int rename(const char* from, const char* to) { return renameat(AT_FDCWD, from, AT_FDCWD, to); }

int linkat(int from_dir, const char* from, int to_dir, const char* to, int flags) {
  char two[PATH_MAX];
  const char* target = named(to_dir, to, two);
  if (target != NULL) FAIL_IF(before(kWrite, "link", target, 1));
  if (target != NULL && log_fd >= 0) abort();  // power.cc knows no links: nothing of ours makes one
  return (int)syscall(SYS_linkat, from_dir, from, to_dir, to, flags);
}
int link(const char* from, const char* to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int unlinkat(int dir, const char* name, int flags) {
  char buffer[PATH_MAX];
  const char* path = named(dir, name, buffer);
  if (path == NULL) return (int)syscall(SYS_unlinkat, dir, name, flags);
  FAIL_IF(before(kWrite, "unlink", path, 0));
  hold();
  const int code = (int)syscall(SYS_unlinkat, dir, name, flags);
  if (code == 0) note('U', 0, 0, 0, path, NULL, 0);
  release();
  return code;
}
int unlink(const char* name) { return unlinkat(AT_FDCWD, name, 0); }
int rmdir(const char* name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }
int remove(const char* name) {
  const int code = unlink(name);
  return code == 0 || errno != EISDIR ? code : rmdir(name);
}

int mkdirat(int dir, const char* name, mode_t mode) {
  char buffer[PATH_MAX];
  const char* path = named(dir, name, buffer);
  if (path == NULL) return (int)syscall(SYS_mkdirat, dir, name, mode);
  FAIL_IF(before(kWrite, "mkdir", path, 1));
  hold();
  const int code = (int)syscall(SYS_mkdirat, dir, name, mode);
  if (code == 0) note('M', 0, 0, 0, path, NULL, 0);
  release();
  return code;
}
int mkdir(const char* name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

// Opening changes something where it makes the file or empties it.
static int open_named(int dir, const char* name, int flags, mode_t mode) {
  // power.cc knows no files without names: with a log, this is a file system that has none.
  if (log_fd >= 0 && (flags & O_TMPFILE) == O_TMPFILE) {
    errno = EOPNOTSUPP;
    return -1;
  }
  char buffer[PATH_MAX];
  const char* path = named(dir, name, buffer);
  if (path == NULL) return (int)syscall(SYS_openat, dir, name, flags, mode);
  const int there = syscall(SYS_faccessat, dir, name, F_OK) == 0;
  const int makes = (flags & O_CREAT) != 0 && !there, empties = (flags & O_TRUNC) != 0 && there;
  FAIL_IF(before(makes || empties ? kWrite : kLook, "open", path, 1));
  hold();
  const int fd = (int)syscall(SYS_openat, dir, name, flags, mode);
  if (fd >= 0 && makes) note('C', 0, inode_of(fd), 0, path, NULL, 0);
  if (fd >= 0 && empties) note('T', 0, inode_of(fd), 0, NULL, NULL, 0);
  release();
  return fd;
}
#define MODE(flags, last)                       \
  mode_t mode = 0;                              \
  if (((flags) & (O_CREAT | O_TMPFILE)) != 0) { \
    va_list list;                               \
    va_start(list, last);                       \
    mode = va_arg(list, mode_t);                \
    va_end(list);                               \
  }
int open(const char* name, int flags, ...) {
  MODE(flags, flags)
  return open_named(AT_FDCWD, name, flags, mode);
}
int open64(const char* name, int flags, ...) {
  MODE(flags, flags)
  return open_named(AT_FDCWD, name, flags | O_LARGEFILE, mode);
}
int openat(int dir, const char* name, int flags, ...) {
  MODE(flags, flags)
  return open_named(dir, name, flags, mode);
}
int openat64(int dir, const char* name, int flags, ...) {
  MODE(flags, flags)
  return open_named(dir, name, flags | O_LARGEFILE, mode);
}
int creat(const char* name, mode_t mode) { return open_named(AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC, mode); }

FILE* fopen64(const char* name, const char* how) {
  static FILE* (*real)(const char*, const char*);
  if (real == NULL) real = (FILE * (*)(const char*, const char*)) dlsym(RTLD_NEXT, "fopen64");
  char buffer[PATH_MAX];
  if (named(AT_FDCWD, name, buffer) == NULL || how[0] == 'r') return real(name, how);
  const int flags =
      O_CREAT | O_CLOEXEC | (how[0] == 'a' ? O_APPEND : O_TRUNC) | (strchr(how, '+') != NULL ? O_RDWR : O_WRONLY);
  const int fd = open_named(AT_FDCWD, name, flags, 0666);
  return fd < 0 ? NULL : fdopen(fd, how);
}
FILE* fopen(const char* name, const char* how) { return fopen64(name, how); }

int close(int fd) {
  char buffer[PATH_MAX];
  const char* path = log_fd >= 0 ? opened(fd, buffer) : NULL;
  if (path != NULL && strlen(path) > 5 && strcmp(path + strlen(path) - 5, ".lock") == 0) {
    note('L', LOCK_UN, (uint64_t)getpid(), 0, path, NULL, 0);
  }
  return (int)syscall(SYS_close, fd);
}

ssize_t pread64(int fd, void* bytes, size_t size, off_t offset) {
  REAL(ssize_t, "pread64", int, void*, size_t, off_t);
  char buffer[PATH_MAX];
  const char* path = wanted_class == kLook ? opened(fd, buffer) : NULL;
  if (path != NULL) (void)before(kLook, "pread", path, 0);
  return real(fd, bytes, size, offset);
}

// Locks of the engines, and of our own files.
static int control(int fd, int command, void* argument) {
  char buffer[PATH_MAX];
  const int ours = command == F_OFD_SETLK;
  const char* path = ours || (wanted_class == kLook && command == F_SETLK) ? opened(fd, buffer) : NULL;
  if (path != NULL) (void)before(kLook, "lock", path, 0);
  const int code = (int)syscall(SYS_fcntl, fd, command, argument);
  if (path != NULL && ours && code == 0) {
    const short type = ((const struct flock*)argument)->l_type;
    note('L', type == F_WRLCK ? LOCK_EX : type == F_RDLCK ? LOCK_SH : LOCK_UN, (uint64_t)getpid(), 0, path, NULL, 0);
  }
  return code;
}

#define ARGUMENT(last)                  \
  va_list list;                         \
  va_start(list, last);                 \
  void* argument = va_arg(list, void*); \
  va_end(list);

int fcntl64(int fd, int command, ...) {
  ARGUMENT(command)
  return control(fd, command, argument);
}
int fcntl(int fd, int command, ...) {
  ARGUMENT(command)
  return control(fd, command, argument);
}
