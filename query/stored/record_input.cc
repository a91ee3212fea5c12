#include "query/stored/record_input.h"

namespace residue::query {

RecordCase own_case(const DatasetView& dataset, const RunView& run, std::size_t record) {
  RecordCase facts;
  facts.empty_original = dataset.records[record].empty;
  facts.aligned = run.aligned();
  facts.failed = facts.aligned ? !run.variants[record].ok : run.lost;
  return facts;
}

RecordCase attacked_case(const DatasetView& dataset, const RunView& run, const AuxiliaryView& auxiliary,
                         const LinkView& link, std::size_t record) {
  RecordCase facts = own_case(dataset, run, record);
  facts.no_claims = dataset.claims[record].empty();
  facts.has_claims = !facts.no_claims && auxiliary.known[record].query.value != 0;
  facts.all_known = auxiliary.everything;
  facts.attacked = link.attacked;
  facts.rank = link.rank;
  facts.linked = link.linked.value != 0;
  facts.linked_own = facts.linked && run.aligned() && link.linked.value == dataset.records[record].id.value;
  return facts;
}

std::vector<ClaimView> claims_outside(const std::vector<ClaimView>& claims, const std::vector<std::uint32_t>& known) {
  std::vector<ClaimView> outside;
  std::size_t next = 0;
  for (const ClaimView& claim : claims) {
    if (next < known.size() && known[next] == claim.n) {
      ++next;
    } else {
      outside.push_back(claim);
    }
  }
  return outside;
}

Error changed_meanwhile() {
  return {Code::kTryAgain, "the run was brought in anew by another process while it was evaluated",
          "repeat the command; if nothing else writes to the store and it says so again, this is a bug of residue"};
}

std::uint64_t facts_hash(const RecordView& record, const RecordCase& facts, TextId passage) {
  InputHash hash;
  hash << static_cast<std::int64_t>(record.unit) << facts.empty_original << facts.aligned << facts.failed
       << facts.no_claims << facts.has_claims << facts.all_known << facts.attacked << facts.linked << facts.linked_own
       << (facts.rank ? *facts.rank : 0) << passage.value;
  return hash.value();
}

}  // namespace residue::query
