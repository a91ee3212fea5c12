// A judge that rated elsewhere (ingest judgments): evaluations look its judgments up and ask nobody.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/judge/judge.h"

namespace residue::query {

class ImportedJudge : public Judge {
 public:
  // Null unless `spec` is that of a judge whose judgments were imported.
  static std::unique_ptr<ImportedJudge> of(const std::string& name, const std::string& spec);

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& spec() const override { return spec_; }
  [[nodiscard]] bool embedded() const override { return false; }
  [[nodiscard]] bool answers() const override { return false; }

  // Nothing for every claim: what it said is in the catalog already.
  [[nodiscard]] std::vector<std::vector<std::optional<Rating>>> rate(std::span<const Request> requests) const override;

  // Throws Error{usage}: nobody knows its reasons.
  [[nodiscard]] Explanation explain(std::string_view passage, std::string_view claim) const override;

 private:
  ImportedJudge(std::string name, std::string spec) : name_(std::move(name)), spec_(std::move(spec)) {}
  std::string name_, spec_;
};

}  // namespace residue::query
