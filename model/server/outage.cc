#include "model/server/outage.h"

#include <algorithm>

namespace residue::model {
namespace {

constexpr std::uint32_t kMostDoublings = 30;

}  // namespace

void Outage::succeeded() {
  pauses_ = 0;
  pause_until_ms_ = 0;
  ++successes_;
}

void Outage::failed(std::int64_t sent_ms, std::int64_t now_ms, Millis told, double draw) {
  told_until_ms_ = std::max(told_until_ms_, now_ms + told.count());
  if (pauses_ > 0 && sent_ms < pause_from_ms_) return;
  if (pauses_ == 0) since_ms_ = now_ms;
  const double doubled =
      static_cast<double>(policy_.base.count()) * static_cast<double>(1ULL << std::min(pauses_, kMostDoublings));
  const double bound = std::min(doubled, static_cast<double>(policy_.cap.count()));
  ++pauses_;
  pause_from_ms_ = now_ms;
  // At least half of it: a pause that is drawn as nothing is none.
  pause_until_ms_ = now_ms + static_cast<std::int64_t>(bound * (0.5 + draw / 2));
}

std::int64_t Outage::paused_until_ms() const { return std::max(pause_until_ms_, told_until_ms_); }

bool Outage::hopeless(std::int64_t now_ms) const {
  return pauses_ > 0 && now_ms - since_ms_ >= policy_.patience.count();
}

}  // namespace residue::model
