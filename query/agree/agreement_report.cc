#include "query/agree/agreement_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "base/json.h"
#include "numbers/stats/krippendorff.h"
#include "query/agree/calibration.h"
#include "query/judge/judge.h"
#include "storage/catalog/answers/judge.h"
#include "storage/catalog/answers/judgment.h"
#include "storage/catalog/answers/judgment_sample.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/label.h"

namespace residue::query {
namespace {

// Two ratings of one thing, and what is resampled together.
struct Twice {
  std::uint8_t first = 0, second = 0;
  std::uint64_t unit = 0;
};

// "lexical always says 2", where only one rating was given.
std::string constant_rater(std::string_view who, const std::array<std::uint64_t, 3>& ratings) {
  const auto used = [](std::uint64_t count) { return count > 0; };
  if (std::count_if(ratings.begin(), ratings.end(), used) != 1) return {};
  const auto rating = std::find_if(ratings.begin(), ratings.end(), used) - ratings.begin() + 1;
  return fmt::format("{} always says {}", who, rating);
}

std::string constant_sides(const AgreementLine& line) {
  std::array<std::uint64_t, 3> first{}, second{};
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      first[a] += line.confusion[a][b];
      second[b] += line.confusion[a][b];
    }
  }
  const std::string one = constant_rater(line.first, first), other = constant_rater(line.second, second);
  return one + (one.empty() || other.empty() ? "" : ", ") + other;
}

std::string constant_annotators(const AgreementLine& line, const std::vector<std::vector<std::uint32_t>>& votes) {
  std::array<std::uint64_t, 3> ratings{};
  for (const auto& one : votes) {
    for (std::size_t i = 0; i < ratings.size(); ++i) ratings[i] += one[i];
  }
  return constant_rater("each of " + line.first, ratings);
}

AgreementLine compare(std::string_view kind, std::string first, std::string second, const std::vector<Twice>& pairs) {
  AgreementLine line;
  line.kind = kind;
  line.first = std::move(first);
  line.second = std::move(second);
  line.n = pairs.size();
  std::vector<std::uint64_t> units;
  std::vector<std::uint8_t> same;
  std::vector<std::vector<std::uint32_t>> votes;
  for (const Twice& pair : pairs) {
    ++line.confusion[pair.first - 1][pair.second - 1];
    votes.emplace_back(3, 0U);
    ++votes.back()[pair.first - 1U];
    ++votes.back()[pair.second - 1U];
    units.push_back(pair.unit);
    same.push_back(pair.first == pair.second ? 1 : 0);
  }
  line.constant = constant_sides(line);
  line.too_few = line.n < kFewestLabels;
  if (line.too_few) return line;
  line.agreement = numbers::observed_agreement(line.confusion);
  line.spearman = numbers::spearman(line.confusion);
  line.kappa = numbers::quadratic_kappa(line.confusion);
  line.cohen = numbers::cohen_kappa(line.confusion);
  line.linear = numbers::linear_kappa(line.confusion);
  line.alpha = numbers::krippendorff_alpha(votes, numbers::Level::kOrdinal);
  const auto weighted = [&](std::span<const std::uint16_t> weights) {
    numbers::Confusion confusion{};
    for (std::size_t i = 0; i < weights.size(); ++i) confusion[pairs[i].first - 1][pairs[i].second - 1] += weights[i];
    return confusion;
  };
  line.agreement_interval = numbers::share_interval(units, same);
  line.spearman_interval = numbers::resampled_interval(units, [&](auto w) { return numbers::spearman(weighted(w)); });
  return line;
}

struct Label {
  TextId claim;
  RecordId of;  // whose claim it is
  std::string passage, record;
  std::optional<std::string> person;
  std::array<std::uint32_t, 3> votes{};

  [[nodiscard]] std::uint8_t rating() const {
    return static_cast<std::uint8_t>(std::max_element(votes.begin(), votes.end()) - votes.begin() + 1);
  }
};

// By claim, record and passage. An annotator counts once, with what he said last of several runs' equal passages.
std::vector<Label> labels_of(storage::Store& store, const std::optional<std::string>& dataset) {
  storage::Statement find = store.db().prepare(storage::sql::kLabelSupportsWithNames);
  const auto reader = store.facts().read();
  std::map<std::tuple<std::string, std::string, TextId, std::string>,
           std::pair<Label, std::map<std::string, std::uint8_t>>>
      all;
  find.bind(dataset);
  std::uint64_t unnamed = 0;
  while (find.step()) {
    const Json payload = Json::parse(reader->text(find.id<TextId>(0))).value_or(Json());
    if (!payload.contains("passage") || !payload["passage"].is_string()) continue;
    const std::string reference = payload.value("claim", "");
    const auto claim = reader->find(payload.value("claim_text", ""));
    if (!claim) continue;
    auto& [label, voices] = all[{std::string(find.text(4)), reference, *claim, payload["passage"].get<std::string>()}];
    label.claim = *claim;
    label.of = find.id<RecordId>(1);
    label.passage = payload["passage"].get<std::string>();
    label.record = std::string(find.text(2));
    label.person = find.text_or_null(5);
    const std::string who = find.is_null(3) ? "unnamed " + std::to_string(++unnamed) : std::string(find.text(3));
    voices[who] = payload.value("rating", std::uint8_t{3});
  }
  std::vector<Label> labels;
  for (auto& [key, entry] : all) {
    for (const auto& [who, rating] : entry.second) ++entry.first.votes[rating - 1];
    labels.push_back(std::move(entry.first));
  }
  return labels;
}

std::uint64_t unit_of(const Label& label) { return numbers::resampling_unit(label.record, label.person); }

