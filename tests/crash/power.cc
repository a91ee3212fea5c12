#include "tests/crash/power.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace residue::crash {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kHeadBytes = 26;
constexpr std::size_t kSector = 512;

template <class T>
T number_at(const std::string& log, std::size_t at) {
  T value{};
  std::memcpy(&value, log.data() + at, sizeof value);
  return value;
}

std::string below(const std::string& path, const std::string& root) {
  return path.size() > root.size() ? path.substr(root.size() + 1) : std::string();
}

std::size_t up_to(std::mt19937& random, std::size_t most) {
  return std::uniform_int_distribution<std::size_t>(0, most)(random);
}

// Built anew by the first opener; written through a map, which the log does not see.
bool rebuilt(const std::string& path) { return path.ends_with("-shm") || path.ends_with("lock.mdb"); }

}  // namespace

std::vector<Event> read_log(const fs::path& file, const fs::path& root) {
  std::ostringstream whole;
  whole << std::ifstream(file, std::ios::binary).rdbuf();
  const std::string log = whole.str();
  std::vector<Event> events;
  for (std::size_t at = 0; at + kHeadBytes <= log.size();) {
    Event event;
    event.kind = log[at];
    event.lock = log[at + 1];
    event.flag = log[at + 1] != 0;
    event.inode = number_at<std::uint64_t>(log, at + 2);
    event.offset = number_at<std::uint64_t>(log, at + 10);
    const auto path = number_at<std::uint32_t>(log, at + 18), bytes = number_at<std::uint32_t>(log, at + 22);
    event.path = below(log.substr(at + kHeadBytes, path), root.string());
    event.bytes = log.substr(at + kHeadBytes + path, bytes);
    if (event.kind == 'R') event.bytes = below(event.bytes, root.string());
    at += kHeadBytes + path + bytes;
    event.end = at;
    events.push_back(std::move(event));
  }
  return events;
}

void Disk::change(std::string& content, const Change& change) {
  if (change.truncates) {
    content.resize(change.offset);
    return;
  }
  content.resize(std::max<std::size_t>(content.size(), change.offset + change.bytes.size()));
  content.replace(change.offset, change.bytes.size(), change.bytes);
}

std::string Disk::content(const Node& node, Survives what, std::mt19937& random) {
  std::string bytes = node.durable;
  if (what == Survives::kNothing || node.pending.empty()) return bytes;
  const std::size_t how = what == Survives::kAll ? 0 : 1 + up_to(random, 2);
  const std::size_t first = how == 0 || how == 2 ? node.pending.size() : up_to(random, node.pending.size());
  for (std::size_t i = 0; i < first; ++i) {
    if (how == 2 && up_to(random, 1) == 0) continue;  // any of them, in any order
    Change one = node.pending[i];
    if (how == 3 && i + 1 == first && one.bytes.size() > kSector) {
      one.bytes.resize(kSector * up_to(random, one.bytes.size() / kSector));
    }
    change(bytes, one);
  }
  return bytes;
}

std::pair<Disk::NodePtr, std::string> Disk::place(const std::string& path) const {
  NodePtr at = root_;
  std::size_t begin = 0;
  for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', begin)) {
    const auto names = now_.find(at.get());
    const auto found = names == now_.end() ? std::map<std::string, NodePtr>::const_iterator{}
                                           : names->second.find(path.substr(begin, slash - begin));
    if (names == now_.end() || found == names->second.end()) throw std::runtime_error("the log lacks " + path);
    at = found->second;
    begin = slash + 1;
  }
  return {at, path.substr(begin)};
}

void Disk::rename(Names& names, const Naming& naming) {
  auto& here = names[naming.directory.get()];
  switch (naming.kind) {
    case 'C':
      here[naming.name] = naming.node;
      break;
    case 'U':
      here.erase(naming.name);
      break;
    default:
      here.erase(naming.name);
      names[naming.to.get()][naming.new_name] = naming.node;
  }
}

void Disk::name(Naming naming) {
  rename(now_, naming);
  names_.push_back(std::move(naming));
}

