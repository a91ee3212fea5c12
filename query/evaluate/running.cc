#include "query/evaluate/running.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/json.h"

namespace residue::query {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;

constexpr milliseconds kBetween{200};  // two words about one stage
constexpr double kRateAfter = 0.5;     // seconds; what was done in less says nothing of the rest

Json pace_json(const Pace& pace) { return {{"done", pace.done}, {"total", pace.total}, {"rate", pace.per_second}}; }

std::optional<double> number(const Json& of, std::string_view name) {
  const Json* const found = of.find(name);
  if (found == nullptr || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::optional<std::uint64_t> whole(const Json& of, std::string_view name) {
  const Json* const found = of.find(name);
  if (found == nullptr || !found->is_integer()) return std::nullopt;
  return found->get<std::uint64_t>();
}

Pace pace_of(const Json& json) {
  return {.done = whole(json, "done").value_or(0), .total = whole(json, "total"), .per_second = number(json, "rate")};
}

std::int64_t ms_of(std::chrono::system_clock::time_point time) {
  return std::chrono::duration_cast<milliseconds>(time.time_since_epoch()).count();
}

}  // namespace

RunningEvaluation::RunningEvaluation(const std::filesystem::path& store, std::string judge)
    : notice_(store), judge_(std::move(judge)), began_(Clock::now()) {}

void RunningEvaluation::Counted::count(std::uint64_t done, std::optional<std::uint64_t> total) {
  const double seconds = duration<double>(Clock::now() - since).count();
  pace = {.done = done, .total = total, .per_second = std::nullopt};
  if (done > first && seconds >= kRateAfter) pace.per_second = static_cast<double>(done - first) / seconds;
}

void RunningEvaluation::begin_stage(const EvalStep& step) {
  stage_ = {.since = Clock::now(), .first = step.done, .pace = {}};
  asking_.reset();
}

void RunningEvaluation::step(const EvalStep& step) {
  const std::lock_guard hold(mutex_);
  const auto place = [](const EvalStep& at) { return std::tie(at.dataset, at.run, at.protocol, at.stage); };
  const bool another = !now_ || place(*now_) != place(step);
  if (another) begin_stage(step);
  now_ = step;
  stage_.count(step.done, step.total);
  say(another);
}

void RunningEvaluation::asking(std::uint64_t done, std::optional<std::uint64_t> total) {
  const std::lock_guard hold(mutex_);
  if (!now_) return;
  if (!asking_ || done < asking_->pace.done) asking_ = {.since = Clock::now(), .first = done, .pace = {}};
  asking_->count(done, total);
  say(false);
}

void RunningEvaluation::other(const std::string& what, std::uint64_t done, std::optional<std::uint64_t> total) {
  EvalStep another;
  another.stage = what;
  another.done = done;
  another.total = total;
  another.whole_done = done;
  another.whole_total = total.value_or(0);
  step(another);
}

void RunningEvaluation::say(bool at_once) {
  const Clock::time_point now = Clock::now();
  if (!at_once && now - said_ < kBetween) return;
  said_ = now;
  Json words = {{"dataset", now_->dataset},
                {"run", now_->run},
                {"protocol", now_->protocol},
                {"judge", judge_},
                {"stage", now_->stage},
                {"part", {{"done", now_->whole_done}, {"total", now_->whole_total}}},
                {"records", pace_json(stage_.pace)},
                {"began", ms_of(began_)},
                {"said", ms_of(now)}};
  if (asking_) words["asking"] = pace_json(asking_->pace);
  notice_.say(words.dump());
}

std::vector<Running> running_evaluations(const std::filesystem::path& store) {
  const std::int64_t now = ms_of(std::chrono::system_clock::now());
  std::vector<Running> all;
  for (const std::string& words : storage::notices(store)) {
    const Json json = Json::parse(words).value_or(Json());
    if (!json.is_object() || !json.contains("stage") || !json.contains("part") || !json.contains("records")) continue;
    Running one;
    one.step.dataset = json.value("dataset", "");
    one.step.run = json.value("run", "");
    one.step.protocol = json.value("protocol", "");
    one.step.stage = json.value("stage", "");
    one.judge = json.value("judge", "");
    const Pace part = pace_of(json.at("part"));
    one.step.whole_done = part.done;
    one.step.whole_total = part.total.value_or(0);
    one.stage = pace_of(json.at("records"));
    one.step.done = one.stage.done;
    one.step.total = one.stage.total;
    if (const Json* const asking = json.find("asking")) one.asking = pace_of(*asking);
    const auto since = [&](std::string_view name) {
      return static_cast<double>(std::max<std::int64_t>(0, now - json.value(name, now))) / 1000;
    };
    one.seconds = since("began");
    one.silent = since("said");
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace residue::query
