// Where counts of tokens stop growing with the bytes of the prompts: a server that cuts prompts, found by the longest
// of them. Words alone do not tell it soon enough: prompts of about as many words can differ by a tenth in bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace residue::model {

class Plateau {
 public:
  // `bytes`: of the request; 0: not known, then it says nothing.
  void add(std::uint64_t bytes, std::int64_t counted);

  // The least count of those at the cap, which is the largest of all or next to it. Nothing: there is no cap.
  [[nodiscard]] std::optional<std::int64_t> floor() const;

 private:
  // Counts of prompts of about the same length, the newest.
  struct Alike {
    std::uint64_t bytes = 0;  // of one of them
    std::size_t seen = 0;
    std::array<std::int64_t, 8> counted{};
  };
  struct Rule;

  [[nodiscard]] std::optional<std::int64_t> floor_by(const Rule& rule) const;

  std::int64_t most_ = 0;
  std::map<std::int64_t, Alike, std::greater<>> alike_;  // the longest first
};

}  // namespace residue::model
