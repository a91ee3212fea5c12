// A Parquet file read by its specification: slow, plain, and sharing nothing with the writer. Tests and the benchmark
// check what was written with it.
#pragma once

#include <zstd.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace residue::query::testing {

// A value of Thrift's compact protocol.
struct Thrift {
  std::int64_t number = 0;
  std::string bytes;
  std::vector<Thrift> list;
  std::map<int, Thrift> fields;

  [[nodiscard]] const Thrift& at(int id) const { return fields.at(id); }
  [[nodiscard]] bool has(int id) const { return fields.contains(id); }
};

class ThriftReader {
 public:
  explicit ThriftReader(std::string_view bytes) : rest_(bytes) {}

  Thrift read_struct() {
    Thrift result;
    int id = 0;
    while (true) {
      const unsigned head = byte();
      if (head == 0) return result;
      id = head >> 4U != 0 ? id + static_cast<int>(head >> 4U) : static_cast<int>(zigzag());
      if (result.has(id)) throw std::runtime_error("thrift: a field twice");
      result.fields[id] = value(head & 15U);
    }
  }
  [[nodiscard]] std::size_t left() const { return rest_.size(); }

 private:
  unsigned byte() {
    if (rest_.empty()) throw std::runtime_error("thrift: it ends too early");
    const auto first = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return first;
  }
  std::uint64_t varint() {
    std::uint64_t result = 0;
    for (unsigned shift = 0;; shift += 7) {
      const unsigned next = byte();
      result |= static_cast<std::uint64_t>(next & 127U) << shift;
      if (next < 128) return result;
    }
  }
  std::int64_t zigzag() {
    const std::uint64_t raw = varint();
    return static_cast<std::int64_t>(raw >> 1U) ^ -static_cast<std::int64_t>(raw & 1U);
  }
  Thrift value(unsigned type) {
    Thrift result;
    switch (type) {
      case 1:
      case 2:
        result.number = type == 1 ? 1 : 0;
        return result;
      case 4:
      case 5:
      case 6:
        result.number = zigzag();
        return result;
      case 8: {
        const std::uint64_t size = varint();
        if (size > rest_.size()) throw std::runtime_error("thrift: it ends too early");
        result.bytes = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return result;
      }
      case 9: {
        const unsigned head = byte();
        const std::uint64_t count = head >> 4U == 15 ? varint() : head >> 4U;
        for (std::uint64_t i = 0; i < count; ++i) result.list.push_back(value(head & 15U));
        return result;
      }
      case 12:
        return read_struct();
      default:
        throw std::runtime_error("thrift: an unknown type");
    }
  }

  std::string_view rest_;
};

using ReadValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

struct ReadFile {
  Thrift footer;
  std::vector<std::string> names;
  std::vector<std::vector<ReadValue>> columns;
  std::int64_t rows = 0;
};

template <class Number>
Number take_number(std::string_view& bytes) {
  Number value{};
  if (bytes.size() < sizeof value) throw std::runtime_error("parquet: a page is too short");
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

// One bit a value: 1 where it is there.
inline std::vector<bool> read_levels(std::string_view& page, std::size_t count) {
  const auto size = take_number<std::uint32_t>(page);
  std::string_view runs = page.substr(0, size);
  page.remove_prefix(size);
  std::vector<bool> present;
  while (present.size() < count) {
    std::uint64_t head = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto next = take_number<unsigned char>(runs);
      head |= static_cast<std::uint64_t>(next & 127U) << shift;
      if (next < 128) break;
    }
    if ((head & 1U) == 0) {
      const bool value = take_number<unsigned char>(runs) != 0;
      present.insert(present.end(), head >> 1U, value);
    } else {
      for (std::uint64_t group = 0; group < head >> 1U; ++group) {
        const auto bits = take_number<unsigned char>(runs);
        for (unsigned bit = 0; bit < 8; ++bit) present.push_back((bits >> bit & 1U) != 0);
      }
    }
  }
  if (!runs.empty()) throw std::runtime_error("parquet: levels after the last value");
  present.resize(count);  // a group of eight may be longer
  return present;
}

