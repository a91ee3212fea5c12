// Questions that wait for their turn: those never sent in their order, and those to be repeated when their time has
// come.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace residue::model {

struct Question;

// A question with what happened to it so far.
struct Pending {
  const Question* question = nullptr;
  std::uint32_t unusable = 0;
  std::uint32_t tries = 0;  // failures
  std::uint32_t waits = 0;
  std::uint64_t successes = 0;  // of the run, at the first failure
  std::int64_t due_ms = 0;
};

class Waiting {
 public:
  void add(const Pending& pending) { fresh_.push_back(pending); }
  void put_back(const Pending& pending) { fresh_.push_front(pending); }
  void repeat(const Pending& pending) { later_.push_back(pending); }  // from its due_ms on
  [[nodiscard]] bool empty() const { return fresh_.empty() && later_.empty(); }

  // The one that has failed the least, whatever its time: what one question always fails on must not look like a server
  // that does not work.
  std::optional<Pending> to_try() {
    if (!fresh_.empty()) return first();
    const auto least = std::ranges::min_element(later_, {}, [](const Pending& one) { return one.tries + one.waits; });
    if (least == later_.end()) return std::nullopt;
    const Pending found = *least;
    later_.erase(least);
    return found;
  }

  // The next whose time has come.
  std::optional<Pending> next(std::int64_t now_ms) {
    for (auto at = later_.begin(); at != later_.end(); ++at) {
      if (at->due_ms > now_ms) continue;
      const Pending found = *at;
      later_.erase(at);
      return found;
    }
    return first();
  }

 private:
  std::optional<Pending> first() {
    if (fresh_.empty()) return std::nullopt;
    const Pending found = fresh_.front();
    fresh_.pop_front();
    return found;
  }

  std::deque<Pending> fresh_;
  std::vector<Pending> later_;
};

}  // namespace residue::model
