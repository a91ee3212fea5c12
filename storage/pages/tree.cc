#include "storage/pages/tree.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "storage/pages/checksum.h"

namespace residue::storage {
namespace {

constexpr std::uint64_t kUsable = kPageBytes - kPageReserved;
constexpr std::uint32_t kSchemaRoot = 1;
constexpr std::size_t kFileHeader = 100;
constexpr std::size_t kFirstFreePage = 32;  // in the file's header
constexpr int kDeepest = 40;

enum Kind : unsigned char { kInnerIndex = 2, kInnerTable = 5, kLeafIndex = 10, kLeafTable = 13 };

// Bytes with bounds: reading past them spoils it, and gives zeros.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes, std::size_t at = 0) : bytes_(bytes), at_(at) {}
  [[nodiscard]] bool spoiled() const { return spoiled_; }
  [[nodiscard]] std::size_t at() const { return at_; }

  std::uint64_t big_endian(std::size_t size) {
    std::uint64_t number = 0;
    for (const char byte : take(size)) number = number << 8U | static_cast<unsigned char>(byte);
    return number;
  }
  std::uint64_t varint() {
    std::uint64_t number = 0;
    for (int i = 0; i < 8; ++i) {
      const std::uint64_t byte = big_endian(1);
      number = number << 7U | (byte & 0x7fU);
      if ((byte & 0x80U) == 0) return number;
    }
    return number << 8U | big_endian(1);
  }
  std::string_view take(std::size_t size) {
    if (spoiled_ || at_ > bytes_.size() || size > bytes_.size() - at_) {
      spoiled_ = true;
      return {};
    }
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }

 private:
  std::string_view bytes_;
  std::size_t at_;
  bool spoiled_ = false;
};

StoredValue value_of(std::uint64_t type, Bytes& body) {
  constexpr std::uint64_t kSizes[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0};
  if (type >= 12) {
    std::string bytes(body.take((type - 12) / 2));
    if (type % 2 == 0) return StoredBlob{std::move(bytes)};
    return bytes;
  }
  if (type == 0 || type > 9) return std::monostate{};
  if (type >= 8) return static_cast<std::int64_t>(type - 8);
  const std::uint64_t size = kSizes[type];
  const std::uint64_t raw = body.big_endian(size);
  if (type == 7) return std::bit_cast<double>(raw);
  const auto unused = static_cast<int>(64 - 8 * size);
  return static_cast<std::int64_t>(raw << unused) >> unused;
}

std::optional<std::vector<StoredValue>> record_of(std::string_view payload) {
  Bytes head(payload);
  const std::uint64_t head_bytes = head.varint();
  Bytes body(payload, head_bytes);
  std::vector<StoredValue> values;
  while (!head.spoiled() && head.at() < head_bytes) values.push_back(value_of(head.varint(), body));
  if (head.spoiled() || body.spoiled()) return std::nullopt;
  return values;
}

class Walk {
 public:
  Walk(const PageImage& image, const TreeVisitor& visitor) : image_(image), visitor_(visitor) {}

  void page(std::uint32_t number, int depth = 0) {
    const auto bytes = depth < kDeepest && met_.insert(number).second ? image_.read(number) : std::nullopt;
    if (!bytes) return damaged(number);
    const std::size_t start = number == kSchemaRoot ? kFileHeader : 0;
    Bytes head(*bytes, start);
    const auto kind = static_cast<unsigned char>(head.big_endian(1));
    const bool inner = kind == kInnerIndex || kind == kInnerTable;
    if (!inner && kind != kLeafIndex && kind != kLeafTable) return damaged(number);
    sound(number);
    head.take(2);
    const std::uint64_t cells = head.big_endian(2);
    head.take(3);
    const auto last_child = inner ? static_cast<std::uint32_t>(head.big_endian(4)) : 0;
    for (std::uint64_t i = 0; i < cells && !head.spoiled(); ++i) cell(*bytes, head.big_endian(2), kind, depth);
    if (inner) page(last_child, depth + 1);
  }

 private:
  void sound(std::uint32_t number) const {
    if (visitor_.page) visitor_.page(number);
  }
  void damaged(std::uint32_t number) const {
    if (visitor_.damaged) visitor_.damaged(number);
  }