inline void read_page(std::string_view page, std::size_t count, std::int64_t type, std::vector<ReadValue>& out) {
  std::size_t bit = 0;
  for (const bool there : read_levels(page, count)) {
    if (!there) {
      out.emplace_back();
    } else if (type == 0) {
      out.emplace_back((static_cast<unsigned char>(page.at(bit / 8)) >> bit % 8 & 1) != 0);
      ++bit;
    } else if (type == 2) {
      out.emplace_back(take_number<std::int64_t>(page));
    } else if (type == 5) {
      out.emplace_back(take_number<double>(page));
    } else {
      const auto size = take_number<std::uint32_t>(page);
      if (size > page.size()) throw std::runtime_error("parquet: a text is too short");
      out.emplace_back(std::string(page.substr(0, size)));
      page.remove_prefix(size);
    }
  }
  if (page.size() != (bit + 7) / 8) throw std::runtime_error("parquet: bytes after the last value");
}

inline ReadFile read_parquet(const std::string& bytes) {
  if (bytes.size() < 12 || bytes.substr(0, 4) != "PAR1" || bytes.substr(bytes.size() - 4) != "PAR1") {
    throw std::runtime_error("parquet: no magic");
  }
  std::string_view tail(bytes.data() + bytes.size() - 8, 4);
  const auto size = take_number<std::uint32_t>(tail);
  ReadFile file;
  ThriftReader reader(std::string_view(bytes).substr(bytes.size() - 8 - size, size));
  file.footer = reader.read_struct();
  if (reader.left() != 0) throw std::runtime_error("parquet: bytes after the footer");
  file.rows = file.footer.at(3).number;
  const auto& schema = file.footer.at(2).list;
  for (std::size_t i = 1; i < schema.size(); ++i) file.names.push_back(schema[i].at(4).bytes);
  file.columns.resize(file.names.size());
  std::size_t expected = 4;
  for (const Thrift& group : file.footer.at(4).list) {
    for (std::size_t i = 0; i < file.columns.size(); ++i) {
      const Thrift& chunk = group.at(1).list.at(i).at(3);
      const std::size_t before = file.columns[i].size();
      std::size_t at = static_cast<std::size_t>(chunk.at(9).number);
      if (at != expected) throw std::runtime_error("parquet: a gap between chunks");
      const std::size_t end = at + static_cast<std::size_t>(chunk.at(7).number);
      std::int64_t raw = 0;
      while (at < end) {
        ThriftReader head(std::string_view(bytes).substr(at, end - at));
        const Thrift page = head.read_struct();
        const std::size_t head_size = end - at - head.left();
        std::string body(static_cast<std::size_t>(page.at(2).number), '\0');
        const auto compressed = static_cast<std::size_t>(page.at(3).number);
        if (ZSTD_decompress(body.data(), body.size(), bytes.data() + at + head_size, compressed) != body.size()) {
          throw std::runtime_error("parquet: a page of another size");
        }
        read_page(body, static_cast<std::size_t>(page.at(5).at(1).number), chunk.at(1).number, file.columns[i]);
        at += head_size + compressed;
        raw += static_cast<std::int64_t>(head_size + body.size());
      }
      if (at != end || raw != chunk.at(6).number) throw std::runtime_error("parquet: a chunk of another size");
      const auto values = static_cast<std::int64_t>(file.columns[i].size() - before);
      if (values != group.at(3).number || values != chunk.at(5).number) {
        throw std::runtime_error("parquet: a column of another length");
      }
      expected = end;
    }
  }
  if (expected != bytes.size() - 8 - size) throw std::runtime_error("parquet: bytes before the footer");
  return file;
}

}  // namespace residue::query::testing
