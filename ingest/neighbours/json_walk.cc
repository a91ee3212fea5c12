#include "ingest/neighbours/json_walk.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "ingest/read/json_parser.h"

namespace residue::ingest {
namespace {

constexpr std::size_t kMaxDepth = 10'000;   // of what is passed over
constexpr std::size_t kMaxName = 64 << 10;  // bytes of a member's name
constexpr std::string_view kSpaces = " \t\r\n";

bool ends_word(char c) { return kSpaces.find(c) != std::string_view::npos || c == ',' || c == ']' || c == '}'; }

}  // namespace

void JsonWalk::fail(const std::string& cause, const std::string& remedy) const {
  throw Error(Code::kBadInput, fmt::format("{}:{}: {}", name_, line_, cause), remedy);
}

void JsonWalk::malformed() const { fail("not well-formed JSON", "check the file, or write it again"); }

void JsonWalk::cut_off() const { fail("the file ends before its JSON does", "check that the file is complete"); }

// The next byte that is no white space, which stays; 0 at the end of the input.
char JsonWalk::space() {
  for (;;) {
    const std::string_view view = input_->view();
    const std::size_t end = std::min(view.find_first_not_of(kSpaces), view.size());
    line_ +=
        static_cast<std::uint64_t>(std::count(view.begin(), view.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    input_->consume(end);
    if (end < view.size()) return input_->view().front();
    if (!input_->more()) return '\0';
  }
}

// The same, taken; never the end of the input.
char JsonWalk::byte() {
  const char c = space();
  if (c == '\0' && input_->view().empty()) cut_off();
  input_->consume(1);
  return c;
}

char JsonWalk::peek() {
  const char c = space();
  if (c == '\0') cut_off();
  return c;
}

void JsonWalk::enter(char open) {
  if (byte() != open) malformed();
  first_.push_back(true);
}

bool JsonWalk::next_element() {
  char c = peek();
  if (c == ']') {
    byte();
    first_.pop_back();
    return false;
  }
  if (!first_.back()) {
    if (byte() != ',') malformed();
    c = peek();
  }
  if (c == ',' || c == ']' || c == '}') malformed();
  first_.back() = false;
  return true;
}

bool JsonWalk::next_member(std::string& name) {
  if (peek() == '}') {
    byte();
    first_.pop_back();
    return false;
  }
  if (!first_.back() && byte() != ',') malformed();
  first_.back() = false;
  if (peek() != '"') malformed();
  std::string raw;
  if (!take(raw, kMaxName)) malformed();
  if (raw.find('\\') == std::string::npos) {
    name = raw.substr(1, raw.size() - 2);
  } else {
    JsonParser parser;
    Value value;
    try {
      parser.parse("{" + raw + ":0}", value, true);
    } catch (const Refusal&) {
      malformed();
    }
    name = value.items.front().key;
  }
  if (byte() != ':') malformed();
  return true;
}

bool JsonWalk::take(std::string& bytes, std::size_t most) { return read_value(&bytes, most); }

void JsonWalk::skip() { read_value(nullptr, 0); }

// Passes over the value that begins here; keeps its bytes as long as they are few enough.
bool JsonWalk::read_value(std::string* bytes, std::size_t most) {
  peek();
  const std::size_t before = bytes != nullptr ? bytes->size() : 0;
  bool fits = true, string = false, escape = false, word = false, done = false;
  std::vector<char> open;
  while (!done) {
    if (input_->view().empty() && !input_->more()) {
      if (word && open.empty()) break;
      cut_off();
    }
    const std::string_view view = input_->view();
    std::size_t at = 0;
    for (; at < view.size() && !done; ++at) {
      const char c = view[at];
      if (c == '\n') ++line_;
      if (string) {
        if (escape) {
          escape = false;
        } else if (c == '\\') {
          escape = true;
        } else if (c == '"') {
          string = false;
          done = open.empty();
        }
        continue;
      }
      if (word && open.empty() && ends_word(c)) {
        if (c == '\n') --line_;  // It stays for whoever reads on.
        done = true;
        break;
      }
      if (c == '"') {
        if (word && open.empty()) malformed();
        string = true;
      } else if (c == '{' || c == '[') {
        if ((word && open.empty()) || open.size() == kMaxDepth) malformed();
        open.push_back(c == '{' ? '}' : ']');
      } else if (c == '}' || c == ']') {
        if (open.empty() || open.back() != c) malformed();
        open.pop_back();
        done = open.empty();
      } else if (open.empty()) {
        if (c == ',' || c == ':') malformed();
        word = true;
      }
    }
    if (bytes != nullptr && fits) {
      bytes->append(view.substr(0, at));
      fits = bytes->size() - before <= most;
      if (!fits) bytes->resize(before);
    }
    input_->consume(at);
  }
  return fits;
}

bool JsonWalk::at_end() { return space() == '\0' && input_->view().empty(); }

void JsonWalk::end() {
  if (!at_end()) fail("something follows the end of the JSON", "write one log a file");
}

std::string without_not_finite(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    if (json[at] == '"') {
      const std::size_t from = at;
      for (++at; at < json.size() && json[at] != '"'; ++at) at += json[at] == '\\' ? 1 : 0;
      at = std::min(at + 1, json.size());
      out.append(json.substr(from, at - from));
      continue;
    }
    bool found = false;
    for (const std::string_view word : {"NaN", "-Infinity", "Infinity"}) {
      if (!json.substr(at).starts_with(word)) continue;
      out += "null";
      at += word.size();
      found = true;
      break;
    }
    if (!found) out += json[at++];
  }
  return out;
}

}  // namespace residue::ingest
