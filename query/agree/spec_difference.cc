#include "query/agree/spec_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "base/json.h"
#include "query/inputs/requests.h"
#include "query/inputs/snapshot.h"
#include "query/judge/model_judge.h"
#include "query/judge/open_judge.h"
#include "storage/catalog/answers/judge.h"
#include "storage/catalog/answers/judgment.h"
#include "storage/catalog/sources/claim_set.h"

namespace residue::query {
namespace {

constexpr std::size_t kShown = 60;  // bytes; longer values are named by their digest
constexpr std::size_t kDigits = 8;

Json read_spec(std::string_view spec) {
  Json json = Json::parse(spec).value_or(Json());
  const Json* answer = json.find("answer");
  const Json* asking = answer == nullptr ? nullptr : answer->find("asking");
  if (asking == nullptr || !asking->is_object() || json.value("judge", "") != "model") {
    throw Error(Code::kCorrupt, "the catalog holds a judge that cannot be read", "residue check");
  }
  return json;
}

std::string shown(const Json* value) {
  if (value == nullptr) return "not there";
  if (value->is_null()) return "unset";
  return shown_value(value->is_string() ? value->get<std::string>() : value->sorted().dump());
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The members of two objects by name, but for those that are looked at elsewhere.
void compare(const Json& ours, const Json& theirs, bool decides, const std::set<std::string>& skipped,
             std::vector<SpecField>& fields) {
  std::set<std::string> names;
  for (const Json* side : {&ours, &theirs}) {
    for (const auto& [name, value] : side->items()) names.insert(name);
  }
  for (const std::string& name : names) {
    if (skipped.contains(name)) continue;
    const Json *a = ours.find(name), *b = theirs.find(name);
    // Keys are made of bytes: 1 and 1.0 are two settings.
    const bool equal = a != nullptr && b != nullptr && a->sorted().dump() == b->sorted().dump();
    fields.push_back({name, shown(a), shown(b), equal, decides});
  }
}

struct Stored {
  std::string name, spec;
  std::uint64_t judgments = 0;
};

std::vector<Stored> model_judges(storage::Db& db) {
  storage::Statement row = db.prepare(storage::sql::kJudgesOfModelsWithCount);
  std::vector<Stored> judges;
  while (row.step()) {
    judges.push_back({std::string(row.text(0)), std::string(row.text(1)), static_cast<std::uint64_t>(row.integer(2))});
  }
  return judges;
}

// An endpoint as it is now comes before what was stored under its name.
Stored named(storage::Store& store, const std::string& name, const std::vector<Stored>& stored) {
  const std::unique_ptr<Judge> judge = open_judge(store, name, "", nullptr);
  if (dynamic_cast<const ModelJudge*>(judge.get()) == nullptr) {
    throw Error(Code::kUsage,
                fmt::format("judge {} is computed by residue itself: it keeps no answers that could be missing", name),
                "residue model list names the judges that are asked");
  }
  Stored found{name, judge->spec(), 0};
  for (const Stored& one : stored) {
    if (one.spec == found.spec) found.judgments = one.judgments;
  }
  return found;
}

}  // namespace

std::string shown_value(std::string_view text) {
  if (text.size() <= kShown && text.find('\n') == std::string::npos) return std::string(text);
  return "sha256 " + to_hex(sha256(text)).substr(0, kDigits);
}

std::uint64_t SpecDifference::deciding() const {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(fields, [](const SpecField& field) { return field.decides && !field.equal; }));
}

LineChanges changed_lines(std::string_view ours, std::string_view theirs) {
  const auto a = lines_of(ours), b = lines_of(theirs);
  std::vector<std::uint64_t> row(b.size() + 1, 0);
  for (const std::string_view line : a) {
    std::uint64_t diagonal = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::uint64_t above = row[j + 1];
      row[j + 1] = line == b[j] ? diagonal + 1 : std::max(above, row[j]);
      diagonal = above;
    }
  }
  return {a.size() - row.back(), b.size() - row.back()};
}

SpecDifference difference_of(std::string_view ours, std::string_view theirs) {
  const Json a = read_spec(ours), b = read_spec(theirs);
  SpecDifference difference;
  compare(a["answer"]["asking"], b["answer"]["asking"], true, {}, difference.fields);
  compare(a["answer"], b["answer"], true, {"asking"}, difference.fields);
  std::ranges::sort(difference.fields, {}, &SpecField::name);
  std::vector<SpecField> others;
  compare(a, b, false, {"answer", "judge", "claims_per_request"}, others);
  difference.fields.insert(difference.fields.end(), others.begin(), others.end());
  difference.instructions =
      changed_lines(a["answer"].value("template", std::string()), b["answer"].value("template", std::string()));
  return difference;
}

std::uint64_t moved_judgments(storage::Store& store, const std::string& judge) {
  storage::Db& db = store.db();
  const Stored ours = named(store, judge, model_judges(db));
  storage::Statement stored = db.prepare(storage::sql::kJudgeBySpec);
  if (ours.judgments == 0 || !stored.bind(ours.spec).step() || stored.integer(1) < 2) return 0;
  const auto size = static_cast<std::size_t>(stored.integer(1));
  std::unordered_set<RequestId> together;
  storage::Statement sets = db.prepare(storage::sql::kClaimSetsCutBySize);
  sets.bind(static_cast<std::int64_t>(size));
  while (sets.step()) {
    const auto dataset = sets.id<DatasetId>(0);
    const std::string name(sets.text(1));
    DatasetView view = load_dataset(store, dataset, name, find_claim_set(db, dataset, name, std::string(sets.text(2))));
    cut_requests(view, size);
    for (const auto& claims : view.claims) {
      for (const ClaimView& claim : claims) together.insert(claim.request);
    }
  }
  std::uint64_t moved = 0;
  storage::Statement judgments = db.prepare(storage::sql::kJudgmentRequestsOfJudge);
  judgments.bind(stored.id<JudgeId>(0));
  while (judgments.step()) moved += together.contains(judgments.id<RequestId>(0)) ? 0 : 1;
  return moved;
}

std::optional<Miss> explain_miss(storage::Store& store, const std::string& judge,
                                 const std::optional<std::string>& against) {
  const std::vector<Stored> stored = model_judges(store.db());
  const Stored ours = named(store, judge, stored);
  std::optional<Stored> best;
  std::optional<SpecDifference> least;
  Miss miss;
  if (against) {
    const auto as_stored = std::ranges::find(stored, *against, &Stored::name);
    best = as_stored != stored.end() ? *as_stored : named(store, *against, stored);
    least = difference_of(ours.spec, best->spec);
  }
  for (const Stored& one : stored) {
    if (one.spec == ours.spec || (best && against && one.spec == best->spec)) continue;
    ++miss.others;
    if (against || one.judgments == 0) continue;
    SpecDifference difference = difference_of(ours.spec, one.spec);
    const auto rank = [](const SpecDifference& d, const Stored& s) {
      return std::tuple(d.deciding(), ~s.judgments, s.name);
    };
    if (least && rank(*least, *best) <= rank(difference, one)) continue;
    least = std::move(difference);
    best = one;
  }
  if (!best) return std::nullopt;
  if (!against) --miss.others;
  miss.judge = ours.name;
  miss.against = best->name;
  miss.judgments = ours.judgments;
  miss.against_judgments = best->judgments;
  miss.difference = *std::move(least);
  return miss;
}

}  // namespace residue::query
