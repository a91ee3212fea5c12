// Servers that read a part of what they are sent, and how they count it.
#pragma once

#include <optional>
#include <string>

namespace residue::stub {

// Of behaviours that count what they read, 4 bytes a token, instead of always 100:
//   counted             all of it
//   counts-0            says that it were 0, and 0 of the answer
//   counts-minus-1      says that it were -1, and 0 of the answer
//   context-N           what is longer than N tokens loses its beginning, and N are counted
//   context-N-silent    the same, and no tokens are counted
//   context-N-refused   what is longer is refused with HTTP 400
//   long-N              all of it; answers of N tokens
struct Context {
  std::optional<std::size_t> tokens;  // that it can read
  bool silent = false, refuses = false;
  std::size_t answer = 10;
  std::optional<int> says;  // that it has counted, whatever it was sent
};
std::optional<Context> context_of(const std::string& behaviour);

// Of all messages of a request.
std::size_t tokens_of(const std::string& body);

// What is left of a passage of that request.
std::string seen(const Context& context, const std::string& body, const std::string& passage);

// The reply with what its server counted.
std::string counted(const Context& context, const std::string& body, const std::string& reply);

}  // namespace residue::stub
