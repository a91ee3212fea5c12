#include "verbs/bring_in/sanitize.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <set>
#include <utility>

#include "base/error.h"
#include "ingest/method/sanitizer.h"
#include "verbs/runs/tags.h"

namespace residue::verbs {
namespace {

struct OneRun {
  std::string run;
  ingest::SanitizePlan plan;
};

// `plan` with what is different in each run; `session` outlives them.
std::vector<OneRun> runs_of(const SanitizeOptions& options, model::AskSession& session) {
  ingest::SanitizePlan plan = options.plan;
  plan.asking.session = &session;
  if (!options.sweep) return {{options.run, std::move(plan)}};
  const bool several = options.sweep->values.size() > 1;
  if (several && !plan.group) plan.group = options.run;
  std::vector<OneRun> runs;
  for (const std::string& value : options.sweep->values) {
    runs.push_back({options.run + "@" + value, plan});
    OneRun& one = runs.back();
    one.plan.params[options.sweep->param] = value;
    if (!several || !options.plan.announce) continue;
    one.plan.announce = [name = one.run, &announce = options.plan.announce](const std::string& line) {
      announce(name + ": " + line);
    };
  }
  return runs;
}

void add(SanitizeResult& sum, ingest::SanitizeResult&& one, const std::string& run, bool several) {
  sum.result.counts += one.counts;
  sum.result.seconds += one.seconds;
  const bool named = !several || one.runs != std::vector{run};  // notes on rounds name their run
  for (const std::string& note : one.notes) sum.result.notes.push_back(named ? note : run + ": " + note);
  std::ranges::move(one.runs, std::back_inserter(sum.runs));
}

// The rounds of a method are made together: each took its share of the time.
void note(storage::Store& store, const SanitizeOptions& options, const ingest::SanitizeResult& made) {
  const bool changed = !options.version.empty() && made.counts.fresh + made.counts.changed > 0;
  const double share = made.seconds / static_cast<double>(std::max<std::size_t>(made.runs.size(), 1));
  for (const std::string& run : made.runs) {
    note_made(store, {{options.dataset, run}, options.tags, {}, options.note}, {options.version, share, changed});
  }
}

// A command that is stopped took its time, too. What stopped it is told, not this.
void note_stopped(storage::Store& store, const SanitizeOptions& options, const std::string& run, double seconds) {
  if (options.version.empty()) return;
  try {
    note_made(store, {{options.dataset, run}, {}, {}, {}}, {options.version, seconds, true});
  } catch (const Error&) {
    return;
  }
}

PlannedAsking plan(storage::Store& store, const SanitizeOptions& options, const std::vector<OneRun>& runs) {
  std::vector<PlannedModel> models;
  std::uint64_t more = 0;
  for (const OneRun& one : runs) {
    const ingest::SanitizeAskPlan planned = ingest::plan_sanitize(store, options.dataset, one.plan);
    for (const auto& model : planned.models) {
      const auto same = [&](const PlannedModel& known) { return known.endpoint.name == model.endpoint.name; };
      auto at = std::ranges::find_if(models, same);
      if (at == models.end()) at = models.insert(at, {model.endpoint, {}});
      at->plan += model.plan;
    }
    more += planned.more;
  }
  return sum_of(store.db(), options.dataset, models, more);
}

void check(const Sweep& sweep, const ingest::SanitizePlan& plan) {
  if (sweep.values.empty()) throw Error(Code::kUsage, "--sweep has no value", "write --sweep p=1e-5,1e-4");
  std::set<std::string> seen;
  for (const std::string& value : sweep.values) {
    if (value.empty()) throw Error(Code::kUsage, "--sweep has an empty value", "write --sweep p=1e-5,1e-4");
    if (!seen.insert(value).second) {
      throw Error(Code::kUsage, "--sweep has a value twice", "write each value once: each makes a run");
    }
  }
  if (plan.params.contains(sweep.param)) {
    throw Error(Code::kUsage, fmt::format("--sweep and --param both give {}", sweep.param), "give it once");
  }
}

}  // namespace

void check(const SanitizeOptions& options) {
  if (options.sweep) check(*options.sweep, options.plan);
  const std::string& method = options.plan.method;
  const AskingOptions& asking = options.asking;
  if (!ingest::sanitizer_method(method).asks.empty()) {
    if (!options.plan.seed) return;
    throw Error(Code::kUsage, fmt::format("{} does not draw at random: --seed would change nothing", method),
                "the model's own seed is that of residue model add --seed");
  }
  if (options.dry_run || asking.max_calls || asking.max_cost || asking.no_repeat) {
    throw Error(Code::kUsage, fmt::format("{} asks no model: it costs nothing and sends nothing", method),
                "leave out --max-calls, --max-cost, --no-repeat and --dry-run");
  }
}

SanitizeResult sanitize(storage::Store& store, const SanitizeOptions& options) {
  check(options);
  verbs::check(TagOptions{{}, options.tags, {}, options.note});
  model::AskSession session = session_of(options.asking);
  const std::vector<OneRun> runs = runs_of(options, session);
  SanitizeResult all;
  if (options.dry_run) {
    all.planned = plan(store, options, runs);
    return all;
  }
  const bool several = runs.size() > 1;
  if (several) {
    for (const OneRun& one : runs) ingest::check_sanitize(store, options.dataset, one.run, one.plan);
  }
  const bool asks = !options.plan.asking.model.empty();
  const ingest::IngestOptions how = storing(options.asking, asks);
  for (const OneRun& one : runs) {
    const auto start = std::chrono::steady_clock::now();
    ingest::SanitizeResult made;
    try {
      made = ingest::sanitize_dataset(store, options.dataset, one.run, one.plan, options.jobs, how);
    } catch (const Error& error) {
      // Behind a disk that failed nothing more is written.
      if (error.code() == Code::kInterrupted) {
        note_stopped(store, options, one.run,
                     std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      }
      throw;
    }
    note(store, options, made);
    add(all, std::move(made), one.run, several);
  }
  if (asks) all.asked = session.counts;
  return all;
}

}  // namespace residue::verbs
