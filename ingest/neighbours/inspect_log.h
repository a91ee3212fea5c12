// A log of inspect_ai, sample by sample.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/neighbours/items.h"

namespace residue::ingest {

class InspectLog : public NeighbourRows {
 protected:
  // `paths`: what is wanted of a sample.
  InspectLog(const SourceOptions& options, const std::vector<std::string>& paths, std::string thing,
             std::vector<std::string_view> axes);

  // What the log says of all its samples; known as soon as there is one.
  struct Header {
    std::string status, model, task;  // empty: it says none
  };
  [[nodiscard]] const Header& header() const { return header_; }

  // The epoch of a sample, from 1. Throws Refusal.
  static std::uint64_t epoch_of(const Value& sample);

  // The score that `scorer` gave, or the only one; nullptr where the sample has none. Throws Error{usage} where there
  // are several and none is named, and where none has that name.
  [[nodiscard]] const Value* score_of(const Value& sample, const std::optional<std::string>& scorer) const;

  [[nodiscard]] std::vector<std::string> of_file() const override;

 private:
  bool next_item(InputRow& item) override;
  bool begin();
  void head(const std::string& name);
  void eval();

  const bool archive_;
  JsonWalk walk_;
  ItemParts parts_;
  Header header_;
  bool begun_ = false, has_eval_ = false;
  std::uint64_t index_ = 0;
};

}  // namespace residue::ingest
