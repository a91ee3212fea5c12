#include "cli/print/formats.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/json.h"
#include "cli/print/numbers.h"
#include "text/characters/spreadsheet.h"

namespace residue::cli {
namespace {

// A cell with its full value; null is empty.
std::string full(const Cell& cell) {
  if (const auto* words = std::get_if<std::string>(&cell)) return *words;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *whole);
  if (const auto* real = std::get_if<double>(&cell)) {
    const std::string digits = json_number(*real);
    return digits == "null" ? "" : digits;
  }
  return {};
}

// Whether a setting, as it was given, is what JSON makes of its number: then it is one. 010 and 1.10 stay texts.
bool is_json_number(const std::string& given) {
  const char* const end = given.data() + given.size();
  std::int64_t whole = 0;
  if (const auto read = std::from_chars(given.data(), end, whole); read.ec == std::errc() && read.ptr == end) {
    constexpr std::int64_t kExact = std::int64_t{1} << 53;  // programs read greater ones as others
    return std::abs(whole) <= kExact && fmt::format("{}", whole) == given;
  }
  double real = 0;
  const auto read = std::from_chars(given.data(), end, real);
  return read.ec == std::errc() && read.ptr == end && std::isfinite(real) && json_number(real) == given;
}

std::string json_value(const Cell& cell, Type type) {
  if (const auto* words = std::get_if<std::string>(&cell)) {
    return type != Type::kText && is_json_number(*words) ? *words : json_string(*words);
  }
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *whole);
  if (const auto* real = std::get_if<double>(&cell)) return json_number(*real);
  return "null";
}

std::string json_object(const Table& table, const std::vector<Cell>& row) {
  std::string out = "{";
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) out += ", ";
    out += json_string(table.columns[i].name) + ": " + json_value(row[i], table.columns[i].type);
  }
  return out + "}";
}

std::string csv_cell(std::string text, bool guard, char separator) {
  if (guard && text::needs_apostrophe(text)) text.insert(0, 1, '\'');
  const bool outer_space = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!outer_space && text.find_first_of(std::string("\"\r\n") + separator) == std::string::npos) return text;
  std::string out = "\"";
  for (char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string tsv_cell(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\\':
        out += "\\\\";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string markdown_cell(std::string_view text) {
  const auto is_word = [](char c) { return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'); };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    // An underscore inside a word (semantic_distance) means nothing in Markdown and stays readable.
    const bool inside = i > 0 && i + 1 < text.size() && is_word(text[i - 1]) && is_word(text[i + 1]);
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '\n')
      out += "<br>";
    else if (std::string_view("\\|`*[]~").find(c) != std::string_view::npos || (c == '_' && !inside))
      (out += '\\') += c;
    else
      out += c;
  }
  return out;
}

std::string latex_cell(std::string_view whole) {
  std::string out;
  std::string text(whole);
  for (const auto& [sign, command] : {std::pair{"↑", "\x01"}, std::pair{"↓", "\x02"}, std::pair{"±", "\x03"}}) {
    for (std::size_t at = 0; (at = text.find(sign, at)) != std::string::npos;) {
      text.replace(at, std::string_view(sign).size(), command);
    }
  }
  for (char c : text) {
    switch (c) {
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        (out += '\\') += c;
        break;
      case '\x01':
        out += "$\\uparrow$";
        break;
      case '\x02':
        out += "$\\downarrow$";
        break;
      case '\x03':
        out += "$\\pm$";
        break;
      case '~':
        out += "\\textasciitilde{}";
        break;
      case '^':
        out += "\\textasciicircum{}";
        break;
      case '\\':
        out += "\\textbackslash{}";
        break;
      case '<':
        out += "\\textless{}";
        break;
      case '>':
        out += "\\textgreater{}";
        break;
      case '|':
        out += "\\textbar{}";
        break;
      case '\n':
        out += ' ';
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string title_of(const Column& column) { return column.title.empty() ? column.name : column.title; }

// Texts keep their line breaks for the caller to translate; numbers read as in tables.
std::string printed(const Cell& cell, Type type) {
  const auto* words = std::get_if<std::string>(&cell);
  return words != nullptr ? *words : shown(cell, type);
}

}  // namespace

std::string json_string(std::string_view text) { return Json(text).dump(); }

std::string to_csv(const Table& table, bool spreadsheet, char separator) {
  std::string out;
  const std::size_t last = table.columns.size();
  for (std::size_t i = 0; i < last; ++i) {
    out += csv_cell(table.columns[i].name, spreadsheet, separator);
    out += i + 1 < last ? separator : '\n';
  }
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < last; ++i) {
      out += csv_cell(full(row[i]), spreadsheet && std::holds_alternative<std::string>(row[i]), separator);
      out += i + 1 < last ? separator : '\n';
    }
  }
  return out;
}

std::string to_tsv(const Table& table) {
  std::string out;
  const std::size_t last = table.columns.size();
  for (std::size_t i = 0; i < last; ++i) (out += tsv_cell(table.columns[i].name)) += i + 1 < last ? '\t' : '\n';
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < last; ++i) (out += tsv_cell(full(row[i]))) += i + 1 < last ? '\t' : '\n';
  }
  return out;
}

std::string to_json(const Table& table) {
  std::string out = "[";
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    out += i == 0 ? "\n  " : ",\n  ";
    out += json_object(table, table.rows[i]);
  }
  return out + (table.rows.empty() ? "]\n" : "\n]\n");
}

std::string to_jsonl(const Table& table) {
  std::string out;
  for (const auto& row : table.rows) out += json_object(table, row) + "\n";
  return out;
}

std::string to_markdown(const Table& table) {
  std::string out = "|";
  for (const Column& column : table.columns) out += " " + markdown_cell(title_of(column)) + " |";
  out += "\n|";
  for (const Column& column : table.columns) out += column.type == Type::kText ? " --- |" : " ---: |";
  out += "\n";
  for (const auto& row : table.rows) {
    out += "|";
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += " " + markdown_cell(printed(row[i], table.columns[i].type)) + " |";
    }
    out += "\n";
  }
  return out;
}

std::string to_latex(const Table& table) {
  std::string out = "\\begin{tabular}{";
  for (const Column& column : table.columns) out += column.type == Type::kText ? 'l' : 'r';
  out += "}\n\\toprule\n";
  const auto end = [&](std::size_t i) { return i + 1 < table.columns.size() ? " & " : " \\\\\n"; };
  for (std::size_t i = 0; i < table.columns.size(); ++i) out += latex_cell(title_of(table.columns[i])) + end(i);
  out += "\\midrule\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) out += latex_cell(printed(row[i], table.columns[i].type)) + end(i);
  }
  return out.append(kLatexEnd);
}

std::string in_format(const Table& table, const Globals& globals) {
  switch (globals.format) {
    case Format::kJson:
      return to_json(table);
    case Format::kJsonl:
      return to_jsonl(table);
    case Format::kCsv:
      return to_csv(table, globals.spreadsheet, globals.separator);
    case Format::kTsv:
      return to_tsv(table);
    case Format::kMarkdown:
      return to_markdown(table);
    case Format::kLatex:
      return to_latex(table);
    case Format::kTable:
      break;
  }
  return {};
}

}  // namespace residue::cli
