// JSON Lines and arrays as ingest reads them.
#include <cstdint>

#include "fuzz/rows.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  residue::fuzz::read_all_rows(residue::fuzz::view(data, size), "rows.jsonl");
  return 0;
}
