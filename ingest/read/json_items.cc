#include "ingest/read/json_items.h"

#include <algorithm>
#include <utility>

namespace residue::ingest {

void JsonItems::refuse(State then, std::string cause, const char* remedy) {
  state_ = then;
  throw Refusal{std::move(cause), remedy};
}

// False at the end of the input.
bool JsonItems::skip_space() {
  for (;;) {
    const std::string_view view = input_->view();
    const std::size_t end = std::min(view.find_first_not_of(" \t\r\n"), view.size());
    line_ +=
        static_cast<std::uint64_t>(std::count(view.begin(), view.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    input_->consume(end);
    if (end < view.size()) return true;
    if (!input_->more()) return false;
  }
}

bool JsonItems::next(std::string_view& element) {
  const char close = object_ ? '}' : ']';
  for (;;) {
    if (state_ == State::kDone) return false;
    if (state_ == State::kInside) skip_rest();
    const bool there = skip_space();
    line_of_element_ = line_;
    if (state_ == State::kAfter) {
      if (there) refuse(State::kDone, "something follows the end of " + whole(), "write one array or object a file");
      return false;
    }
    if (!there) refuse(State::kDone, whole() + " is not closed", "check that the file is complete");
    const char c = input_->view().front();
    switch (state_) {
      case State::kBefore:
        input_->consume(1);
        state_ = State::kFirst;
        continue;
      case State::kComma:
        if (c == ',') {
          input_->consume(1);
          state_ = State::kElement;
          continue;
        }
        if (c != close)
          refuse(State::kElement,
                 "a comma between two " + std::string(object_ ? "members" : "elements") + " is missing",
                 "write the file with a JSON library");
        [[fallthrough]];
      case State::kFirst:
        if (c == close) {
          input_->consume(1);
          state_ = State::kAfter;
          continue;
        }
        [[fallthrough]];
      default:
        break;
    }
    if (c == ',' || c == ']' || c == '}') {
      input_->consume(1);
      refuse(c == close ? State::kAfter : State::kElement, part() + " is missing",
             "write the file with a JSON library");
    }
    const std::size_t size = measure();
    element = input_->view().substr(0, size);
    line_ += static_cast<std::uint64_t>(std::count(element.begin(), element.end(), '\n'));
    input_->consume(size);
    state_ = State::kComma;
    return true;
  }
}

// Goes on at `at` in the window; true at the end of the element.
bool JsonItems::scan(std::size_t& at) {
  const std::string_view view = input_->view();
  for (; at < view.size(); ++at) {
    const char c = view[at];
    if (string_) {
      if (escape_) {
        escape_ = false;
      } else if (c == '\\') {
        escape_ = true;
      } else if (c == '"') {
        string_ = false;
      }
      continue;
    }
    switch (c) {
      case '"':
        string_ = true;
        break;
      case '{':
      case '[':
        ++depth_;
        break;
      case '}':
      case ']':
        if (depth_ == 0) return true;
        if (--depth_ == 0) {
          ++at;
          return true;
        }
        break;
      case ',':
        if (depth_ == 0) return true;
        break;
      default:
        break;
    }
  }
  return false;
}

void JsonItems::not_closed() {
  input_->consume(input_->view().size());
  refuse(State::kDone, whole() + " is not closed", "check that the file is complete");
}

// Bytes of the element at the front of the window.
std::size_t JsonItems::measure() {
  depth_ = 0;
  string_ = escape_ = false;
  for (std::size_t at = 0;;) {
    const bool ends = scan(at);
    if (at > max_) {
      // The end of an endless element is not waited for.
      const std::string_view seen = input_->view().substr(0, at);
      line_ += static_cast<std::uint64_t>(std::count(seen.begin(), seen.end(), '\n'));
      input_->consume(at);
      refuse(ends ? State::kComma : State::kInside, "the row is longer than 16 MiB",
             "split the text into several records");
    }
    if (ends) return at;
    if (!input_->more()) not_closed();
  }
}

void JsonItems::skip_rest() {
  for (bool ends = false; !ends;) {
    std::size_t at = 0;
    ends = scan(at);
    const std::string_view seen = input_->view().substr(0, at);
    line_ += static_cast<std::uint64_t>(std::count(seen.begin(), seen.end(), '\n'));
    input_->consume(at);
    if (!ends && !input_->more()) not_closed();
  }
  state_ = State::kComma;
}

}  // namespace residue::ingest
