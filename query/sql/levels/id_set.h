// Numbers of texts, as bytes that can be handed on: mostly they follow one another, so a bit each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace residue::query {

class IdSet {
 public:
  // `ids`: ascending, none below 0. An eighth of a byte each where they are dense, 520 bytes where they are far apart.
  static std::string bytes_of(const std::vector<std::int64_t>& ids);

  // Of what bytes_of made, which is not copied.
  explicit IdSet(std::string_view bytes);

  [[nodiscard]] bool contains(std::int64_t id) const;

 private:
  std::uint64_t count_ = 0;                            // of blocks
  const char *numbers_ = nullptr, *bits_ = nullptr;  // of each block: which one it is; its 4,096 bits
};

}  // namespace residue::query
