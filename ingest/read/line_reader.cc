#include "ingest/read/line_reader.h"

#include <cstring>

namespace residue::ingest {

LineReader::Result LineReader::next(std::string_view& line) {
  for (;;) {
    bool too_long = false;
    if (!find(line, too_long)) return Result::kEnd;
    ++number_;
    if (too_long) return Result::kTooLong;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) return Result::kLine;
    ++blank_;
  }
}

// False at the end of the input.
bool LineReader::skip_rest() {
  while (inside_) {
    const std::size_t end = input_->view().find('\n');
    inside_ = end == std::string_view::npos;
    input_->consume(inside_ ? input_->view().size() : end + 1);
    if (inside_ && !input_->more()) return false;
  }
  return true;
}

// False at the end of the input.
bool LineReader::find(std::string_view& line, bool& too_long) {
  if (!skip_rest()) return false;
  std::size_t searched = 0;
  for (;;) {
    const std::string_view view = input_->view();
    const std::size_t end = view.find('\n', searched);
    const std::size_t size = end == std::string_view::npos ? view.size() : end;
    const bool cr = size > 0 && view[size - 1] == '\r';
    too_long = size - (cr ? 1 : 0) > max_;
    if (end != std::string_view::npos) {
      line = view.substr(0, end);
      input_->consume(end + 1);
      return true;
    }
    searched = view.size();
    if (too_long) {
      input_->consume(view.size());
      inside_ = true;
      return true;
    }
    if (!input_->more()) {
      line = input_->view();
      input_->consume(line.size());
      return !line.empty();
    }
  }
}

}  // namespace residue::ingest
