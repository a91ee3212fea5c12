// The elements of a JSON array, or the members of a JSON object, that is the whole file: one at a time, without holding
// it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ingest/read/line_reader.h"
#include "ingest/read/value.h"

namespace residue::ingest {

class JsonItems {
 public:
  enum class Of { kArray, kObject };

  explicit JsonItems(InputBuffer& input, Of of = Of::kArray, std::size_t max_bytes = kMaxRowBytes)
      : input_(&input), object_(of == Of::kObject), max_(max_bytes) {}

  // The bytes of the next element, or of the next member ("name": value); not parsed. False at the end. Throws Refusal
  // for a fault of the array or object itself, as soon as it is known; the next call goes on behind it.
  bool next(std::string_view& element);

  [[nodiscard]] std::uint64_t line() const { return line_of_element_; }  // where the element or the fault begins

 private:
  enum class State { kBefore, kFirst, kElement, kInside, kComma, kAfter, kDone };

  bool skip_space();
  bool scan(std::size_t& at);
  std::size_t measure();
  void skip_rest();
  void not_closed();
  void refuse(State then, std::string cause, const char* remedy);
  [[nodiscard]] std::string whole() const { return object_ ? "the object" : "the array"; }
  [[nodiscard]] std::string part() const { return object_ ? "a member of the object" : "an element of the array"; }

  InputBuffer* input_;
  bool object_;
  std::size_t max_;
  State state_ = State::kBefore;
  std::uint64_t line_ = 1;
  std::uint64_t line_of_element_ = 1;
  std::size_t depth_ = 0;  // of the element that is being looked at
  bool string_ = false, escape_ = false;
};

}  // namespace residue::ingest
