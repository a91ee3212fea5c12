#include "query/prepare/loaded_views.h"

#include <utility>

#include "query/inputs/requests.h"
#include "query/link/blind_spots.h"

namespace residue::query {

LoadedViews::LoadedViews(storage::Store& store, DatasetId dataset, std::string name, std::size_t claims_per_request)
    : store_(store), dataset_(dataset), name_(std::move(name)), claims_per_request_(claims_per_request) {}

const DatasetView& LoadedViews::view(const ClaimSetHead& claims) {
  auto& slot = views_[claims.name];
  if (!slot) {
    slot = std::make_unique<DatasetView>(load_dataset(store_, dataset_, name_, claims));
    cut_requests(*slot, claims_per_request_);
  }
  return *slot;
}

const DatasetView& LoadedViews::any_view(const ClaimSetHead& claims) {
  return views_.empty() ? view(claims) : *views_.begin()->second;
}

const AuxiliaryView& LoadedViews::auxiliary(const Attacker& attacker) {
  const Policy& policy = attacker.spec.policy;
  auto& slot = auxiliaries_[attacker.claims.name + "/" + policy.name()];
  if (!slot) slot = std::make_unique<AuxiliaryView>(sync_auxiliary(store_, view(attacker.claims), policy));
  return *slot;
}

const RunView& LoadedViews::run_view(const RunHead& run, const DatasetView& dataset) {
  const bool fits = run_ && run_->id == run.id && (!run_->aligned() || run_->variants.size() == dataset.records.size());
  if (!fits) {
    run_ = std::make_unique<RunView>(load_run(store_, dataset, run));
    if (run_->repeated > 0) repeated_[run.name] = run_->repeated;
  }
  return *run_;
}

const std::vector<bool>& LoadedViews::unreadable_of(const RunView& run, const AuxiliaryView& known,
                                                    const Attacker& attacker) {
  const Linker& linker = *attacker.spec.linker;
  const std::tuple what(run.id, run.content, known.id, linker.measures_words(), linker.needs_vectors());
  const DatasetView& dataset = view(attacker.claims);  // it grows where another process adds records
  if (last_unreadable_.what != what || last_unreadable_.records.size() != dataset.records.size()) {
    last_unreadable_ = {what, unreadable_records(store_, dataset, run, known, linker)};
  }
  return last_unreadable_.records;
}

}  // namespace residue::query
