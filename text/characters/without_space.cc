#include "text/characters/without_space.h"

#include "text/characters/as_read.h"

namespace residue::text {

std::string as_read_without_space(std::string_view text) {
  std::string reads = as_read(text);
  std::erase_if(reads, [](char c) { return c == ' ' || ('\t' <= c && c <= '\r'); });
  return reads;
}

}  // namespace residue::text
