#include "ingest/read/row_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "ingest/read/csv.h"
#include "ingest/read/folder.h"
#include "ingest/read/json_items.h"
#include "ingest/read/json_parser.h"
#include "ingest/read/line_reader.h"
#include "ingest/read/separator.h"

namespace residue::ingest {
namespace {

void require_object(const Value& value) {
  if (!value.is(Value::Kind::kObject)) throw Refusal{"not a JSON object", "write each row as {\"field\": value, ...}"};
}

class JsonLines final : public RowReader {
 public:
  explicit JsonLines(InputBuffer input) : RowReader(std::move(input)), lines_(input_) {}

  bool next(InputRow& row) override {
    std::string_view line;
    const auto result = lines_.next(line);
    if (result == LineReader::Result::kEnd) return false;
    row.line = lines_.number();
    row.index = row.line - 1;
    row.number = row.line - lines_.blank();
    if (result == LineReader::Result::kTooLong) {
      throw Refusal{"the row is longer than 16 MiB", "split the text into several records"};
    }
    parser_.parse(line, row.object);
    require_object(row.object);
    return true;
  }

 private:
  LineReader lines_;
  JsonParser parser_;
};

class JsonElements final : public RowReader {
 public:
  explicit JsonElements(InputBuffer input) : RowReader(std::move(input)), array_(input_) {}

  bool next(InputRow& row) override {
    row.index = index_++;
    row.number = index_;
    std::string_view element;
    try {
      if (!array_.next(element)) return false;
    } catch (const Refusal&) {
      row.line = array_.line();
      throw;
    }
    row.line = array_.line();
    parser_.parse(element, row.object);
    require_object(row.object);
    return true;
  }

 private:
  JsonItems array_;
  JsonParser parser_;
  std::uint64_t index_ = 0;
};

class CsvRows final : public RowReader {
 public:
  CsvRows(InputBuffer input, char usual, const std::string& name)
      : RowReader(std::move(input)),
        named_(separator_named(input_)),
        separator_(named_ ? *named_ : separator_of(input_, usual, name)),
        csv_(input_, separator_, kMaxRowBytes, named_ ? 2 : 1) {
    if (separator_ != usual) notes_.push_back(fmt::format("columns are separated by {}", separator_name(separator_)));
    const auto bad = [&](const std::string& cause) {
      return Error(Code::kBadInput, fmt::format("{}: line {}: {}", name, csv_.line(), cause),
                   "the first line of a CSV file names its columns, each once");
    };
    try {
      if (!csv_.next(header_)) return;
    } catch (const Refusal& refusal) {
      throw bad(fmt::format("the header cannot be read: {}", refusal.cause));
    }
    for (std::string& column : header_) column = trimmed(column);
    for (const std::string& column : header_) {
      if (column.empty()) throw bad("a column has no name (an index that pandas wrote has none: index=False)");
    }
    if (std::set<std::string>(header_.begin(), header_.end()).size() != header_.size()) {
      throw bad("two columns have the same name");
    }
    parsers_.resize(header_.size());
  }

  bool next(InputRow& row) override {
    row.index = index_++;
    row.number = index_;
    row.typed = false;
    try {
      if (!csv_.next(cells_)) return false;
    } catch (const Refusal&) {
      row.line = csv_.line();
      throw;
    }
    row.line = csv_.line();
    if (cells_.size() != header_.size()) {
      throw Refusal{fmt::format("{} cells where the header names {}", cells_.size(), header_.size()),
                    "quote cells that contain separators or line breaks"};
    }
    row.object = Value{};
    row.object.kind = Value::Kind::kObject;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      Value& value = row.object.items.emplace_back();
      value.key = header_[i];
      if (nests(header_[i], cells_[i])) {
        parsers_[i].parse(cells_[i], value, true);
      } else {
        value.kind = Value::Kind::kString;
        value.text = cells_[i];
      }
    }
    return true;
  }

  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }

 private:
  // "id, text": a space after the comma is no part of a name.
  static std::string trimmed(std::string_view name) {
    while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    return std::string(name);
  }

  static bool nests(std::string_view column, std::string_view cell) {
    static constexpr std::string_view kNested[] = {"claims", "facts", "options", "task", "category"};
    return (cell.starts_with('[') || cell.starts_with('{')) &&
           std::find(std::begin(kNested), std::end(kNested), column) != std::end(kNested);
  }

  const std::optional<char> named_;  // by a first line "sep=;"
  const char separator_;
  CsvReader csv_;
  std::vector<std::string> header_, cells_, notes_;
  std::vector<JsonParser> parsers_;
  std::uint64_t index_ = 0;
};

// UTF-16 or UTF-32: its mark stands at the beginning, or every other byte of what is ASCII is 0.
bool is_wide(std::string_view bytes) {
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) return true;
  if (bytes.size() < 4) return false;
  const bool even = bytes[0] == '\0' && bytes[2] == '\0', odd = bytes[1] == '\0' && bytes[3] == '\0';
  return even || odd;
}

// "PAR1" and the first header, which no text begins with.
bool is_parquet(std::string_view bytes) {
  return bytes.size() > 4 && bytes.starts_with("PAR1") && static_cast<unsigned char>(bytes[4]) < 0x20 &&
         std::string_view("\t\r\n").find(bytes[4]) == std::string_view::npos;
}

}  // namespace

std::unique_ptr<RowReader> open_rows(const std::string& path) {
  return open_rows(is_folder(path) ? open_folder(path) : open_bytes(path), path);
}

std::unique_ptr<RowReader> open_rows(std::unique_ptr<ByteSource> bytes, const std::string& name) {
  return open_rows(InputBuffer(std::move(bytes)), name);
}

std::unique_ptr<RowReader> open_rows(InputBuffer input, const std::string& name) {
  std::string_view stem = name;
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (stem.ends_with(packed)) stem.remove_suffix(packed.size());
  }
  const char first = input.begin();
  if (is_wide(input.view())) {
    throw Error(Code::kBadInput, fmt::format("{} is UTF-16 or UTF-32, not UTF-8", shown_name(name)),
                "convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW, or save it as \"CSV UTF-8\"");
  }
  while (input.view() == "PAR1" && input.more()) {  // as the first read may bring no more
  }
  if (is_parquet(input.view())) {
    throw Error(Code::kBadInput, fmt::format("{} is a Parquet file; CSV and JSON Lines are read", shown_name(name)),
                "convert it: duckdb -c \"COPY (FROM 'FILE.parquet') TO 'FILE.jsonl'\", or in pandas "
                "read_parquet(...).to_json(..., orient=\"records\", lines=True)");
  }
  if (stem.ends_with(".csv")) return std::make_unique<CsvRows>(std::move(input), ',', name);
  if (stem.ends_with(".tsv")) return std::make_unique<CsvRows>(std::move(input), '\t', name);
  if (first == '[') return std::make_unique<JsonElements>(std::move(input));
  const bool json = stem.ends_with(".json") || stem.ends_with(".jsonl") || stem.ends_with(".ndjson");
  if (first == '{' || first == '\0' || json) return std::make_unique<JsonLines>(std::move(input));
  return std::make_unique<CsvRows>(std::move(input), ',', name);
}

}  // namespace residue::ingest
