#include "ingest/read/npy.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "storage/vectors.h"

namespace residue::ingest {
namespace {

static_assert(std::endian::native == std::endian::little, "values are read as they lie in the file");

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kMaxHeaderBytes = 65'536;
constexpr const char* kSave = "save it with numpy.save(path, numpy.ascontiguousarray(array, dtype='<f4'))";

// The value of a key in the header's dictionary, up to the next comma outside parentheses.
std::optional<std::string_view> field(std::string_view header, std::string_view key) {
  const std::string quoted = fmt::format("'{}'", key);
  std::size_t at = header.find(quoted);
  if (at == std::string_view::npos) return std::nullopt;
  at = header.find_first_not_of(' ', at + quoted.size());
  if (at == std::string_view::npos || header[at] != ':') return std::nullopt;
  const std::size_t begin = header.find_first_not_of(' ', at + 1);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::size_t end = header[begin] == '(' ? header.find(')', begin) : header.find_first_of(",}", begin);
  if (end == std::string_view::npos) return std::nullopt;
  return header.substr(begin, end - begin + (header[begin] == '(' ? 1 : 0));
}

// "(3, 384)" or "(3,)": its numbers.
std::optional<std::vector<std::uint64_t>> shape_of(std::string_view text) {
  std::vector<std::uint64_t> shape;
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return std::nullopt;
  const char* at = text.data() + 1;
  const char* end = text.data() + text.size() - 1;
  for (;;) {
    while (at != end && *at == ' ') ++at;
    if (at == end) return shape;
    std::uint64_t number = 0;
    const auto parsed = std::from_chars(at, end, number);
    if (parsed.ec != std::errc()) return std::nullopt;
    shape.push_back(number);
    at = parsed.ptr;
    while (at != end && *at == ' ') ++at;
    if (at == end) return shape;
    if (*at++ != ',') return std::nullopt;
  }
}

// IEEE 754 half precision.
float half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1F;
  const int fraction = bits & 0x3FF;
  const float magnitude = exponent == 0x1F ? (fraction == 0 ? INFINITY : NAN)
                          : exponent == 0  ? std::ldexp(static_cast<float>(fraction), -24)
                                           : std::ldexp(static_cast<float>(fraction | 0x400), exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template <class T>
T read_as(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace

NpyReader::NpyReader(InputBuffer& input, std::string name) : input_(&input), name_(std::move(name)) { read_header(); }

void NpyReader::refuse(const std::string& cause, const std::string& remedy) const {
  throw Error(Code::kBadInput, fmt::format("{}: {}", name_, cause), remedy);
}

bool NpyReader::fill(std::size_t bytes) {
  while (input_->view().size() < bytes) {
    if (!input_->more()) return false;
  }
  return true;
}

void NpyReader::read_header() {
  if (!fill(kMagic.size()) || !input_->view().starts_with(kMagic)) refuse("this is no .npy file", kSave);
  if (!fill(10)) refuse("the header is cut off", "copy the file again");
  const auto major = static_cast<unsigned char>(input_->view()[6]);
  if (major < 1 || major > 3) refuse("a .npy version that is not known", kSave);
  std::size_t start = major == 1 ? 10 : 12;
  if (!fill(start)) refuse("the header is cut off", "copy the file again");
  const char* at = input_->view().data() + 8;
  const std::size_t length = major == 1 ? read_as<std::uint16_t>(at) : read_as<std::uint32_t>(at);
  if (length > kMaxHeaderBytes) refuse("the header is too long", kSave);
  if (!fill(start + length)) refuse("the header is cut off", "copy the file again");
  const std::string_view header = input_->view().substr(start, length);
  const auto descr = field(header, "descr");
  const auto order = field(header, "fortran_order");
  const auto shape_text = field(header, "shape");
  const auto shape = shape_text ? shape_of(*shape_text) : std::nullopt;
  if (!descr || !order || !shape) refuse("the header cannot be read", kSave);
  for (const std::size_t bytes : {2U, 4U, 8U}) {
    if (*descr == fmt::format("'<f{}'", bytes)) value_bytes_ = bytes;
  }
  if (value_bytes_ == 0) refuse("its values are not little-endian floats (<f2, <f4, <f8)", kSave);
  if (*order == "True") refuse("it is in Fortran order", kSave);
  if (*order != "False") refuse("the header cannot be read", kSave);
  if (shape->size() != 2) {
    refuse(fmt::format("it has {} dimensions", shape->size()), "save one row for each id: two dimensions");
  }
  rows_ = shape->at(0);
  columns_ = shape->at(1);
  if (columns_ == 0 || columns_ > storage::kMaxDimension)
    refuse("the length of its rows is not from 1 to 65,536", "check the array's shape");
  input_->consume(start + length);
}

bool NpyReader::next(std::vector<float>& values) {
  if (next_ == rows_) {
    if (fill(1)) refuse(fmt::format("it has more data after row {}", rows_), "copy the file again");
    return false;
  }
  if (!fill(columns_ * value_bytes_)) {
    refuse(fmt::format("the file ends in row {} of {}", next_ + 1, rows_), "copy the file again: it is cut off");
  }
  ++next_;
  values.resize(columns_);
  const char* at = input_->view().data();
  for (float& value : values) {
    if (value_bytes_ == 2) value = half(read_as<std::uint16_t>(at));
    if (value_bytes_ == 4) value = read_as<float>(at);
    if (value_bytes_ == 8) value = static_cast<float>(read_as<double>(at));
    at += value_bytes_;
  }
  input_->consume(columns_ * value_bytes_);
  return true;
}

}  // namespace residue::ingest
