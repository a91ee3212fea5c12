#include "query/compare/comparable.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "query/inputs/snapshot.h"
#include "query/stored/current_evaluation.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/sources/dataset.h"

namespace residue::query {
namespace {

constexpr std::string_view kJudged = storage::sql::kEvaluationsByJudgeNewestFirst;

// How a run was evaluated.
struct Way {
  ProtocolId protocol;
  std::string name;
  std::uint64_t sample = 0;
  JudgeId judge;
  std::string judge_name;

  [[nodiscard]] bool same(const Way& other, bool any_sample) const {
    return name == other.name && judge == other.judge && (any_sample || sample == other.sample);
  }
  [[nodiscard]] std::string text() const {
    return fmt::format("{} by {}{}", name, judge_name, sample == 0 ? "" : fmt::format(" (sample of {})", sample));
  }
};

// Control linkers are evaluated unasked.
bool is_control(const Way& way) { return parse_protocol(way.name).linker->control(); }

std::vector<Way> ways_of(storage::Db& db, RunId run) {
  std::vector<Way> ways;
  storage::Statement find = db.prepare(kJudged);
  find.bind(run);
  while (find.step()) {
    ways.push_back({find.id<ProtocolId>(0), std::string(find.text(1)), static_cast<std::uint64_t>(find.integer(2)),
                    find.id<JudgeId>(3), std::string(find.text(4))});
  }
  return ways;
}

// The first of these, the last evaluated.
const Way* find_way(const std::vector<Way>& ways, const Way& wanted, bool any_sample) {
  const auto found =
      std::find_if(ways.begin(), ways.end(), [&](const Way& way) { return way.same(wanted, any_sample); });
  return found == ways.end() ? nullptr : &*found;
}

std::string eval_command(const ComparableOptions& options, std::string_view run, const Way& way) {
  return fmt::format("residue eval {}/{} --protocol {} --judge {}{}", options.dataset, run, way.name, way.judge_name,
                     way.sample == 0 ? "" : fmt::format(" --sample {}", way.sample));
}

// What is different about a run that was not evaluated as the others were.
std::string difference(const std::vector<Way>& ways, const Way& wanted) {
  const ProtocolSpec spec = parse_protocol(wanted.name);
  for (const Way& way : ways) {
    if (way.name == wanted.name && way.judge == wanted.judge) {
      return way.sample == 0 ? "on all records, not on a sample" : fmt::format("on a sample of {} records", way.sample);
    }
  }
  for (const Way& way : ways) {
    if (way.name == wanted.name) return fmt::format("by another judge, {}", way.judge_name);
  }
  for (const Way& way : ways) {
    const ProtocolSpec other = parse_protocol(way.name);
    if (other.linker_name() == spec.linker_name() && other.policy == spec.policy) {
      return fmt::format("on another claim set, {}", other.claim_set);
    }
  }
  const auto named = std::find_if(ways.begin(), ways.end(), [](const Way& way) { return !is_control(way); });
  return fmt::format("under another attacker, {}", named == ways.end() ? ways.front().name : named->name);
}

[[noreturn]] void differs(const ComparableOptions& options, std::string_view run, const std::vector<Way>& ways,
                          const Way& wanted, bool some_shared) {
  throw Error(Code::kUsage,
              fmt::format("run {}/{} was evaluated {}; the others are compared under {}", options.dataset, run,
                          difference(ways, wanted), wanted.text()),
              some_shared ? eval_command(options, run, wanted) + ", or --common for the last that all runs share"
                          : eval_command(options, run, wanted));
}

class Finder {
 public:
  Finder(storage::Db& db, const ComparableOptions& options) : db_(db), options_(options) {
    for (const std::string& run : options.runs) {
      ids_.push_back(storage::find_run(db, options.dataset, run));
      ways_.push_back(ways_of(db, ids_.back()));
      if (ways_.back().empty()) {
        throw Error(Code::kNotFound, fmt::format("run {}/{} was not evaluated", options.dataset, run),
                    fmt::format("residue eval {}/{}", options.dataset, run));
      }
    }
  }

  Comparable find() {
    Comparable result;
    result.lens = lens();
    const Way wanted{result.lens.protocol, result.lens.spec.name(), result.lens.sample, result.lens.judge,
                     result.lens.judge_name};
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      if (find_way(ways_[i], wanted, options_.common) == nullptr) {
        differs(options_, options_.runs[i], ways_[i], wanted, shared().has_value());
      }
      require_complete(db_, options_.dataset, result.lens.spec.claim_set, options_.runs[i]);
    }
    const std::vector<Way> seeds = seeds_of(wanted);
    result.seeds = static_cast<std::uint32_t>(seeds.size());
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      result.runs.push_back(side(i, seeds));
      const Way* first = find_way(ways_[i], wanted, options_.common);
      result.runs.back().protocol = first->protocol;
      result.samples_differ = result.samples_differ || first->sample != wanted.sample;
    }
    return result;
  }

