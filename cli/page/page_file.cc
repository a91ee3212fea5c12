#include "cli/page/page_file.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <fstream>
#include <ios>
#include <optional>
#include <utility>

#include "base/error.h"
#include "cli/print/numbers.h"
#include "storage/disk/files.h"

namespace residue::cli {
namespace {

constexpr std::size_t kMostBytes = 256U << 20U;
constexpr std::size_t kMostTold = 20;

std::string number(const std::optional<double>& value) {
  if (value && std::isnan(*value)) return "other digits than it stores, or another name";
  return value ? json_number(*value) : "nothing";
}

}  // namespace

void finish_with(query::NewFile& file, const std::string& name, std::string_view bytes) {
  {
    std::ofstream out(file.part(), std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.flush();
    if (!out) throw Error(Code::kIo, "cannot write " + name, "name a file in a folder that can be written");
  }
  file.finish();
}

std::string read_page(const std::string& name, const std::string& remedy) {
  try {
    return storage::read_store_file(name, kMostBytes);
  } catch (const Error& error) {
    if (error.code() != Code::kCorrupt) throw;
    throw Error(Code::kBadInput, name + " is no file, or larger than 256 MiB", remedy);
  }
}

std::string lines_of(const std::vector<page::RowDifference>& differences, std::string_view other) {
  std::string out;
  std::size_t told = 0;
  for (const page::RowDifference& one : differences) {
    if (++told > kMostTold) break;
    out += one.field.empty() ? fmt::format("  {} of {}: a row that only one of both has\n", one.metric, one.run)
                             : fmt::format("  {} of {}, {}: the page has {}, {} {}\n", one.metric, one.run, one.field,
                                           number(one.page), other, number(one.other));
  }
  if (differences.size() > kMostTold) out += fmt::format("  and {} more\n", differences.size() - kMostTold);
  return out;
}

Json differences_json(const std::vector<page::RowDifference>& differences, std::string_view other) {
  Json list = Json::array();
  for (const page::RowDifference& one : differences) {
    Json entry = {{"run", one.run}, {"metric", one.metric}, {"field", one.field}, {"page", one.page}};
    entry[other] = one.other;
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace residue::cli
