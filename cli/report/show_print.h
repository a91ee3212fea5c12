// What `show` prints, by kind: a dataset or run, a record, a record under attack, a claim over all runs.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "cli/command.h"
#include "cli/print/output.h"
#include "cli/print/wrap.h"
#include "query/inputs/texts.h"
#include "query/report/privacy.h"
#include "query/report/report.h"
#include "query/report/show.h"

namespace residue::cli {

// One look at the store and everything that printing needs.
struct ShowView {
  Context& context;
  storage::Store& store;
  std::size_t width;
  std::optional<query::Lens> lens;  // nothing: not evaluated yet

  [[nodiscard]] std::string text(TextId id) const { return query::load_texts(store, std::vector<TextId>{id}).front(); }
  void write(const std::string& words) const { context.out.write(words); }
  // "bm25/random:3@42/claims by lexical", and that it is a sample where it is.
  [[nodiscard]] std::string attacker() const {
    return fmt::format("{} by {}{}", lens->spec.name(), lens->judge_name,
                       lens->sample == 0 ? "" : fmt::format(", SAMPLE of {} target records", lens->sample));
  }
  [[nodiscard]] bool json() const { return context.out.wants_json(); }
};

struct ShowOptions {
  std::string reference, run, protocol, judge;
  bool record = false;
  std::optional<double> delta;
  std::string lens_flag;  // --protocol or --judge where one is given, not from config.toml
};

// `text` on one line, safe to print.
std::string one_line(std::string_view text);

std::string joined(const std::vector<std::string>& names);

// "failed: why", one line.
std::string state_of(const query::VariantCard& variant);

// Whether there is a text to show: one that is ok, or one that is suspected.
bool has_text(const query::VariantCard& variant);

// "#3 [Age]": a claim's place and categories.
std::string claim_head(const query::ClaimCard& claim);

// What each person's data was spent on; nothing where nothing private was ever released.
void show_privacy(const ShowView& view, const query::PrivacyCard& card);
Json privacy_json(const query::PrivacyCard& card);

void show_record(const ShowView& view, const query::RecordCard& card);
void show_attack(const ShowView& view, const query::RecordCard& card, const std::string& run);
void show_claim(const ShowView& view, const query::RecordCard& card, std::uint32_t n);

}  // namespace residue::cli