void annotators(const std::vector<Label>& labels, std::vector<AgreementLine>& lines) {
  // Fleiss' kappa wants as many ratings of each pair: for each number of annotators its pairs.
  std::map<std::uint32_t, std::vector<std::vector<std::uint32_t>>> by_count;
  for (const Label& label : labels) {
    const std::uint32_t count = label.votes[0] + label.votes[1] + label.votes[2];
    if (count > 1) by_count[count].emplace_back(label.votes.begin(), label.votes.end());
  }
  std::vector<std::vector<std::uint32_t>> all;
  for (const auto& [count, votes] : by_count) {
    AgreementLine line;
    line.kind = "annotators";
    line.first = line.second = fmt::format("{} annotators", count);
    line.n = votes.size();
    line.too_few = line.n < kFewestLabels;
    if (!line.too_few) {
      line.kappa = numbers::fleiss_kappa(votes);
      line.alpha = numbers::krippendorff_alpha(votes, numbers::Level::kOrdinal);
    }
    line.constant = constant_annotators(line, votes);
    all.insert(all.end(), votes.begin(), votes.end());
    lines.push_back(std::move(line));
  }
  if (by_count.size() < 2) return;
  AgreementLine together;  // Alpha alone compares things that were not rated equally often.
  together.kind = "annotators";
  together.first = together.second = "all annotators";
  together.n = all.size();
  together.too_few = together.n < kFewestLabels;
  if (!together.too_few) together.alpha = numbers::krippendorff_alpha(all, numbers::Level::kOrdinal);
  together.constant = constant_annotators(together, all);
  lines.push_back(std::move(together));
}

std::vector<RatedLabel> rated_by(storage::Store& store, const std::vector<Label>& labels, std::string_view judge) {
  const auto reader = store.facts().read();
  std::vector<RatedLabel> rated;
  if (const auto embedded = installed_judge(judge)) {
    for (const Label& label : labels) {
      const std::string claim = reader->text(label.claim);
      const Request request{label.passage, {claim}};
      const auto rating = embedded->rate({&request, 1})[0][0];
      if (rating) rated.push_back({label.rating(), rating->rating, unit_of(label)});
    }
    return rated;
  }
  // Where claims are put to a judge together, what it said of this record's claim: once for each claim set that has it.
  storage::Statement find = store.db().prepare(storage::sql::kJudgmentRatingsOfRecordPair);
  for (const Label& label : labels) {
    const auto passage = reader->find(label.passage);
    if (!passage) continue;
    find.bind(judge, *passage, label.claim, label.of);
    while (find.step()) {
      rated.push_back({label.rating(), static_cast<std::uint8_t>(find.integer(0)), unit_of(label)});
    }
  }
  return rated;
}

void people(storage::Store& store, const std::vector<Label>& labels, std::vector<AgreementLine>& lines) {
  std::vector<std::string> judges;
  // One that needs a package only where it was asked for: what a machine has installed changes no table.
  storage::Statement used = store.db().prepare(storage::sql::kJudgeExists);
  for (const auto name : judge_names()) {
    if (name != kLexicalWordNet || used.bind(name).step()) judges.emplace_back(name);
    used.reset();
  }
  storage::Statement others = store.db().prepare(storage::sql::kJudgeNamesNotEmbedded);
  while (others.step()) judges.emplace_back(others.text(0));
  for (const std::string& judge : judges) {
    std::vector<Twice> pairs;
    for (const RatedLabel& one : rated_by(store, labels, judge)) pairs.push_back({one.people, one.judge, one.unit});
    if (!pairs.empty()) lines.push_back(compare("people", "people", judge, pairs));
  }
}

// Rows of `sql`: name, name, rating, rating, passage, claim, in the order of the names.
void stored(storage::Db& db, std::string_view kind, std::string_view sql, std::vector<AgreementLine>& lines) {
  storage::Statement find = db.prepare(sql);
  std::string first, second;
  std::vector<Twice> pairs;
  const auto flush = [&] {
    if (!pairs.empty()) lines.push_back(compare(kind, first, second, pairs));
    pairs.clear();
  };
  while (find.step()) {
    if (find.text(0) != first || find.text(1) != second) {
      flush();
      first = find.text(0);
      second = find.text(1);
    }
    // A passage is resampled with all that is said of it.
    pairs.push_back({static_cast<std::uint8_t>(find.integer(2)), static_cast<std::uint8_t>(find.integer(3)),
                     mix(static_cast<std::uint64_t>(find.integer(4)))});
  }
  flush();
}

constexpr std::string_view kRepeats = storage::sql::kJudgmentSamplePairsOfJudges;
constexpr std::string_view kJudges = storage::sql::kJudgmentRatingsOfTwoJudges;

}  // namespace

std::vector<AgreementLine> load_agreement(storage::Store& store, const std::optional<std::string>& dataset) {
  storage::Db& db = store.db();
  if (dataset) storage::find_dataset(db, *dataset);
  const storage::ReadTransaction snapshot(db);
  std::vector<AgreementLine> lines;
  const auto labels = labels_of(store, dataset);
  people(store, labels, lines);
  annotators(labels, lines);
  stored(db, "repeats", kRepeats, lines);
  stored(db, "judges", kJudges, lines);
  return lines;
}

std::vector<AgreementLine> annotator_agreement(storage::Store& store, const std::string& dataset) {
  std::vector<AgreementLine> lines;
  annotators(labels_of(store, dataset), lines);
  return lines;
}

std::vector<RatedLabel> rated_labels(storage::Store& store, const std::optional<std::string>& dataset,
                                     std::string_view judge) {
  const storage::ReadTransaction snapshot(store.db());
  return rated_by(store, labels_of(store, dataset), judge);
}

}  // namespace residue::query
