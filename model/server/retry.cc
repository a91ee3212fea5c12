#include "model/server/retry.h"

#include <algorithm>
#include <string>

#include "base/json.h"

namespace residue::model {
namespace {

constexpr double kLess = 0.8;
constexpr std::int64_t kCalmMs = 1'000;

// Words by which servers say that a prompt is longer than their context; below, that a filter stopped it.
constexpr std::string_view kLengthSigns[] = {
    "context_length_exceeded", "maximum context length", "context length",     "context window",
    "exceed_context_size",     "context size",           "prompt is too long", "input is too long",
    "string_above_max_length", "reduce the length",      "too large for model"};
constexpr std::string_view kFilterSigns[] = {"content_filter", "content management policy", "content_policy_violation",
                                             "responsibleaipolicyviolation", "data_inspection_failed"};

Millis jittered(std::uint32_t tries, const RetryPolicy& policy, double draw) {
  const double doubled = static_cast<double>(policy.base.count()) * static_cast<double>(1ULL << std::min(tries, 30U));
  const double bound = std::min(doubled, static_cast<double>(policy.cap.count()));
  return Millis(static_cast<std::int64_t>(draw * bound));
}

Millis told_by(const Outcome& outcome, const RetryPolicy& policy) {
  if (!outcome.retry_after_s) return Millis(0);
  const std::int64_t most = policy.longest_retry_after.count();
  const std::int64_t told = std::clamp<std::int64_t>(*outcome.retry_after_s, 0, most / 1000 + 1) * 1000;
  return Millis(std::min(told, most));
}

}  // namespace

Trouble trouble_of(std::string_view body) {
  Json json = Json::parse(body).value_or(Json());
  if (json.is_array() && json.size() == 1) json = Json(json.front());  // Google's
  const Json* error = json.find("error");
  if (error == nullptr && json.is_object()) error = &json;  // vLLM's
  if (error == nullptr) return Trouble::kNone;
  std::string words;
  const auto add = [&words](const Json& value) {
    if (value.is_string()) words += value.get<std::string>() + ' ';
  };
  add(*error);
  if (error->is_object()) {
    for (const char* name : {"code", "type", "message"}) {
      if (const Json* said = error->find(name)) add(*said);
    }
  }
  for (char& c : words) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  for (const std::string_view sign : {"insufficient_quota", "billing", "exceeded your current quota", "payment"}) {
    if (words.find(sign) != std::string::npos) return Trouble::kQuota;
  }
  if (words.find("loading") != std::string::npos) return Trouble::kLoading;
  const auto says = [&](std::string_view sign) { return words.find(sign) != std::string::npos; };
  if (std::ranges::any_of(kFilterSigns, says)) return Trouble::kFilter;
  return std::ranges::any_of(kLengthSigns, says) ? Trouble::kLength : Trouble::kNone;
}

Decision decide(const Outcome& outcome, std::uint32_t tries, const RetryPolicy& policy, double draw) {
  const Millis told = told_by(outcome, policy);
  const Millis wait = outcome.retry_after_s ? told : jittered(tries, policy, draw);
  switch (outcome.delivery) {
    case Delivery::kUntrusted:
    case Delivery::kRefusedByProxy:
      return {Action::kStop, Millis(0), false, Millis(0)};
    case Delivery::kNotSent:
      return {Action::kWait, wait, false, told};
    case Delivery::kMaybeSent:
      return {Action::kRepeat, wait, true, told};
    case Delivery::kAnswered:
      break;
  }
  const int status = outcome.status;
  if (status >= 200 && status < 300) return {Action::kRead, Millis(0), false, Millis(0)};
  if (status == 429 || status == 402) {
    if (status == 402 || outcome.trouble == Trouble::kQuota) return {Action::kStop, Millis(0), false, Millis(0)};
    return {Action::kWait, wait, true, told};
  }
  if (status == 503) {
    // While a model is loading, fewer requests would not help.
    return {Action::kWait, wait, outcome.trouble != Trouble::kLoading, told};
  }
  if (status >= 500 && outcome.untouched) return {Action::kWait, wait, true, told};
  if (status == 408 || status == 409 || status == 425 || status >= 500) return {Action::kRepeat, wait, true, told};
  const bool of_prompt = outcome.trouble == Trouble::kLength || outcome.trouble == Trouble::kFilter;
  if (status == 413 || ((status == 400 || status == 422) && of_prompt))
    return {Action::kSkip, Millis(0), false, Millis(0)};
  return {Action::kStop, Millis(0), false, Millis(0)};
}

Concurrency::Concurrency(std::optional<std::uint32_t> fixed) : fixed_(fixed.has_value()) {
  if (fixed) limit_ = std::max(1U, *fixed);
}

void Concurrency::succeeded() {
  if (!fixed_) limit_ = std::min(kMost, limit_ + 1.0 / limit_);
}

void Concurrency::overloaded(std::int64_t now_ms) {
  if (fixed_ || now_ms < calm_until_ms_) return;
  limit_ = std::max(1.0, limit_ * kLess);
  calm_until_ms_ = now_ms + kCalmMs;
}

}  // namespace residue::model
