#include "ingest/mask/word_vector_file.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/fingerprint.h"
#include "ingest/read/byte_source.h"
#include "ingest/read/line_reader.h"

namespace residue::ingest {
namespace {

Error bad_line(const std::string& file, std::uint64_t line, std::string_view cause) {
  return {Code::kBadInput, fmt::format("{}:{}: {}", file, line, cause),
          "a word and its numbers on each line, between single spaces: cat 0.1 -0.2 0.3"};
}

// The numbers behind the word; false where one is none.
bool read_numbers(std::string_view rest, std::vector<double>& numbers) {
  numbers.clear();
  while (!rest.empty() && rest.back() == ' ') rest.remove_suffix(1);
  const char* at = rest.data();
  const char* const end = rest.data() + rest.size();
  while (at != end) {
    double number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || !std::isfinite(number) || (next != end && *next != ' ')) return false;
    numbers.push_back(number);
    at = next == end ? end : next + 1;
  }
  return !numbers.empty();
}

bool is_whole(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

WordVectorFile read_word_vectors(const std::string& file, const text::WordModel& model) {
  InputBuffer input(open_bytes(file));
  LineReader lines(input);
  WordVectorFile out;
  Fingerprint content;
  std::vector<double> numbers;
  std::string_view line;
  for (auto got = lines.next(line); got != LineReader::Result::kEnd; got = lines.next(line)) {
    if (got == LineReader::Result::kTooLong) throw bad_line(file, lines.number(), "a line of over 16 MiB");
    content.add(line, 0);
    const std::size_t space = line.find(' ');
    const std::string_view word = line.substr(0, space);
    const std::string_view rest = space == std::string_view::npos ? "" : line.substr(space + 1);
    if (lines.number() == 1 && is_whole(word) && is_whole(rest)) continue;
    if (word.empty()) throw bad_line(file, lines.number(), "a line without a word");
    if (!read_numbers(rest, numbers)) throw bad_line(file, lines.number(), "a word without finite numbers");
    if (out.vectors.dimensions == 0) out.vectors.dimensions = numbers.size();
    if (numbers.size() != out.vectors.dimensions) {
      throw bad_line(file, lines.number(),
                     fmt::format("{} numbers where the first word has {}", numbers.size(), out.vectors.dimensions));
    }
    const text::WordId id = model.id(word);
    if (id == text::WordModel::kUnknown) continue;
    out.vectors.words.push_back(id);
    out.vectors.numbers.insert(out.vectors.numbers.end(), numbers.begin(), numbers.end());
  }
  if (out.vectors.words.empty()) {
    throw Error(Code::kBadInput, fmt::format("{} has no vector for any word of the training text", file),
                "its words are compared in lower case, as they are spelled");
  }
  out.content = content.hex();
  return out;
}

}  // namespace residue::ingest