 private:
  // The last way in which all runs were evaluated.
  [[nodiscard]] std::optional<Way> shared() const {
    for (const Way& way : ways_.front()) {
      if (is_control(way)) continue;
      if (options_.judge && way.judge_name != *options_.judge) continue;
      const bool all = std::all_of(ways_.begin(), ways_.end(),
                                   [&](const auto& ways) { return find_way(ways, way, options_.common) != nullptr; });
      if (all) return way;
    }
    return std::nullopt;
  }

  [[nodiscard]] Lens lens() const {
    if (!options_.common || !options_.protocol.empty()) {
      return find_lens(db_, options_.dataset, options_.protocol, options_.judge, options_.sample);
    }
    const std::optional<Way> last = shared();
    if (!last) {
      std::string list;
      for (std::size_t i = 0; i < ways_.size(); ++i) {
        const auto named = std::find_if_not(ways_[i].begin(), ways_[i].end(), is_control);
        const Way& way = named == ways_[i].end() ? ways_[i].front() : *named;
        list += fmt::format("{}{} under {}", list.empty() ? "" : "; ", options_.runs[i], way.text());
      }
      throw Error(Code::kUsage, fmt::format("these runs have no attacker and judge in common: {}", list),
                  eval_command(options_, options_.runs.back(), ways_.front().front()));
    }
    Lens lens = find_lens(db_, options_.dataset, last->name, last->judge_name);
    lens.protocol = last->protocol;
    lens.sample = last->sample;
    return lens;
  }

  [[nodiscard]] bool everybody_has(const Way& wanted) const {
    return std::all_of(ways_.begin(), ways_.end(),
                       [&](const auto& ways) { return find_way(ways, wanted, options_.common) != nullptr; });
  }

  // `wanted` under each seed.
  [[nodiscard]] std::vector<Way> seeds_of(const Way& wanted) const {
    storage::Statement last = db_.prepare(storage::sql::kDatasetSeedsByName);
    const bool found = last.bind(options_.dataset).step();
    const auto stored = found ? static_cast<std::uint32_t>(std::max<std::int64_t>(last.integer(0), 1)) : 1U;
    std::vector<Way> seeds;
    for (const ProtocolSpec& spec : with_seeds(parse_protocol(wanted.name), options_.seeds.value_or(stored))) {
      Way way = wanted;
      way.name = spec.name();
      if (!everybody_has(way)) {
        if (!options_.seeds) return {wanted};
        throw Error(Code::kUsage, fmt::format("not all of these runs were evaluated under {}", way.text()),
                    fmt::format("residue eval {} --protocol {} --judge {} --seeds {}", options_.dataset, wanted.name,
                                wanted.judge_name, *options_.seeds));
      }
      seeds.push_back(std::move(way));
    }
    return seeds;
  }

  [[nodiscard]] ComparedRun side(std::size_t i, const std::vector<Way>& seeds) const {
    ComparedRun run;
    run.id = ids_[i];
    run.name = options_.runs[i];
    run.text = evaluation(i, Tier::kText, ProtocolId{}, JudgeId{}, seeds.front());
    run.label = evaluation(i, Tier::kLabel, ProtocolId{}, JudgeId{}, seeds.front());
    for (const Way& seed : seeds) {
      const ProtocolId protocol = find_way(ways_[i], seed, options_.common)->protocol;
      if (const auto link = evaluation(i, Tier::kLink, protocol, JudgeId{}, seed)) run.link.push_back(*link);
      if (const auto judge = evaluation(i, Tier::kJudge, protocol, seed.judge, seed)) run.judge.push_back(*judge);
    }
    return run;
  }

  // Nothing where there is none; throws where it is older than what it was computed from.
  [[nodiscard]] std::optional<EvaluationId> evaluation(std::size_t i, Tier tier, ProtocolId protocol, JudgeId judge,
                                                       const Way& way) const {
    const auto found = current_evaluation(db_, ids_[i], tier, protocol, judge);
    if (!found) return std::nullopt;
    if (found->changed.empty()) return found->id;
    throw Error(Code::kUsage,
                fmt::format("numbers of {}/{} are stale: {}", options_.dataset, options_.runs[i], found->changed),
                eval_command(options_, options_.runs[i], way));
  }

  storage::Db& db_;
  const ComparableOptions& options_;
  std::vector<RunId> ids_;
  std::vector<std::vector<Way>> ways_;
};

}  // namespace

Comparable find_comparable(storage::Db& db, const ComparableOptions& options) {
  static_cast<void>(storage::find_dataset(db, options.dataset));
  for (auto run = options.runs.begin(); run != options.runs.end(); ++run) {
    if (std::find(options.runs.begin(), run, *run) == run) continue;
    throw Error(Code::kUsage,
                fmt::format("run {}/{} is named twice: it does not differ from itself", options.dataset, *run),
                "name each run once; the first is the baseline, or --baseline RUN");
  }
  if (options.runs.size() < 2) {
    throw Error(
        Code::kUsage, "there is nothing to compare: two runs are needed",
        fmt::format("residue compare {0}/RUN {0}/RUN, or --baseline none for the original texts", options.dataset));
  }
  return Finder(db, options).find();
}

}  // namespace residue::query
