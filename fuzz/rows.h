// Reads all rows of bytes that claim to be a file called `name`: each is a row or a refusal, and there is an end.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "fuzz/fuzz.h"
#include "ingest/read/row_reader.h"

namespace residue::fuzz {

inline void read_all_rows(std::string_view bytes, const std::string& name) {
  ingest::InputRow row;
  std::size_t steps = 0;
  try {
    const auto reader = ingest::open_rows(ingest::memory_bytes(bytes), name);
    for (bool more = true; more;) {
      FUZZ_CHECK(++steps <= bytes.size() + 2);  // every step consumes something
      try {
        more = reader->next(row);
      } catch (const ingest::Refusal&) {
        continue;
      }
    }
  } catch (const Error& error) {
    FUZZ_CHECK(error.code() == Code::kBadInput);
  }
}

}  // namespace residue::fuzz
