#include "ingest/read/csv.h"

#include <algorithm>

#include "ingest/read/json_parser.h"

namespace residue::ingest {

// Takes the row at the front of `view`: its cells and how many bytes it is with its line end.
CsvReader::Parse CsvReader::parse(std::string_view view, bool last, std::vector<std::string>& cells,
                                  std::size_t& size) const {
  std::size_t count = 0;
  std::size_t at = 0;
  const auto cell = [&]() -> std::string& {
    if (count == cells.size()) cells.emplace_back();
    cells[count].clear();
    return cells[count++];
  };
  for (;;) {
    std::string& text = cell();
    if (at < view.size() && view[at] == '"') {
      ++at;
      for (;;) {
        const std::size_t quote = view.find('"', at);
        if (quote == std::string_view::npos || (quote + 1 == view.size() && !last)) return Parse::kIncomplete;
        text.append(view.substr(at, quote - at));
        at = quote + 1;
        if (at == view.size() || view[at] != '"') break;
        text += '"';
        ++at;
      }
    } else {
      const std::size_t from = at;
      while (at < view.size() && view[at] != separator_ && view[at] != '\n' && view[at] != '"') ++at;
      if (at < view.size() && view[at] == '"') return Parse::kStrayQuote;
      text.append(view.substr(from, at - from));
      if ((at == view.size() || view[at] == '\n') && text.ends_with('\r')) text.pop_back();
    }
    if (at < view.size() && view[at] == separator_) {
      ++at;
      continue;
    }
    if (at == view.size() && !last) return Parse::kIncomplete;
    if (view.substr(at).starts_with("\r") && at + 1 == view.size() && !last) return Parse::kIncomplete;
    if (at < view.size() && view[at] == '\r') ++at;
    if (at < view.size() && view[at] != '\n') return Parse::kStrayQuote;
    size = std::min(at + 1, view.size());
    cells.resize(count);
    return Parse::kRow;
  }
}

void CsvReader::take(std::size_t size) {
  const std::string_view row = input_->view().substr(0, size);
  line_ += static_cast<std::uint64_t>(std::count(row.begin(), row.end(), '\n'));
  input_->consume(size);
}

void CsvReader::refuse(const char* cause, const char* remedy) {
  inside_ = true;
  throw Refusal{cause, remedy};
}

void CsvReader::skip_line() {
  inside_ = false;
  for (;;) {
    const std::string_view view = input_->view();
    const std::size_t end = view.find('\n');
    take(end == std::string_view::npos ? view.size() : end + 1);
    if (end != std::string_view::npos || !input_->more()) return;
  }
}

bool CsvReader::next(std::vector<std::string>& cells) {
  if (inside_) skip_line();
  bool last = false;
  for (;;) {
    const std::string_view view = input_->view();
    if (last && view.empty()) return false;
    first_ = line_;
    std::size_t size = 0;
    const Parse result = view.empty() ? Parse::kIncomplete : parse(view, last, cells, size);
    if (result == Parse::kRow && size <= max_ + 2) {
      const bool good = valid_utf8(view.substr(0, size));
      const bool nul = view.substr(0, size).find('\0') != std::string_view::npos;
      take(size);
      if (!good) throw Refusal{"not valid UTF-8", "convert the file to UTF-8"};
      if (nul) throw Refusal{"a NUL character", "remove NUL characters from names and texts"};
      if (cells.size() == 1 && cells[0].empty()) continue;
      return true;
    }
    if (result == Parse::kStrayQuote) {
      refuse("a quote inside a cell",
             "quote the whole cell, without a space before the quote, and double the quotes in it");
    }
    if (result == Parse::kRow || view.size() > max_) {
      refuse("the row is longer than 16 MiB", "split the text, or check for a quote that is not closed");
    }
    if (last) {
      refuse("a quote is not closed", "close the quote, or double the quotes inside a cell");
    }
    last = !input_->more();
  }
}

}  // namespace residue::ingest
