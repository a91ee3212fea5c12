// One saved answer: the server's raw reply, and where it came from. Saved before anybody looks into it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace residue::model {

struct Envelope {
  int status = 0;        // HTTP; 0: no reply could be had
  std::string url;       // ServerUrl::base
  std::int64_t at = 0;   // unix milliseconds
  std::int64_t ms = 0;   // how long it took
  bool gave_up = false;  // the request failed so often that it will not be sent again
  std::string body;      // as it came
  // Of the prompt (read_whole.h), where the server's count is held against it; 0: it is not.
  std::uint64_t least_tokens = 0;
  bool withdraws = false;  // no answer: the one before it is to a prompt that was not read whole

  friend bool operator==(const Envelope&, const Envelope&) = default;
};

std::string encode(const Envelope& envelope);

// Throws Error{corrupt} for anything that encode() did not give.
Envelope decode(std::string_view bytes);

}  // namespace residue::model