void Disk::sync(const Event& event) {
  const NodePtr synced = [&]() -> NodePtr {
    if (event.path.empty()) return root_;
    const auto [directory, name] = place(event.path);
    const auto found = now_[directory.get()].find(name);
    return found == now_[directory.get()].end() ? nullptr : found->second;
  }();
  if (!event.flag) {
    // By its inode: the file may have been renamed since it was opened.
    const auto file = by_inode_.find(event.inode);
    if (file == by_inode_.end()) return;
    for (const Change& one : file->second->pending) change(file->second->durable, one);
    file->second->pending.clear();
  }
  for (Naming& naming : names_) {
    if (model_ == FileSystem::kExt4 || (event.flag && (naming.directory == synced || naming.to == synced))) {
      naming.durable = true;
    }
  }
  while (!names_.empty() && names_.front().durable) {
    rename(settled_, names_.front());
    names_.erase(names_.begin());
  }
}

bool Disk::apply(const Event& event) {
  switch (event.kind) {
    case 'W': {
      const auto found = by_inode_.find(event.inode);
      if (found == by_inode_.end()) return false;
      Change one{false, event.offset, event.bytes};
      if (event.flag) change(found->second->durable, one);  // O_DSYNC: durable at return
      found->second->pending.push_back(std::move(one));
      return true;
    }
    case 'T': {
      const auto found = by_inode_.find(event.inode);
      if (found == by_inode_.end()) return false;
      found->second->pending.push_back({true, event.offset, {}});
      return true;
    }
    case 'C':
    case 'M': {
      const auto [directory, own] = place(event.path);
      const auto node = std::make_shared<Node>(Node{event.kind == 'M', {}, {}});
      if (event.kind == 'C') by_inode_[event.inode] = node;
      name({'C', directory, node, nullptr, own, {}, false});
      return true;
    }
    case 'U': {
      const auto [directory, own] = place(event.path);
      name({'U', directory, nullptr, nullptr, own, {}, false});
      return true;
    }
    case 'R': {
      const auto [directory, own] = place(event.path);
      const auto [to, new_own] = place(event.bytes);
      const NodePtr node = now_[directory.get()][own];
      name({'R', directory, node, to, own, new_own, false});
      return true;
    }
    case 'S':
      sync(event);
      return true;
    default:
      return false;
  }
}

DiskState Disk::state(Survives what, std::mt19937& random) const {
  Names names = settled_;
  const auto loose = static_cast<std::size_t>(
      std::count_if(names_.begin(), names_.end(), [](const Naming& naming) { return !naming.durable; }));
  std::size_t kept = what == Survives::kNothing ? 0 : what == Survives::kAll ? loose : up_to(random, loose);
  for (const Naming& naming : names_) {
    if (!naming.durable) {
      if (kept == 0) continue;
      --kept;
    }
    rename(names, naming);
  }
  DiskState state;
  const std::function<void(const Node*, const std::string&)> walk = [&](const Node* directory,
                                                                        const std::string& path) {
    const auto found = names.find(directory);
    if (found == names.end()) return;
    for (const auto& [own, node] : found->second) {
      if (node->directory) {
        state[path + own + "/"];
        walk(node.get(), path + own + "/");
      } else if (!rebuilt(own)) {
        state[path + own] = content(*node, what, random);
      }
    }
  };
  walk(root_.get(), "");
  return state;
}

void materialize(const DiskState& state, const fs::path& dir) {
  fs::remove_all(dir);
  fs::create_directories(dir);
  for (const auto& [path, bytes] : state) {
    if (path.ends_with('/')) {
      fs::create_directories(dir / path);
      continue;
    }
    const int fd = ::open((dir / path).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || ::write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
      throw std::runtime_error("cannot write " + path);
    }
    ::close(fd);
  }
}

std::uint64_t fingerprint(const DiskState& state) {
  const std::hash<std::string_view> hash;
  std::uint64_t sum = 0;
  for (const auto& [path, bytes] : state) {
    for (const std::uint64_t part : {hash(path), hash(bytes)})
      sum = (sum ^ part) * 0x9E3779B97F4A7C15ULL + (sum >> 29U);
  }
  return sum;
}

}  // namespace residue::crash
