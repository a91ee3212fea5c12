#include "ingest/read/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace residue::ingest {
namespace {

void write_string(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

void write(const Value& value, std::string& out) {
  switch (value.kind) {
    case Value::Kind::kNull:
      out += "null";
      return;
    case Value::Kind::kBool:
    case Value::Kind::kInteger:
    case Value::Kind::kReal:
      out += value.text;
      return;
    case Value::Kind::kString:
      write_string(value.text, out);
      return;
    case Value::Kind::kArray: {
      out += '[';
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        if (i > 0) out += ',';
        write(value.items[i], out);
      }
      out += ']';
      return;
    }
    case Value::Kind::kObject: {
      std::vector<const Value*> members;
      members.reserve(value.items.size());
      for (const Value& item : value.items) members.push_back(&item);
      std::stable_sort(members.begin(), members.end(), [](const Value* a, const Value* b) { return a->key < b->key; });
      out += '{';
      for (std::size_t i = 0; i < members.size(); ++i) {
        if (i > 0) out += ',';
        write_string(members[i]->key, out);
        out += ':';
        write(*members[i], out);
      }
      out += '}';
      return;
    }
  }
}

}  // namespace

const Value* Value::member(std::string_view name) const {
  if (kind != Kind::kObject) return nullptr;
  for (const Value& item : items) {
    if (item.key == name) return &item;
  }
  return nullptr;
}

const Value* Value::at(std::string_view path) const {
  if (const Value* whole = member(path)) return whole;
  const Value* value = this;
  while (value != nullptr && !path.empty()) {
    const std::size_t dot = path.find('.');
    value = value->member(path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return value;
}

std::string canonical(const Value& value) {
  std::string out;
  write(value, out);
  return out;
}

std::string json_string(std::string_view text) {
  std::string out;
  write_string(text, out);
  return out;
}

}  // namespace residue::ingest
