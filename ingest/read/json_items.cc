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
    bool too_long = false;
    const std::size_t size = measure(too_long);
    if (too_long) refuse(State::kComma, "the row is longer than 16 MiB", "split the text into several records");
    element = input_->view().substr(0, size);
    line_ += static_cast<std::uint64_t>(std::count(element.begin(), element.end(), '\n'));
    input_->consume(size);
    state_ = State::kComma;
    return true;
  }
}

// Bytes of the element at the front of the window; one over the limit is dropped.
std::size_t JsonItems::measure(bool& too_long) {
  std::size_t at = 0;
  std::size_t depth = 0;
  bool string = false;
  bool escape = false;
  for (;;) {
    const std::string_view view = input_->view();
    for (; at < view.size(); ++at) {
      const char c = view[at];
      if (string) {
        if (escape) {
          escape = false;
        } else if (c == '\\') {
          escape = true;
        } else if (c == '"') {
          string = false;
        }
        continue;
      }
      bool ends = false;
      switch (c) {
        case '"':
          string = true;
          break;
        case '{':
        case '[':
          ++depth;
          break;
        case '}':
        case ']':
          if (depth == 0) {
            ends = true;
            break;
          }
          if (--depth == 0) {
            ++at;
            ends = true;
          }
          break;
        case ',':
          ends = depth == 0;
          break;
        default:
          break;
      }
      if (ends) {
        too_long = too_long || at > max_;
        if (!too_long) return at;
        const std::string_view rest = view.substr(0, at);
        line_ += static_cast<std::uint64_t>(std::count(rest.begin(), rest.end(), '\n'));
        input_->consume(at);
        return 0;
      }
    }
    if (at > max_) {
      too_long = true;
      line_ += static_cast<std::uint64_t>(std::count(view.begin(), view.end(), '\n'));
      input_->consume(view.size());
      at = 0;
    }
    if (!input_->more()) {
      input_->consume(input_->view().size());
      refuse(State::kDone, whole() + " is not closed", "check that the file is complete");
    }
  }
}

}  // namespace residue::ingest