  void cell(std::string_view page_bytes, std::uint64_t offset, unsigned char kind, int depth) {
    Bytes cell(page_bytes, offset);
    if (kind == kInnerIndex || kind == kInnerTable) page(static_cast<std::uint32_t>(cell.big_endian(4)), depth + 1);
    if (kind == kInnerTable) return;
    const std::uint64_t size = cell.varint();
    StoredRow row;
    if (kind == kLeafTable) row.rowid = static_cast<std::int64_t>(cell.varint());
    const auto payload = payload_of(cell, size, kind == kLeafTable);
    if (!payload || !visitor_.row) return;
    auto values = record_of(*payload);
    if (!values) return;
    row.values = std::move(*values);
    visitor_.row(row);
  }

  // What does not fit in a page goes on in a chain of others.
  std::optional<std::string> payload_of(Bytes& cell, std::uint64_t size, bool table) {
    const std::uint64_t most = table ? kUsable - 35 : (kUsable - 12) * 64 / 255 - 23;
    const std::uint64_t least = (kUsable - 12) * 32 / 255 - 23;
    std::uint64_t here = size;
    if (size > most) {
      here = least + (size - least) % (kUsable - 4);
      if (here > most) here = least;
    }
    std::string payload(cell.take(here));
    std::uint32_t next = here < size ? static_cast<std::uint32_t>(cell.big_endian(4)) : 0;
    if (cell.spoiled()) return std::nullopt;
    while (payload.size() < size) {
      const auto bytes = met_.insert(next).second ? image_.read(next) : std::nullopt;
      if (!bytes) {
        damaged(next);
        return std::nullopt;
      }
      sound(next);
      payload += bytes->substr(4, std::min<std::uint64_t>(size - payload.size(), kUsable - 4));
      next = static_cast<std::uint32_t>(Bytes(*bytes).big_endian(4));
    }
    return payload;
  }

  const PageImage& image_;
  const TreeVisitor& visitor_;
  std::set<std::uint32_t> met_;
};

std::string text_of(const StoredValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? std::string() : *text;
}

}  // namespace

void walk_tree(const PageImage& image, std::uint32_t root, const TreeVisitor& visitor) {
  Walk(image, visitor).page(root);
}

std::vector<Tree> trees_of(const PageImage& image) {
  std::vector<Tree> trees{{false, "sqlite_schema", "sqlite_schema", "", kSchemaRoot}};
  TreeVisitor visitor;
  visitor.row = [&](const StoredRow& row) {  // type, name, table, root, sql
    if (row.values.size() < 5) return;
    const auto* root = std::get_if<std::int64_t>(&row.values[3]);
    if (root == nullptr || *root == 0) return;
    trees.push_back({text_of(row.values[0]) == "index", text_of(row.values[1]), text_of(row.values[2]),
                     text_of(row.values[4]), static_cast<std::uint32_t>(*root)});
  };
  walk_tree(image, kSchemaRoot, visitor);
  return trees;
}

void walk_free_pages(const PageImage& image, const TreeVisitor& visitor) {
  const auto first = image.read(kSchemaRoot);
  if (!first) return;
  std::set<std::uint32_t> met;
  auto next = static_cast<std::uint32_t>(Bytes(*first, kFirstFreePage).big_endian(4));
  const auto say = [&](std::uint32_t page, bool sound) {
    const auto& hook = sound ? visitor.page : visitor.damaged;
    if (hook) hook(page);
  };
  while (next != 0 && met.insert(next).second) {
    const auto trunk = image.read(next);
    say(next, trunk.has_value());
    if (!trunk) return;
    Bytes bytes(*trunk);
    next = static_cast<std::uint32_t>(bytes.big_endian(4));
    const std::uint64_t leaves = bytes.big_endian(4);
    for (std::uint64_t i = 0; i < leaves && !bytes.spoiled(); ++i) {
      const auto leaf = static_cast<std::uint32_t>(bytes.big_endian(4));
      if (!bytes.spoiled()) say(leaf, image.read(leaf).has_value());
    }
  }
}

std::string owner_of_page(const PageImage& image, std::uint32_t page) {
  if (page == kSchemaRoot) return "the list of its tables";
  bool found = false;
  TreeVisitor visitor;
  visitor.page = visitor.damaged = [&](std::uint32_t met) { found = found || met == page; };
  for (const Tree& tree : trees_of(image)) {
    walk_tree(image, tree.root, visitor);
    if (found) return tree.index ? "an index of table " + tree.table : "table " + tree.name;
  }
  walk_free_pages(image, visitor);
  return found ? "its unused pages" : "nothing that can be found";
}

}  // namespace residue::storage
