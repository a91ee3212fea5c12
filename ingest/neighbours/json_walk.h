// A JSON document read from its start to its end: what is wanted is taken, the rest is passed over, whatever its size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/read/byte_source.h"

namespace residue::ingest {

// Memory: what is taken. What is passed over is read for its brackets and strings alone. A document that is cut off or
// malformed throws Error{bad input} with its name and line: nobody can go on behind such a place.
class JsonWalk {
 public:
  // `name`: of the file, for messages. `line`: of the place at which `input` stands.
  JsonWalk(InputBuffer& input, std::string name, std::uint64_t line = 1)
      : input_(&input), name_(std::move(name)), line_(line) {}

  // The first character of the next value: { [ " or that of a word or number.
  char peek();

  // Into the object or array that begins here; `open` is its bracket.
  void enter(char open);

  // Goes to the next element of the array, or to the value of the next member; false behind the last one, which leaves
  // the array or object.
  bool next_element();
  bool next_member(std::string& name);

  // Appends the bytes of the value that begins here; false where they are more than `most`: then it was passed over.
  bool take(std::string& bytes, std::size_t most);
  void skip();

  // Whether nothing but white space follows; end() throws unless it is so.
  bool at_end();
  void end();

  [[nodiscard]] std::uint64_t line() const { return line_; }  // of the next byte

  [[noreturn]] void fail(const std::string& cause, const std::string& remedy) const;

 private:
  char space();
  char byte();
  bool read_value(std::string* bytes, std::size_t most);
  [[noreturn]] void malformed() const;
  [[noreturn]] void cut_off() const;

  InputBuffer* input_;
  std::string name_;
  std::uint64_t line_;
  std::vector<bool> first_;  // for each object or array that was entered: nothing of it was read yet
};

// NaN and Infinity, which Python's json writes, become null: none of them is a value of ours.
std::string without_not_finite(std::string_view json);

}  // namespace residue::ingest
