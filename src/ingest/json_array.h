// The elements of a JSON array that is the whole file, one at a time, without holding the array.
#pragma once

#include <cstdint>
#include <string_view>

#include "ingest/line_reader.h"
#include "ingest/value.h"

namespace residue::ingest {

class JsonArray {
 public:
  explicit JsonArray(InputBuffer& input, std::size_t max_bytes = kMaxRowBytes) : input_(&input), max_(max_bytes) {}

  // The bytes of the next element (not parsed), or false at the end. Throws Refusal for a fault of the array itself;
  // the next call goes on behind it.
  bool next(std::string_view& element);

  [[nodiscard]] std::uint64_t line() const { return line_of_element_; }  // where the element or the fault begins

 private:
  enum class State { kBefore, kFirst, kElement, kComma, kAfter, kDone };

  bool skip_space();
  std::size_t measure(bool& too_long);
  void refuse(State then, const char* cause, const char* remedy);

  InputBuffer* input_;
  std::size_t max_;
  State state_ = State::kBefore;
  std::uint64_t line_ = 1;
  std::uint64_t line_of_element_ = 1;
};

}  // namespace residue::ingest
