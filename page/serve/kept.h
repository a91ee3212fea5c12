// What answers find out for those after them: dear to find, small to keep. In memory, never on disk.
//
//   server ── fork ──> process of an answer: find, put ── news ──> server: add
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace residue::page {

class Kept {
 public:
  explicit Kept(std::size_t most_bytes = std::size_t{192} << 20U) : most_(most_bytes) {}

  // The state that the store is in. What was found out in another one is forgotten.
  void begin(const std::string& state);

  using Bytes = std::shared_ptr<const std::string>;

  // Of the present state; null: nobody has found it out.
  [[nodiscard]] Bytes find(std::string_view name) const;

  // In the process of an answer. The oldest go where there is no room; what is larger than all the room is not kept.
  void put(std::string name, Bytes bytes);
  // What was put, for the server. At most `most_bytes` of it, the newest.
  [[nodiscard]] std::string news(std::size_t most_bytes) const;

  // In the server: the news of an answer that began in this state, if the store is still in it.
  void add(const std::string& state, std::string_view news);

  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct One {
    std::string name;
    Bytes bytes;
    bool is_new;  // put, not added
  };
  void keep(One one);

  std::size_t most_, bytes_ = 0;
  std::string state_;
  std::list<One> all_;  // the newest first
};

}  // namespace residue::page
