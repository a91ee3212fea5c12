// What `show` prints, by kind: a dataset or run, a record, a record under attack, a claim over all runs.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "cli/command.h"
#include "cli/print/output.h"
#include "cli/print/wrap.h"
#include "query/report/privacy.h"
#include "query/report/report.h"
#include "query/report/show.h"
#include "verbs/look/show.h"

namespace residue::cli {

// Everything that printing needs.
struct ShowView {
  Context& context;
  std::size_t width;
  const std::optional<query::Lens>& lens;  // nothing: not evaluated yet

  void write(const std::string& words) const { context.out.write(words); }
  // "bm25/random:3@42/claims by lexical", and that it is a sample where it is.
  [[nodiscard]] std::string attacker() const {
    return fmt::format("{} by {}{}", lens->spec.name(), lens->judge_name,
                       lens->sample == 0 ? "" : fmt::format(", SAMPLE of {} target records", lens->sample));
  }
  [[nodiscard]] bool json() const { return context.out.wants_json(); }
};

// `text` on one line, safe to print.
std::string one_line(std::string_view text);

std::string joined(const std::vector<std::string>& names);

// "failed: why", one line.
std::string state_of(const query::VariantCard& variant);

// "#3 [Age]": a claim's place and categories.
std::string claim_head(const query::ClaimCard& claim);

// What each person's data was spent on; nothing where nothing private was ever released.
void show_privacy(const ShowView& view, const query::PrivacyCard& card);
Json privacy_json(const query::PrivacyCard& card);

void show_record(const ShowView& view, const verbs::ShownRecord& shown);
void show_attack(const ShowView& view, const verbs::ShownAttack& shown);
void show_claim(const ShowView& view, const verbs::ShownClaim& shown);

}  // namespace residue::cli
