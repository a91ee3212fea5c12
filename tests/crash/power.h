// What a disk may hold after the power went: built from a log of all changes and syncs (shim.c).
//
// What was not made durable may be there, may be missing, in parts and in any order, writes torn at 512 bytes. Two file
// systems: `ext4` commits all earlier names with any sync; `strict` promises what POSIX does: a name is durable only
// when its directory was synced.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace residue::crash {

struct Event {
  char kind = 0;  // Write Truncate Create Mkdir Unlink Rename Sync L(ock): as shim.c writes them
  bool flag = false;
  int lock = 0;  // LOCK_SH, LOCK_EX or LOCK_UN of sys/file.h
  std::uint64_t inode = 0, offset = 0;
  std::string path;       // relative to the root
  std::string bytes;      // of a rename: the new path
  std::uint64_t end = 0;  // of the entry in the log
};

std::vector<Event> read_log(const std::filesystem::path& log, const std::filesystem::path& root);

enum class FileSystem { kExt4, kStrict };
enum class Survives { kNothing, kAll, kSome };  // of what was not made durable

// File contents by path below the root; directories end in '/'.
using DiskState = std::map<std::string, std::string>;

class Disk {
 public:
  explicit Disk(FileSystem model) : model_(model) {}

  // True if it changed what can survive.
  bool apply(const Event& event);
  [[nodiscard]] DiskState state(Survives what, std::mt19937& random) const;

 private:
  struct Change {
    bool truncates = false;
    std::uint64_t offset = 0;
    std::string bytes;
  };
  struct Node {
    bool directory = false;
    std::string durable;
    std::vector<Change> pending;
  };
  using NodePtr = std::shared_ptr<Node>;
  // Names of every directory, by directory.
  using Names = std::map<const Node*, std::map<std::string, NodePtr>>;
  struct Naming {
    char kind = 0;
    NodePtr directory, node, to;
    std::string name, new_name;
    bool durable = false;
  };
  static void change(std::string& content, const Change& change);
  static std::string content(const Node& node, Survives what, std::mt19937& random);
  static void rename(Names& names, const Naming& naming);
  std::pair<NodePtr, std::string> place(const std::string& path) const;
  void name(Naming naming);
  void sync(const Event& event);

  FileSystem model_;
  NodePtr root_ = std::make_shared<Node>(Node{true, {}, {}});
  Names now_, settled_;        // as the program sees it; what has surely survived
  std::vector<Naming> names_;  // after `settled_`
  std::map<std::uint64_t, NodePtr> by_inode_;
};

// Below `dir`, which is replaced. Without what the first opener builds anew (-shm, lock.mdb).
void materialize(const DiskState& state, const std::filesystem::path& dir);
std::uint64_t fingerprint(const DiskState& state);

}  // namespace residue::crash
