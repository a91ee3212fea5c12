// Which items of a file are meant, where it has several of each record: epochs, providers, prompts, repeats.
//
//   --only epoch=2, --only provider.id=openai:gpt-4o
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/read/value.h"

namespace residue::ingest {

// --only, and what of the items that it keeps differs although it must not.
class Choices {
 public:
  // `only`: value by path in an item. `pseudo`: the one name of `only` that is no path: keeps_time() looks at it.
  Choices(std::map<std::string, std::string> only, std::string file, std::string_view pseudo = {});

  // Whether an item has the values of --only.
  bool keeps(const Value& item);

  // Where a record has several items that nothing tells apart: which time, from 1, this one is.
  bool keeps_time(std::uint64_t time);

  // An item that was kept has `value` on the axis. All must have the same in the end.
  void see(std::string_view axis, std::string value);

  // At the end of the file. Throws Error{usage} where the items that were kept differ on an axis, with its values if
  // they are short and printable, else with their number. Of several axes the first in `order` is told.
  void check(const std::vector<std::string_view>& order, std::string_view items) const;

  // What was seen on an axis, if it is little and printable; else "".
  [[nodiscard]] std::string names(std::string_view axis) const;

  [[nodiscard]] std::uint64_t left_out() const { return left_out_; }
  [[nodiscard]] std::string words() const;  // "epoch=2 and provider.id=x"

 private:
  std::map<std::string, std::string> only_;
  std::string file_, pseudo_;
  std::map<std::string, std::set<std::string>, std::less<>> seen_;
  std::uint64_t left_out_ = 0;
};

}  // namespace residue::ingest
